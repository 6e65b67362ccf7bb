"""What happens in a game, as a list of words: for tests of an order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alhambra import Event, Game, Move


def told(events: Iterable[Event]) -> list[str]:
    """One word for each event: its kind; for a question "asked …", for a score line "scored …"."""
    words = []
    for event in events:
        if event.kind == "decision_opened":
            words.append(f"asked {event.public['decision']}")
        elif event.kind == "scored":
            words.append(f"scored {event.public['reason']}")
        else:
            words.append(event.kind)
    return words


def order(events: Iterable[Event], wanted: Sequence[str]) -> list[str]:
    """Those of the words that a test is about, as they came; each word once, where it came first."""
    return list(dict.fromkeys(word for word in told(events) if word in wanted))


def go_on(game: Game, until: str, *, passing: bool = True, most: int = 60) -> list[Event]:
    """Answers until this is asked or the game is over: with `pass` where it is legal and wanted, else with the first
    legal move. The events."""
    events: list[Event] = []
    for _ in range(most):
        if game.decision is None or game.decision.kind == until:
            return events
        first = Move("pass") if passing and not game.verify(Move("pass")) else next(game.moves())
        events += game.apply(first)
    raise AssertionError(f"nobody is asked {until}")
