"""The conformance suite: what must hold in every game, whatever its modules. `python -m tests.conformance` runs it all."""
