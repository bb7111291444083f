"""SVG to PNG in a process of the bots', with a font of its own: nothing of the system is needed, or looks otherwise.

It needs `resvg_py` and `font-source-serif-pro` of the extra `people`; `extras.PICTURES` loads this module.
"""

import font_source_serif_pro as font
import resvg_py

WIDTH, HEIGHT = 1200, 630
MAX_BYTES = 300_000  # bytes
FONT_FILES = (font.SourceSerifPro, font.SourceSerifProSemibold, font.SourceSerifProBold)
FONT_FAMILY = "Source Serif Pro"
FIRST_MISSING_LETTER = 0x2E80  # letters from here on are not in the font


def convert_svg_to_png(svg: str) -> bytes:
    """The picture; a smaller one where it would be too long."""
    image = render_png(svg, WIDTH)
    return image if len(image) <= MAX_BYTES else render_png(svg, WIDTH // 2)


def render_png(svg: str, width: int) -> bytes:
    """The picture, so wide."""
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
