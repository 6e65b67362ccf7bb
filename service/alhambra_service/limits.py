"""Every size, count and time-out of the service, each with a name. No other file has a bare number as a limit.

The limits of fields of requests are not here: they are options of the fields in the contract. Times are in seconds
unless the name says otherwise.
"""

# -- What the store keeps of a game --------------------------------------------------------------------------------

ENTRIES_PER_COMMIT = 65
"""One move of a person and at most 64 decisions that need no person: server-played seats, orders, deadlines."""
REQUESTS_KEPT = 8
"""For each seat of a game, the store remembers at least this number of newest requests, at most twice as many."""
RECORD_BYTES = 1 << 20
"""A game before it is packed. The largest seen has 12 KiB."""
ENTRY_BYTES = 64 << 10
"""One line of the log."""
NOTE_BYTES = 256
"""The longest text that the service stores with the outcome of a request."""
LOG_PAGE = 1_000
"""Entries of the log in one answer of the store."""

# -- ListGames -----------------------------------------------------------------------------------------------------

LIST_ROUNDS = 20
"""How often the search for one page continues because the games found so far are deleted."""
INDEX_SWEEP = 2
"""With each new game, this number of entries of the tenant's list is checked, and removed if the game is deleted."""
SCAN_COUNT = 500
"""Keys that one step of rebuilding the list reads."""

# -- How much a tenant may have, and for how long ------------------------------------------------------------------

KEY_RUNNING_GAMES = 10_000
"""Games of one tenant that run at once, unless the file of keys says otherwise."""
KEY_STORED_BYTES = 512 << 20
"""Memory of the store that the games of one tenant take, unless the file of keys says otherwise."""
GAME_BYTES = 24 << 10
"""The bytes that a running game counts for until it is larger. A game of 200 moves takes some 20 KiB at its end."""
MEASURED_EVERY = 64
"""A game is measured each time its log has grown by this many entries, and when it ends."""
ADMITTED_SECONDS = 30
"""A game that was admitted and does not exist after this time was never created."""
OPEN_GAMES_PER_HOST = 100
"""Games of one API key that are open to anyone and wait for players; without keys, of all callers together."""
OPEN_GAME_SECONDS = 24 * 3600
"""A game that is open to anyone and waits for players is deleted when no seat was claimed for this long."""
OPEN_GAMES_READ = 20
"""Open games that are read at a time to fill a page of the list."""
FREE_REQUEST_ID_CHARS = 22
"""The shortest request id of a claim that shows no credentials: 16 random bytes in Base64."""
ABSENT_SECONDS = 300
"""An organiser can give the seat of another player to the server if the player has not answered for this long."""
QUOTA_SWEEP = 200
"""Games that are checked when a tenant reaches its quota: some of them may be deleted."""
FORGET_FINISHED_DAYS = 30
"""A finished game is removed after this time, unless the operator says otherwise."""
AUDIT_ENTRIES = 10_000
"""Entries of the audit log of one tenant; the oldest one goes when there are more. Each takes some 150 bytes."""
AUDIT_DAYS = 365
"""How long they are kept, unless the operator says otherwise."""
AUDIT_PAGE = 100
AUDIT_PAGE_USUAL = 50
"""Entries on one page of the audit log: the most, and the default."""
FORGET_ABANDONED_DAYS = 90
"""A game that has not changed for this time is removed, unless the operator says otherwise."""

# -- Connections to the store ------------------------------------------------------------------------------------------

