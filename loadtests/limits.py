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
"""The share of moves that bots send twice, as after a lost answer."""
MOVES_OF_A_GAME = 3_000
WATCHED_SECONDS = 15.0
"""Seconds that a watcher reads a stream before it disconnects and comes again."""

# -- Shapes --------------------------------------------------------------------------------------------------------

USERS = 40
SECONDS = 60.0
STEP_SECONDS = 10.0
"""Seconds of one step of a ramp."""
STEPS_MOST = 12
STEP_FACTOR = 1.6
"""Each step of a ramp has this many times the users of the step before."""
LIMIT_MS = 250.0
"""A ramp ends when one answer in twenty takes longer than this."""
GAIN_LEAST = 1.03
"""The least factor by which a step must raise the throughput to count as a gain."""
STEPS_WITHOUT_GAIN = 2
"""A ramp ends after this number of steps in a row without a gain."""
SPIKE_FACTOR = 8
SPAWN_RATE = 200.0
SOAK_SECONDS = 600.0

# -- Watching the processes ----------------------------------------------------------------------------------------

SAMPLE_SECONDS = 1.0
