"""Settings of the gateway: where they come from, and what cannot work is refused in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from alhambra_gateway import limits
from alhambra_gateway.config import BadSettings, Settings


def faults(**given: Any) -> str:
    with pytest.raises(BadSettings) as caught:
        Settings(**given).check()
    return str(caught.value)


def test_what_nobody_says_is_for_this_machine_alone() -> None:
    settings = Settings()
    settings.check()
    assert settings.address.loopback
    assert settings.allowed_hosts() == {"localhost", "127.0.0.1", "[::1]"}
    assert settings.proxies() == []
    assert settings.allowed_origins() == frozenset()


def test_a_flag_stands_over_a_variable_and_a_variable_over_the_default() -> None:
    variables = {"ALHAMBRA_GATEWAY_THREADS": "3", "ALHAMBRA_GATEWAY_GZIP": "no", "ALHAMBRA_THREADS": "99"}
    settings = Settings.from_environment(variables, threads=None, streams=7)
    assert (settings.threads, settings.gzip, settings.streams, settings.workers) == (3, False, 7, 0)
    with pytest.raises(BadSettings, match="ALHAMBRA_GATEWAY_PIN"):
        Settings.from_environment({"ALHAMBRA_GATEWAY_PIN": "perhaps"})


def test_without_a_key_it_listens_on_loopback_only() -> None:
    for name in ("listen", "metrics"):
        for address in ("0.0.0.0:8080", "[::]:8080", "192.0.2.1:80"):
            assert "is reachable from other machines" in faults(**{name: address, "hosts": "games.example"})
    Settings(listen="[::1]:8080").check()
    Settings(listen="0.0.0.0:8080", metrics="0.0.0.0:9100", key="file", hosts="games.example").check()


def test_beyond_loopback_the_hosts_are_named() -> None:
    assert "--hosts" in faults(listen="0.0.0.0:8080", key="file")
    settings = Settings(listen="0.0.0.0:8080", key="file", hosts="games.example, Play.Example")
    settings.check()
    assert settings.allowed_hosts() == {"games.example", "play.example"}  # and not this machine by its own names


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"listen": "somewhere"}, "--listen"),
        ({"listen": "unix:/tmp/gateway.sock"}, "--listen"),
        ({"listen": "127.0.0.1:99999"}, "--listen"),
        ({"metrics": "9100"}, "--metrics"),
        ({"service": ""}, "--service"),
        ({"service": "two words"}, "--service"),
        ({"workers": -1}, "--workers"),
        ({"workers": limits.WORKERS + 1}, "workers"),
        ({"threads": 0}, "thread"),
        ({"streams": -1}, "--streams"),
        ({"body_bytes": 0}, "--body-bytes"),
        ({"body_bytes": limits.BODY_BYTES + 1}, "--body-bytes"),
        ({"tls_authority": "a", "tls_certificate": "a"}, "--tls-key"),
        ({"tls_name": "a"}, "--tls-authority"),
        ({"trusted_proxies": "10.0.0.0/8, everybody"}, "--trusted-proxies"),
        ({"hosts": "games.example:8080"}, "--hosts"),
        ({"cors_origins": "games.example"}, "--cors-origins"),
        ({"cors_origins": "https://games.example/page"}, "--cors-origins"),
        ({"log_level": "loud"}, "--log-level"),
        ({"drain_seconds": -1.0}, "--drain-seconds"),
    ],
)
def test_what_cannot_work_is_refused(given: dict[str, Any], word: str) -> None:
    assert word in faults(**given)


def test_every_fault_is_told_at_once() -> None:
    assert len(faults(listen="nowhere", threads=0, hosts="!").splitlines()) == 3


def test_the_key_is_one_word_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    settings = Settings(key=str(file))
    with pytest.raises(BadSettings, match="Cannot read"):
        settings.own_key()
    for bad in (b"", b"two words", b"\xff\xfe"):
        file.write_bytes(bad)
        with pytest.raises(BadSettings, match="one API key"):
            settings.own_key()
    file.write_text("alh_key_secret\n", "ascii")
    assert settings.own_key() == "alh_key_secret"
    assert Settings().own_key() == ""
