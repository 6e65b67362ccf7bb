"""What single requests cost: the most expensive ones that anybody could think of, sent to every operation.

    python -m tests.gateway.costs

Judged is the CPU time of each process, not how long an answer takes: a busy machine changes the one and not the other.
"""