STORE_CONNECTIONS = 64
"""Connections of one process to one server of the store. If all of them are in use, a call waits up to
STORE_ANSWER_SECONDS for one."""
STORE_CONNECT_SECONDS = 1.0
STORE_ANSWER_SECONDS = 2.0
REPLICA_RECEIVE_MS = 500
REPLICA_WAIT_MS = 1_200
"""How long an answer waits until replicas have received a commit, and then until they have it on disk. Together below
STORE_ANSWER_SECONDS, or the wait would look like a lost connection; above a second, because a replica reports its
disk once a second unless it is asked at the right moment."""
QUORUM_SERVERS = 7
"""At most this many servers of a cluster, or Sentinels, are asked for the masters."""
QUORUM_SECONDS = 0.5
"""How long to wait for their answers; longer only if none has answered."""
PROBE_SECONDS = 1.0
"""A probe that takes longer reports the store as too slow."""
CROWDED_SECONDS = 0.1
"""How long to wait, after a connection has failed, for the server to say that it takes no more connections."""
PROBE_EXPIRES_MS = 10_000
"""The key that a probe writes expires after this time."""
CLOCK_SECONDS = 30.0
"""The store's clock is read again if its last reading is older than this. Probes read it every HEALTH_SECONDS."""
DOCTOR_CLOCK_SECONDS = 2.0
"""How far the clocks of the store and of a machine may differ before `alhambra doctor` calls it wrong."""
REDIRECTS = 5
"""How often one command is redirected while slots of a cluster move or the master changes."""
SETTLE_SECONDS = 3.0
"""How long to ask for the outcome of a commit whose answer was lost. An embedded store is back by then."""
SETTLE_PAUSE_SECONDS = 0.05

# -- Decoded games kept in the process -----------------------------------------------------------------------------

CACHED_GAMES = 1_000
"""A decoded game takes some 50 to 100 KiB."""
CACHED_GAMES_OVER = 16
"""Of those, games that are over."""
TRACKING_TICK_SECONDS = 0.2
"""How often the tracking of a server checks whether it has to stop."""
TRACKING_PING_SECONDS = 1.0
"""A ping is sent if nothing has been received for this time."""
TRACKING_ECHO_SECONDS = 2.0
"""How long to wait for a pong, and for the report of the first write, before the connection counts as broken."""
TRACKING_PAUSE_SECONDS = 0.2
"""The pause before connecting again."""
TOPOLOGY_SECONDS = 1.0
"""How often a process asks whether a cluster or Sentinel has other masters now."""

# -- The embedded store --------------------------------------------------------------------------------------------

EMBEDDED_MEMORY_MIB = 1_024
"""The embedded store takes at most this much memory for games, unless the operator says otherwise. 50,000 games of 200
moves."""
EMBEDDED_LOCK_SECONDS = 3.0
"""How long to wait for a data folder whose last owner is stopping."""
EMBEDDED_START_SECONDS = 15.0
EMBEDDED_LOADING_SECONDS = 600.0
"""How long a store may take to start while it says that it loads its data."""
EMBEDDED_STOP_SECONDS = 10.0
EMBEDDED_FIRST_PAUSE_SECONDS = 0.1
EMBEDDED_LONGEST_PAUSE_SECONDS = 5.0
"""Pauses before a store that died is started again (`alhambra_runtime/backoff.py`)."""
EMBEDDED_LOG_BYTES = 1 << 20
"""At a start, a longer log of the embedded store is renamed to `store.log.old`."""
EMBEDDED_LAST_LINES = 20
"""Lines of that log that are kept in memory: on a full disk there is no other place for them."""
EMBEDDED_ERROR_SECONDS = 10.0
"""If the embedded store ends within this time after it logged an error, that error is the reason."""
EMBEDDED_FREE_BYTES = 4 << 20
"""An embedded store refuses writes while its disk has less free space than this."""
EMBEDDED_TEST_BYTES = 64 << 10
"""Bytes that are written to a disk to check whether it can be written to again."""
EMBEDDED_DISK_CHECK_SECONDS = 0.5
"""How often the disk of an embedded store is checked."""
EMBEDDED_LONGEST_WAIT_SECONDS = 60.0
"""The longest pause before a store that could not write is allowed to write again; the first ones are short."""
SOCKET_PATH_BYTES = 100
"""A unix socket's path holds 104 bytes on macOS and 108 on Linux, with the final zero and a little room."""

