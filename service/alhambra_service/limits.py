"""Every size, count and time-out of the service, each with a name. Nothing elsewhere is limited by a bare number.

Times are in seconds unless the name says otherwise.
"""

# -- What the store keeps of a game --------------------------------------------------------------------------------

ENTRIES_PER_COMMIT = 65
"""One move of a person and at most 64 decisions that nobody has to take: server-played seats, orders, deadlines."""
REQUESTS_KEPT = 32
"""So many of the newest commits of a game are remembered by their request, at least; at most twice as many."""
RECORD_BYTES = 1 << 20
"""A game before it is packed. The largest seen has 12 KiB."""
ENTRY_BYTES = 8 << 10
"""One line of the log."""
NOTE_BYTES = 256
"""What the service remembers about a request beside its versions."""
LOG_PAGE = 1_000
"""Entries of the log in one answer of the store."""

# -- ListGames -----------------------------------------------------------------------------------------------------

LIST_PAGE = 100
"""Games on one page."""
LIST_ROUNDS = 20
"""How often one page looks further because what it found is gone."""
INDEX_SWEEP = 2
"""With each new game, so many entries of the tenant's index are looked at and dropped if their game is gone."""
SCAN_COUNT = 500
"""Keys that one step of rebuilding the index looks at."""

# -- Talking to the store ------------------------------------------------------------------------------------------

STORE_CONNECTIONS = 64
"""Connections of one process to one server of the store. Who finds none free waits as long as for an answer."""
STORE_CONNECT_SECONDS = 1.0
STORE_ANSWER_SECONDS = 2.0
REPLICA_WAIT_MS = 1_000
"""How long an answer waits for replicas. Below STORE_ANSWER_SECONDS, or the wait would look like a lost connection."""
REDIRECTS = 5
"""How often one command follows a cluster whose slots are on the move, or a master that changed."""
SETTLE_SECONDS = 3.0
"""How long a commit whose answer was lost is asked for: an embedded store is back by then."""
SETTLE_PAUSE_SECONDS = 0.05

# -- Decoded games kept in the process -----------------------------------------------------------------------------

CACHED_GAMES = 1_000
"""A decoded game takes some 50 to 100 KiB."""
TRACKING_TICK_SECONDS = 0.2
"""How soon a listener notices that it shall stop."""
TRACKING_PING_SECONDS = 1.0
"""A listener that heard nothing for so long asks whether the store is still there."""
TRACKING_ECHO_SECONDS = 2.0
"""How long a listener waits for a pong, and for the echo of its first write, before it counts as deaf."""
TRACKING_PAUSE_SECONDS = 0.2
"""Between two attempts to listen again."""
TOPOLOGY_SECONDS = 1.0
"""How often a process asks whether a cluster or Sentinel has other masters now."""

# -- The embedded store --------------------------------------------------------------------------------------------

EMBEDDED_LOCK_SECONDS = 3.0
"""How long to wait for a data folder whose last owner is just going away."""
EMBEDDED_START_SECONDS = 15.0
EMBEDDED_LOADING_SECONDS = 600.0
"""A store that says it is loading its data is given longer."""
EMBEDDED_STOP_SECONDS = 10.0
EMBEDDED_FIRST_PAUSE_SECONDS = 0.1
EMBEDDED_LONGEST_PAUSE_SECONDS = 5.0
"""Before a store that died is started again: doubled each time, back to the first after a quiet stretch."""
EMBEDDED_QUIET_SECONDS = 30.0
EMBEDDED_LOG_BYTES = 1 << 20
"""A log of the embedded store that is longer is put aside at the next start."""
SOCKET_PATH_BYTES = 100
"""A unix socket's path holds 104 bytes on macOS and 108 on Linux, with the final zero and a little room."""
