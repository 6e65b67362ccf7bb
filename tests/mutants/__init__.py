"""Mutants: small faults are put into the rules on purpose, one at a time, and some test must notice each of them."""
