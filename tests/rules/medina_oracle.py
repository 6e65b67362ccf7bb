"""What medinas cost each player, once more and from the text of the rules alone.

Written as the rulebook tells it, case by case; nothing here knows the code under test.
"""

from __future__ import annotations

LOSSES = {1: [3], 2: [6, 3], 3: [9, 6, 3]}
EXTRA = {1: 1, 2: 2, 3: 3}


def divided(sum_lost: int, players: int) -> int:
    """A loss shared by some players, rounded up."""
    whole, rest = divmod(sum_lost, players)
    return whole + (1 if rest else 0)


def losses(scoring: int, medinas: list[list[int]]) -> list[int]:
    """By player: the points lost, given the prices of the medinas that each has built."""
    without = [player for player, own in enumerate(medinas) if not own]
    table = list(LOSSES[scoring])
    lost = [0] * len(medinas)
    if len(without) == 1:
        lost[without[0]] = table.pop(0) + EXTRA[scoring]
    elif without:
        shared = {1: 3, 2: 9, 3: 15 if len(without) == 2 else 18}[scoring]
        for player in without:
            lost[player] = divided(shared, len(without)) + EXTRA[scoring]
        table = [3] if scoring == 3 and len(without) == 2 else []
    others = [player for player, own in enumerate(medinas) if own]
    while table and others:
        fewest = min(len(medinas[player]) for player in others)
        tied = [player for player in others if len(medinas[player]) == fewest]
        worst = min(tied, key=lambda player: max(medinas[player]))
        lost[worst] = table.pop(0)
        others.remove(worst)
    return lost
