"""Seats of a game: claiming one, leaving one, resigning."""
