"""The font of names on maps: a small variable font, and the widths of its letters for the label engine.

Run ``python -m bench.map_font FOLDER`` with the folder of Debian's package `fonts-roboto-unhinted`
(``usr/share/fonts/truetype/roboto/unhinted``). It needs `fonttools` and `brotli`. The font is Roboto Condensed
under the Apache License 2.0, reduced to Latin letters, without hints and kerning, with one axis from regular (400) to
bold (700).
Print the hash that the address of the font in `board.css` contains.
"""

import hashlib
import sys
import tempfile
from pathlib import Path

from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, SourceDescriptor
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib import build

PACKAGE = Path(__file__).parents[1] / "src" / "triclinium"
FONT = PACKAGE / "web" / "static" / "map-names.woff2"
WIDTHS = PACKAGE / "boardkit" / "letter_widths.toml"
MASTERS = {400: "Regular", 700: "Bold"}
# ASCII, Latin-1 and Latin Extended-A, quotation marks, dashes, the ellipsis and the minus sign
CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x2018, 0x2019, 0x2013, 0x2014, 0x2026, 0x2212]


def subset_master(path: Path) -> TTFont:
    """Return a font with the characters of maps only."""
    font = TTFont(path)
    subsetter = Subsetter(Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 13, 14], glyph_names=True))
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    for table in {"GPOS", "GSUB", "GDEF", "kern"} & set(font.keys()):
        del font[table]
    return font


def main(folder: Path) -> None:
    fonts = {weight: subset_master(folder / f"RobotoCondensed-{style}.ttf") for weight, style in MASTERS.items()}
    space = DesignSpaceDocument()
    space.addAxis(AxisDescriptor(tag="wght", name="Weight", minimum=400, default=400, maximum=700))
    with tempfile.TemporaryDirectory() as masters:
        for weight, font in fonts.items():
            font.save(f"{masters}/{weight}.ttf")
            space.addSource(SourceDescriptor(path=f"{masters}/{weight}.ttf", location={"Weight": weight}))
        variable, _, _ = build(space)
    variable.flavor = "woff2"
    variable["head"].modified = variable["head"].created  # the same bytes on every run
    variable.recalcTimestamp = False
    variable.save(FONT)
    letters = "".join(
        chr(code) for code in sorted(fonts[400].getBestCmap()) if code > 0x20 and code not in (0xA0, 0xAD)
    )
    lines = [
        "# Widths of the letters of map-names.woff2 in thousandths of the font size, written by bench/map_font.py.",
        f"letters = {toml_string(letters)}",
    ]
    for weight, font in fonts.items():
        characters, advances, units = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
        widths = [round(1000 * advances[characters[ord(letter)]][0] / units) for letter in f" {letters}"]
        lines.append(f"width_{MASTERS[weight].lower()} = {widths}")
    WIDTHS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    digest = hashlib.sha256(FONT.read_bytes()).hexdigest()[:10]
    sys.stdout.write(f"{FONT.name}: {FONT.stat().st_size:,} bytes, /static/{FONT.name}?{digest}\n")


def toml_string(text: str) -> str:
    """Return a TOML string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


if __name__ == "__main__":
    main(Path(sys.argv[1]))
