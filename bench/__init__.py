"""Benchmarks. Machines are shared and noisy, so a figure only means something beside another of the same run:
everything is measured in interleaved rounds, each against its own floor or oracle, with an A/A control."""
