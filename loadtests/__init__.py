"""Load tests: Locust users that check every answer, and a run that finds the limits of an installation.

    python -m loadtests                                  starts the product on free ports, finds its highest steady rate
    python -m loadtests --scenario games --shape soak    the same with bots that play whole games, evenly for long
    python -m loadtests --http URL --grpc ADDRESS        against an installation on this machine that runs already

`known_answers.py` prepares games and works out with the library what must be answered about them; `users/` holds one
kind of user per file, `scenarios.py` says who of them come, `shapes.py` how many, `rate_search.py` which rate is tried
next; `event_ledger.py` compares what watchers saw with what happened; `sampling.py` watches the processes,
`bottleneck.py` says which of them limits the rate; `report.py` and `docs_section.py` write it all down.
"""
