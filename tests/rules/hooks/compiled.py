"""Rules compiled anew, for tests that look at what compiling makes of records."""

from __future__ import annotations

from alhambra import Module, Ruleset, register
from alhambra.ruleset import compile_ruleset

EDITION = "de_revised_2019"


def rules(*modules: Module, seats: int = 3) -> Ruleset:
    """A ruleset with these modules, freshly compiled."""
    for module in modules:
        register(module)
    return compile_ruleset.__wrapped__(seats, EDITION, tuple(sorted(module.key for module in modules)))
