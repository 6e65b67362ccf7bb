"""Notices as messages of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alhambra_api.v1 import webhooks_pb2

from .views import timestamp


def kind_to(word: str) -> webhooks_pb2.NoticeKind.ValueType:
    """Return the kind of a notice as the contract has it."""
    return webhooks_pb2.NoticeKind.Value(f"NOTICE_KIND_{word.upper()}")


def kind_from(kind: int) -> str:
    """Return the word of a kind; an empty text for an unknown one."""
    if kind not in webhooks_pb2.NoticeKind.values():
        return ""
    return webhooks_pb2.NoticeKind.Name(kind).removeprefix("NOTICE_KIND_").lower()  # type: ignore[arg-type]


def notice_to(notice: Mapping[str, Any]) -> webhooks_pb2.Notice:
    """Return a notice as a message."""
    message = webhooks_pb2.Notice(
        id=notice["id"],
        kind=kind_to(notice["kind"]),
        time=timestamp(notice["time"]),
        game=notice.get("game", ""),
        version=notice.get("version", 0),
        name=notice.get("name", ""),
        decision_kind=notice.get("decision", ""),
    )
    if "seat" in notice:
        message.seat = notice["seat"]
    if "deadline" in notice:
        message.deadline.CopyFrom(timestamp(notice["deadline"]))
    return message
