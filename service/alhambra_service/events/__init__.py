"""The events of games: replayed from logs, kept compressed, exported."""
