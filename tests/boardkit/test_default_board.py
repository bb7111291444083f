"""Tests of the standard table made from any view: parts by field annotations, and options on their components."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import pytest

from kuhn.game import GAME as KUHN
from kuhn.game import KuhnView
from kuhn.rules import NOTATION, Kuhn
from tests.toy import TOY
from triclinium import list_games
from triclinium.boardkit.default_board import build_default_board
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.option_targets import MAX_BUTTONS, ButtonsByThing, build_buttons
from triclinium.boardkit.parts import (
    Board,
    Cards,
    Counter,
    Group,
    Map,
    Pile,
    Tally,
    Track,
    build_cost,
    build_seat_table,
    group_by_type,
)
from triclinium.boardkit.text_table import (
    DEFAULT_WIDTH,
    TextLine,
    find_seat_tones,
    format_default_table,
    format_game_table,
    select_changed_lines,
)
from triclinium.engine.component_kinds import ComponentKind, Layout
from triclinium.engine.core.state import Seat, State
from triclinium.engine.core.text import Message, Name
from triclinium.engine.game import Game
from triclinium.engine.registry import load_game
from triclinium.engine.view import IS_SEAT, NOT_DRAWN, PER_SEAT, Label, PerKind, Ref, View
from triclinium.games.portals.ui.view import OwnEvent, PortalsView
from triclinium.server.presenter.decision import build_decision

PORTALS = load_game("portals")
ALL = [KUHN, TOY, *(load_game(id) for id in list_games())]
NAMES = ("Ann", "Ben", "Cleo")


def play_to_middle(game: Game, moves: int = 60, seats: int = 0) -> State:
    """Return a position from the middle of a random match."""
    s = game.deal(seats or game.seats[0], 5)
    chance = random.Random(1)
    for _ in range(moves):
        if not s.over:
            s.play(chance.choice(s.legal))
    return s


def board(game: Game, s: State, seat: Seat | None, placed: ButtonsByThing | None = None) -> Board:
    return build_default_board(game.view(s, seat), map_kinds_by_name(game), placed or {})


def list_offered_options(game: Game, s: State) -> ButtonsByThing:
    reader = game.words.reader("en", NAMES)
    return build_buttons(game, game.view(s, s.who), build_decision(game, s, reader).allowed, reader)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_every_view_is_a_table(game: Game) -> None:
    """Each seat and a spectator can see a table from the deal to the end, in lines of at most 40 columns."""
    reader = game.words.reader("en", NAMES)
    for moves in (0, 7, 60):
        s = play_to_middle(game, moves)
        for seat in (None, 0, s.seats - 1):
            view = game.view(s, seat)
            made = build_default_board(view, map_kinds_by_name(game), {})
            assert len(made.panels) == s.seats
            assert made.parts
            text = format_default_table(view, map_kinds_by_name(game), reader, 40)
            assert max(len(line) for line in text.splitlines()) <= 40
            assert text == format_default_table(view, map_kinds_by_name(game), reader, 40)


def test_kuhn_shows_the_own_card_and_the_back_of_the_other() -> None:
    s = KUHN.deal(2, 7)
    assert isinstance(s, Kuhn)
    made = board(KUHN, s, 1)
    assert [type(part) for part in made.parts] == [Counter, Pile, Cards]
    deal, pot, hand = made.parts
    assert isinstance(deal, Counter)
    assert repr(deal.value) == repr(Message("{0} of {1}", 1, 10))
    assert isinstance(pot, Pile)
    assert (pot.is_heap, pot.count) == (True, 2)
    assert isinstance(hand, Cards)
    assert hand.own
    assert [card.id for card in hand.cards] == ["queen"]
    assert hand.cards[0].face is not None
    assert hand.cards[0].face.corner == Name("Q", "letter")
    other, own = made.panels
    assert [type(part) for part in own.parts] == [Counter, Counter]
    assert other.marks == [Name("begins", "field")]
    held = other.parts[2]
    assert isinstance(held, Cards)
    assert (held.cards[0].face, held.cards[0].id, held.cards[0].empty) == (None, "", False)


def test_a_spectator_sees_only_backs() -> None:
    made = board(KUHN, KUHN.deal(2, 7), None)
    assert not [part for part in made.parts if isinstance(part, Cards)]
    assert [card.id for panel in made.panels for card in panel.parts[2].cards] == ["", ""]  # type: ignore[union-attr]


def test_portals_is_laid_out_by_its_kinds() -> None:
    s = play_to_middle(PORTALS, seats=3)
    view = PORTALS.view(s, 0)
    assert isinstance(view, PortalsView)
    made = board(PORTALS, s, 0)
    kinds = [kind for kind, _ in group_by_type(made.parts)]
    assert kinds == ["Counter", "Track", "Map", "Cards", "Pile", "Cards"]
    capsule, gauge = [part for part in made.parts if isinstance(part, Track)]
    assert [n for n, space in enumerate(capsule.spaces) if space.at] == [view.capsule]
    assert [n for n, space in enumerate(capsule.spaces) if space.lit] == view.in_range
    assert [n for n, space in enumerate(gauge.spaces) if space.at] == [view.gauge]
    chart = next(part for part in made.parts if isinstance(part, Map))
    assert [n for n, place in enumerate(chart.places) if place.marks] == view.portals
    assert {seat: n for n, place in enumerate(chart.places) for seat in place.seats} == {
        player.seat: player.place for player in view.players
    }
    assert [part.count for part in made.parts if isinstance(part, Pile)] == [view.decks.old, view.decks.new]
    hand = next(part for part in made.parts if isinstance(part, Cards))
    assert hand.own
    assert view.hand is not None
    for card, held in zip(hand.cards, view.hand, strict=True):
        told = [note.label for note in card.notes]
        assert (Name("in range", "field") in told) == (isinstance(held, OwnEvent) and held.in_range)
    assert not any(isinstance(part, Cards) and part.label == hand.label for part in made.panels[0].parts)


def list_buttons(made: Board) -> Iterator[str]:
    for part in made.parts:
        things = (
            getattr(part, "cards", None) or getattr(part, "places", None) or getattr(part, "spaces", None) or [part]
        )
        yield from (one.option for thing in things for one in getattr(thing, "buttons", []))


def test_buttons_are_on_the_component_that_the_option_names() -> None:
    """Cards of the hand and of the row, decks and places carry exactly the legal options."""
    s = play_to_middle(PORTALS, seats=3)
    while "move" not in {PORTALS.notation.verb_of(o).word for o in s.legal}:
        s.play(s.legal[0])
    made = board(PORTALS, s, s.who, list_offered_options(PORTALS, s))
    legal = {PORTALS.format_option(o) for o in s.legal}
    placed = set(list_buttons(made))
    assert placed <= legal
    assert legal - placed <= {"discard", "end"}


def test_many_options_on_one_component_stay_in_the_list() -> None:
    for id in list_games():
        game = load_game(id)
        for several in list_offered_options(game, play_to_middle(game)).values():
            assert 1 <= len(several) <= MAX_BUTTONS


def test_plain_numbers_name_no_component() -> None:
    s = play_to_middle(TOY, 1)
    assert set(list_offered_options(TOY, s)) <= {("fig", n) for n in range(16)}


# -- each annotation -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Box:
    lid: bool
    nails: Annotated[int, Label("nails inside")]


@dataclass(slots=True)
class Sample(View):
    """A view with one field for each rule of the layout."""

    level: Annotated[int, Ref("step")]
    town: Annotated[int, Ref("town")] | None
    homes: Annotated[list[Annotated[int, Ref("town")]], PER_SEAT]
    guards: Annotated[list[Annotated[int, Ref("town")]], PerKind("guard")]
    stock: Annotated[list[int], PerKind("good")]
    colours: list[Annotated[int, Ref("good")]]
    row: list[Annotated[int, Ref("card")] | None]
    chest: int
    leader: Annotated[Seat, IS_SEAT]
    secret: Annotated[int, NOT_DRAWN]
    open: bool
    shut: bool
    box: Box
    boxes: list[Box]


KINDS = {
    "step": ComponentKind(["a", "b", "c"], ["A", "B", "C"], "track"),
    "town": ComponentKind(["x", "y"], ["X", "Y"], "place", layout=Layout((0, 0, 10, 5), [(1, 1), (9, 4)], [(0, 1)])),
    "guard": ComponentKind(["g"], ["the guard"]),
    "good": ComponentKind(["oil", "figs"], ["oil", "figs"], tones=[3]),
    "card": ComponentKind(["c0", "c1"], ["one", "two"], "card"),
    "chest": ComponentKind(["chest"], ["chest"], "pile"),
}


def sample() -> Board:
    seen = (0, 2, 0, False, "Act", ["go"])
    full = Sample(
        *seen, 1, 0, [0, 1], [1], [2, 0], [1, 0], [1, None], 7, 1, 9, True, False, Box(True, 3), [Box(False, 4)]
    )
    return build_default_board(full, KINDS, {})


def test_each_annotation_has_a_part() -> None:
    made = sample()
    assert [type(part).__name__ for part in made.parts] == [
        "Counter",
        "Counter",
        "Track",
        "Map",
        "Cards",
        "Pile",
        "Tally",
        "Group",
        "Group",
    ]
    colours, is_open, track, chart, row, chest, stock, box, boxes = made.parts
    assert isinstance(colours, Counter)
    assert isinstance(is_open, Counter)
    assert (is_open.label, is_open.value) == (Name("open", "field"), "")
    assert isinstance(track, Track)
    assert [space.at for space in track.spaces] == [False, True, False]
    assert isinstance(chart, Map)
    assert (chart.height, chart.roads) == (500, "M100.0 100.0L900.0 400.0")
    assert [[mark.name for mark in place.marks] for place in chart.places] == [[Name("town", "field")], []]
    assert chart.legend == [Name("town", "field")]
    assert [place.tokens for place in chart.places] == [[], [("G", "the guard")]]
    assert [(piece.seat, piece.text, piece.x) for piece in chart.pieces] == [
        (0, "", 100.0),
        (1, "", 886.0),
        (None, "G", 914.0),
    ]
    assert isinstance(row, Cards)
    assert [(card.id, card.empty) for card in row.cards] == [("c1", False), ("", True)]
    assert isinstance(chest, Pile)
    assert (chest.label, chest.count) == ("chest", 7)
    assert isinstance(stock, Tally)
    assert [(count.name, count.value, count.tone) for count in stock.counts] == [("oil", 2, 3), ("figs", 0, -1)]
    assert isinstance(box, Group)
    assert box.parts == [Counter(Name("lid", "field")), Counter(Name("nails inside", "field"), 3)]
    assert isinstance(boxes, Group)
    assert boxes.parts == [Group("1", [Counter(Name("nails inside", "field"), 4)])]
    assert [panel.marks for panel in made.panels] == [[], [Name("leader", "field")]]


def test_seats_are_compared_field_by_field() -> None:
    rows = build_seat_table(board(PORTALS, play_to_middle(PORTALS, seats=3), None).panels).rows
    assert [len(row.values) for row in rows] == [3] * len(rows)
    assert {row.label for row in rows} >= {Name("points of cards", "field"), Name("Judea", "region")}


def test_a_cost_shows_missing_resources() -> None:
    assert build_cost([("oil", 3), ("figs", 1)], [1, 4]).prices == [("oil", 3, 2), ("figs", 1, 0)]


def test_the_text_table_of_a_small_game() -> None:
    """The text table of Kuhn poker has no notes."""
    s = KUHN.deal(2, 7)
    told = format_game_table(KUHN, KUHN.view(s, 1), KUHN.words.reader("fr", NAMES))
    assert told.splitlines() == [
        "donne 1 sur 10",
        "dans le pot\u00a0: 2",
        "Votre main",
        "  la dame D",
        "",
        "→ Ann (commence)",
        "  jetons 19, dans le pot 1",
        "  en main\u00a0: [?]",
        "",
        "Ben",
        "  jetons 19, dans le pot 1",
    ]


def test_a_view_names_known_owners() -> None:
    s = KUHN.deal(2, 7)
    view = KUHN.view(s, 1)
    assert isinstance(view, KuhnView)
    assert [held.card for held in view.hands] == [None, view.card]
    assert NOTATION.format_option(s.legal[0]) == "check"


def test_a_seat_inside_a_component_is_named_there() -> None:
    """A seat that has looked at a card is not shown as its owner, but a seat that leads the round is."""
    game = load_game("evangelists")
    made = board(game, play_to_middle(game, 30), 0)
    assert all(len(panel.marks) <= 3 for panel in made.panels)


class Marked:
    """Colour marks in a readable form, which can also be removed again."""

    def bold(self, text: str) -> str:
        return f"{{b|{text}}}"

    def tone(self, tone: int, text: str) -> str:
        return f"{{{tone}|{text}}}"


def test_a_terminal_uses_the_colours_of_seats_and_components() -> None:
    """Lines are folded without counting the colour marks, which take no space."""
    s = play_to_middle(PORTALS, seats=3)
    view, reader = PORTALS.view(s, 0), PORTALS.words.reader("en", NAMES)
    told = format_default_table(view, map_kinds_by_name(PORTALS), reader, 60, Marked())
    assert "{b|{1|Ben}}" in told
    assert "{b|Your hand}" in told
    assert "{b|fuel gauge}: Low" in told
    assert re.search(r"  \{\d\|[GO]\d\d \w[^}]+\}: ", told)
    assert re.sub(r"\{-?\w+\||\}", "", told) == format_default_table(view, map_kinds_by_name(PORTALS), reader, 60)
    assert "{b|{1|Ben}}" in format_game_table(PORTALS, view, reader, 80, Marked())


@pytest.mark.parametrize("id", list_games())
def test_the_text_table_wraps_at_the_terminal_width(id: str) -> None:
    """Lines are folded at every width. A drawn grid is left out if it does not fit."""
    game = load_game(id)
    view, reader = game.view(play_to_middle(game, 40), 0), game.words.reader("fr", NAMES)
    for width in (40, 59, 60, 80):
        text = format_game_table(game, view, reader, width)
        assert max(len(line) for line in text.splitlines()) <= width
    assert format_game_table(game, view, reader, DEFAULT_WIDTH) == format_game_table(game, view, reader)


def test_a_seat_has_the_colour_of_its_pieces() -> None:
    """A seat has the colour of its pieces, or the default colour of the seat if the pieces have none."""
    game = load_game("missionnaires")
    s = play_to_middle(game, 40, 3)
    tones = find_seat_tones(game.view(s, 0), map_kinds_by_name(game))
    colours = game.seat_colours(game.view(s, 0))
    assert [{"red": 0, "yellow": 3, "blue": 1, "orange": 6}[colour] for colour in colours] == tones
    assert find_seat_tones(PORTALS.view(play_to_middle(PORTALS), 0), map_kinds_by_name(PORTALS)) == [0, 1]


def test_changes_are_shown_below_their_headings() -> None:
    """A line that only moved does not count as a change. A rival's new card does, below the seat's name."""
    before = [
        TextLine(0, "round 1"),
        TextLine(0, "Ann (turn)", "Ann"),
        TextLine(1, "coins 3"),
        TextLine(0, "Ben", "Ben"),
    ]
    after = [
        TextLine(0, "round 1"),
        TextLine(0, "Ann", "Ann"),
        TextLine(1, "coins 3"),
        TextLine(0, "Ben", "Ben", pointer="→ "),
        TextLine(1, "coins 4"),
        TextLine(0, "[0]  a1", is_grid=True),
    ]
    assert [line.text for line in select_changed_lines(before, after)] == ["Ann", "Ben", "coins 4"]
    assert select_changed_lines(after, after) == []
