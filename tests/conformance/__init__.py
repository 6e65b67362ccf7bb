"""The conformance suite: what must hold in every game, whatever its modules. `make conformance` runs it all."""
