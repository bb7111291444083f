"""The printed faces of the cards, from which the board kit draws every card."""

from functools import lru_cache
from typing import Final

from triclinium.boardkit.parts import Card
from triclinium.engine.component_kinds import CardFace, Fact, Sign, SignRow
from triclinium.engine.core.components import FILE_CACHE_SIZE
from triclinium.engine.core.text import Arg, Message, msgid
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    ACTIONS,
    CARDS,
    COLOURS,
    FIRST_MAHANE,
    FIRST_XXXIII,
    GOODS,
    LOCATIONS,
)
from triclinium.games.ierusalem.ui.icons import GAINS_RULE, ICON_NAMES, RULES
from triclinium.games.ierusalem.ui.reward_text import join_commas
from triclinium.games.ierusalem.ui.view import BACKS

CACHE_SIZE: Final = 4_000  # maximum number of cached cards
LOCATION_TONES: Final = (3, 7, 1, 0, 6)  # colour indexes of Desert, Mountain, Lake, Market and Temple
BACK_SIGNS: Final = {"mahane": "camp", "xxxiii": "xxxiii"}
OWN_BACK_SIGN: Final = "hand"
IDLE: Final = Message("none of it can be done now")  # the state of a card whose actions are all impossible

# Actions in one or two words, where there is no room for their names. Goods and Locations have their own names.
SHORT_ACTIONS: Final = {
    "go_supper": msgid("Go to Supper"),
    "invited": msgid("Be invited"),
    "parable": msgid("Parable"),
    "favor": msgid("Favor"),
    "meeting": msgid("Meeting"),
    "denarius": msgid("1 Denarius"),
    "draw_mahane": msgid("Draw Mahane"),
    "draw_xxxiii": msgid("Draw XXXIII"),
    "call_follower": msgid("Call"),
    "redistribute": msgid("Redis\u00adtribute"),
    "change_places": msgid("Change places"),
}
DECK_FACTS: Final = {
    "own": msgid("from your own deck: it returns with the discard pile"),
    "mahane": msgid("a Mahane card: used once, then under its deck"),
    "xxxiii": msgid("a XXXIII A.D. card: used once, then under its deck"),
}


@lru_cache(FILE_CACHE_SIZE)
def build_card_faces(c: Components) -> tuple[CardFace, ...]:
    """Return the face of every card."""
    return tuple([_build_card_face(c, card) for card in range(CARDS)])


def find_deck(card: int) -> str:
    """Return the deck of a card: own, mahane or xxxiii."""
    return "own" if card < FIRST_MAHANE else "mahane" if card < FIRST_XXXIII else "xxxiii"


@lru_cache(CACHE_SIZE)
def draw_card(c: Components, card: int, option: str = "", style: str = "", state_text: Arg = "") -> Card:
    """Return a card at the table. Pressing it chooses the option while the question has it."""
    return Card(
        c.card_ids[card],
        build_card_faces(c)[card],
        option=option,
        style=style,
        state_text=state_text,
        key=(bool(state_text),),
    )


def draw_card_back(c: Components, nth: int) -> Card:
    """Return a card of which only the back is known."""
    back = BACKS[nth]
    return Card(back=name_card_back(c, nth), style=f"b-{back}", state_sign=BACK_SIGNS.get(back, OWN_BACK_SIGN))


def name_card_back(c: Components, nth: int) -> Message:
    """Return the name of a card of which only the back is known."""
    if nth < len(COLOURS):
        return Message("a hidden card of {0}", c.colour_names[nth])
    return Message("a hidden Mahane card") if BACKS[nth] == "mahane" else Message("a hidden XXXIII card")


def make_action_sign(c: Components, action: int) -> Sign:
    """Return the sign of an action with its names and its rule."""
    id, name = ACTIONS[action], c.action_names[action]
    rule = RULES.get(id, GAINS_RULE)
    if id == "vp3":
        return Sign("pent", name, short=Message("{0} VP", c.vp3), rule=rule, number=str(c.vp3))
    return Sign(ICON_NAMES.get(id, id), name, short=_shorten_action(c, id), rule=rule)


def describe_location(location: int) -> Message:
    """Return the action of a Location (chapter 3 of the rules)."""
    match LOCATIONS[location]:
        case "market":
            return Message("Pay 1 Denarius and draw a Mahane card, or buy and sell goods.")
        case "temple":
            return Message("Send Followers from the Camp to Desert, Mountain and Lake, for money.")
    return Message("Gain one good for each of your Followers there.")


def find_location_rule(location: int) -> str:
    """Return the rule of a Location's action."""
    return {"market": "IE-3.1", "temple": "IE-3.3"}.get(LOCATIONS[location], "IE-3.2")


def _build_card_face(c: Components, card: int) -> CardFace:
    """Return the face of a card: its Location, its actions in order, and its VP at a visit."""
    location, vp, deck = c.card_location[card], c.card_vp[card], find_deck(card)
    id, place = c.card_ids[card].upper(), c.location_names[location]
    actions = c.card_actions[card]
    foot: Arg = id
    if deck != "own":
        foot = Message("Mahane") if deck == "mahane" else Message("XXXIII A.D.")
    return CardFace(
        Message("{0} {1}", id, place),
        caption=place,
        title_sign=LOCATIONS[location],
        corner=str(vp),
        corner_sign="circ",
        signs=(SignRow(tuple([make_action_sign(c, action) for action in actions]), has_words=True),),
        emblem=LOCATIONS[location],
        foot=foot,
        foot_sign="camp" if deck == "mahane" else "",
        tone=LOCATION_TONES[location],
        style=f"l-{LOCATIONS[location]}",
        about=Message("{0}, {1} VP at a visit", join_commas([c.action_names[action] for action in actions]), vp),
        facts=(
            Fact(place, describe_location(location), find_location_rule(location)),
            Fact(
                Message("Then"),
                Message("the actions, in this order; each may be skipped except the Meeting."),
                "IE-2.4",
            ),
            Fact(
                Message("In a column"),
                Message("the Location is one of the three symbols of a visit."),
                "IE-2.7",
            ),
            Fact(Message("In the circle"), Message("{0} VP, which the visit scores.", vp), "IE-2.12"),
            Fact(id, Message(DECK_FACTS[deck]), "IE-2.13"),
        ),
    )


def _shorten_action(c: Components, id: str) -> Arg:
    if id in GOODS:
        return c.good_names[GOODS.index(id)]
    if id.removeprefix("go_") in LOCATIONS:
        return c.location_names[LOCATIONS.index(id.removeprefix("go_"))]
    return Message(SHORT_ACTIONS[id])
