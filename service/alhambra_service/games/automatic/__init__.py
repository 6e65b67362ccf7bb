"""Decisions that need no person: deadlines, standing orders, players of the server, bots."""
