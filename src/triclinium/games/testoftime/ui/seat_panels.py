"""The panel of a seat: people and strength, effects of its Testaments, and final points."""

from dataclasses import dataclass
from functools import partial

from triclinium.boardkit.parts import PanelContent, SeatFigure, SeatFigures, SeatPanel
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import MINUS, Arg, JoinedList, Message
from triclinium.games.testoftime.rules.components import Components
from triclinium.games.testoftime.ui.view import Player, TestOfTimeView


@dataclass(frozen=True, slots=True)
class SeatStanding:
    """The points of a land, the attacks made, and who began or passed."""

    prospect: int  # points if all Testaments are kept
    forecast: int  # points if all players pass
    attacks: int
    most_attacks: int  # 0: unlimited
    is_starter: bool
    has_passed: bool


def build_panel(
    c: Components, view: TestOfTimeView, seat: Seat, standing: SeatStanding, key: tuple[object, ...]
) -> SeatPanel:
    """Return the panel of a seat."""
    return SeatPanel(
        seat,
        style=f"ttseat s{seat}",
        make_content=partial(_make_content, c, view.players[seat], standing, view.over),
        key=key,
    )


def _make_content(c: Components, player: Player, standing: SeatStanding, over: bool) -> PanelContent:
    """Return the figures of a seat."""
    waiting, in_play = player.waiting, player.in_play
    people = (
        SeatFigure(
            Message("followers waiting / in play, of {0}", c.max_followers),
            waiting.followers,
            "follower",
            rest=f"/{in_play.followers}",
            sign_style="ttsign",
            size=16,
        ),
        SeatFigure(
            Message("shamans waiting / in play, of {0}", c.max_shamans),
            waiting.shamans,
            "sire_shaman",
            rest=f"/{in_play.shamans}",
            sign_style="ttsign",
            size=16,
        ),
        SeatFigure(
            Message("strength that can still attack or defend"),
            player.worth,
            word=Message("strength"),
            style="strength",
        ),
    )
    return PanelContent(
        SeatFigures(people),
        [SeatFigures(list_effects(c, player), "fx"), SeatFigures(list_prospects(standing, over), "ends")],
    )


def list_effects(c: Components, player: Player) -> tuple[SeatFigure, ...]:
    """Return the effects of standing Testaments. An effect is highlighted while a Testament gives it."""
    preserve, create = player.preserve_cost, player.create_cost
    saved, convert, power = player.saved, player.convert_cost, player.power
    return (
        _make_effect(
            "preserve",
            preserve[-1] < c.preserve[-1],
            preserve[-1],
            Message("Preserving: {0}", _list_prices(c, preserve)),
        ),
        _make_effect(
            "create", create[-1] < c.create[-1], create[-1], Message("Creating: {0}", _list_prices(c, create))
        ),
        _make_effect(
            "deaths", saved > 0, f"{MINUS}{saved}", Message("{0} fewer {0:death|deaths} in each action", saved)
        ),
        _make_effect(
            "convert",
            convert > 0,
            convert or "–",
            Message("Convert costs {0}", convert) if convert else Message("no standing Temple"),
        ),
        _make_effect("power", power > 1, f"×{power}", Message("a shaman counts {0}", power)),
    )


def _make_effect(sign: str, is_on: bool, value: Arg, text: Message) -> SeatFigure:
    return SeatFigure(text, value, sign, style=f"effect {'on' if is_on else 'off'}", sign_style="ttsign", size=14)


def _list_prices(c: Components, prices: list[int]) -> JoinedList:
    """Return the price of each kind of Testament."""
    return JoinedList([Message("{0} {1}", name, price) for name, price in zip(c.names, prices, strict=True)])


def list_prospects(standing: SeatStanding, over: bool) -> tuple[SeatFigure, ...]:
    """Return the points that the Testaments would have at the end, the attacks made, and who began or passed."""
    figures: list[SeatFigure] = []
    if not over:
        figures.append(SeatFigure(value=standing.prospect, word=Message("if kept")))
        falls = standing.forecast < standing.prospect
        figures.append(SeatFigure(value=standing.forecast, word=Message("if all pass"), style="bad" if falls else ""))
    if standing.most_attacks:
        made = min(standing.attacks, standing.most_attacks)
        figures.append(SeatFigure(word=Message("attacks {0} of {1}", made, standing.most_attacks), style="chip"))
    if standing.is_starter:
        figures.append(SeatFigure(word=Message("began"), style="chip"))
    if standing.has_passed:
        figures.append(SeatFigure(word=Message("passed"), style="chip"))
    return tuple(figures)
