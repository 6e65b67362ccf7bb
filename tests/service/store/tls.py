"""A store that speaks TLS: a real server with certificates of its own authority."""

import os
import shutil
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
