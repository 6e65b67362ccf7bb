"""Players for tests and simulations that reach positions which good players avoid."""
