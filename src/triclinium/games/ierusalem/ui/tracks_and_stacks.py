"""The tracks of a player's board, and the pieces of a player as stacks, from which the board kit draws both."""

from triclinium.boardkit.parts import Space, TokenStack, Track
from triclinium.engine.component_kinds import Sign
from triclinium.engine.core.text import Arg, Message
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    GIVES_DENARII,
    GIVES_VP,
    LOCATIONS,
    REWARDS,
)
from triclinium.games.ierusalem.ui.icons import ICON_NAMES, ROMAN
from triclinium.games.ierusalem.ui.reward_text import join_commas, name_reward
from triclinium.games.ierusalem.ui.view import Player


def draw_parable_track(c: Components, player: Player | None = None) -> Track:
    """IE-4.1, IE-6.1  Return the Parables that a player has heard, which are lit, and the rewards of the others."""
    heard = 0 if player is None else player.parables
    spaces = []
    for nth, (kind, amount) in enumerate(zip(c.parable_reward, c.parable_amount, strict=True)):
        number, gift = nth + 1, name_reward(c, kind, amount)
        name = Message("{0} {1}", ROMAN[number], c.parable_names[nth])
        spaces.append(
            Space(
                "",
                ROMAN[number],
                lit=nth < heard,
                signs=list_reward_signs(kind, amount),
                text=Message(
                    "{0}\n{1} (IE-4.1, IE-6.1)",
                    Message("{0}: {1}", name, gift) if gift else name,
                    Message("{0} VP at the end for this many", c.parable_end[number]),
                ),
            )
        )
    note: Arg = ""
    if player is not None and heard < len(spaces):
        note = Message("{0} needs {1}; you have {2}", ROMAN[heard + 1], heard + 1, player.at_supper)
    return Track(Message("Parables"), spaces, note, "parables")


def draw_favor_track(c: Components, is_asked: bool, player: Player) -> Track:
    """IE-4.5  Return the Favor markers still to give, each with its benefit and the colour of its symbol.

    They can be pressed while their owner is asked for one.
    """
    spaces = [
        Space(
            "",
            "",
            signs=tuple([sign for kind, n in c.marker_benefit[marker] for sign in list_reward_signs(kind, n)]),
            text=Message("{0} (IE-4.5)", describe_favor(c, marker)),
            style=f"l-{LOCATIONS[c.marker_location[marker]]}",
            option=f"favor {id}" if is_asked else "",
        )
        if marker in player.markers
        else Space("", "", signs=(Sign("check"),), style="void")
        for marker, id in enumerate(c.marker_ids)
    ]
    left = Message("{0} of {1}", len(player.markers), len(c.marker_ids))
    return Track(Message("Favors to give"), spaces, left, "favors")


def describe_favor(c: Components, marker: int) -> Message:
    """Return the benefit of a Favor, and the symbol that its receiver keeps."""
    benefits = join_commas([name_reward(c, kind, n) for kind, n in c.marker_benefit[marker]])
    symbol = c.location_names[c.marker_location[marker]]
    return Message("{0}: {1}; then the symbol {2}", c.marker_ids[marker].upper(), benefits, symbol)


def list_reward_signs(kind: int, amount: int) -> tuple[Sign, ...]:
    """Return the sign of a reward, with the number of Denarii or VP; empty if there is none."""
    id = REWARDS[kind]
    if kind == GIVES_VP:
        return (Sign("pent", number=str(amount)),)
    if kind == GIVES_DENARII:
        return (Sign("coin", number=str(amount)),)
    return () if id in ("none", "jesus") else (Sign(ICON_NAMES.get(id, id)),)


def stack_denarii(player: Player) -> TokenStack:
    text = Message("{0} {0:Denarius|Denarii}", player.denarii)
    return TokenStack(text, player.denarii, sign="denarius", style="tile", is_pile=True)


def join_ids(c: Components, cards: list[int]) -> str:
    """Return the ids of some cards in upper case, separated by commas."""
    return ", ".join([c.card_ids[card].upper() for card in cards])
