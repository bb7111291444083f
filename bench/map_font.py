"""The font of names on maps: two weights in one small file, and the widths of its letters for the label engine.

Run ``python -m bench.map_font FOLDER`` with the folder of Debian's package `fonts-roboto-unhinted`
(``usr/share/fonts/truetype/roboto/unhinted``). It needs `fonttools` and `brotli`. The font is Roboto Condensed
under the Apache License 2.0, reduced to Latin letters, without hints and kerning. The bold letters are the stylistic
set `ss01`. Print the address of the font, which `board.css` contains with the hash.
"""

import hashlib
import sys
from pathlib import Path

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

PACKAGE = Path(__file__).parents[1] / "src" / "triclinium"
FONT = PACKAGE / "web" / "static" / "map-names.woff2"
WIDTHS = PACKAGE / "boardkit" / "letter_widths.toml"
# ASCII, Latin-1 and Latin Extended-A, quotation marks, dashes, the ellipsis and the minus sign
CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x2018, 0x2019, 0x2013, 0x2014, 0x2026, 0x2212]


def subset_font(path: Path) -> TTFont:
    """Return a font with the characters of maps only."""
    font = TTFont(path, recalcTimestamp=False)
    subsetter = Subsetter(Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 13, 14], glyph_names=True))
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    for table in {"GPOS", "GSUB", "GDEF", "kern"} & set(font.keys()):
        del font[table]
    return font


def add_bold_letters(font: TTFont, bold: TTFont) -> None:
    """Add the letters of another weight to a font, as a stylistic set."""
    letters, bold_letters = font.getGlyphSet(), bold.getGlyphSet()
    names = [name for name in font.getBestCmap().values() if name in bold_letters]
    rules: list[str] = []
    for name in dict.fromkeys(names):
        outline = DecomposingRecordingPen(bold_letters)
        bold_letters[name].draw(outline)
        pen = TTGlyphPen(letters)
        outline.replay(pen)
        font["glyf"][f"{name}.bold"] = pen.glyph()
        font["hmtx"][f"{name}.bold"] = bold["hmtx"][name]
        rules.append(f"sub {name} by {name}.bold;")
    addOpenTypeFeaturesFromString(font, f"feature ss01 {{ {' '.join(rules)} }} ss01;")


def main(folder: Path) -> None:
    font, bold = (subset_font(folder / f"RobotoCondensed-{style}.ttf") for style in ("Regular", "Bold"))
    add_bold_letters(font, bold)
    font.flavor = "woff2"
    font.save(FONT)
    characters, advances, units = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    letters = "".join(chr(code) for code in sorted(characters) if code > 0x20 and code not in (0xA0, 0xAD))
    lines = [
        "# Widths of the letters of map-names.woff2 in thousandths of the font size, written by bench/map_font.py.",
        "# The first width is that of a space.",
        f"letters = {quote(letters)}",
    ]
    for key, suffix in (("width_regular", ""), ("width_bold", ".bold")):
        widths = [round(1000 * advances[characters[ord(one)] + suffix][0] / units) for one in f" {letters}"]
        lines.append(f"{key} = {widths}")
    WIDTHS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    digest = hashlib.sha256(FONT.read_bytes()).hexdigest()[:10]
    sys.stdout.write(f"{FONT.name}: {FONT.stat().st_size:,} bytes, /static/{FONT.name}?{digest}\n")


def quote(text: str) -> str:
    """Return a TOML string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    main(Path(sys.argv[1]))
