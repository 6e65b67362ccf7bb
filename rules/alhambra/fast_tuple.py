"""Named tuples without the cost of their constructor.

Calling a named tuple runs a constructor written in Python, which takes three times as long as creating the tuple.
`new_tuple(Decision, (kind, seat, context))` returns an equal tuple; all fields must be given, in order.
"""

from __future__ import annotations

new_tuple = tuple.__new__