# -- Callers -----------------------------------------------------------------------------------------------------

SECRET_BYTES = 32
"""Of tokens, invitations, tickets and keys: 256 bits."""
BEARER_CHARS = 256
"""A longer credential cannot be valid and is not hashed."""
API_KEYS = 1_000
KEYS_FILE_BYTES = 1 << 20
KEY_CALLS_PER_SECOND = 200.0
"""Of one API key, unless the file of keys says otherwise."""
CLIENT_CALLS_PER_SECOND = 50.0
"""Of one address without an API key, where there are keys at all. IPv6 counts by network (IPV6_PREFIX)."""
BURST_SECONDS = 2.0
"""A caller may make the calls of this many seconds at once."""
CALL_COSTS = {
    "ValidatePlacement": 0.5,
    "GetBoardPicture": 2.0,
    "ListLegalMoves": 2.0,
    "SuggestMoves": 10.0,
    "GetReview": 8.0,
    "ListLegalPlacements": 2.0,
    "CreateEventTicket": 2.0,
    "ClaimSeat": 2.0,
    "WatchEvents": 2.0,
    "WatchNotices": 2.0,
    "CreateNoticeTicket": 10.0,
    "ListGames": 3.0,
    "ListAuditEntries": 3.0,
    "ListWebhooks": 3.0,
    "ListDeliveries": 3.0,
    "TestWebhook": 5.0,
    "CreateWebhook": 10.0,
    "ReplayDeliveries": 10.0,
    "BatchValidatePlacements": 4.0,
    "ExportGame": 10.0,
}
"""The cost of a call in the rates above, by its method; 1 for all others. It is charged before the call begins."""
CALL_CPU_SECONDS = 0.004
"""CPU time that a cost of 1 pays for. If a call uses more, the rest is charged when it has ended: an address without
a key gets at most CLIENT_CALLS_PER_SECOND * CALL_CPU_SECONDS = 0.2 seconds of a core each second, a key 0.8."""
DEBT_SECONDS = 30.0
"""A caller waits at most this long until its debt is paid off."""
IPV6_PREFIX = 64
"""Callers with IPv6 are counted by this many leading bits of their address: one customer has at least that many
addresses."""
RATED_CALLERS = 10_000
"""Callers whose rates are counted at a time."""
TICKET_SECONDS = 60

# -- The server ----------------------------------------------------------------------------------------------------

