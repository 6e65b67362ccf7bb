"""Lists of games: those of a tenant, and those that are open to anyone."""
