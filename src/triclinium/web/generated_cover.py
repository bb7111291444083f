"""A cover for a game without a picture: its initials, its seats, and a colour and a pattern chosen by its id."""

from zlib import crc32

from markupsafe import Markup

from triclinium.engine.game import Game
from triclinium.web.html_snippets import AVATAR_COLOURS, AVATAR_PATTERNS

PAPER_COLOUR = "#fff6df"
MAX_INITIALS = 2  # the number of initials that are drawn
# The drawing is between 55 and 145 of the height, because the leaderboard shows only this part of a picture.
MAX_DISCS = 8  # the number of seats that are drawn: all fit into the centre, which every page shows
COVER_SVG = Markup(
    '<rect width="320" height="200" fill="{colour}"/>'
    '<path transform="translate(60) scale(5)" fill="none" stroke="{paper}" stroke-opacity=".25" stroke-width=".6"'
    ' d="{pattern}"/>'
    '<text x="160" y="113" text-anchor="middle" font-family="serif" font-size="62" font-weight="700" stroke="none"'
    ' fill="{paper}">{initials}</text>{seats}'
)
DISC_SVG = Markup('<circle cx="{0}" cy="131" r="5" stroke="{1}" stroke-width="1.6" fill="{2}"/>')


def generate_cover(game: Game) -> Markup:
    """Return the content of an SVG of 320 by 200. Optional seats are drawn as rings."""
    number = crc32(game.id.encode())
    words = game.name.text.replace("-", " ").split()
    most, fewest = min(max(game.seats), MAX_DISCS), min(game.seats)
    left = 160 - 8 * (most - 1)
    discs = [DISC_SVG.format(left + 16 * n, PAPER_COLOUR, PAPER_COLOUR if n < fewest else "none") for n in range(most)]
    return COVER_SVG.format(
        colour=AVATAR_COLOURS[number % len(AVATAR_COLOURS)],
        paper=PAPER_COLOUR,
        pattern=AVATAR_PATTERNS[number // len(AVATAR_COLOURS) % len(AVATAR_PATTERNS)],
        initials="".join(word[0] for word in words)[:MAX_INITIALS].upper(),
        seats=Markup("").join(discs),
    )
