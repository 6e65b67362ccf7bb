"""What `make images` finds out before it builds. Building needs root and minutes: it is a target of its own."""

import os
import subprocess
import sys

import pytest

from .images.__main__ import inner
from .images.builder import CANNOT, CannotBuild, base_name, mirror, pip_settings, release, require_tools


def test_the_base_is_made_of_the_release_and_python_that_its_name_promises() -> None:
    assert release("python:3.11-slim-bookworm") == ("3.11", "bookworm")
    assert release(base_name())[0] == "3.11"
    with pytest.raises(CannotBuild, match="not a slim Python"):
        release("python:3.11-alpine")


def test_packages_come_from_where_this_machine_gets_them() -> None:
    targets = "Another http://else.example/apt/\nDebian http://mirror.example/debian/\n"
    assert mirror(targets) == ["http://mirror.example/debian/"]
    assert mirror("Another http://else.example/apt/\n") == []


def test_pip_in_a_container_takes_over_where_packages_are_and_who_vouches_for_it() -> None:
    listed = "global.index-url='http://mirror.example/simple'\n:env:.cert='/home/own.pem'\nglobal.find-links='/here'\n"
    assert pip_settings(listed).splitlines() == [
        "[global]",
        "index-url = http://mirror.example/simple",
        "cert = /etc/ssl/certs/ca-certificates.crt",
    ]


def test_somebody_who_is_not_root_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CannotBuild, match="sudo make images"):
        require_tools()


def test_a_machine_without_the_tools_is_told_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CannotBuild, match=r"buildah and debootstrap .*system_packages.sh images"):
        require_tools()
    assert CANNOT == 3


def test_the_process_in_a_container_is_the_first_that_is_not_buildah() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as alone:
        assert inner(alone.pid).pid == alone.pid
