"""The rulebook's quick reference: the parts of a turn and the final scoring, one line each."""

from typing import Final

from triclinium.engine.core.text import Name

HELP_LINES: Final = (  # tuples of a sign, its meaning, and the rule that explains it
    ("move", Name("Move, 1 action: one road, or from portal to portal; other pawns block the way", "help"), "PP-6.1"),
    (
        "play",
        Name("Play, 1 action: your pawn on the card’s place, its period in range; points at once", "help"),
        "PP-7.1",
    ),
    ("draw", Name("Draw, 1 action: a card of the row or the top of a deck; seven in hand at most", "help"), "PP-4.1"),
    ("red", Name("Burn, no action: the gauge rises by its icons; each colour once a turn", "help"), "PP-8.5"),
    (
        "capsule",
        Name("In range: on Low only the capsule’s period, on 1 to 3 that many before and after it as well", "help"),
        "PP-8.3",
    ),
    ("portal", Name("Full: every period for the rest of the turn, then the gauge falls to Low", "help"), "PP-8.9"),
    (
        "pin",
        Name("In the simplified variant neither fuel nor period matters, only the card’s place", "help"),
        "PP-12.2",
    ),
    ("pin", Name("The third New Testament card of one player makes this the last round", "help"), "PP-10.1"),
    (
        "region",
        Name("At the end 10 points for each set of five regions; a Region card counts as any of them", "help"),
        "PP-11.3",
    ),
    ("royalty", Name("7 points for the majority of each symbol; tied players all score", "help"), "PP-11.6"),
    (
        "mountain",
        Name("A Symbol card in hand: 1 point, and 1 for each of your events with its symbol", "help"),
        "PP-11.7",
    ),
)


def help_card() -> tuple[tuple[str, Name, str], ...]:
    return HELP_LINES
