import pytest

from alhambra_service.store import keys


def test_new_games_have_good_ids_and_no_two_the_same() -> None:
    ids = {keys.new_game() for _ in range(100)}
    assert len(ids) == 100
    assert all(keys.is_game(one) for one in ids)


@pytest.mark.parametrize(
    "bad", ["", "short", "UPPERCASE123", "a" * 33, "abcdefghijk}", "abcdefghijkl\n", "äbcdefghijkl"]
)
def test_what_is_no_id_never_becomes_a_key(bad: str) -> None:
    assert not keys.is_game(bad)
    for name in (keys.state_key, keys.log_key, keys.requests_key):
        with pytest.raises(ValueError, match="no id of a game"):
            name(bad)


@pytest.mark.parametrize("bad", ["", "a b", "{x}", "-a", "a" * 65, "a\n"])
def test_what_is_no_tenant_never_becomes_a_key(bad: str) -> None:
    with pytest.raises(ValueError, match="no name of a tenant"):
        keys.index_key(bad)


def test_all_keys_of_a_game_share_its_tag_and_only_the_state_has_the_tracked_prefix() -> None:
    game = keys.new_game()
    names = keys.game_keys(game)
    assert all(name.endswith(f"{{{game}}}") for name in names)
    assert [name.startswith(keys.STATE_PREFIX) for name in names] == [True, False, False]
    assert keys.game_of(names[0].encode()) == game


def test_an_echo_is_heard_like_a_game_and_never_taken_for_one() -> None:
    echo = keys.echo_key()
    assert echo.startswith(keys.STATE_PREFIX)
    assert keys.game_of(echo.encode()) is None


def test_the_same_request_always_means_the_same_game() -> None:
    first = keys.game_for_request("tenant", "request", b"secret")
    assert keys.is_game(first)
    assert keys.game_for_request("tenant", "request", b"secret") == first
    others = {("tenant", "request2", b"secret"), ("tenan", "trequest", b"secret"), ("tenant", "request", b"other")}
    assert first not in {keys.game_for_request(*other) for other in others}


def test_the_secret_may_be_longer_than_a_key_of_the_hash_and_short_ones_mean_the_same_games_as_ever() -> None:
    assert keys.game_for_request("tenant", "request", b"s" * 64) == "sppxteadq5mzfnyihtyywiyc"
    assert keys.game_for_request("tenant", "request", b"") == "rtx632v5zrrfb4l5hbs4chvl"
    long = keys.game_for_request("tenant", "request", b"s" * 65)
    assert keys.is_game(long)
    assert long == keys.game_for_request("tenant", "request", b"s" * 65)
    assert long not in {keys.game_for_request("tenant", "request", b"s" * length) for length in (64, 66)}
