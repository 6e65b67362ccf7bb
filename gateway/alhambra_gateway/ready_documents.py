"""Documents that do not change, as ready bytes with an ETag: pages, their files, the API document, the catalogue.

A document is made at the first request for it, and compressed at the first request that wants it compressed. It is kept
under a key that names everything it depends on, such as its language. Pages and files change with the version of the
gateway alone. The catalogue comes from the service, which may be replaced by another version, so it is asked for again
after CATALOG_SECONDS.
"""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property

from flask import Response, request

from alhambra_api.v1 import annotations_pb2

from . import limits
from .environ_keys import READY
from .routing.conditional_requests import is_known, tag_of
from .routing.routes import Route

View = Callable[..., Response]


class ReadyDocument:
    """A document with its headers, ready to be sent."""

    def __init__(self, body: bytes, media_type: str, headers: Mapping[str, str]) -> None:
        self.body = body
        self.tag = tag_of(body, None)
        self.made = time.monotonic()
        self._media_type = media_type
        self._headers = {"ETag": self.tag, **headers}

    @cached_property
    def compressed(self) -> bytes:
        """The document as gzip."""
        return gzip.compress(self.body, limits.GZIP_LEVEL, mtime=0)

    def response(self) -> Response:
        """Answer the current request with the document; 304 if the client already has it."""
        if is_known(request.environ, self.tag):
            return Response(status=304, headers=self._headers)
        request.environ[READY] = self
        return Response(self.body, headers=self._headers, content_type=self._media_type)


class ReadyDocuments:
    """The documents of one process, at most READY_BYTES of them. Threads may share it."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, ReadyDocument] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable, seconds: float | None = None) -> ReadyDocument | None:
        """Return the document that is kept under a key; None if there is none, or if it is older than `seconds`."""
        found = self._kept.get(key)
        if found is None or (seconds is not None and time.monotonic() - found.made > seconds):
            return None
        return found

    def keep(self, key: Hashable, document: ReadyDocument) -> ReadyDocument:
        """Keep a document. All others are forgotten if they would be too many together."""
        with self._lock:
            before = self._kept.pop(key, None)
            self._bytes += len(document.body) - (len(before.body) if before is not None else 0)
            if self._bytes > limits.READY_BYTES:
                self._kept.clear()
                self._bytes = len(document.body)
            self._kept[key] = document
        return document

    def answer(self, key: Hashable, make: Callable[[], ReadyDocument]) -> Response:
        """Answer with the document under a key. It is made if it is not there."""
        return (self.get(key) or self.keep(key, make())).response()


def kept_for_a_while(route: Route, documents: ReadyDocuments, view: View) -> View:
    """Return the view that asks the service for a document of the catalogue at most once in CATALOG_SECONDS; the view
    itself for all other calls. The catalogue is the same for everybody."""
    if route.method != "GET" or route.caller != annotations_pb2.CALLER_ANYONE:
        return view

    def answer(**named: str) -> Response:
        environ = request.environ
        if "HTTP_IF_MATCH" in environ:  # the catalogue has no versions: the call refuses it
            return view(**named)
        asked = (environ.get(name, "") for name in ("QUERY_STRING", "HTTP_ACCEPT", "HTTP_ACCEPT_LANGUAGE"))
        key = (route.name, *named.values(), *asked)
        found = documents.get(key, limits.CATALOG_SECONDS)
        if found is not None:
            return found.response()
        condition = environ.pop("HTTP_IF_NONE_MATCH", None)  # the whole document is wanted, to be kept
        answered = view(**named)
        if condition is not None:
            environ["HTTP_IF_NONE_MATCH"] = condition
        if answered.status_code != 200:
            return answered
        headers = {name: value for name, value in answered.headers if name in ("Cache-Control", "Vary")}
        made = ReadyDocument(answered.get_data(), answered.content_type or "", headers)
        return documents.keep(key, made).response()

    return answer
