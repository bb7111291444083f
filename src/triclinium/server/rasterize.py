"""Conversion of SVG to PNG in a bot process.

It brings its own font, so that pictures look the same on every system. It needs `resvg_py` and `font-source-serif-pro`
from the extra `people`; `optional_dependencies.PICTURES` loads this module.
"""

import font_source_serif_pro as font
import resvg_py

WIDTH, HEIGHT = 1200, 630
MAX_BYTES = 300_000  # larger pictures are drawn at half the width
FONT_FILES = (font.SourceSerifPro, font.SourceSerifProSemibold, font.SourceSerifProBold)
FONT_FAMILY = "Source Serif Pro"
FIRST_MISSING_LETTER = 0x2E80  # the font has no letters from this code point on


def convert_svg_to_png(svg: str) -> bytes:
    """Return the picture as PNG, at half the width if the file would be too large."""
    image = render_png(svg, WIDTH)
    return image if len(image) <= MAX_BYTES else render_png(svg, WIDTH // 2)


def render_png(svg: str, width: int) -> bytes:
    """Return the picture as PNG with a width in pixels."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=list(FONT_FILES),
            font_family=FONT_FAMILY,
            serif_family=FONT_FAMILY,
            sans_serif_family=FONT_FAMILY,
            skip_system_fonts=all(ord(letter) < FIRST_MISSING_LETTER for letter in svg),
        )
    )
