"""What a module can hook into, each hook proved by small example modules."""
