"""A whole game in the terminal: one line for each turn, a table for each scoring, pictures of the Alhambras."""

import time
from collections.abc import Iterable, Mapping
from itertools import groupby
from random import Random
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from alhambra import Event, Game, Options
from alhambra.players import peer_move

from .tables import ranking_table, score_table, seat_name, show_boards


class Demo:
    """A game that is played and printed."""

    def __init__(self, console: Console, options: Options, delay: float = 0.0) -> None:
        self.console = console
        self.delay = delay
        self.rng = Random(options.seed)
        self.game = Game.new(options)
        self.turn = 0
        self.deeds: list[tuple[int, str]] = []
        self.lines: list[Event] = []

    def play(self) -> None:
        """Play the game from set-up to ranking, and print it."""
        game, console = self.game, self.console
        self._introduce()
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} of {task.total} tiles"))
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            tiles = len(game.state.tower)
            task = progress.add_task("The tower empties", total=tiles)
            while not game.over:
                self._print(game.apply(peer_move(game, self.rng)))
                progress.update(task, completed=tiles - len(game.state.tower))
                time.sleep(self.delay)

    def _introduce(self) -> None:
        options = self.game.options
        self.console.print(Rule("Alhambra"))
        modules = f", modules {', '.join(options.modules)}" if options.modules else ""
        self.console.print(f"{len(options.seats)} players, edition {options.edition}{modules}, seed {options.seed!r}")
        for event in self.game.events:
            if event.kind == "hand_dealt" and "cards" in event.public:
                cards = ", ".join(event.public["cards"])
                self.console.print(Text.assemble(seat_name(self.game, event.public["seat"]), f" is dealt {cards}"))
        self._print(self.game.events)

    def _print(self, events: Iterable[Event]) -> None:
        for event in events:
            fact = event.public
            if event.kind == "turn_began":
                self._close_turn()
                self.turn = fact["turn"]
            elif event.kind == "scoring_began":
                self._close_turn()
                self.lines = []
            elif event.kind == "scored":
                self.lines.append(event)
            elif event.kind == "scoring_ended":
                self._show_scoring(fact["scoring"])
            elif event.kind == "game_ended":
                self._close_turn()
                self._show_end(fact)
            else:
                self.deeds += [(fact.get("seat", self.game.state.active), deed) for deed in _phrases(event.kind, fact)]

    def _close_turn(self) -> None:
        """Print the actions since the last line, with the names of their seats."""
        line = Table.grid(padding=(0, 1))
        line.add_column(width=4, justify="right", style="dim")
        line.add_column(no_wrap=True)
        line.add_column()
        for seat, deeds in groupby(self.deeds, key=lambda deed: deed[0]):
            line.add_row(str(self.turn), seat_name(self.game, seat), Text("; ".join(deed for _, deed in deeds)))
        if self.deeds:
            self.console.print(line)
        self.deeds = []

    def _show_scoring(self, number: int) -> None:
        self.console.print()
        self.console.print(Rule(f"Scoring {number}"))
        self.console.print(score_table(self.game, f"Scoring {number}", self.lines))
        show_boards(self.console, self.game)
        self.console.print()
        self.lines = []

    def _show_end(self, result: Mapping[str, Any]) -> None:
        self.console.print(Rule("The end"))
        self.console.print(ranking_table(self.game, result))
        winners = [seat_name(self.game, seat).plain for seat in result["winners"]]
        if not winners:
            self.console.print(f"The game was stopped after {self.game.state.turn} turns without a winner.")
        elif len(winners) == 1:
            self.console.print(f"{winners[0]} wins.")
        else:
            self.console.print(f"{' and '.join(winners)} share the victory.")


def _phrases(kind: str, fact: Mapping[str, Any]) -> list[str]:
    """Return an event as a short phrase; an empty list if its kind is not shown."""
    cell = "@{},{}".format(*fact["cell"]) if "cell" in fact else ""
    if kind == "money_taken":
        return [f"takes {', '.join(fact['display'])}"]
    if kind == "paid":
        exact = " exactly" if fact["exact"] else ""
        return [f"pays{exact} {' + '.join((*fact['cards'], *fact['display'], *fact['items'])) or 'nothing'}"]
    if kind == "acquired":
        return [f"gets {fact.get('tile') or fact.get('piece')}"]
    if kind == "placed":
        return [f"builds {fact['tile']} {cell}"]
    if kind == "swapped":
        return [f"swaps {fact['removed']} for {fact['tile']} {cell}"]
    if kind == "passed":  # a pass in answer to an interrupt is not shown
        return ["passes"] if fact["decision"] == "action" else []
    phrases = {
        "reserved": "reserves {tile}",
        "removed": "removes {tile}",
        "given": "gives {tile} to Dirk",
        "boxed": "leaves {tile}",
        "deck_reshuffled": "the discard is shuffled",
    }
    return [phrases[kind].format(**fact)] if kind in phrases else []
