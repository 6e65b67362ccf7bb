"""The pictures of components: each carries what it uses and nothing else, and names fit into their plaques."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from alhambra import BASE, Ruleset, compile_ruleset, known_modules
from alhambra.svg import draw_component
from alhambra.svg.component import piece_kind_of
from alhambra.svg.labels import fit_label, width_of
from alhambra.texts import languages

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return compile_ruleset(6, "de_revised_2019", tuple(known_modules()))


def components(rules: Ruleset) -> list[tuple[str, str]]:
    """Every component of the rules: its kind and its id."""
    named = [("tile", name) for name in rules.tiles] + [("card", name) for name in rules.cards]
    for module in rules.modules:
        named += [("piece", name) for name in module.pieces] + [
            ("piece_kind", kind.name) for kind in module.piece_kinds
        ]
        named += [("slot", name) for name in module.slots] + [("item", name) for name in module.usable]
        named += [("choice", name) for name in module.choices]
    return named


def test_every_picture_carries_exactly_the_symbols_and_colours_that_it_uses(rules: Ruleset) -> None:
    for kind, thing in components(rules):
        picture = ElementTree.fromstring(draw_component(rules, kind, thing))
        defined = {found.get("id") for defs in picture.iter(f"{SVG}defs") for found in defs}
        used = {found.get("href", "").removeprefix("#") for found in picture.iter(f"{SVG}use")}
        assert defined == used, (kind, thing)
        coloured = set(re.findall(r"\.([a-z-]+)\{", picture.findtext(f"{SVG}style") or ""))
        classes = {name for found in picture.iter() for name in found.get("class", "").split()}
        assert classes - {"price"} == coloured, (kind, thing)


@pytest.mark.parametrize("language", languages())
def test_no_name_is_cut_off_and_none_runs_out_of_its_picture(rules: Ruleset, language: str) -> None:
    for kind, thing in components(rules):
        picture = ElementTree.fromstring(draw_component(rules, kind, thing, language=language))
        _, _, wide, high = map(float, (picture.get("viewBox") or "").split())
        for text in picture.iter(f"{SVG}text"):
            said, size = text.text or "", float(text.get("font-size", 0))
            assert not said.endswith("…"), (kind, thing, said)
            assert size < float(text.get("y", 0)) + size * 0.2 and float(text.get("y", 0)) < high, (kind, thing)
            if text.get("text-anchor") == "middle" and len(said) > 2:
                assert width_of(said, size) <= wide, (kind, thing, said)


def test_a_name_is_as_large_as_its_room_allows() -> None:
    assert fit_label("gate", 90, 40, 17) == (17, ["gate"])
    size, lines = fit_label("the Master Builder", 60, 46, 14)
    assert size < 14
    assert " ".join(lines) == "the Master Builder"
    size, lines = fit_label("incomprehensibility", 30, 40, 14)
    assert "".join(line.removesuffix("-") for line in lines) == "incomprehensibility"
    assert all(width_of(line, size) <= 30 for line in lines)


def test_a_piece_is_drawn_with_the_outline_of_its_kind(rules: Ruleset) -> None:
    for name, kind in (("juggler", "character"), ("score_card_3", "score_card"), ("treasure-2", "treasure")):
        found = piece_kind_of(rules, name)
        assert found is not None
        assert found.name == kind
        assert f'href="#piece-{kind}"' in draw_component(rules, "piece", name)
    assert piece_kind_of(rules, "market-denar") is None
    assert BASE.piece_kinds == ()
