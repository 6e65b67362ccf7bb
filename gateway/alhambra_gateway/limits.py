"""Every size, count and time-out of the gateway, each with a name. Nothing elsewhere is limited by a bare number.

Times are in seconds unless the name says otherwise.
"""

# -- Processes and threads -----------------------------------------------------------------------------------------

WORKERS = 256
THREADS = 8
"""Threads of one process for unary calls."""
HELD_UP_SECONDS = 0.1
"""A thread that is busy with one request for longer is replaced by a new one, so that other requests do not wait."""
REPLACED_THREADS = 128
"""Threads of a process that can be replaced at once, or twice its threads for unary calls if that is more. When nearly
that many requests wait for the service, further calls of the service are refused with 503 and do not wait."""
THREAD_TICK_SECONDS = 0.05
"""How often to check for threads that are held up."""
STREAMS = 6_000
"""Streams of events that one process holds. None has a thread of its own."""
STREAMS_PER_ADDRESS = 100
"""Streams of events that one process holds for one address (IPv6: one /64), this machine excepted."""
STREAMS_PER_SEAT = 16
"""Streams of events that one process holds for one seat of a game."""
STREAMS_PER_GAME = 3_000
"""Streams of events that one process holds for the spectators of one game."""
STREAMS_FOR_SEATS = 0.1
"""The share of the streams of one process that is kept for seats, so that spectators cannot keep players out."""
CONNECTIONS_BESIDE = 2_000
"""Connections of one process beside its streams, those that are only kept open included. Before the last ones are
taken, an idle or unfinished connection of the address that has most of them is closed for each new one."""
CONNECTIONS_SPARE = 16
"""Connections of one process that are left when it begins to close others for new ones."""
ACCEPTS_AT_ONCE = 16
"""New connections that a busy process accepts before it handles the others."""
OPEN_FILES = 1 << 16
"""Open files that a process asks the system for; each connection is one."""
BACKLOG = 2_048
"""Connections that wait to be accepted."""
WORKER_SILENCE_SECONDS = 60
"""A process that does not report to its master for this time is killed and started again; whole seconds."""
START_TICK_SECONDS = 0.05
"""How often to check whether all processes are ready."""

# -- Stopping ------------------------------------------------------------------------------------------------------

DRAIN_SECONDS = 5.0
"""Time between the first 503 of `/readyz` and the moment when no more connections are accepted."""
GRACE_SECONDS = 10.0
"""How long answers that are being written may take when the gateway stops."""
LAST_HANDSHAKES_SECONDS = 0.2
"""How long connections that are being opened are waited for, after attempts to open others are ignored."""
LAST_REQUEST_SECONDS = 1.0
"""How long a process that stops waits for a request on a connection that was kept open or has just been opened: the
request may be on its way. Its answer says that the connection is closed."""
ORPHAN_GRACE_SECONDS = 1
"""How long answers may take when the parent process has died; whole seconds."""

# -- Requests ------------------------------------------------------------------------------------------------------

