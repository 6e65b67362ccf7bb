"""Benchmarks. Machines are shared and noisy, so figures are compared only with figures of the same run: everything is
measured in interleaved rounds, each against its own floor or oracle, with an A/A control.

    cores.py       the cores of each process, and the CPU time that it took
    rounds.py      interleaved rounds, medians and ratios
    load.py        h2load and wrk, clients that take little CPU time
    processes.py   stores, services and gateways as child processes
    floor_*.py     those services and gateways, with empty calls beside the real ones
    player.py      a program that plays games, for any interpreter
    boards.py      stored games with boards and known answers
    report.py      tables, docs/performance.md, plots
Each of the other files measures one group.
"""
