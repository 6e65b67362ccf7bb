"""Ports are taken before anything is started, and a port in use is reported in one sentence."""

import os
import socket
import sys
from typing import Any

import pytest

from alhambra_runtime.addresses import Address
from alhambra_runtime.settings import BadSettings
from alhambra_runtime.sockets import bound, ignore_new_connections, require_free, reserved

ANY_PORT = Address("127.0.0.1", 0)


def test_a_port_in_use_is_reported_in_one_sentence() -> None:
    with bound(ANY_PORT, backlog=1) as listener:
        taken = Address(*listener.getsockname())
        with pytest.raises(BadSettings, match=rf"^Cannot listen on {taken}: address already in use\.$"):
            require_free(taken)
    require_free(taken)


def test_a_bound_socket_listens_only_with_a_backlog() -> None:
    with bound(ANY_PORT) as quiet, bound(ANY_PORT, backlog=1) as listener, socket.socket() as client:
        assert client.connect_ex(quiet.getsockname()) != 0
    with bound(ANY_PORT, backlog=1) as listener, socket.create_connection(listener.getsockname()):
        listener.accept()[0].close()


def test_connections_that_wait_are_accepted_after_attempts_to_open_others_are_ignored() -> None:
    """Attempts are ignored only on Linux, and only where the user may attach a filter; root may."""
    with bound(ANY_PORT, backlog=8) as listener, socket.create_connection(listener.getsockname()) as early:
        ignored = ignore_new_connections(listener)
        assert ignored or sys.platform != "linux" or os.geteuid() != 0
        if ignored:
            with socket.socket() as late:
                late.settimeout(0.2)
                with pytest.raises(TimeoutError):
                    late.connect(listener.getsockname())
        early.sendall(b"sent before, or after")
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.recv(100) == b"sent before, or after"
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_a_user_who_may_attach_no_filter_stops_all_the_same() -> None:
    class Refusing(socket.socket):
        def setsockopt(self, *given: Any) -> None:
            raise PermissionError(1, "Operation not permitted")

    with Refusing() as listener:
        assert not ignore_new_connections(listener)


def test_workers_share_a_reserved_port_and_a_second_server_is_refused() -> None:
    with reserved(ANY_PORT) as address:
        assert address.port != 0
        with (
            bound(address, shared=True, backlog=1),
            bound(address, shared=True, backlog=1),
            pytest.raises(BadSettings, match="Cannot listen on"),
            reserved(address),
        ):
            pass


def test_the_path_of_a_unix_socket_is_not_reserved() -> None:
    address = Address("", 0, "/no/such/folder/a.sock")
    with reserved(address) as found:
        assert found == address
