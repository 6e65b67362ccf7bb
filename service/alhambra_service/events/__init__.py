"""What happened in a game: replayed from its log, kept packed, exported as a record."""
