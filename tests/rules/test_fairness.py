"""Commitments, seeds and chains."""

import hmac
from hashlib import sha256

from alhambra import Game, Options
from alhambra.fairness import chain, commitment, next_link, seed_from

SECRET = bytes(range(32))


def test_a_commitment_is_the_plain_sha_256_of_the_secret() -> None:
    assert commitment(SECRET) == sha256(SECRET).hexdigest()


def test_a_seed_is_an_hmac_that_anybody_can_compute_again() -> None:
    message = b"\0\0\0\4seed" + b"\0\0\0\3abc" + b"\0\0\0\0"
    assert seed_from(SECRET, [b"abc", b""]) == hmac.new(SECRET, message, "sha256").hexdigest()


def test_a_seed_depends_on_who_contributed_what() -> None:
    lists = [[], [b""], [b"ab", b"c"], [b"a", b"bc"], [b"c", b"ab"], [b"abc"], [b"ab", b"c", b""]]
    assert len({seed_from(SECRET, entropies) for entropies in lists}) == len(lists)


def test_another_secret_gives_another_seed() -> None:
    assert seed_from(SECRET, [b"a"]) != seed_from(SECRET[::-1], [b"a"])


def test_a_seed_can_be_used_for_a_game() -> None:
    seed = seed_from(SECRET, [b"one", b"two"])
    assert Game.new(Options(2, seed)).options.seed == seed


def test_a_chain_grows_link_by_link() -> None:
    texts = ["0 pass", "1 pass", "0 undo"]
    links = chain(SECRET, texts)
    previous = commitment(SECRET)
    for text, link in zip(texts, links, strict=True):
        previous = next_link(SECRET, previous, text)
        assert link == previous


def test_changing_one_entry_changes_every_later_link() -> None:
    honest, forged = chain(SECRET, ["a", "b", "c"]), chain(SECRET, ["a", "x", "c"])
    assert [one == other for one, other in zip(honest, forged, strict=True)] == [True, False, False]


def test_a_link_cannot_be_computed_without_the_secret() -> None:
    assert chain(SECRET, ["0 pass"]) != chain(bytes(32), ["0 pass"])


def test_a_link_is_never_a_seed() -> None:
    previous, text = "a", "b"
    assert next_link(SECRET, previous, text) != seed_from(SECRET, [previous.encode(), text.encode()])