THREADS = 10
"""Of one process, for each of three pools: reads from memory, reads from the store, changes (`rpc/pools.py`)."""
QUICK_THREADS = 8
"""Of one process, for ValidatePlacement."""
MESSAGE_SECONDS = 5.0
"""A call whose message has not arrived within this time after its headers is ended."""
WAITING_CALLS = 300
"""Calls of one process that wait for their message. For one more, the call that has waited longest is ended."""
WAITING_PER_CONNECTION = 100
"""Calls of one connection that wait for their message. One more is refused."""
WAITING_UNCOUNTED = 32
"""While fewer calls wait for their message, they are not counted by connection."""
CALLS_OPEN = 4_500
"""Calls of one process that are not over, streams included. Above it, callers that do not read their answers are
disconnected, oldest first."""
UNREAD_ANSWER_SECONDS = 15.0
"""A caller that does not read its answer is disconnected after this time."""
PENDING_CALLS_TICK_SECONDS = 0.25
"""How often pending calls are checked for those that have waited too long."""
PENDING_CALLS_PAUSE_SECONDS = 0.05
"""The shortest pause between two such checks, however many calls arrive."""
REFLECTION_THREADS = 4
REFLECTION_SECONDS = 10.0
"""A stream of reflection requests is ended after this time, because it holds a thread."""
WORKERS = 256
CONNECTION_AGE_MS = 300_000
"""At this age of a connection its client is asked to connect again, so that it finds servers that were added."""
CONNECTION_GRACE_MS = 3_600_000
"""Calls and streams of a connection that has reached its age may go on for this long; then it is closed. Streams of
events end before that, with `resume` (WATCHING_SECONDS)."""
HANDSHAKE_MS = 10_000
"""A connection whose handshake is not complete after this time is closed."""
KEEPALIVE_MS = 60_000
KEEPALIVE_ANSWER_MS = 20_000
"""If nothing was received on a connection for KEEPALIVE_MS, a ping is sent; the connection is closed if it is not
answered within KEEPALIVE_ANSWER_MS."""
PING_STRIKES = 2
"""A peer that sends pings more often than once in five minutes, without any call, is warned this often; then its
connection is closed."""
REQUEST_BYTES = 1 << 20
ANSWER_BYTES = 8 << 20
METADATA_BYTES = 16 << 10
CALLS_PER_CONNECTION = 4_000
"""Simultaneous calls of one connection. A gateway has all its streams on a few connections."""
CALLS_AT_ONCE = 6_500
"""Simultaneous calls of one process, streams included. Further calls are refused at once and are not queued."""
CALLS_NOTED = 100_000
"""Successful calls of one method that are noted until they are added to the metrics, every HEALTH_SECONDS."""
HEALTH_THREADS = 2
"""Threads for health checks alone."""
HEALTH_WATCHERS = 100
"""Streams of health in one process, each with a thread that sleeps."""
PROCESS_NAME_BYTES = 8
"""Random bytes of the name by which gateways tell processes apart."""
HEALTH_SECONDS = 1.0
"""How often a process checks whether the store can be written to."""
HEALTHCHECK_SECONDS = 5.0
"""How long `alhambra healthcheck` waits."""
DRAIN_SECONDS = 5.0
"""The time between NOT_SERVING and the moment when a stopping server takes no more calls."""
LAST_CALLS_SECONDS = 1.0
"""A stopping server refuses new calls for at most this long before it closes its connections: a call that arrives later
is cut off without an answer."""
LAST_CALLS_QUIET_SECONDS = 0.1
"""It closes them sooner if no call has arrived for this long."""
GRACE_SECONDS = 10.0
"""How long calls that are being answered may take when the server stops."""
ORPHAN_GRACE_SECONDS = 1.0
"""How long calls that are being answered may take when the parent has died."""

# -- Processes -----------------------------------------------------------------------------------------------------

WORKER_START_SECONDS = 60.0
WORKER_STOP_SECONDS = 5.0
"""How much longer than its drain and grace time a worker may take to stop before it is killed."""

# -- Backups -------------------------------------------------------------------------------------------------------

BACKUP_LINE_BYTES = 64 << 20
"""One game with its whole log, as a line."""

# -- Games: seats, moves, orders --------------------------------------------------------------------------------------

