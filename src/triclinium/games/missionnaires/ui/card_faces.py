"""The printed faces of the cards, from which the board kit draws every card, and descriptions of pieces and spaces."""

from functools import lru_cache
from typing import Final

from triclinium.boardkit.parts import Card, Description
from triclinium.engine.component_kinds import CardFace, Fact
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import Arg, Message, Name, msgid
from triclinium.games.missionnaires.rules.checks import WINDOWS
from triclinium.games.missionnaires.rules.components import EFFECTS, Components
from triclinium.games.missionnaires.ui.translations import get_printed_name

TOWN_TONE: Final = 0
SEA_TONE: Final = 1
LAND_TONE: Final = 2
SEA_CARD: Final = "sea-card"  # sign of a sea card
LAND_CARD: Final = "land-card"  # sign of a territory card
VOUCHER_PREFIX: Final = "Voucher: "
# Titles of the vouchers without the word "Voucher", which the band of the card has
VOUCHER_TITLES: Final = (
    Name("the mayor’s pass", "voucher"),
    Name("the prefect’s pass", "voucher"),
    Name("letter of recommendation", "voucher"),
    Name("coach ticket", "voucher"),
    Name("train ticket", "voucher"),
    Name("parcel of periodicals", "voucher"),
    Name("call the circuit overseer", "voucher"),
    Name("mishap avoided", "voucher"),
    Name("a later sailing", "voucher"),
    Name("the captain’s friend", "voucher"),
    Name("a change of ship", "voucher"),
    Name("life jacket", "voucher"),
    Name("lucky star", "voucher"),
    Name("hired car", "voucher"),
    Name("trunk of periodicals", "voucher"),
    Name("call the district overseer", "voucher"),
)
MOMENTS: Final = {  # when a voucher can be played
    "push_fee": msgid("in place of the fee of a push"),
    "own_coup": msgid("before or after your main action"),
    "own_draw": msgid("in response to a card that you have just drawn"),
}
DRAWN_ON_LAND: Final = msgid("in a green town")
DRAWN_AT_SEA: Final = msgid("before each dotted section of a sea lane")


def is_sea_card(c: Components, card: int) -> bool:
    return card >= c.territories


def find_card_sign(c: Components, card: int) -> str:
    """Return the sign of a card's deck."""
    return SEA_CARD if is_sea_card(c, card) else LAND_CARD


def name_deck(c: Components, card: int) -> Message:
    """Return the name of a card's deck."""
    return Message("Sea voyage") if is_sea_card(c, card) else Message("Territories")


def find_card_title(c: Components, card: int) -> Name:
    """Return the title of a card, without the prefix of a voucher. A voucher of an edited file keeps its whole name."""
    name = c.card_names[card]
    titles = {VOUCHER_PREFIX + title.text: title for title in VOUCHER_TITLES}
    return titles.get(name.text, name)


@lru_cache(FILE_CACHE_SIZE)
def build_card_faces(c: Components) -> tuple[CardFace, ...]:
    """Return the face of every card, by number."""
    return tuple([_build_card_face(c, card) for card in range(len(c.card_ids))])


def _build_card_face(c: Components, card: int) -> CardFace:
    deck, at_sea, is_voucher = name_deck(c, card), is_sea_card(c, card), c.bon[card]
    drawn = Fact(Message("Drawn"), Message(DRAWN_AT_SEA if at_sea else DRAWN_ON_LAND), "LM-5.4" if at_sea else "LM-4.5")
    uses = (
        (
            Fact(Message("Effect"), Message("when you play it; keep it until then"), "LM-8.2"),
            Fact(Message("Moment"), Message(MOMENTS[WINDOWS[EFFECTS[c.effect[card]]]]), "LM-8.4"),
            Fact(Message("Way home"), Message("nobody is home with a voucher in hand"), "LM-8.6"),
        )
        if is_voucher
        else (Fact(Message("Effect"), Message("at once, for the player who draws it"), "LM-8.1"),)
    )
    return CardFace(
        find_card_title(c, card),
        band=Message("{0}, voucher", deck) if is_voucher else deck,
        corner_sign=find_card_sign(c, card),
        lines=(c.card_texts[card],),
        brief=c.card_texts[card],
        tone=SEA_TONE if at_sea else LAND_TONE,
        style=f"{find_card_sign(c, card)}{' voucher' if is_voucher else ''}",
        facts=(*uses, drawn, Fact(Message("Printed title"), get_printed_name(c.card_names[card]))),
    )


@lru_cache(FILE_CACHE_SIZE)
def list_cards(c: Components) -> tuple[Card, ...]:
    """Return every card as it lies on the table, by number."""
    return tuple([Card(c.card_ids[card], face, tone=face.tone) for card, face in enumerate(build_card_faces(c))])


