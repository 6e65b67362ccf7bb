"""A version of gunicorn that lacks what the gateway uses of it is refused before anything is served."""

from __future__ import annotations

import pytest

from alhambra_gateway.config import BadSettings, Settings
from alhambra_gateway.process import gunicorn_parts, server

NAMES = [(part, name) for part, names in gunicorn_parts.PARTS for name in names]


def test_the_installed_version_has_everything() -> None:
    assert gunicorn_parts.missing() == []


@pytest.mark.parametrize(("part", "name"), NAMES, ids=[f"{part.__name__}.{name}" for part, name in NAMES])
def test_a_part_that_is_missing_is_named(part: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in part.__mro__[:-1]:
        if name in vars(kind):
            monkeypatch.delattr(kind, name)
    assert f"{part.__name__}.{name}" in gunicorn_parts.missing() or hasattr(object, name)


@pytest.mark.parametrize(("names", "owner"), [("CONNECTION", "TConn"), ("WORKER", "ThreadWorker")])
def test_an_attribute_that_is_not_set_any_more_is_named(
    names: str, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gunicorn_parts, names, (*getattr(gunicorn_parts, names), "no_such_thing"))
    assert gunicorn_parts.missing() == [f"{owner}.no_such_thing"]


def test_nothing_is_served_with_such_a_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gunicorn_parts, "CONNECTION", ("no_such_thing",))
    with pytest.raises(BadSettings, match=r"gunicorn cannot be used: it has no TConn\.no_such_thing"):
        server.serve(Settings(listen="127.0.0.1:0"), print)
