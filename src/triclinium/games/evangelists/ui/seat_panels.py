"""The panel of a seat: its theme, tally marks and tokens, and on its turn the octagons left."""

from functools import partial

from triclinium.boardkit.parts import PanelContent, SeatFigure, SeatFigures, SeatPanel
from triclinium.engine.core.text import Arg, JoinedList, Message
from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.ui.gospels import Gospel
from triclinium.games.evangelists.ui.view import EvangelistsView

SHOWN_WITNESSES = 3  # the number of interviewed witnesses that a panel shows; the tooltip names all


def list_possessions(c: Components, gospel: Gospel) -> tuple[SeatFigure, ...]:
    """Return the theme with its matching cards, the tally marks and the follow tokens of a gospel."""
    theme = Message(
        "{0}\n{1}\n{2} (AE-11.4)",
        Message("{0}: {1}", Message("Theme"), gospel.theme_name),
        Message("{0} of {1} cards match", gospel.matches, gospel.cards),
        Message("half of them or more: bonus of {0}", c.theme_bonus),
    )
    return (
        SeatFigure(
            theme,
            gospel.matches,
            f"t-{gospel.theme}",
            rest=f"/{gospel.cards}",
            bonus=f"+{c.theme_bonus}" if gospel.bonus else "",
            size=18,
        ),
        SeatFigure(Message("{0} tally {0:mark|marks}", gospel.tally), gospel.tally, "tally"),
        SeatFigure(Message("{0} follow {0:token|tokens}", gospel.tokens), gospel.tokens, "tok"),
    )


def build_panel(c: Components, view: EvangelistsView, gospel: Gospel) -> SeatPanel:
    """Return the panel of a seat. Its colour is that of a theme (AE-1.13, AE-R34)."""
    playing = view.turn == gospel.seat and not view.over
    limits = (view.used.travel, view.used.rearrange, view.used.boat)
    return SeatPanel(
        gospel.seat,
        style=f"ae-seat is-{gospel.seat}-{gospel.colour}" if gospel.colour else "ae-seat",
        make_content=partial(_make_content, c, view, gospel),
        key=(gospel.key, (view.octagons, limits) if playing else (), view.stenographer == gospel.seat),
    )


def _make_content(c: Components, view: EvangelistsView, gospel: Gospel) -> PanelContent:
    """Return the figures of a seat, and on its turn the octagons left."""
    figures: list[SeatFigure | SeatFigures] = list(list_possessions(c, gospel))
    if view.turn == gospel.seat and not view.over:
        limits = (view.used.travel, view.used.rearrange, view.used.boat)
        names = (Message("Travel"), Message("Rearrange"), Message("Boat"))
        used = [name for name, is_used in zip(names, limits, strict=True) if is_used]
        left: Arg = Message("{0} {0:octagon|octagons} left", view.octagons)
        if used:
            done = Message("{0}: {1}", JoinedList(used), Message("done this turn"))
            left = Message("{0}\n{1} (AE-2.7)", left, done)
        figures.append(SeatFigure(left, view.octagons, "oct", sign_style="octs", size=15))
    if view.stenographer == gospel.seat:
        figures.append(SeatFigure(Message("stenographer: first in every round"), sign="quill", size=16))
    if gospel.interviews:
        witnesses = JoinedList([c.witness_names[c.witness_ids.index(id)] for id in gospel.interviews])
        met = [SeatFigure(sign=f"w-{id}") for id in gospel.interviews[:SHOWN_WITNESSES]]
        more = len(gospel.interviews) - SHOWN_WITNESSES
        if more > 0:
            met.append(SeatFigure(word=f"+{more}", style="small"))
        figures.append(SeatFigures(tuple(met), "met", Message("Interviewed: {0}", witnesses)))
    return PanelContent(SeatFigures(tuple(figures)))
