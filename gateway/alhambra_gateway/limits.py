"""Every size, count and time-out of the gateway, each with a name. Nothing elsewhere is limited by a bare number.

Times are in seconds unless the name says otherwise.
"""

# -- Processes and threads -----------------------------------------------------------------------------------------

WORKERS = 256
THREADS = 8
"""Of one process, for plain calls."""
HELD_UP_SECONDS = 1.0
"""A thread that is busy with one request for longer is replaced, so that nobody waits behind it."""
RELIEVED_HANDS = 200
"""So many threads of a process can be replaced at once."""
CREW_TICK_SECONDS = 0.25
"""How often to look for threads that are held up."""
STREAMS = 1_000
"""Streams of events that one process holds, each with a thread of its own that mostly sleeps."""
CONNECTIONS_BESIDE = 2_000
"""Connections of one process beside its streams, those that are only kept open included."""
OPEN_FILES = 1 << 16
"""What a process asks for, if the system allows as many: each connection is one."""
BACKLOG = 2_048
"""Connections that wait to be taken in."""
WORKER_SILENCE_SECONDS = 60
"""A process that shows no sign of life for so long is ended and started again; whole seconds."""
START_TICK_SECONDS = 0.05
"""How often to look whether all processes are ready."""

# -- Stopping ------------------------------------------------------------------------------------------------------

DRAIN_SECONDS = 5.0
"""Between the word that this gateway goes away (`/readyz`) and the moment when it takes no more connections."""
GRACE_SECONDS = 10.0
"""How long answers that are being written may take when the gateway stops."""
ORPHAN_GRACE_SECONDS = 1
"""The same if the parent has died; whole seconds."""

# -- Requests ------------------------------------------------------------------------------------------------------

REQUEST_LINE_BYTES = 4_094
HEADERS = 64
HEADER_BYTES = 8_190
BODY_BYTES = 1 << 20
"""Not more than the service reads."""
REQUEST_SECONDS = 15.0
"""How long a client may take to send a request, its body included."""
KEEP_ALIVE_SECONDS = 30
"""How long a connection is kept open for the next request; whole seconds."""
STALLED_SECONDS = 20
"""A client that does not read its answer is hung up on after so long; whole seconds."""

# -- Answers -------------------------------------------------------------------------------------------------------

GZIP_BYTES = 1_024
"""A shorter answer is not worth packing."""
GZIP_LEVEL = 4
PAGE_SECONDS = 300
"""How long a page for people, its style and its pictures may be kept without asking again."""
PREFLIGHT_SECONDS = 7_200
"""How long a browser may remember what it asked about another origin."""

# -- Streams of events ---------------------------------------------------------------------------------------------

RECONNECT_SECONDS = 2
"""What a browser is told to wait before it opens a stream again."""
STREAM_RETRY_SECONDS = 5
"""What a client is told to wait that came when all streams were taken."""

# -- Readiness and numbers -----------------------------------------------------------------------------------------

READY_SECONDS = 2.0
"""How long `/readyz` waits for the service."""
READY_REMEMBERED_SECONDS = 0.5
"""So long an answer of the service about its health is told to others who ask."""
NOTED_SECONDS = 1.0
"""How often a process tells its numbers to the others."""
REQUESTS_NOTED = 100_000
"""So many requests of one kind are remembered until then; no process answers as many."""

# -- The whole product in one command ------------------------------------------------------------------------------

CHILD_START_SECONDS = 90.0
CHILD_STOP_SECONDS = 8.0
"""How much longer than promised a server may take to stop before it is ended."""
CHILD_FIRST_PAUSE_SECONDS = 0.2
CHILD_LONGEST_PAUSE_SECONDS = 10.0
"""Before a server that died is started again: doubled each time, back to the first after a quiet stretch."""
CHILD_QUIET_SECONDS = 30.0
SUPERVISOR_TICK_SECONDS = 0.1

# -- JSON ----------------------------------------------------------------------------------------------------------

VALUE_DEPTH = 24
"""How deeply lists and objects of a plain value may be nested: well below what a message can hold."""
QUERY_PARAMETERS = 64
FACT_CHARS = 200
"""Of what was sent, as much as a problem repeats."""
HEADERS_REMEMBERED = 1_024
"""Different headers whose meaning is kept, as most clients send the same."""

# -- Calls of the service ------------------------------------------------------------------------------------------

CHANNELS = 4
"""Connections of one process to the service: each is served by one of its processes."""
CALL_SECONDS = 10.0
"""How long a plain call may take. Longer than the service asks for a commit whose answer was lost."""
CHANGE_SECONDS = 15.0
"""The same for a call that changes something."""
ANSWER_BYTES = 8 << 20
"""Not less than the service writes."""
CONNECT_SECONDS = 5.0
"""One attempt to connect to the service may take so long."""
SPARE_TRIES = 2
"""So often a call that changes nothing is made again because its connection broke."""
RECONNECT_FIRST_SECONDS = 0.1
RECONNECT_LONGEST_SECONDS = 2.0
"""Before a lost connection to the service is opened again: longer each time."""
AUTHORIZATION_CHARS = 512
"""A longer header holds no credentials of ours."""
LANGUAGE_CHARS = 256
"""A longer list of languages is not passed on."""
RETRY_SECONDS = 1
"""What a client is told to wait where the service cannot be reached or has too much to do."""
