"""Load tests: Locust users that check every answer, and a run that finds the limits of an installation.

    python -m loadtests                                  start the product on free ports and ramp it to its limit
    python -m loadtests --scenario games --shape soak    bots play whole games, with even load for a long time
    python -m loadtests --http URL --grpc ADDRESS        use an installation that already runs on this machine

`known_answers.py` prepares games and computes the right answers with the library. `users/` has one kind of user per
file; `scenarios.py` chooses the users, `ramp.py` and `shapes.py` their number. `sampling.py` measures the processes,
and `report.py` writes the report.
"""
