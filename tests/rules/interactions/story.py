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


def answer(game: Game) -> list[Event]:
    """Answers what is asked now: with `pass` where that is legal, else with the first legal move. The events."""
    return game.apply(Move("pass") if not game.verify(Move("pass")) else next(game.moves()))


def go_on(game: Game, until: str, *, taking: bool = False) -> list[Event]:
    """Answers until this is asked or the game is over; `taking`: with the first legal move, even if one may pass. The
    events."""
    events: list[Event] = []
    for _ in range(80):
        if game.decision is None or game.decision.kind == until:
            return events
        events += game.apply(next(game.moves())) if taking else answer(game)
    raise AssertionError(f"nobody is asked {until}")
