"""Every number of the load tests."""

CALL_SECONDS = 20.0
"""An answer that takes longer counts as lost."""
START_SECONDS = 60.0
"""So long the product may take to start."""
STOP_SECONDS = 30.0

# -- Prepared games ------------------------------------------------------------------------------------------------

PREPARED_GAMES = 10
PREPARED_MOVES = 600
PREPARED_TILES = 12
"""A prepared game stops when its Alhambras have so many tiles on average."""
QUESTIONS_TRIED = 4_000
QUESTIONS_OF_A_KIND = 60
REACH = 5
"""How far from the fountain placements are asked for."""

# -- Users ---------------------------------------------------------------------------------------------------------

BATCH = 64
BATCH_SHARE = 0.02
"""Of all questions about placements so many come in batches."""
ILLEGAL_SHARE = 0.05
"""Bots send so many moves that must be refused."""
REPEAT_SHARE = 0.05
"""Bots send so many moves twice, as after a lost answer."""
MOVES_OF_A_GAME = 3_000
WATCHED_SECONDS = 15.0
"""A watcher stays so long before it comes again."""

# -- Shapes --------------------------------------------------------------------------------------------------------

USERS = 40
SECONDS = 60.0
STEP_SECONDS = 10.0
"""One step of a ramp."""
STEPS_MOST = 12
STEP_FACTOR = 1.6
"""Each step of a ramp has so many times the users of the one before."""
LIMIT_MS = 250.0
"""A ramp ends where one answer in twenty takes longer …"""
GAIN_LEAST = 1.03
"""… or where a step gained less throughput than this for so many steps in a row:"""
STEPS_WITHOUT_GAIN = 2
SPIKE_FACTOR = 8
SPAWN_RATE = 200.0
SOAK_SECONDS = 600.0

# -- Watching the processes ----------------------------------------------------------------------------------------

SAMPLE_SECONDS = 1.0
