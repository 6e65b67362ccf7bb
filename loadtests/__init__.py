"""Load tests: Locust users that check what they are answered, and a run that finds the limits of an installation.

    python -m loadtests                                  starts the product on free ports and ramps it to its limit
    python -m loadtests --scenario games --shape soak    the same with bots that play whole games, evenly for long
    python -m loadtests --http URL --grpc ADDRESS        against an installation on this machine that runs already

`known_answers.py` prepares games and works out with the library what must be answered about them; `users/` holds one
kind of user per file, `scenarios.py` says who of them come, `ramp.py` and `shapes.py` how many;
`sampling.py` watches the processes; `report.py` draws it all.
"""