COMMIT_TRIES = 20
"""How often a change is prepared before it is refused because other commits keep coming first."""
AUTOMATIC_DECISIONS = ENTRIES_PER_COMMIT - 1
AUTOMATIC_SECONDS = 0.02
"""Decisions without a person in one commit, and the CPU time after which no further one is started. The next call
continues."""
BOTS_ALIVE_SECONDS = 20
"""A bot process counts as dead if it has not asked for a decision for this long."""
BOT_LEASE_SECONDS = 20
"""How long a decision is leased to one bot before another bot can get it."""
BOT_GAMES_CHECKED = 16
"""Games that are checked to find one decision for a bot."""
UNDOS_PER_GAME = 500
"""Each leaves two entries in the log."""
SPECTATOR_DELAY = 10
"""The delay of spectators in entries of the log, in a game with a delay, unless its host says otherwise."""
MOVES_PAGE_USUAL = 200
MOVES_INCLUDED = 500
"""Moves of the first page that an answer holds with INCLUDE_MOVES."""
PAYMENTS_SHOWN = 20
"""Payments of one offer in a brief list."""
PAYMENT_STEPS = 200
"""Steps of the search for payments to find out whether an offer has more than a brief list shows."""
MOVES_LISTED = 10_000
"""Moves of one verb that pays nothing."""
LISTING_SECONDS = 0.02
"""CPU time of one page of legal moves, after its offers, or of games; then the page ends, even if it is short."""
HINT_SECONDS = 0.035
"""CPU time after which the search for a hint starts nothing new; what the greedy player takes counts, too."""
REACTIONS_PER_SECOND = 1.0
"""Phrases of one seat, counted by each process; two at once."""
REACTIONS_KEPT = 16
REACTION_SECONDS = 10
"""Phrases of one game that the store keeps, and how long: until every process that watches the game has read them."""
REACTION_FRESH_SECONDS = 5
"""A stream that is opened later does not send the phrase any more."""
REVIEW_SECONDS = 0.03
"""CPU time that one call spends on the review of a finished game; the next call continues."""
REVIEWS_KEPT = 32
"""Reviews of finished games that a process keeps; one of a long game takes some 200 KiB."""
KEY_MOVES = 3
"""Moves that a review names."""
EXPORT_SECONDS = 0.03
"""CPU time that one export of a running game spends on replaying its log; then the caller is asked to retry."""
CPU_BUDGET_STEPS = 8
"""A CPU budget reads the clock, and checks whether the caller still waits, after this number of steps."""
PAGE_TOKEN_CHARS = 512
"""The longest names a payment of a hand with every money card there is: two characters for each kind of money."""
PAGE_SIGNATURE_BYTES = 12
GAMES_PAGE_USUAL = 50
LISTED_ROUNDS = 10
"""How often the search for one page of ListGames continues because its filter passed too few games."""

CATALOG_ANSWERS = 128
"""Answers of the catalogue that a process keeps; the longest has 200 KiB when it is encoded."""
CATALOG_REQUEST_BYTES = 256
"""The answer to a longer request for the catalogue is not kept."""

# -- Notices and webhooks ----------------------------------------------------------------------------------------------

WANTED_SECONDS = 1.0
"""A process asks the store at most this often whose notices are wanted."""
WANTED_MARGIN_SECONDS = 0.2
"""How much longer than that the first webhook of a tenant waits before it is registered."""
WANTED_KEPT_SECONDS = 24 * 3600
"""How long the notices of a tenant are stored after its last stream of notices, so that the stream can be resumed."""
NOTICES_RELAYED = 100
"""Notices of one game that are moved into the feed at a time."""
RELAY_THREADS = 4
"""Threads of one process that move notices into feeds. Each waits for the disk of the store most of the time."""
RELAYS_WAITING = 10_000
"""Games that wait for one of those threads. The notices of others are found by a sender later."""
FEED_NOTICES = 100_000
"""Notices in the feed of a tenant, some 300 bytes each; the oldest are removed."""
FED_SECONDS = 2 * 24 * 3600
"""How long the number of the newest notice of a game is kept. No process relays a notice later than that."""
NEAR_SECONDS = 3_600
"""A deadline is near when a quarter of the time for the decision is left, or this much if that is less."""
NEAR_CHECKED = 100
"""Deadlines that are checked at a time."""
WEBHOOKS_PER_TENANT = 20
WEBHOOK_PENDING = 10_000
"""Deliveries of one webhook that wait. Further notices are left out and counted."""
WEBHOOK_REQUESTS_KEPT = 100
"""The newest changes of one webhook that are remembered with their outcomes. The contract names the number."""
WEBHOOK_DELIVERED_KEPT = 200
"""The newest deliveries of one webhook that were made and are still listed."""
WEBHOOK_PARKED_KEPT = 1_000
"""The newest deliveries of one webhook that were given up. Older ones are deleted."""
WEBHOOK_RETRY_SECONDS = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""When a delivery that failed is tried again, in seconds after its first attempt."""
WEBHOOK_RETRY_JITTER = 0.1
"""Retries come later by a random part of this share, so that those of many games do not come at once."""
WEBHOOK_LEASE_SECONDS = 60
"""How long a delivery belongs to one sender before another one may take it."""
WEBHOOK_CONNECT_SECONDS = 5.0
WEBHOOK_TOTAL_SECONDS = 15.0
"""How long one attempt may take after the name was looked up."""
WEBHOOK_ANSWER_BYTES = 16 << 10
"""The most bytes of an answer's head that are read. Its body is not read."""
WEBHOOK_CONCURRENCY = 4
"""Simultaneous deliveries to one webhook, of all senders together."""
WEBHOOK_HOST_CONCURRENCY = 16
"""Simultaneous deliveries of one sender to one host name."""
WEBHOOK_TENANT_CONCURRENCY = 32
"""Simultaneous deliveries of one sender for one tenant."""
WEBHOOK_THREADS = 256
"""Simultaneous deliveries of one sender. Each has a thread that mostly waits."""
WEBHOOK_RUN = 50
"""Deliveries of one webhook that a thread makes one after the other before others get their turn."""
WEBHOOK_TICK_SECONDS = 0.2
"""How often a sender looks for work."""
WEBHOOK_LIST_SECONDS = 1.0
"""How often a sender reads the list of webhooks again."""
WEBHOOK_SWEEP_SECONDS = 30.0
"""How often a sender looks for games whose notices were not relayed, because a process died."""
WEBHOOK_BATCH = 200
"""Notices of a feed that are queued at a time."""
WEBHOOK_QUEUEING_MS = 3_000
"""How long one sender has to queue them before another one may do it."""
WEBHOOK_ALIVE_SECONDS = 20
"""A sender counts as dead if it has not been heard of for this long."""
WEBHOOK_SECRET_SECONDS = 24 * 3600
"""How long an old secret signs as well after it was replaced."""
WEBHOOK_SECRETS = 4
"""Secrets of one webhook that sign at the same time; the oldest is dropped."""
WEBHOOK_ERROR_CHARS = 200
DELIVERIES_PAGE_USUAL = 50

