"""The users of load tests, one file for each kind: users that check placements, bots, tables and watchers."""
