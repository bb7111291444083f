"""The printed faces of the traditions, from which the board kit draws every card."""

from functools import lru_cache
from typing import Final

from triclinium.boardkit.parts import Card
from triclinium.engine.component_kinds import CardFace, Fact, Sign, SignRow
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import Arg, JoinedList, Message, Name
from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.ui.device_reasons import list_members

# The devices that cards form, for the foot of every enlarged card
CARD_RULES: Final = (
    Fact(
        Message("Inclusio"),
        Message("Three in a row with a witness you have interviewed, framed by a name."),
        "AE-9.2",
    ),
    Fact(Message("Emphasis"), Message("Four cards of one motif."), "AE-9.3"),
    Fact(Message("Chiasm"), Message("Motifs A B B A in a row, which is easy to learn by heart."), "AE-9.4"),
    Fact(
        Message("Chronology"),
        Message("Numbers that rise in a row; the evangelists took some liberties with it."),
        "AE-9.5",
    ),
    Fact(Message("Marks"), Message("Circles give marks when you interview their witness."), "AE-7.5"),
    Fact(Message("Back"), Message("The first theme is the colour of its back."), "AE-11.3"),
)
RULES_ID: Final = "t-rules"


class TraditionFace:
    """The printed face of a tradition card."""

    def __init__(self, c: Components, card: int) -> None:
        lead = c.back[card]
        motifs, circles = list_members(c.motifs[card]), list_members(c.circles[card])
        themes = [lead, *(theme for theme in list_members(c.themes[card]) if theme != lead)]
        self.card = card
        self.number = c.numbers[card]
        self.title = c.titles[card]
        self.motifs = [c.motif_ids[motif] for motif in motifs]
        self.circles = [c.witness_ids[witness] for witness in circles]
        self.themes = [c.theme_ids[theme] for theme in themes]
        rows = (
            make_named_row("ths", "t", c.theme_ids, c.theme_names, themes),
            make_named_row("mos", "m", c.motif_ids, c.motif_names, motifs),
            make_named_row("wis", "w", c.witness_ids, c.witness_names, circles),
        )
        theme_names, motif_names, witness_names = [join_names(row) for row in rows]
        self.printed = CardFace(
            self.title,
            corner=str(self.number),
            lines=(c.references[card],),
            signs=rows,
            tone=lead,
            about=JoinedList([sign.name for row in (rows[1], rows[2], rows[0]) for sign in row.signs]),
            facts=(
                Fact(Message("Motifs"), motif_names),
                Fact(Message("Witnesses"), witness_names),
                Fact(Message("Themes"), theme_names),
                Fact(Message("Passage"), c.references[card]),
            ),
        )
        self.drawn = Card(str(self.number), self.printed, tone=lead, shared_id=RULES_ID)


@lru_cache(FILE_CACHE_SIZE)
def list_tradition_faces(c: Components) -> list[TraditionFace]:
    return [TraditionFace(c, card) for card in range(len(c.numbers))]


def make_named_row(id: str, prefix: str, ids: list[str], names: list[Name], members: list[int]) -> SignRow:
    """Return a row of signs with their names."""
    return SignRow(tuple([Sign(f"{prefix}-{ids[member]}", names[member]) for member in members]), id)


def join_names(row: SignRow) -> Arg:
    return JoinedList([sign.name for sign in row.signs])
