"""Code that all processes of the project share: servers, parents of servers, bots.

`settings.py` reads settings from options and variables, `addresses.py` and `sockets.py` say where a server listens,
`signals.py` receives signals, `backoff.py`, `child.py` and `die_with_parent.py` keep child processes running,
`machine.py` places processes on cores, `log_lines.py` writes logs and `meters.py` counts for Prometheus.

It imports no other package of the project. Importing it needs only the standard library; `meters.py` imports
prometheus_client when it is used.
"""
