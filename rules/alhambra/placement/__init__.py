"""Construction rules: where tiles may lie, and why a placement is refused.

rules.py              the construction rules; selects one of the three checks
grid.py               fast check for boards of plain tiles
bitboards.py          fast check for camps, watchtowers, double tiles and gates
explain.py            general check: every reason of a refusal, with its facts
contacts.py           how a tile lies, and what its sides may touch
outline.py            the outer wall: the longest run of walls along the outline
judge.py              placements judged by the construction rules alone, regardless of turn and ownership
standalone_boards.py  boards without a game
"""
