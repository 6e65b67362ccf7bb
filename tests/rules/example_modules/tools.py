"""Tools: everybody has a turntable and a purse, each good for one move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from alhambra import Game, Module
from alhambra.module import Layer, Licence, Modify, Step


@dataclass(slots=True)
class Tools:
    """What each seat still has, and what was used."""

    held: tuple[tuple[str, ...], ...] = ()
    used: tuple[str, ...] = ()


def deal_tools(game: Game) -> None:
    """One of each."""
    game.module_state(Tools).held = (("purse", "turntable"),) * len(game.state.seats)


def use_tool(game: Game, seat: int, *, tool: str) -> None:
    """It is good for one move."""
    tools = game.module_state(Tools)
    left = tuple(other for other in tools.held[seat] if other != tool)
    tools.held = (*tools.held[:seat], left, *tools.held[seat + 1 :])
    tools.used = (*tools.used, tool)
    game.emit("tool_used", seat=seat, item=tool)


def _tool(tool: str, game: Game, seat: int) -> Iterator[Licence]:
    if tool in game.module_state(Tools).held[seat]:
        yield Licence(items=(tool,), spend=partial(use_tool, tool=tool))


def purse_doubles(_game: Game, _seat: int, items: tuple[str, ...]) -> int | None:
    """With the purse twice as much may be taken."""
    return 2 if items == ("purse",) else None


TOOLS = Module(
    number=907,
    key="example_tools",
    state=Tools,
    steps=(Step("setup.deal", deal_tools),),
    helpers={"rotate": partial(_tool, "turntable"), "take_money": partial(_tool, "purse")},
    modify=(Modify("take_limit", Layer.SCALE, purse_doubles),),
    view=lambda game, _viewer: {"held": [list(own) for own in game.module_state(Tools).held]},
    census=lambda game: (
        *game.module_state(Tools).used,
        *(tool for own in game.module_state(Tools).held for tool in own),
    ),
)
