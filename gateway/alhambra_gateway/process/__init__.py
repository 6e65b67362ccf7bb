"""The gateway as processes: gunicorn's master and workers, threads, health, metrics, logs.

`metrics.py` may be imported only after the master has set PROMETHEUS_MULTIPROC_DIR, so nothing here imports it early.
"""
