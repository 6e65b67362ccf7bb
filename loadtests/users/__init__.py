"""The users, one file for each kind: users of placements, bots that play, and watchers."""
