"""Icons of the app, drawn from the logo: run ``python -m bench.icons`` after the logo has changed.

Phones crop maskable icons to their own shape, so the logo keeps a wide margin there. Monochrome icons have no colours.
"""

import re
from pathlib import Path

import resvg_py

STATIC = Path(__file__).parents[1] / "src" / "triclinium" / "web" / "static"
GROUND, INK, WHITE = "#f4ecdc", "#7a1f3d", "#ffffff"
MARK = (40, 36)  # width and height of the logo's drawing
# Size in pixels, share of the width that the logo takes, and corner radius as a share. None means no background.
ICONS = {
    "icon-192.png": (192, 0.68, 0.2),
    "icon-512.png": (512, 0.68, 0.2),
    "icon-maskable.png": (512, 0.5, 0.0),
    "icon-monochrome.png": (512, 0.8, None),
}


def render_svg(size: int, share: float, round_by: float | None) -> str:
    """Return one icon as SVG."""
    mark = re.sub(r"^<svg[^>]*>|</svg>\s*$", "", (STATIC / "mark.svg").read_text(encoding="utf-8"))
    scale = size * share / MARK[0]
    x, y = ((size - side * scale) / 2 for side in MARK)
    fill, stroke = ("none", WHITE) if round_by is None else ("#fbf6ea", INK)
    ground = (
        "" if round_by is None else f'<rect width="{size}" height="{size}" rx="{size * round_by}" fill="{GROUND}"/>'
    )
    drawn = f'<g transform="translate({x} {y}) scale({scale})" fill="{fill}" stroke="{stroke}" stroke-width="2.6">'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}">{ground}{drawn}{mark}</g></svg>'


def main() -> None:
    for name, how in ICONS.items():
        (STATIC / name).write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=render_svg(*how))))


if __name__ == "__main__":
    main()
