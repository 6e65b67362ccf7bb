"""A door with TLS before a server of loopback: what stands between a service and a store that speaks TLS."""

import socket
import ssl
import threading
from contextlib import suppress
from pathlib import Path

import trustme


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
