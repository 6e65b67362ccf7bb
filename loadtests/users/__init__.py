"""The users, a file for each kind: those who ask where a tile fits, those who play, and those who watch."""
