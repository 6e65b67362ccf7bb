"""A second account of building sites, kept from the events alone and written from the rules page.

It follows the private parts of events, as if it sat behind every player, and predicts which tiles are unfinished, what
each player must forfeit at the end, and how many buildings of a type each player has in a scoring.
"""

from __future__ import annotations

from alhambra import Event, Game

PAIRS = 2


class Ledger:
    """What lies on which tile, and which markers nobody has."""

    def __init__(self) -> None:
        self.sites: dict[str, tuple[int, str]] = {}
        self.left = ["gulden", "gulden", "dirham", "dirham", "denar", "denar", "dukat", "dukat"]
        self.looked_at: list[str] = []

    def follow(self, event: Event) -> None:
        """Write down what an event tells."""
        told, private = event.public, event.private or {}
        if event.kind == "site_started":
            self.looked_at = list(private[told["seat"]]["currencies"])
            assert len(self.looked_at) == min(PAIRS, len(self.left))
            for marker in self.looked_at:
                self.left.remove(marker)
            self.sites[told["tile"]] = (told["seat"], "")
        elif event.kind == "marker_kept":
            marker = private[told["seat"]]["currency"]
            self.looked_at.remove(marker)
            self.left += self.looked_at
            self.looked_at = []
            self.sites[told["tile"]] = (told["seat"], marker)
        elif event.kind == "site_completed":
            assert self.sites.pop(told["tile"]) == (told["seat"], told["currency"])
        elif event.kind == "boxed" and told["tile"] in self.sites:
            _, marker = self.sites.pop(told["tile"])
            self.left += [marker] if marker else self.looked_at
            self.looked_at = [] if not marker else self.looked_at

    def forfeits(self, game: Game, seat: int) -> list[str]:
        """The cards in hand of a currency that lies on an unfinished building of the player's Alhambra."""
        built = game.state.seats[seat].board.placed
        lost = {marker for tile, (owner, marker) in self.sites.items() if owner == seat and tile in built}
        return sorted(card for card in game.state.seats[seat].hand if card.split("-")[-2] in lost)

    def buildings(self, game: Game, seat: int, name: str) -> int:
        """The finished standard buildings of a type in a player's Alhambra."""
        built = game.state.seats[seat].board.placed
        return sum(tile.split("-")[0] == name for tile in built if tile not in self.sites)
