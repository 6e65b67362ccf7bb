"""Benchmarks. Machines are shared and noisy, so a figure only means something beside another of the same run:
everything is measured in interleaved rounds, each against its own floor or oracle, with an A/A control.

    cores.py       who runs where, and how much of a core each process took
    rounds.py      things measured in turn, and what is made of the figures
    load.py        h2load and wrk, the cheapest clients there are
    house.py       stores, services and gateways as processes of their own
    floor_*.py     those services and gateways, with one more door behind which nothing is done
    player.py      a program that plays games, for any interpreter
    boards.py      stored games with boards to ask about
    report.py      tables, docs/performance.md, plots
Everything else is one group of measurements each.
"""
