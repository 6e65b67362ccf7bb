"""The catalogues of texts: for each language a folder of `data/texts/`, with one file for each module.

A third party's module brings its texts in its definition (`Module.texts`). Only for those may a language fall back to
English; the library's own texts are complete in every language.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ..registry import ON_REGISTER, third_party_modules

DEFAULT = "en"


@cache
def catalogues() -> Mapping[str, Mapping[str, str]]:
    """Every language's texts by key, English first. Takes some milliseconds the first time."""
    from importlib.resources import files  # a slow import, and many programs show no texts

    found: dict[str, dict[str, str]] = {}
    for folder in files("alhambra").joinpath("data/texts").iterdir():
        if folder.is_dir():
            texts = found[folder.name] = {}
            for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
                if entry.name.endswith(".json"):
                    texts.update(json.loads(entry.read_text(encoding="utf-8")))
    order = sorted(found, key=lambda language: (language != DEFAULT, language))
    return MappingProxyType({language: MappingProxyType(found[language]) for language in order})


@cache
def foreign_texts() -> Mapping[str, Mapping[str, str]]:
    """By language: the texts of modules that do not stand in this library."""
    found: dict[str, dict[str, str]] = {}
    for module in third_party_modules():
        for language, texts in module.texts.items():
            found.setdefault(language, {}).update(texts)
    return found


ON_REGISTER.append(foreign_texts.cache_clear)


def languages() -> tuple[str, ...]:
    """The languages that there are texts in, English first."""
    return tuple(catalogues())


def keys() -> tuple[str, ...]:
    """Every key that has a text in this library."""
    return tuple(catalogues()[DEFAULT])


def missing(language: str) -> list[str]:
    """The keys for which a language has no text."""
    known = catalogues().get(language, {})
    return [key for key in keys() if key not in known]


def find(language: str, *wanted: str) -> tuple[str, str] | None:
    """The first of these keys that the language knows, or if it knows none, that English knows; with its language.
    None if there is no text for any of them."""
    texts = catalogues().get(language)
    if texts is not None:  # nearly every text is one of this library, in the language that was asked for
        for key in wanted:
            if key in texts:
                return texts[key], language
    for spoken in dict.fromkeys((language, DEFAULT)):
        for texts in (catalogues().get(spoken), foreign_texts().get(spoken)):
            for key in wanted if texts else ():
                if texts and key in texts:
                    return texts[key], spoken
    return None
