"""What each module shows a viewer, computed again only if something that it was computed from has changed.

With many modules in play, most of a view is what modules show, and a move changes a few of them. A module does not
declare what its view depends on: its functions are called with a game that records every field that they read, of the
state, of a seat or of a module's state. Fields are replaced and never changed in place (`state.py`), so the result
holds as long as every recorded field holds the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .state import State
from .views import pieces_of

if TYPE_CHECKING:
    from .game import Game
    from .module import Module
    from .ruleset import Ruleset

T = TypeVar("T")
_CHANGED_IN_PLACE = frozenset(("agenda",))
"""Fields of a state that are changed in place: a result that depends on one is never used again."""


class ModuleView:
    """What one module shows one viewer. Do not change its values: they may be part of the game."""

    __slots__ = ("_kept", "_reads", "facts", "pieces")

    def __init__(self, facts: Mapping[str, Any], pieces: list[Mapping[str, Any]], reads: _Reads) -> None:
        self.facts = facts
        """What `Module.view` returns; empty if the module has no such function."""
        self.pieces = pieces
        """The pieces that the viewer sees; see `pieces_of`."""
        self._reads = reads
        self._kept: dict[Callable[[ModuleView], Any], Any] = {}

    def holds(self, game: Game) -> bool:
        """Return whether the module shows the same in this game, judging by what was read. False may be wrong."""
        return self._reads.hold(game.state)

    def cached(self, find: Callable[[ModuleView], T]) -> T:
        """Return the result of a function of what is shown. Computed once."""
        kept = self._kept
        if find not in kept:
            kept[find] = find(self)
        found: T = kept[find]
        return found


def module_views_of(game: Game, viewer: int | None, known: Mapping[str, ModuleView]) -> dict[str, ModuleView]:
    """Return what each module shows, by its key. `known` is the result for an earlier state of the same game and the
    same viewer; entries that still hold are taken from it."""
    found: dict[str, ModuleView] = {}
    recorder: _Recorder | None = None
    for module in game.ruleset.table(_shown_modules):
        old = known.get(module.key)
        if old is not None and old.holds(game):
            found[module.key] = old
            continue
        if recorder is None:
            recorder = _Recorder(game)
        found[module.key] = recorder.view(module, viewer)
    return found


def _shown_modules(ruleset: Ruleset) -> tuple[Module, ...]:
    return tuple(module for module in ruleset.modules if module.view is not None or module.public_pieces is not None)


# -- Recording ---------------------------------------------------------------------------------------------------------


class _Reads:
    """The fields that were read, with their values."""

    __slots__ = ("changed_in_place", "of_modules", "of_seats", "of_state")

    def __init__(self) -> None:
        self.of_state: dict[str, object] = {}
        self.of_seats: dict[tuple[int, str], object] = {}
        self.of_modules: dict[tuple[str, str], object] = {}
        self.changed_in_place = False

    def hold(self, state: State) -> bool:
        """Return whether all fields hold the same objects in this state."""
        if self.changed_in_place:
            return False
        for name, value in self.of_state.items():
            if getattr(state, name) is not value:
                return False
        modules, seats = state.module_states.to_read(), state.seats
        for (key, name), value in self.of_modules.items():
            if getattr(modules[key], name) is not value:
                return False
        return all(getattr(seats[seat], name) is value for (seat, name), value in self.of_seats.items())


class _Recorder:
    """A game whose state records what is read."""

    def __init__(self, game: Game) -> None:
        self._recorded = _RecordedState(game.state)
        self._game = _with_state(game, cast(State, self._recorded))

    def view(self, module: Module, viewer: int | None) -> ModuleView:
        """Return what a module shows, and remember what that was read from."""
        reads = _Reads()
        object.__setattr__(self._recorded, "_reads", reads)
        facts = module.view(self._game, viewer) if module.view is not None else {}
        return ModuleView(facts, list(pieces_of(self._game, module, viewer)), reads)


def _with_state(game: Game, state: State) -> Game:
    """Return a shallow copy of a game with another state. `Game.clone` would copy the state first."""
    copy = object.__new__(type(game))
    for kind in type(game).__mro__:
        for name in getattr(kind, "__slots__", ()):
            setattr(copy, name, getattr(game, name))
    copy.state = state
    return copy


class _RecordedState:
    """A state that can only be read. Seats and module states record their fields, too."""

    _reads: _Reads

    def __init__(self, state: State) -> None:
        put = object.__setattr__
        put(self, "_recorded", state)
        put(self, "_seats", [_RecordedSeat(self, seat, number) for number, seat in enumerate(state.seats)])
        put(self, "_modules", _RecordedModules(self, state.module_states.to_read()))

    def __getattr__(self, name: str) -> Any:
        if name == "seats":
            return self._seats
        if name == "module_states":
            return self._modules
        value = getattr(self._recorded, name)
        self._reads.of_state[name] = value
        if name in _CHANGED_IN_PLACE:
            self._reads.changed_in_place = True
        return value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view changes nothing: {name}")


class _RecordedModules(Mapping[str, Any]):
    def __init__(self, state: _RecordedState, modules: Mapping[str, Any]) -> None:
        self._recorded = state
        self._modules = modules

    @property
    def own(self) -> _RecordedModules:
        """The short way to a module's state, as in `ModuleStates`."""
        return self

    def __getitem__(self, key: str) -> _RecordedModuleState:
        return _RecordedModuleState(self._recorded, self._modules[key], key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


class _RecordedFields:
    """A seat or a module's state. Its methods are called with the recorded object, so that their reads count."""

    def __init__(self, state: _RecordedState, recorded: object, owner: int | str) -> None:
        put = object.__setattr__
        put(self, "_recorded_state", state)
        put(self, "_recorded", recorded)
        put(self, "_owner", owner)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._recorded, name)
        if isinstance(value, MethodType) and value.__self__ is self._recorded:
            return MethodType(value.__func__, self)
        self._record(name, value)
        return value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view changes nothing: {name}")

    def _record(self, name: str, value: object) -> None:
        raise NotImplementedError


class _RecordedSeat(_RecordedFields):
    def _record(self, name: str, value: object) -> None:
        self._recorded_state._reads.of_seats[self._owner, name] = value


class _RecordedModuleState(_RecordedFields):
    def _record(self, name: str, value: object) -> None:
        self._recorded_state._reads.of_modules[self._owner, name] = value
