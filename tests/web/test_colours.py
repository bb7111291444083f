"""Tests of the colours in tokens.css: text is readable, and seats can be distinguished with colour blindness."""

import itertools
import re
from collections.abc import Sequence

import pytest

from triclinium.web.static_files import WEB_FOLDER

TOKENS = (WEB_FOLDER / "static" / "tokens.css").read_text(encoding="utf-8")
SEATS = 6
AA = 4.5  # minimum contrast of text by WCAG
LETTER = 3.0  # minimum contrast of drawings; a seat's letter repeats a name next to it
APART = 8.0  # clearly visible distance in Lab between two pieces that also differ in shape

# Simulation of three kinds of colour blindness for linear red, green and blue (Machado, Oliveira and Fernandes 2009).
VISIONS: dict[str, Sequence[Sequence[float]]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TEXTS = [
    (text, ground) for text in ("ink", "ink-soft", "accent", "warn", "can") for ground in ("ground", "panel", "raised")
]

Colour = tuple[float, ...]


def token(name: str, dark: bool) -> Colour:
    """Return a colour of tokens.css as linear light."""
    found = re.search(rf"--{name}: light-dark\(#(\w{{6}}), #(\w{{6}})\)", TOKENS)
    assert found is not None, name
    return _linear(found[2 if dark else 1])


def _linear(text: str) -> Colour:
    shares = [int(text[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares)


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour: Colour) -> Colour:
    r, g, b = colour
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def simulate_vision(colour: Colour, vision: str) -> Colour:
    mixed = (sum(share * v for share, v in zip(row, colour, strict=True)) for row in VISIONS[vision])
    return tuple(min(1.0, max(0.0, v)) for v in mixed)


def difference(one: Colour, other: Colour, vision: str) -> float:
    pairs = zip(lab(simulate_vision(one, vision)), lab(simulate_vision(other, vision)), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_text_has_enough_contrast(text: str, ground: str, dark: bool) -> None:
    assert contrast(token(text, dark), token(ground, dark)) >= AA


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_accent_colour_has_enough_contrast(dark: bool) -> None:
    accents = re.findall(r'data-game="(\w+)"\] \{\s*--accent: light-dark\(#(\w{6}), #(\w{6})\)', TOKENS)
    assert len(accents) == 5
    for game_id, *both in accents:
        accent = _linear(both[dark])
        assert contrast(accent, token("panel", dark)) >= AA, game_id
        assert contrast(accent, token("on-accent", dark)) >= AA, game_id


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_letter_of_a_seat_has_enough_contrast(dark: bool) -> None:
    for seat in range(SEATS):
        letter = token("on-seat-3" if seat == 3 else "on-seat", dark)
        assert contrast(letter, token(f"seat-{seat}", dark)) >= LETTER, seat


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("vision", VISIONS)
def test_seat_colours_differ_for_colour_blind_people(vision: str, dark: bool) -> None:
    colours = [token(f"seat-{seat}", dark) for seat in range(SEATS)]
    for one, other in itertools.combinations(range(SEATS), 2):
        assert difference(colours[one], colours[other], vision) >= APART, (one, other)


def test_seats_differ_by_shape_too() -> None:
    """No information is shown by colour alone: each seat has its own shape and its player's letter."""
    sprite = (WEB_FOLDER / "static" / "sprite.svg").read_text(encoding="utf-8")
    shapes = re.findall(r'<symbol id="seat-(\d)"[^>]*>(.*?)</symbol>', sprite)
    assert [int(seat) for seat, _ in shapes] == list(range(SEATS))
    assert len({drawing for _, drawing in shapes}) == SEATS
