"""Lists of games in the store beside the one of all games."""
