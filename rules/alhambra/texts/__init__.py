"""Texts for people: what the library's words mean, in the languages of `data/texts/`.

The library itself speaks in words that never change: codes, verbs, ids. Here each of them has a text, under a key that
says what it is: `violation.HOLE`, `verb.take_money`, `module.base`, `currency.denar`. `messages.py` says in which form
texts are written, `catalogues.py` where they stand; `docs/texts.md` lists the keys.

    text("verb.buy", "de")                               a word
    explain(violation, "hu")                             why something is refused
    tell_move(move, "sr", names=["Ada", "Béla"])         a move that could be made
    tell_event(event.kind, event.public, "pt", names)    something that happened
"""

from __future__ import annotations

from .accept_language import choose_language
from .catalogues import DEFAULT, keys, languages, missing
from .names import name_of, names_of, player_name
from .required import reasons_without_text, texts_needed, things_without_name, words_without_text
from .sentences import (
    MoveTexts,
    explain,
    has_text,
    reason_key,
    sentence_form,
    tell_decision,
    tell_event,
    tell_move,
    tell_reason,
    text,
)

__all__ = [
    "DEFAULT",
    "MoveTexts",
    "choose_language",
    "explain",
    "has_text",
    "keys",
    "languages",
    "missing",
    "name_of",
    "names_of",
    "player_name",
    "reason_key",
    "reasons_without_text",
    "sentence_form",
    "tell_decision",
    "tell_event",
    "tell_move",
    "tell_reason",
    "text",
    "texts_needed",
    "things_without_name",
    "words_without_text",
]