# -- Streams of notices ------------------------------------------------------------------------------------------------

NOTICES_READ = 500
"""Notices of a feed that are read at a time for streams."""
NOTICES_POLL_SECONDS = 0.2
"""How often a process with streams of notices reads the feeds of their tenants."""
NOTICES_UPKEEP_SECONDS = 1.0
"""How often it looks for deadlines that are near."""
NOTICE_STREAMS_PER_HOST = 16
"""Streams of notices of one API key; without keys, of all callers that show no ticket."""

# -- Refusals ------------------------------------------------------------------------------------------------------

FACT_CHARS = 200
"""One fact in the metadata of a refusal."""
MESSAGE_CHARS = 500
CREATED_ENTRIES = 1_024
"""Entries of a list of a new game that are read; the rules refuse lists up to this length in their own words."""
VIOLATIONS_SHOWN = 30
VIOLATIONS_KEPT = 1_000
VERDICTS_KEPT = 2_000
"""Cached violations with their sentences, and cached verdicts; a violation takes about 1,700 bytes, a verdict 300."""
STATUS_BYTES = 5 << 10
"""A status with its details travels in trailers, which clients accept up to 8 KiB, in base64."""
DEFECT_ID_BYTES = 8

# -- Streams of events ----------------------------------------------------------------------------------------------

