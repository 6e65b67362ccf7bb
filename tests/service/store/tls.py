"""Stores that speak TLS: a real server, and a door with TLS before a plain one, whose tickets can be watched."""

import os
import shutil
import socket
import ssl
import threading
from contextlib import suppress
from pathlib import Path

import trustme

from .servers import PROGRAM, RealServer

WITHOUT_A_DAEMON = "redis-check-rdb"
"""The server under another name; Debian's package redis-tools has it, and no daemon that starts by itself."""


class TlsServer(RealServer):
    """Debian's Redis, which can speak TLS (the embedded Valkey cannot), with nothing but TLS on its port."""

    def __init__(self, certificates: Path, password: str = "", *settings: str) -> None:
        authority = trustme.CA()
        authority.cert_pem.write_to_path(str(certificates / "ca.pem"))
        own = authority.issue_cert("127.0.0.1")
        own.private_key_pem.write_to_path(str(certificates / "key.pem"))
        own.cert_chain_pems[0].write_to_path(str(certificates / "certificate.pem"))
        self._certificates = certificates
        self._password = password
        files = {"cert": "certificate.pem", "key": "key.pem", "ca-cert": "ca.pem"}
        named = [word for name, file in files.items() for word in (f"--tls-{name}-file", str(certificates / file))]
        secret = ("--requirepass", password) if password else ()
        super().__init__(*named, "--tls-auth-clients", "no", *secret, *settings)

    @property
    def program(self) -> str:
        """The server, by a name under which it serves."""
        if PROGRAM in os.environ:
            return os.environ[PROGRAM]
        found = shutil.which(WITHOUT_A_DAEMON)
        assert found is not None, "redis-tools is not installed: run scripts/system_packages.sh"
        link = self.folder / "redis-server"
        if not link.exists():
            link.symlink_to(found)
        return str(link)

    def start(self) -> None:
        """Start the server and wait until it answers over TLS."""
        port = self._settings.index("--port")
        self._settings[port : port + 2] = ["--port", "0", "--tls-port", str(self.port)]
        user = f":{self._password}@" if self._password else ""
        self.url = f"rediss://{user}127.0.0.1:{self.port}?ssl_ca_certs={self._certificates / 'ca.pem'}"
        self.launch()
        self._await_answer(self.url)


class TlsDoor:
    """Speaks TLS 1.3 with clients, sends them session tickets as OpenSSL does, and passes everything on in plain."""

    def __init__(self, port: int, folder: Path) -> None:
        self._target = port
        authority = trustme.CA()
        authority.cert_pem.write_to_path(str(folder / "ca.pem"))
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_3
        authority.issue_cert("127.0.0.1").configure_cert(self._context)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"rediss://127.0.0.1:{self.port}?ssl_ca_certs={folder / 'ca.pem'}"
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with (
            suppress(OSError),
            self._context.wrap_socket(plain, server_side=True) as client,
            socket.create_connection(("127.0.0.1", self._target)) as server,
        ):
            self._open += [client, server]
            back = threading.Thread(target=_pass_on, args=(server, client), daemon=True)
            back.start()
            _pass_on(client, server)
            back.join()

    def stop(self) -> None:
        for one in (self._listener, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)
