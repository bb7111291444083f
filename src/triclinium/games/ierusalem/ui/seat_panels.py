"""The panel of a seat: VP and goods, Camp and Followers, Parables, Favors and cards."""

from functools import partial

from triclinium.boardkit.parts import ActionButton, PanelContent, SeatFigure, SeatFigures, SeatPanel
from triclinium.engine.component_kinds import Sign
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, Message, SeatName, msgid
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import GOODS, LOCATIONS
from triclinium.games.ierusalem.ui.tracks_and_stacks import describe_favor, join_ids
from triclinium.games.ierusalem.ui.view import Player


def build_panel(c: Components, seat: Seat, player: Player) -> SeatPanel:
    """Return the panel of a seat. While the receiver of a Favor is chosen, it has the button for this player."""
    favor = ActionButton(
        f"to {seat}", Message("Do the Favor to {0}", SeatName(seat)), (Sign("favor"),), style="favorto"
    )
    return SeatPanel(
        seat,
        style="ie-seat",
        make_content=partial(_make_content, c, player),
        brief=_list_brief(player),
        actions=(favor,),
        key=(repr(player),),
    )


def _list_brief(player: Player) -> tuple[SeatFigure, SeatFigure, SeatFigure]:
    """Return the Followers at the Last Supper, the Parables and the Denarii of a player."""
    supper = _count("supper", player.at_supper, msgid("{0} {0:Follower|Followers} at the Last Supper"))
    parables = _count("parable", player.parables, msgid("{0} {0:Parable|Parables}"))
    denarii = _count("denarius", player.denarii, msgid("{0} {0:Denarius|Denarii}"))
    return supper, parables, denarii


def _make_content(c: Components, player: Player) -> PanelContent:
    """Return all figures of a player."""
    supper, parables, denarii = _list_brief(player)
    return PanelContent(
        SeatFigures(
            (
                SeatFigure(
                    Message("{0} VP on the track, {1} if the match ended now", player.vp, player.total),
                    player.vp,
                    "pent",
                    size=26,
                    is_on_sign=True,
                ),
                denarii,
                *(
                    SeatFigure(Message("{0}: {1}", name, n), n, good, is_faint=not n)
                    for good, name, n in zip(GOODS, c.good_names, player.goods, strict=True)
                ),
                _count("offering", player.offerings, msgid("{0} {0:Offering|Offerings}")),
            )
        ),
        [
            SeatFigures((_describe_camp(player), *_list_followers(c, player), supper)),
            SeatFigures(
                (parables, _describe_favors(c, player), _describe_cards(c, player), _describe_illumination(player)),
                "foot",
            ),
        ],
    )


def _count(sign: str, n: int, text: str) -> SeatFigure:
    """Return a number with its sign; zero is faint."""
    return SeatFigure(Message(text, n), n, sign, is_faint=not n)


def _describe_camp(player: Player) -> SeatFigure:
    camp = player.camp
    return SeatFigure(
        Message("Camp: {0} {0:Follower|Followers}; {1} of {2} spaces filled", camp.followers, camp.fill, camp.spaces),
        camp.followers,
        "camp",
        rest=f"{camp.fill}/{camp.spaces}",
        style="camp over" if camp.fill > camp.spaces else "camp",
    )


def _list_followers(c: Components, player: Player) -> list[SeatFigure]:
    """Return the Followers in Desert, Mountain and Lake."""
    return [
        SeatFigure(
            Message("{0} {0:Follower|Followers}: {1}", n, c.location_names[place]),
            n,
            LOCATIONS[place],
            frame=f"lt l-{LOCATIONS[place]}",
            size=13,
            is_faint=not n,
        )
        for place, n in enumerate(player.followers)
    ]


def _describe_favors(c: Components, player: Player) -> SeatFigure:
    """Return the Favors done, and in the tooltip the benefit of each marker that is left."""
    text = Message("{0} {0:Favor|Favors} done, {1} to give", player.favors_done, len(player.markers))
    for marker in player.markers:
        text = Message("{0}\n{1}", text, describe_favor(c, marker))
    return SeatFigure(text, player.favors_done, "favor", is_faint=not player.favors_done, size=16)


def _describe_cards(c: Components, player: Player) -> SeatFigure:
    """Return the cards in hand, and in the tooltip the deck and the discard pile."""
    held: Arg = Message(
        "{0}, {1}",
        Message("{0} {0:card|cards} in hand", len(player.hand)),
        Message("{0} in the deck, {1} discarded", player.deck, len(player.discard)),
    )
    if player.discard:
        held = Message("{0}: {1}", held, join_ids(c, player.discard))
    return SeatFigure(held, len(player.hand), "hand", is_faint=not player.hand, size=16)


def _describe_illumination(player: Player) -> SeatFigure:
    text = Message("Illumination tile: unused") if player.illumination else Message("Illumination tile: used")
    return SeatFigure(text, sign="lamp", style="" if player.illumination else "dead")
