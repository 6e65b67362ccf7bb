"""Faults in a running installation, drawn from a seed, and a checker of what its clients saw: `make faults`."""
