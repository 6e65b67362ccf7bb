"""QR codes of links, read back by a decoder that shares no code with the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.gateway import node

QR = Path(__file__).resolve().parents[2] / "gateway/alhambra_gateway/play/qr.js"
TEXTS = ["a", "http://127.0.0.1:8080/play#game=abcdefghijkl", "ß" * 75, "z" * 213]
LENGTHS = (1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106, 107, 122, 123, 152, 153, 180, 181, 213)
TABLE = {  # version: error correction codewords of a block, data codewords of its blocks (ISO/IEC 18004, table 9, M)
    1: (10, [16]), 2: (16, [28]), 3: (26, [44]), 4: (18, [32] * 2), 5: (24, [43] * 2), 6: (16, [27] * 4),
    7: (18, [31] * 4), 8: (22, [38] * 2 + [39] * 2), 9: (22, [36] * 3 + [37] * 2), 10: (26, [43] * 4 + [44]),
}  # fmt: skip
CENTRES = {7: 22, 8: 24, 9: 26, 10: 28}


def codes(texts: list[str], folder: Path) -> list[list[list[int]] | None]:
    program = f"""import {{ qrCode }} from {json.dumps(QR.as_uri())};
    const found = {json.dumps(texts)}.map((text) => qrCode(text)?.map((row) => row.map(Number)) ?? null);
    console.log(JSON.stringify(found));"""
    path = folder / "codes.mjs"
    path.write_text(program, encoding="utf-8")
    found: list[list[list[int]] | None] = json.loads(node.run([path], folder))
    return found


def masked(mask: int, y: int, x: int) -> bool:
    return (
        (y + x) % 2, y % 2, x % 3, (y + x) % 3, (y // 2 + x // 3) % 2, y * x % 2 + y * x % 3,
        (y * x % 2 + y * x % 3) % 2, ((y + x) % 2 + y * x % 3) % 2,
    )[mask] == 0  # fmt: skip


def reserved(size: int, version: int) -> set[tuple[int, int]]:
    """The modules that hold no data."""
    corners = [(range(9), range(9)), (range(9), range(size - 8, size)), (range(size - 8, size), range(9))]
    found = {(y, x) for rows, columns in corners for y in rows for x in columns}
    found |= {(6, place) for place in range(size)} | {(place, 6) for place in range(size)}
    if version > 1:
        places = [6, *([CENTRES[version]] if version in CENTRES else []), size - 7]
        for y in places:
            for x in places:
                if (y, x) not in {(6, 6), (6, size - 7), (size - 7, 6)}:
                    found |= {(y + dy, x + dx) for dy in range(-2, 3) for dx in range(-2, 3)}
    if version >= 7:
        found |= {spot for a in range(6) for b in range(size - 11, size - 8) for spot in ((a, b), (b, a))}
    return found


def times(a: int, b: int) -> int:
    """The product in GF(256) by shifting and adding."""
    found = 0
    while b:
        found ^= a if b & 1 else 0
        a = (a << 1) ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return found


def read(code: list[list[int]]) -> str:
    size = len(code)
    version = (size - 17) // 4
    format_places = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    bits = int("".join(str(code[y][x]) for y, x in format_places), 2) ^ 0b101010000010010
    assert bits >> 13 == 0, "error correction level M"
    taken, stream, upwards = reserved(size, version), [], True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for y in reversed(range(size)) if upwards else range(size):
            for x in (right, right - 1):
                if (y, x) not in taken:
                    stream.append(code[y][x] ^ masked(bits >> 10 & 7, y, x))
        upwards = not upwards
    words = [int("".join(map(str, stream[at : at + 8])), 2) for at in range(0, len(stream) - 7, 8)]
    correction, sizes = TABLE[version]
    blocks: list[list[int]] = [[] for _ in sizes]
    source = iter(words)
    for place in range(max(sizes)):
        for block, length in zip(blocks, sizes, strict=True):
            if place < length:
                block.append(next(source))
    for _ in range(correction):
        for block in blocks:
            block.append(next(source))
    for block in blocks:  # a block without errors has the roots 2^0, 2^1, …
        root = 1
        for _ in range(correction):
            value = 0
            for word in block:
                value = times(value, root) ^ word
            assert value == 0
            root = times(root, 2)
    data = "".join(f"{word:08b}" for block, length in zip(blocks, sizes, strict=True) for word in block[:length])
    count = 16 if version > 9 else 8
    assert data[:4] == "0100"
    length, start = int(data[4 : 4 + count], 2), 4 + count
    return bytes(int(data[at : at + 8], 2) for at in range(start, start + 8 * length, 8)).decode()


def test_codes_of_every_version_are_read_back(tmp_path: Path) -> None:
    texts = [*TEXTS, *("k" * length for length in LENGTHS)]
    drawn = codes(texts, tmp_path)
    assert {(len(code) - 17) // 4 for code in drawn if code} == set(TABLE)
    for text, code in zip(texts, drawn, strict=True):
        assert code is not None
        assert read(code) == text


def test_a_text_that_is_too_long_has_no_code(tmp_path: Path) -> None:
    assert codes(["x" * 214], tmp_path) == [None]


def test_the_decoder_notices_a_wrong_module(tmp_path: Path) -> None:
    (code,) = codes(["a link"], tmp_path)
    assert code is not None
    code[-1][-1] ^= 1
    with pytest.raises(AssertionError):
        read(code)