REQUEST_LINE_BYTES = 4_094
HEADERS = 64
HEADER_BYTES = 8_190
"""The longest single header."""
HEAD_BYTES = 32_768
"""The request line and all headers together."""
BODY_BYTES = 1 << 20
"""Not more than the service reads."""
CHUNKS = 4_096
"""Chunks of one body."""
CHUNK_LINE_BYTES = 1_024
"""The line before a chunk, which holds its length; also the headers behind the last chunk."""
READ_BYTES = 1 << 16
"""Bytes that are read from one connection before the others are handled."""
SILENT_SECONDS = 15.0
"""A connection on which nothing is sent is closed after this time."""
SMALL_READ_BYTES = 1_024
"""A client that sends less at a time is slow, or wants to keep the gateway busy."""
SMALL_READS = 8
"""After this number of small parts of one request, its connection is read once in SMALL_READ_PAUSE_SECONDS."""
SMALL_READ_PAUSE_SECONDS = 0.25
HEAD_SECONDS = 10.0
"""Time from the first byte of a request to the end of its headers. A slower request is answered with 408."""
BODY_SECONDS = 10.0
"""Time for the body of a request, beside the time that it needs at BODY_BYTES_PER_SECOND. A slower request is answered
with 408."""
BODY_BYTES_PER_SECOND = 4_096
UNFINISHED_PER_ADDRESS = 256
"""Requests of one address (IPv6: one /64) that have begun and are not complete, in one process; connections on which
nothing was sent yet count too. Over the limit the oldest one is answered with 429 and closed. Requests through a
trusted proxy count for the forwarded address as soon as their headers are complete."""
UNFINISHED_PER_PROXY = 1_500
"""Incomplete requests of the address of a trusted proxy, while the forwarded address is not known yet."""
UNFINISHED_BYTES = 64 << 20
"""Bytes of incomplete requests that one process holds. Over the limit, the oldest one of the address with most
incomplete requests is answered with 429 and closed."""
IDLE_CONNECTION_SECONDS = 30
"""How long a connection is kept open for the next request; whole seconds."""
IDLE_PER_ADDRESS = 1_000
"""Idle connections of one address that one process keeps open. Over the limit the oldest one is closed."""
IDLE_PER_PROXY = 1_500
"""The same for the address of a trusted proxy."""
STALLED_SECONDS = 20
"""A client that reads nothing of its answer for this time is disconnected; whole seconds."""
ANSWER_BYTES_PER_SECOND = 4_096
"""A client that reads its answer slower than this is disconnected after STALLED_SECONDS."""
SEND_BUFFER_BYTES = 1 << 17
"""Bytes of an answer that the system buffers for a connection. The process holds and counts the rest."""
UNSENT_PER_ADDRESS = 256
"""Answers that one address has not read yet, in one process. Over the limit the oldest connection is closed."""
UNSENT_PER_PROXY = 1_500
"""The same for the address of a trusted proxy."""
UNSENT_BYTES = 128 << 20
"""Bytes of answers that one process holds because their clients read slowly. Over the limit, the oldest connection of
the address with most of them is closed."""
LINGER_SECONDS = 2.0
"""How long a connection that is being closed is still read from, so that its last answer is not lost."""
LINGER_BYTES = 1 << 16
"""Bytes that are read from a connection that is being closed."""
LINGERING = 512
"""Connections of one process that are being closed and still read from. Over the limit the oldest is closed at once."""
DEADLINE_TICK_SECONDS = 0.25
"""How often to check for connections whose time is over."""

# -- CPU time of callers, if the gateway has an API key of its own -----------------------------------------------------

CPU_PER_SECOND = 0.2
"""Seconds of CPU, of gateway and service together, that one address has in each second. The service tells another
number if its operator has set another rate of calls, and a larger one for API keys."""
CPU_BURST_SECONDS = 2.0
"""A caller may use the CPU time of this many seconds at once."""
CPU_DEBT_SECONDS = 30.0
"""A caller waits at most this long until its debt is paid off."""
CPU_ALONE = 0.5
"""While less than this share of what an account can hold is left, its requests are answered one after the other."""
CPU_OF_A_CONNECTION = 0.0002
"""What is charged for reading a request and sending its answer, which one thread does for all connections: its CPU time
is not measured for each of them."""
CPU_ACCOUNTS = 16_384
"""Callers whose CPU time is counted at a time; 24 bytes each."""
REFUSED_PAUSE_SECONDS = 1.0
"""A connection is not read from for this time after a request was refused with 429, and nor is a new one of an address
whose CPU time is used up. Otherwise refusals alone could keep a process busy."""

# -- Answers -------------------------------------------------------------------------------------------------------

GZIP_BYTES = 1_024
"""A shorter answer is not compressed."""
GZIP_LEVEL = 4
PAGE_SECONDS = 300
"""How long a page for people, its style and its pictures may be cached."""
READY_BYTES = 32 << 20
"""Documents that do not change which a process keeps as ready bytes; beside it at most as much again, compressed."""
PAGES_REMEMBERED = 64
"""Pages of modules that a process caches with their pictures, some 20 KB each."""
PREFLIGHT_SECONDS = 7_200
"""How long a browser may cache the answer to a CORS preflight."""

# -- Streams of events ---------------------------------------------------------------------------------------------

