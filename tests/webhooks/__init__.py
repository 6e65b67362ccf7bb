"""Senders of webhooks are killed while receivers fail, hang, redirect and lie; then what arrived is checked.

    python -m tests.webhooks --deliveries 10000 --kills 20 --seed 1

Every notice must have arrived at least once at every receiver that accepts at last, signed, and the first deliveries of
each game must be in order. One seed gives the same receivers and games; which deliveries a kill interrupts depends on
the machine.
"""
