"""Connects to the store at a URL: one server, Sentinel, a cluster or an embedded server.

    redis://[user:password@]host[:port][/db]            one server
    rediss://…                                          the same over TLS
    unix:///path/of/a.sock                              one server on this machine
    redis+sentinel://host:port,host:port/service[/db]   the server that Sentinel names as master
    redis+cluster://host:port,host:port                 a cluster; any of its servers may be listed
    embedded:PATH                                       a server that this process starts, with its data in PATH

`rediss+sentinel` and `rediss+cluster` use TLS. Options of the redis library come after a question mark, such as
`?ssl_ca_certs=ca.pem`; `sentinel_username` and `sentinel_password` are for the Sentinels themselves.

Only masters are read from and written to. `store_client.py` sends commands; `cluster.py` and `sentinel.py` find the
masters.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from ... import limits
from ..embedded.embedded_store import EmbeddedStore
from ..errors import StoreMisconfigured
from .cluster import SLOTS, Cluster
from .sentinel import SentinelMaster
from .store_client import BeforeSend, OneServer, StoreClient
from .wire import Server, settings_of

__all__ = ["SLOTS", "BeforeSend", "Cluster", "OneServer", "SentinelMaster", "StoreClient", "connect"]

SHAPES = "redis://, rediss://, unix://, redis+sentinel://, redis+cluster:// or embedded:PATH"


# -- Addresses -----------------------------------------------------------------------------------------------------


def connect(url: str, *, embedded_mib: int = limits.EMBEDDED_MEMORY_MIB) -> StoreClient:
    """Return a client for the store at this URL. Sends nothing yet. An embedded store is started, with at most
    `embedded_mib` MiB of memory (0 for no limit)."""
    scheme, separator, rest = url.partition(":")
    try:
        if scheme == "embedded" and separator:
            embedded = EmbeddedStore(Path(rest.removeprefix("//")).expanduser(), memory_mib=embedded_mib)
            embedded.start()
            return OneServer(_single(embedded.url), embedded)
        if scheme in ("redis", "rediss", "unix"):
            return OneServer(_single(url))
        if scheme in ("redis+sentinel", "rediss+sentinel"):
            return _sentinel(scheme.partition("+")[0], rest)
        if scheme in ("redis+cluster", "rediss+cluster"):
            return _cluster(scheme.partition("+")[0], rest)
    except (ValueError, TypeError) as fault:
        raise StoreMisconfigured(f"the address of the store cannot be read: {fault}; it must be {SHAPES}") from fault
    raise StoreMisconfigured(f"the address of the store begins with {scheme[:20]!r}: it must be {SHAPES}")


def _single(url: str) -> Server:
    settings = settings_of(url)
    if "path" in settings:
        return Server(settings["path"], settings)
    settings.setdefault("host", "localhost")
    settings.setdefault("port", 6379)
    return Server(f"{settings['host']}:{settings['port']}", settings)


def _read_addresses(scheme: str, rest: str, port: int) -> tuple[list[tuple[str, int]], str, dict[str, Any]]:
    """Read `//user:password@host:port,host:port/path?settings`. Returns hosts and ports, the path, and the settings for
    the redis library."""
    address, _, query = rest.removeprefix("//").partition("?")
    hosts, _, path = address.partition("/")
    user, at, hosts = hosts.rpartition("@")
    found = []
    for host in hosts.split(","):
        one = settings_of(f"{scheme}://{host}")
        if "host" not in one:
            raise ValueError("a host is missing")
        found.append((one["host"], one.get("port", port)))
    return found, path, settings_of(f"{scheme}://{user}{at}host?{query}")


def _sentinel(scheme: str, rest: str) -> StoreClient:
    address, _, query = rest.partition("?")
    theirs = dict(parse_qsl(query))
    sentinel_auth = {name: theirs.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    seeds, path, settings = _read_addresses(scheme, f"{address}?{urlencode(theirs)}", 26379)
    service, _, db = path.partition("/")
    if not service:
        raise ValueError("the name of the service is missing after the Sentinels, as in …:26379/mymaster")
    private = {"username", "password", "db"}
    shared = {name: value for name, value in settings.items() if name not in private} | sentinel_auth
    sentinels = [Server(f"{host}:{port}", {**shared, "host": host, "port": port}) for host, port in seeds]
    return SentinelMaster(service, sentinels, settings | ({"db": int(db)} if db else {}))


def _cluster(scheme: str, rest: str) -> StoreClient:
    seeds, path, settings = _read_addresses(scheme, rest, 6379)
    if path.strip("/") not in ("", "0"):
        raise ValueError("a cluster has only database 0")
    return Cluster(seeds, settings)