RECONNECT_LEAST_SECONDS = 1.0
RECONNECT_MOST_SECONDS = 3.0
"""How long a browser waits before it opens a stream again: drawn for each client, because clients that share a stream
of the service lose it at the same moment and would all come back at the same moment."""
STREAM_QUEUE = 1_000
"""Messages that wait for one client of a stream. A client that falls further behind is told to resume."""
OFFERED_AT_ONCE = 256
"""Clients of a stream that get a message before other streams have their turn."""
STREAM_RETRY_SECONDS = 5
"""Retry-After of a stream that was refused because there are too many."""

# -- Readiness and numbers -----------------------------------------------------------------------------------------

READY_SECONDS = 2.0
"""How long `/readyz` waits for the first answer of a service after the gateway has started."""
NOTED_SECONDS = 1.0
"""How often a process writes its metrics for the others."""
REQUESTS_NOTED = 100_000
"""Requests of one kind that are noted until then. No process answers more in that time."""

# -- The whole product in one command ------------------------------------------------------------------------------

CHILD_START_SECONDS = 90.0
CHILD_STOP_SECONDS = 8.0
"""How much longer than its grace time a server may take to stop before it is killed."""

# -- JSON ----------------------------------------------------------------------------------------------------------

BODY_VALUES = 16_384
"""Members of objects and entries of lists in one body, all together: more than the six largest boards that can be
scored. Commas and opening brackets are counted, those in texts too."""
LIST_ENTRIES = 1_024
"""Entries of a list that are read, whatever it holds. The contract allows fewer in every list; the service refuses
lists up to this length in its own words."""
NUMBER_DIGITS = 400
"""Digits of a whole number. More than the largest floating-point number has, so that a number is too large or out of
range by its value, not by its spelling."""
VALUE_DEPTH = 24
"""How deeply lists and objects of a plain value may be nested: well below what a message can hold."""
QUERY_PARAMETERS = 64
FACT_CHARS = 200
"""Characters of a client's text that a problem repeats."""
HEADERS_REMEMBERED = 1_024
"""Different headers whose parsed form is cached; most clients send the same ones."""

# -- Calls of the service ------------------------------------------------------------------------------------------

CHANNELS = 4
"""Connections of one process to each service: each is served by one of its processes."""
SPREAD_TRIES = 24
"""How often one of them is opened anew because others lead to its process, and none to another one."""
LEAVING_SECONDS = 2.0
"""How long one that is not used any more stays open at least: a thread may have chosen it a moment ago."""
CHECK_SECONDS = 0.5
"""How often the gateway asks each connection for the health of its service."""
CHECK_TICK_SECONDS = 0.2
"""How often it looks for checks that are due or unanswered."""
CHECK_ANSWER_SECONDS = 5.0
"""How long a check may take before the next one is made."""
SERVICE_SILENT_SECONDS = 1.0
"""A service that has not answered a check for this time counts as hung: its calls go to another service."""
NO_SERVICE_SECONDS = 3.0
"""How long calls wait for a service to come back after the last one has stopped to answer. Later calls are refused at
once until one answers."""
LOOK_UP_SECONDS = 5.0
"""How often a name that stands for services is looked up."""
CALL_SECONDS = 10.0
"""How long a unary call may take. Longer than the service takes to find out about a commit whose answer was lost."""
CHANGE_SECONDS = 15.0
"""How long a unary call that changes something may take."""
ANSWER_BYTES = 8 << 20
"""Not less than the service writes."""
CONNECT_SECONDS = 5.0
"""How long one attempt to connect to the service may take."""
SPARE_TRIES = 3
"""How often a call is made again because its connection broke, or its service fell silent. A request that ends the
process that reads it must not end all of them."""
OTHER_VERSION_TRIES = 11
"""How often a call is made again, over another connection, because the service that it reached is of another version
than the game. While versions run side by side, a name that stands for many services leads to either of them."""
RECONNECT_FIRST_SECONDS = 0.1
RECONNECT_LONGEST_SECONDS = 1.0
"""Pause before a lost connection to the service is opened again: longer each time."""
AUTHORIZATION_CHARS = 512
"""A longer header Authorization cannot contain credentials of ours."""
LANGUAGE_CHARS = 256
"""A longer header Accept-Language is not passed on."""
RETRY_SECONDS = 1
"""Retry-After if the service cannot be reached or is overloaded."""
