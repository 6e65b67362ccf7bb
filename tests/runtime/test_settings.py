"""Settings of a process: options over variables over defaults, and one sentence for each fault."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from alhambra_runtime.addresses import Address, read_address
from alhambra_runtime.settings import (
    BadSettings,
    BaseSettings,
    ServerSettings,
    exposed,
    names,
    networks,
    read_file,
    setting,
)


@dataclass(frozen=True)
class Lamp(BaseSettings):
    prefix = "LAMP_"
    may_be_negative = frozenset({"warmth"})

    colour: str = setting("white", "The colour.", ("white", "red"))
    watts: int = setting(5, "The power.")
    warmth: float = setting(0.0, "Below zero is cold.")
    dimmed: bool = setting(False, "Whether it is dimmed.")


@dataclass(frozen=True)
class LampServer(ServerSettings):
    prefix = "LAMP_"
    most_workers = 4

    listen: str = setting("127.0.0.1:80", "")
    workers: int = setting(1, "")
    threads: int = setting(1, "")
    trusted_proxies: str = setting("", "")
    tls_certificate: str = setting("", "")
    tls_key: str = setting("", "")


def test_a_given_value_wins_over_its_variable_and_the_variable_over_the_default() -> None:
    found = Lamp.from_environment({"LAMP_WATTS": "7", "LAMP_COLOUR": "red"}, watts=9, colour=None)
    assert found == Lamp("red", 9, 0.0, False)


@pytest.mark.parametrize(("text", "value"), [("1", True), ("Yes", True), ("on", True), ("", False), ("off", False)])
def test_a_switch_is_read_from_words(text: str, value: bool) -> None:
    assert Lamp.from_environment({"LAMP_DIMMED": text}).dimmed is value


def test_every_variable_that_cannot_be_read_is_named() -> None:
    with pytest.raises(BadSettings) as raised:
        Lamp.from_environment({"LAMP_WATTS": "much", "LAMP_DIMMED": "perhaps"})
    assert str(raised.value).splitlines() == [
        "Invalid value of LAMP_WATTS: must be an integer.",
        "Invalid value of LAMP_DIMMED: must be true or false.",
    ]


def test_every_fault_is_a_sentence() -> None:
    Lamp(warmth=-3.0).check()
    with pytest.raises(BadSettings) as raised:
        Lamp(colour="blue", watts=-1).check()
    assert str(raised.value).splitlines() == [
        "--colour must be one of white, red.",
        "--watts must not be negative.",
    ]


def test_arguments_give_a_child_what_its_variables_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMP_WATTS", "7")
    monkeypatch.setenv("LAMP_DIMMED", "on")
    assert [*Lamp("red", 7, 0.0, False).arguments()] == ["--colour=red", "--no-dimmed"]
    assert [*Lamp("white", 5, 0.0, True).arguments()] == ["--watts=5"]


def test_faults_of_servers_are_found_together() -> None:
    LampServer().check()
    server = LampServer(workers=5, threads=0, tls_key="key.pem", trusted_proxies="10.0.0.1/8")
    assert len([*server.faults()]) == 4


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:80", Address("127.0.0.1", 80)),
        ("localhost:0", Address("127.0.0.1", 0)),
        ("[::1]:80", Address("::1", 80)),
        ("unix:///run/a.sock", Address("", 0, "/run/a.sock")),
    ],
)
def test_addresses_are_read(text: str, address: Address) -> None:
    assert read_address(text) == address
    assert address.loopback


@pytest.mark.parametrize("text", ["", "80", "unix:", "example.net:80", "[::1:80", "127.0.0.1:65536", "127.0.0.1:x"])
def test_other_texts_are_no_addresses(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_address(text)


def test_an_address_is_written_as_it_is_read() -> None:
    for text in ("127.0.0.1:80", "[::]:80", "unix:/run/a.sock"):
        assert str(read_address(text)) == text
    assert not read_address("[::]:80").loopback


def test_lists_are_separated_by_commas() -> None:
    assert names(" a, b,,c ") == ["a", "b", "c"]
    assert [str(network) for network in networks("10.0.0.0/8, ::1")] == ["10.0.0.0/8", "::1/128"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with pytest.raises(BadSettings, match=f"^Cannot read {path}: no such file or directory.$"):
        read_file(str(path))
    path.write_bytes(b"secret")
    assert read_file(str(path)) == b"secret"


def test_a_secret_that_everybody_can_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alhambra_runtime.settings.Path.parents", property(lambda path: [path.parent]))
    tmp_path.chmod(0o755)
    secret = tmp_path / "secret"
    secret.touch()
    for mode, told in ((0o600, False), (0o640, False), (0o644, True), (0o604, True)):
        secret.chmod(mode)
        found = list(exposed("", str(secret), str(tmp_path / "missing")))
        assert bool(found) is told, oct(mode)
        assert all(str(secret) in sentence and f"{mode:03o}" in sentence for sentence in found)
    tmp_path.chmod(0o700)
    assert not list(exposed(str(secret))), "nobody else gets that far"
