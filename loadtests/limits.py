"""Every number of the load tests."""

CALL_SECONDS = 20.0
"""Seconds. An answer that takes longer counts as lost."""
START_SECONDS = 60.0
"""Seconds that the product may take to start."""
STOP_SECONDS = 30.0

# -- Prepared games ------------------------------------------------------------------------------------------------

PREPARED_GAMES = 10
PREPARED_MOVES = 600
PREPARED_TILES = 12
"""A prepared game stops when its Alhambras have this number of tiles on average."""
QUESTIONS_TRIED = 4_000
QUESTIONS_OF_A_KIND = 60
REACH = 5
"""The largest distance of placements from the fountain."""

# -- Users ---------------------------------------------------------------------------------------------------------

BATCH = 64
BATCH_SHARE = 0.02
"""The share of placements that are asked in batches."""
ILLEGAL_SHARE = 0.05
"""The share of moves of bots that must be refused."""
REPEAT_SHARE = 0.05
"""Share of moves that bots send twice, as after a lost answer."""
UNDO_SHARE = 0.05
"""Tables ask to take back this share of their moves."""
HANG_UP_SHARE = 0.01
"""Watchers of tables hang up after this share of the events, and come back."""
RECONNECT_SECONDS = 0.2
"""How long a watcher of a table waits before it comes back."""
LOOK_SECONDS = 0.05
SEATS = (2, 5)
"""Tables have from 2 to 5 seats."""
MOVES_OF_A_GAME = 3_000
WATCHED_SECONDS = 15.0
"""Seconds that a watcher reads a stream before it disconnects and comes again."""

# -- Shapes --------------------------------------------------------------------------------------------------------

USERS = 40
SECONDS = 60.0
PACE = 4.0
"""Calls a second of each user while a rate is searched for: few, so that a slow answer does not delay the next call."""
SEARCH_USERS = 8
"""Users of the first step of a search."""
SETTLE_SECONDS = 4.0
"""How long a new step runs before it is measured: users come, and Locust's processes report every three seconds."""
REPORT_SECONDS = 4.0
"""How old the last report of a process of Locust can be."""
STEP_SECONDS = 9.0
LONG_STEP_SECONDS = 30.0
"""How long a step is measured; the long one confirms the rate that was found."""
STEP_FACTOR = 1.6
"""A climbing search multiplies its users by this."""
STEP_DOWN = 0.9
"""If the long step is too much, the next one has this share of its users."""
CLOSE_ENOUGH = 1.1
"""A search stops halving when a bad step has at most this multiple of the users of a good one."""
KEPT_UP = 0.9
"""A rate is steady only if at least this share of the calls that were due was made."""
CLIMBS_MOST = 9
STEPS_MOST = 18
LIMIT_MS = 50.0
"""The 99th percentile that a steady rate keeps."""
SPIKE_FACTOR = 8
SPAWN_RATE = 200.0
SOAK_SECONDS = 600.0

# -- Watching the processes ----------------------------------------------------------------------------------------

SAMPLE_SECONDS = 1.0
MACHINE_FULL = 0.9
"""Share of all cores from which the machine counts as busy."""
PROCESS_FULL = 0.85
"""Cores from which a process counts as busy: Python runs on one."""
WORTH_NAMING = 0.01
"""Cores below which a role is not named."""
OTHERS_MOST = 0.1
"""A rate is settled if other programs used no more than this share of all cores meanwhile."""
FLAT = 0.05
"""A soak is flat if memory, threads, descriptors and latency grow by no more than this share."""
