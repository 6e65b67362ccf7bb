"""The recording of a game is a picture that any browser shows: well-formed, complete, and harmless."""

import re
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

from scripts.recording import COMMAND, ROWS, TARGET, picture, printed, steps

SVG = "{http://www.w3.org/2000/svg}"


@cache
def lines() -> list[str]:
    return printed()


def shown(svg: str) -> list[str]:
    """The letters of each line of a recording, without blanks."""
    root = ElementTree.fromstring(svg)
    return [re.sub(r"\s", "", "".join(line.itertext())) for line in root.iter(f"{SVG}text")]


def test_the_recording_shows_the_whole_game() -> None:
    bare = [re.sub(r"\x1b\[[0-9;]*m|\s", "", line) for line in lines()]
    assert shown(picture()) == [line for line in bare if line]
    assert bare[-1].endswith("wins.")


def test_the_recording_begins_with_its_command_and_ends_with_its_last_line() -> None:
    numbers = [number for number, _ in steps(lines())]
    assert (numbers[0], numbers[-1]) == (1, len(lines()))
    assert numbers == sorted(numbers)
    assert COMMAND in lines()[0]


def test_no_step_of_the_recording_passes_more_than_two_screens() -> None:
    numbers = [number for number, _ in steps(lines())]
    assert max(after - before for before, after in pairwise(numbers)) < 2 * ROWS


def test_the_recording_in_the_documentation_runs_nothing_and_loads_nothing() -> None:
    svg = TARGET.read_text(encoding="utf-8")
    assert shown(svg)[0] == re.sub(r"\s", "", f"$ {COMMAND}")
    assert not re.search(r"<script|<image|href|@import|url\(| on\w+=", svg)
