"""SVG to PNG in a process of the bots', with a font of its own: nothing of the system is needed, or looks otherwise.

It needs `resvg_py` and `font-source-serif-pro` of the extra `people`; `extras.PICTURES` loads this module.
"""

import font_source_serif_pro as font
import resvg_py

WIDTH, HEIGHT = 1200, 630
MOST = 300_000  # bytes
FACES = (font.SourceSerifPro, font.SourceSerifProSemibold, font.SourceSerifProBold)
FAMILY = "Source Serif Pro"
OURS = 0x2E80  # letters from here on are not in the font


def paint(svg: str) -> bytes:
    """The picture; a smaller one where it would be too long."""
    whole = painted(svg, WIDTH)
    return whole if len(whole) <= MOST else painted(svg, WIDTH // 2)


def painted(svg: str, width: int) -> bytes:
    """The picture, so wide."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=list(FACES),
            font_family=FAMILY,
            serif_family=FAMILY,
            sans_serif_family=FAMILY,
            skip_system_fonts=all(ord(letter) < OURS for letter in svg),
        )
    )
