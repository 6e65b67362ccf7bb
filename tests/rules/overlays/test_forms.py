"""Forms of ways that the columns of the table do not tell apart: an overlay fares as `forms.toml` says."""

from __future__ import annotations

from importlib import import_module

import pytest

from tests.rules.overlays.fates import Overlay, check
from tests.rules.overlays.forms import FORMS
from tests.rules.overlays.table import FATES, WAYS, forms, rows

CASES = [(form.key, overlay, fate) for form in forms() for fate, overlays in form.fates.items() for overlay in overlays]


def overlay_of(key: str) -> Overlay:
    """The overlay that the tests of a row are about."""
    found = import_module(f"tests.rules.overlays.test_{key}").OVERLAY
    assert isinstance(found, Overlay)
    return found


@pytest.mark.parametrize(("form", "overlay", "fate"), CASES)
def test_form(form: str, overlay: str, fate: str) -> None:
    check(overlay_of(overlay), form, fate)


def test_every_form_is_told_and_belongs_to_a_way() -> None:
    assert [form.key for form in forms()] == list(FORMS)
    assert {form.way for form in forms()} <= set(WAYS)


def test_a_form_tells_the_fate_of_an_overlay_once() -> None:
    known = {row.key for row in rows()}
    for form in forms():
        told = [overlay for overlays in form.fates.values() for overlay in overlays]
        assert len(told) == len(set(told)), form.key
        assert set(told) <= known, form.key
        assert set(form.fates) <= set(FATES), form.key
