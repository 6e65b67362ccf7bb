"""Records made quickly.

Calling a named tuple goes through a constructor in Python, which takes three times as long as making the tuple. Where
a game makes records by the thousand, `made(Decision, (kind, seat, context))` gives the same: every field, in order.
"""

from __future__ import annotations

new_tuple = tuple.__new__
