"""Players with one habit, for tests and simulations: they reach positions that good players avoid."""
