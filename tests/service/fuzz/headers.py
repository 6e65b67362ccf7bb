"""Metadata that nobody well-meaning sends: cut and foreign credentials, doubled headers, huge and strange ones."""

from __future__ import annotations

from random import Random

from alhambra_service import limits

from .world import Metadata, World, bearer

LANGUAGES = ("de", "*", "xx;q=9", "en;q=", ";;;,,,", "de-" * 900, "q=0", " ", "de;q=nan")
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host")


def strange(world: World, rng: Random, usual: Metadata) -> Metadata:
    """What is sent instead of the usual metadata."""
    kind = rng.randrange(12)
    if kind == 0:
        return ()
    if kind == 1:
        return bearer(_foreign(world, rng))
    if kind == 2:
        return bearer(_bent(_foreign(world, rng), rng))
    if kind == 3:
        return (("authorization", _bent(str(usual[0][1]) if usual else "Bearer x", rng)),)
    if kind == 4:
        return (*usual, *(usual or bearer("x")))  # twice the same
    if kind == 5:
        return (*usual, *bearer(_foreign(world, rng)))
    if kind == 6:
        return (*usual, ("authorization-bin", rng.randbytes(40)), ("x-request-id", "0" * rng.choice((8, 36, 4_000))))
    if kind == 7:
        return (*usual, (rng.choice(FORWARDED), rng.choice(("1.2.3.4", "::1", "127.0.0.1, 9.9.9.9", "nonsense"))))
    if kind == 8:
        shown = rng.choice((world.server.keys["red"], world.server.keys["gateway"], "x"))
        return (*usual, ("gateway-authorization", f"Bearer {shown}"), ("x-forwarded-for", "not an address"))
    if kind == 9:
        return (*usual, ("accept-language", rng.choice(LANGUAGES)), ("accept-language", "hu"))
    if kind == 10:
        size = rng.choice((limits.BEARER_CHARS + 1, 6_000, limits.METADATA_BYTES + 2_000))
        return (("authorization", "Bearer " + "a" * size),)
    return (("authorization", rng.choice(("", "Bearer", "Bearer ", "Basic dXNlcjpw", "BEARER  x", "Bearer a b"))),)


def _foreign(world: World, rng: Random) -> str:
    """A secret that is good somewhere, or was."""
    games = [secret for game in world.games for secret in (*game.tokens.values(), *game.invitations.values())]
    revoked = [secret for game in world.games for secret in game.revoked]
    return rng.choice([*games, *revoked, *revoked, *world.server.keys.values()])


def _bent(text: str, rng: Random) -> str:
    """The same with something missing, changed or added."""
    kind = rng.randrange(4)
    at = rng.randrange(len(text))
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + rng.choice("AZ_-~ ") + text[at + 1 :]
    if kind == 2:
        return text + rng.choice("A= ")
    return text.swapcase()
