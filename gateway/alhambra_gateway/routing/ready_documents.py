"""Documents that do not change, as ready bytes with an ETag: pages, their files, the API document, the catalogue.

A document is made at the first request for it, and compressed at the first request that wants it compressed. It is kept
under a key that names everything it depends on, such as its language. Pages and files change with the version of the
gateway alone. The catalogue changes with the version of the service, which is asked each time: the JSON of an answer is
kept under the bytes of that answer.
"""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property

from flask import Response, request

from .. import limits
from ..environ_keys import READY
from .conditional_requests import is_known, tag_of


class ReadyDocument:
    """A document with its headers, ready to be sent."""

    def __init__(self, body: bytes, media_type: str, headers: Mapping[str, str]) -> None:
        self.body = body
        self.tag = tag_of(body, None)
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

    def answer(self, key: Hashable, make: Callable[[], ReadyDocument]) -> Response:
        """Answer with the document under a key. It is made if it is not there."""
        return (self._kept.get(key) or self._keep(key, make())).response()

    def _keep(self, key: Hashable, document: ReadyDocument) -> ReadyDocument:
        """Keep a document. All others are forgotten if they would be too many together."""
        with self._lock:
            before = self._kept.pop(key, None)
            self._bytes += len(document.body) - (len(before.body) if before is not None else 0)
            if self._bytes > limits.READY_BYTES:
                self._kept.clear()
                self._bytes = len(document.body)
            self._kept[key] = document
        return document
