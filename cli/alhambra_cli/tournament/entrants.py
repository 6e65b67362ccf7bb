"""The bots of a tournament, as they are written on the command line.

    greedy                            a player of this library
    my_package.my_module:MyBot        a Python class or function
    cmd:node my_bot.js                a program that speaks the line protocol
    grpc:python my_bot.py             a program that plays one game over gRPC
    lease:python my_bot.py {address}  a program that leases decisions over gRPC

`NAME=SPEC` gives a bot another name.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePath
from typing import NamedTuple

from alhambra.options import NAME_LIMIT
from alhambra.players import PLAYERS

from ..bad_input import BadInput

BUILT_IN, PYTHON, LINES, GRPC, LEASE = "built-in", "python", "lines", "grpc", "lease"
PREFIXES = {"cmd:": LINES, "grpc:": GRPC, "lease:": LEASE}


class Entrant(NamedTuple):
    """One bot of a tournament."""

    name: str
    kind: str
    target: str
    """The name of a player, the path of a Python object, or a command line."""

    @property
    def spec(self) -> str:
        """The bot as it is written on the command line, without its name."""
        prefix = next((prefix for prefix, kind in PREFIXES.items() if kind == self.kind), "")
        return f"{prefix}{self.target}"

    def command(self) -> list[str]:
        """Return the words of the command line."""
        return shlex.split(self.target)


def read_entrant(text: str) -> Entrant:
    """Return the bot that a text describes. Raise BadInput if it describes none."""
    name, equals, spec = text.partition("=")
    if not equals or not name.replace("-", "").replace("_", "").replace(".", "").isalnum():
        name, spec = "", text
    for prefix, kind in PREFIXES.items():
        if spec.startswith(prefix):
            target = spec.removeprefix(prefix)
            return Entrant(_checked(name or _program_name(spec, target)), kind, target)
    if spec in PLAYERS:
        return Entrant(_checked(name or spec), BUILT_IN, spec)
    module, colon, attribute = spec.partition(":")
    if colon and all(word.isidentifier() for word in (*module.split("."), *attribute.split("."))):
        return Entrant(_checked(name or attribute), PYTHON, spec)
    raise BadInput(
        f"Unknown bot {text!r}: write one of {', '.join(PLAYERS)}, or package.module:Class, cmd:COMMAND, "
        "grpc:COMMAND, lease:COMMAND."
    )


def read_entrants(texts: Iterable[str]) -> tuple[Entrant, ...]:
    """Return the bots, each under a name of its own: the second bot of a name gets the suffix -2 and so on."""
    seen: Counter[str] = Counter()
    found = []
    for entrant in map(read_entrant, texts):
        seen[entrant.name] += 1
        number = seen[entrant.name]
        found.append(entrant if number == 1 else entrant._replace(name=_checked(f"{entrant.name}-{number}")))
    if len({entrant.name for entrant in found}) != len(found):
        raise BadInput("Two bots have the same name; write NAME=SPEC.")
    return tuple(found)


def _program_name(spec: str, target: str) -> str:
    """Return a name for a command: the file name of its script, or of its program."""
    try:
        words = shlex.split(target)
    except ValueError as fault:
        raise BadInput(f"Cannot read the command of {spec!r}: {fault}.") from None
    if not words:
        raise BadInput(f"{spec!r} names no command.")
    script = next((word for word in words[1:] if PurePath(word).suffix), words[0])
    return PurePath(script).stem


def _checked(name: str) -> str:
    if not name.isprintable() or not 0 < len(name) <= NAME_LIMIT:
        raise BadInput(f"The name of a bot must have 1 to {NAME_LIMIT} printable characters: {name[:NAME_LIMIT]!r}.")
    return name