WATCHERS = 2_500
"""Streams of events of one process. None has a thread of its own."""
WATCHERS_SPECTATING = 2_000
"""Of those, streams without a seat. The rest is reserved for players."""
WATCHERS_PER_GAME = 1_500
"""Streams of one game without a seat."""
WATCHERS_PER_SEAT = 16
"""Streams of one seat: a player has a few windows open."""
WATCHERS_PER_ADDRESS = 200
"""Streams of one address, this machine excepted. IPv6 counts by network (IPV6_PREFIX)."""
WATCHER_QUEUE = 1_000
"""Queued messages of one watcher. A commit causes some dozens, one with many automatic decisions hundreds."""
OPENING_THREADS = 4
"""Threads that open streams of events, and as many that open streams of notices. More would not be faster, and would
delay unary calls."""
ENDING_THREADS = 4
"""Threads that end streams."""
STREAM_SILENCE_SECONDS = 10.0
"""A watcher that has received nothing for this long gets a KeepAlive, and its game is compared with the store."""
WATCHING_TICK_SECONDS = 0.1
"""How often followed games are checked for keep-alives and deadlines."""
WATCHER_LINGER_SECONDS = 30.0
"""A watcher that does not read the message `resume` is disconnected after this time."""
WATCHER_STUCK_SECONDS = 60.0
"""A watcher that takes longer to read one message is disconnected."""
WATCHING_SECONDS = 3_000
"""A stream that is this old ends with `resume`, before its connection is closed (CONNECTION_GRACE_MS)."""
WATCHERS_CHECKED_SECONDS = 1.0
"""How often streams are checked for stuck and old ones."""
LONGEST_CLOCK_SECONDS = 14 * 24 * 3600
"""The most that a clock can have, with what turns add to it: its milliseconds fit into an int32 of the contract."""
DEADLINE_RETRY_SECONDS = 1.0
"""How often to check, after the deadline of a decision, whether the server could answer it."""
COMPARE_SECONDS = 1.0
"""A change that this process committed is sent at once; after this time the game is compared with the store."""
STORE_LOST_SECONDS = 30.0
"""A stream ends when the store could not be reached for this long."""
EVENT_THREADS = 4
"""Threads that find the new events of watched games."""
WATCHING_STOP_SECONDS = 2.0
"""How long watchers have to read that this server stops."""
PLACED_TILES_KEPT = 20_000
"""Cached messages that show a tile on a cell; about 200 bytes each."""
VIEWS_REMEMBERED = 12
"""Views of a game that were sent and are remembered by the marks of their parts, up to 8 kilobytes each, so that later
views can be sent as changes."""
ANSWERS_PER_GAME = 16
"""Encoded answers that are cached with a game in memory: views by seat and language, lists of legal moves."""
RECENT_COMMITS = 500
"""Commits of this process whose events are kept in memory for streams; a few kilobytes each."""
FOLLOWED_GAMES = WATCHERS + 100
"""Games whose logs a process follows, so that their streams need no replay: all that can be watched at the same time,
and some that are only read."""
DELAYED_GAMES = 300
"""Games that a process follows with the delay of their spectators; about 100 KiB each."""
FOLLOWED_SECONDS = 120
"""A followed game that has not been read for this long is dropped: most of them have ended or were deleted. A long game
takes 300 KiB while it is followed; a new replay takes some hundredths of a second."""
FOLLOWED_GAMES_OVER = 4
"""Finished games among them. Reading another one takes a replay of some hundredths of a second."""
FOLLOWED_EVENTS = 1_000_000
"""Events of all those games together that are kept; the least recently read games keep only their newest. A long game
has some 3,000, which take 50 KiB (`events/packed_history.py`)."""
EXPORTS_KEPT = 16
"""Documents of finished games that a process keeps; the one of a long game has 1 MiB."""
CHECKPOINT_VERSIONS = 128
"""A checkpoint is saved about every this many versions, so that a replay can start there. It takes 2 to 4 KiB."""
CHECKPOINTS_LOOKED_AT = 8
"""The nearest checkpoints that one replay asks for. Where moves are made and taken back again and again there are none:
UNDOS_PER_GAME of them take fewer versions than this many checkpoints."""
CHECKPOINT_SECONDS = 7 * 24 * 3600
"""How long checkpoints are kept after the last one was saved."""
REPLAY_CHECK_ENTRIES = 16
"""A replay checks after this many entries whether its caller still waits."""
REPLAYED_AT_ONCE = 64
"""Versions that a stream of past events replays at a time."""
HISTORY_BLOCK = 16
"""Versions whose events are compressed together; at least this many newest versions are not compressed."""
