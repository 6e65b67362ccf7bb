"""Where tiles may lie: the construction rules, and why a placement is refused.

rules.py              the construction rules, and which of the three checks answers a question
grid.py               the fast check: an Alhambra of plain tiles as numbers
bitboards.py          the check for camps, watchtowers, double tiles and gates: one bitboard per side and edge letter
explain.py            the general check: every reason why something is refused, with its facts
contacts.py           how a tile lies, and what its sides may touch
outline.py            the outer wall: the longest run of walls along the outline
judge.py              placements judged by the construction rules alone, without turn or ownership
standalone_boards.py  Alhambras that are laid out without a game
"""
