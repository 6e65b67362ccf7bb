"""Attacks on the gateway by clients that send or read badly: one file for each, with a class `Peer` that says what one
socket does. `python -m tests.gateway.attacks` runs them all in full size; `tests/gateway/test_attacks.py` in small."""