@lru_cache(2_000)
def build_effect_face(c: Components, card: int, count: int) -> CardFace:
    """Return the line of a pile's list that stands for ``count`` cards with the same effect."""
    return CardFace(
        c.card_texts[card], corner=str(count), lines=(Message("Voucher"),) if c.bon[card] else (), style="effect"
    )


@lru_cache(FILE_CACHE_SIZE)
def build_town_faces(c: Components) -> tuple[CardFace, ...]:
    """Return the faces of the congregation cards."""
    return tuple([CardFace(c.space_names[space], corner=c.grids[space], tone=TOWN_TONE) for space in c.congregation_at])


# -- pieces and spaces -------------------------------------------------------------------------------------------------


@lru_cache(8)
def list_descriptions(card_on_pass: bool, stays_behind: bool) -> tuple[Description, ...]:
    """Return the descriptions of every kind of space and piece.

    With the variant ``card_on_pass``, a green town gives its card also to a pawn that only passes. With
    ``stays_behind``, an overseer stays where a visit is made.
    """
    visit: Arg = (
        Message("Stop here to visit it if its card is yours. An overseer who has come with you stays behind.")
        if stays_behind
        else Message("Stop here to visit it if its card is yours.")
    )
    green: Arg = (
        Message("You take a territory card when you enter, even if the move goes on; a town you leap over gives none.")
        if card_on_pass
        else Message("You take a territory card when you end a move here; passing through gives none.")
    )
    return (
        _describe(
            "bethel",
            Message("The Bethel"),
            Message(
                "Everyone starts and finishes here. Any number of pawns may share it, but never a gendarme. End a coup "
                "here to take periodicals up to 8."
            ),
            ("LM-3.7", "LM-4.4", "LM-9.2"),
        ),
        _describe(
            "congregation",
            Message("Congregation"),
            visit,
            ("LM-4.2", "LM-4.3" if stays_behind else "LM-R6", "LM-3.6"),
        ),
        _describe(
            "gendarmerie",
            Message("Gendarmerie"),
            Message("A gendarme begins here. Without him it is a plain town."),
            ("LM-1.5", "LM-R3"),
        ),
        _describe("green", Message("Green town"), green, ("LM-4.5", "LM-R4", "LM-8.8")),
        _describe(
            "sea",
            Message("Sea point"),
            Message(
                "A stage of a sea lane. Before each dotted section you take a sea card, unless the district overseer "
                "is with you. You may stop here; no pawn is pushed here."
            ),
            ("LM-3.8", "LM-5.4", "LM-5.5"),
        ),
        _describe(
            "gendarme",
            Message("Gendarme"),
            Message(
                "To enter his space, hand in 1 periodical and move him along a road to an empty neighbouring town; "
                "with an overseer it is free."
            ),
            ("LM-6.2", "LM-6.3", "LM-6.5"),
        ),
        _describe(
            "overseer",
            Message("Overseer"),
            Message(
                "Stop on his space and he travels with you. From the next coup on, you move two spaces instead of "
                "one, and pushes and leaps are free. The district overseer also spares you the sea cards. {0}",
                Message("He stays where you make a visit.")
                if stays_behind
                else Message("He stays with you until a card calls him."),
            ),
            ("LM-7.3", "LM-4.1", "LM-4.3" if stays_behind else "LM-R6", "LM-5.5"),
            sign="overseer-c",
        ),
        _describe(
            "pawn",
            Message("Proclaimer"),
            Message(
                "One space a coup, two for 1 periodical or with an overseer. A proclaimer cannot be pushed; leaping "
                "over him takes two spaces."
            ),
            ("LM-3.1", "LM-3.3", "LM-6.9"),
            sign="pawn-0",
            style="s0 lm-seat",
        ),
        _describe(
            "periodical",
            Message("Periodical"),
            Message(
                "Hand one in for a second space, for a leap, or to push a gendarme. Eight at most in hand; the Bethel "
                "fills you up."
            ),
            ("LM-3.3", "LM-6.2", "LM-9.6"),
        ),
        _describe(
            "reserve",
            Message("Reserve"),
            Message(
                "Congregation cards that were not dealt, face down. With some cards you take one from here or put one "
                "under it."
            ),
            ("LM-R2", "LM-R17"),
        ),
    )


def _describe(id: str, heading: Arg, text: Arg, rules: tuple[str, ...], sign: str = "", style: str = "") -> Description:
    return Description(f"lm-about-{id}", sign or id, heading, text, rules, style)
