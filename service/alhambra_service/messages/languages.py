"""The language of a call: what `accept-language` in its metadata asks for, as far as there are texts in it."""

from __future__ import annotations

import grpc

from alhambra.texts import DEFAULT, choose_language

HEADER = "accept-language"


def asked_language(context: grpc.ServicerContext) -> str | None:
    """The language that the call names; None if it names none."""
    for name, value in context.invocation_metadata() or ():
        if name == HEADER and isinstance(value, str):
            return choose_language(value)
    return None


def language_of(context: grpc.ServicerContext) -> str:
    """The language to answer in: English if the call names none."""
    return asked_language(context) or DEFAULT
