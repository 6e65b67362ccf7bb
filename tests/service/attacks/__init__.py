"""Attacks on the service from outside, without credentials: each file holds one, and what must still be answered."""
