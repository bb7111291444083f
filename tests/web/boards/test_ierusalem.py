"""Tests of the table of Ierusalem: the page shows exactly what the view says."""

import itertools
import random
import re
from dataclasses import replace
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.games.ierusalem.table import ANA, BEN, play, table
from tests.server.locked_tables import make_move
from tests.web.test_secrets import Visitors
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.games.ierusalem import GAME
from triclinium.games.ierusalem.rules.constants import CARDS, GOODS, LOCATIONS
from triclinium.games.ierusalem.rules.scoring import compute_apostle_value, list_score_lines
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.ui import board_layout
from triclinium.games.ierusalem.ui.board import (
    PANES,
    ApostleColumnDrawing,
    LocationDrawing,
    draw,
    draw_card_columns,
    find_active_panes,
    list_camp_slots,
    list_missing_goods,
    list_movable_cards,
)
from triclinium.games.ierusalem.ui.board_layout import Chair, SupperSpace
from triclinium.games.ierusalem.ui.card_faces import draw_card
from triclinium.games.ierusalem.ui.column_progress import ColumnProgress, find_nearest_progress, measure_progress
from triclinium.games.ierusalem.ui.icons import get_icon_drawer, shorten_name
from triclinium.games.ierusalem.ui.view import Camp, ColumnFit, IerusalemView, LocationSquares
from triclinium.web import assets

C = GAME.components
MOVES = 50
ON_BOARD = ("post", "call", "send", "leave", "replace", "trade", "mahane", "sell", "buy", "take", "draw", "listen")
AT_SUPPER = ("offering", "visit", "bring", "seat", "score", "go", "move", "onto", "swap", "with")
IN_STRIP = ("illuminate", "play", "discard", "drop", "column", "clear", "favor", "to", "waste")


class Table:
    """Players at a table, and their views."""

    def __init__(self, client: TestClient, seats: int) -> None:
        self.company = Visitors(client, "ierusalem", seats)
        self.chance = random.Random(seats)

    @property
    def state(self) -> Ierusalem:
        state = self.company.table.current_match.state
        assert isinstance(state, Ierusalem)
        return state

    def go_on(self, moves: int = 1) -> None:
        """Play random moves, preferring actions to skips, until the match is over."""
        for _ in range(moves):
            if self.state.over:
                return
            said = [GAME.format_option(o) for o in self.state.legal]
            lively = [option for option in said if option.split()[0] not in ("skip", "done", "illuminate")]
            table = self.company.table
            chosen = self.chance.choice(lively or said)
            self.company.portal.call(make_move, self.company.server, table, table.who, chosen, table.version)

    def page(self, viewer: Seat) -> str:
        return self.company.browsers[viewer].get(self.company.path)

    def view(self, viewer: Seat) -> IerusalemView:
        return GAME.view(self.state, None if viewer == NOBODY else viewer)


@pytest.mark.parametrize("seats", [3, 4])
def test_the_pieces_on_the_page_are_those_of_the_view(client: TestClient, seats: int) -> None:
    table = Table(client, seats)
    for n in range(MOVES):
        table.go_on(1 if n % 5 else 4)
        if table.state.over:
            break
        if n % 3:
            continue
        viewer = table.state.who if n % 4 else NOBODY
        page, view = table.page(viewer), table.view(viewer)
        followers_stand(page, view)
        apostles_sit(page, view)
        tracks(page, view)
        own_strip(page, view, viewer)
        check_buttons(page, table, viewer)
        check_hidden_cards(page, view)


def followers_stand(page: str, view: IerusalemView) -> None:
    """Check that each Follower is inside its space or Location, and that no two share a spot."""
    drawn = re.findall(
        r'<g class="piece fo (?:unused|seat s(\d))[^"]*" id="fo-([\w-]+)"\s+transform="translate\(([\d.]+) ([\d.]+)\)"',
        page,
    )
    at_supper = {id: int(seat) if seat else "unused" for seat, id, _, _ in drawn if "-" not in id}
    assert at_supper == {C.space_ids[space]: owner for space, owner in view.supper.items()}
    assert len({(id.split("-")[0], x, y) for _, id, x, y in drawn}) == len(drawn)
    corners = {
        id: (float(x), float(y))
        for id, x, y in re.findall(r'id="space-(\w+)"\s+transform="translate\(([\d.]+) ([\d.]+)\)"', page)
    }
    assert sorted(corners) == sorted(C.space_ids)
    for _, id, x, y in drawn:
        if id in corners:
            assert 0 < float(x) - corners[id][0] < 59
            assert 0 < float(y) - corners[id][1] < 39
    for place, data in zip(LOCATIONS, view.locations, strict=False):
        there = [int(seat) for seat, id, _, _ in drawn if id.startswith(f"{place}-")]
        assert [there.count(seat) for seat in range(view.seats)] == data.followers


def apostles_sit(page: str, view: IerusalemView) -> None:
    """Check that Apostles at the table are on their seats, and the others in their columns."""
    drawn = re.findall(r'<g class="piece ap a-(\w+) at (seated )?[\w ]+" id="ap-(\w+)"', page)
    waiting = [C.apostle_ids[one] for column in view.apostles for one in column.waiting]
    assert sorted(id for _, seated, id in drawn if seated) == sorted(C.apostle_ids[one] for one in view.seated.values())
    assert sorted(id for _, seated, id in drawn if not seated) == sorted(waiting)
    open_seats = re.findall(r'<g class="chair at [\w ]+ open" id="chair-(\w+)"', page)
    assert sorted(open_seats) == sorted(id for chair, id in enumerate(C.seat_ids) if chair not in view.seated)


def tracks(page: str, view: IerusalemView) -> None:
    """Check the marker on its space, the Judgments ahead, and a disk for each player."""
    track = view.sanhedrin
    marker = re.search(r'id="marker" transform="translate\(44.5 ([\d.]+)\)"', page)
    assert marker is not None
    assert abs(float(marker[1]) - (589.0 - 22.2 * track.marker)) < 0.2
    assert re.findall(r'id="judgment-(\d+)"', page) == [str(judgment.space) for judgment in track.ahead]
    disks = re.findall(r'id="disk-(\d)" transform="translate\(([\d.]+) ', page)
    assert [round((float(x) - 19) / 28) for _, x in disks] == [player.favors_done for player in view.players]
    board = page[page.index('class="ie-board"') :]
    cards = re.findall(r'id="mahane-\d"[^>]* data-enlarge="k-(\w+)"', board)
    assert cards == [C.card_ids[card] for card in view.mahane.display]


def own_strip(page: str, view: IerusalemView, viewer: Seat) -> None:
    """Check columns, Camp and hand of the viewer. A spectator sees the active player's, with the backs of the hand."""
    shown = viewer if viewer != NOBODY else view.active
    player = view.players[shown]
    strip = page[page.index('<div class="ie-own">') :]
    strip = strip[: strip.index('<nav class="scrub"')]
    columns = strip[strip.index('<div class="columns"') : strip.index('<section class="campsec"')]
    cards = [C.card_ids[card] for column in player.columns for card in column.cards]
    assert re.findall(r'data-enlarge="k-(\w+)"', columns) == cards
    camp = strip[strip.index('<section class="campsec"') : strip.index('<section class="handsec"')]
    assert camp.count("#seat-") == player.camp.followers
    for good, n in zip(GOODS, player.goods, strict=True):
        assert camp.count(f"#{good}") == n
    assert camp.count("#offering") == player.offerings
    hand = strip[strip.index('<section class="handsec"') :]
    faces = [card for card in player.hand if card < CARDS]
    assert re.findall(r'data-enlarge="k-(\w+)"', hand) == [C.card_ids[card] for card in faces]
    assert hand.count("is-back") == len(player.hand) - len(faces)


def check_buttons(page: str, table: Table, viewer: Seat) -> None:
    """Check that each button has a legal option, each legal option is in the form, and each place can be clicked."""
    legal = [GAME.format_option(o) for o in table.state.legal] if viewer == table.state.who else []
    form = page[page.index('<form id="decision"') :] if legal else ""
    in_form = [unescape(value) for value in re.findall(r'<button class="option[^>]*? value="([^"]*)"', form)]
    assert sorted(in_form) == sorted(legal)
    clickable = {unescape(value) for value in re.findall(r'form="decision" name="option"\s+value="([^"]*)"', page)}
    assert clickable <= set(legal)
    places = ON_BOARD + AT_SUPPER + IN_STRIP
    assert {option for option in legal if option.split()[0] in places} <= clickable


def check_hidden_cards(page: str, view: IerusalemView) -> None:
    """Check that only visible cards can be enlarged, and that no other card is named outside the log and recap."""
    seen = {*view.mahane.display}
    for player in view.players:
        seen |= {card for card in player.hand if card < CARDS}
        seen |= {card for column in player.columns for card in column.cards}
    if view.doing.card is not None:
        seen.add(view.doing.card)
    told = {C.card_ids[card] for card in seen}
    recap = page[page.index('data-live="recap"') : page.index('<div class="board"')]
    log = page[page.index('class="pane log"') :]
    assert set(re.findall(r'<template id="k-(\w+)"', page.replace(recap, ""))) <= told
    assert all(f"{card.upper()} " in log for card in re.findall(r'data-enlarge="k-(\w+)"', recap))
    board = page[page.index('<div class="board"') : page.index('<section class="rail tabs"')]
    for card in set(C.card_ids) - told:
        assert f"k-{card}" not in board
        assert f"{card.upper()} " not in board


def test_the_value_of_a_place_equals_its_score(client: TestClient) -> None:
    """The end values on the spaces add up to the score sheet. A seat shows the points of an Apostle there."""
    table = Table(client, 4)
    table.go_on(400)
    s = table.state
    drawing = draw(C, table.view(NOBODY))
    spaces, chairs = drawing["spaces"], drawing["chairs"]
    assert isinstance(spaces, list)
    assert isinstance(chairs, list)
    for who in range(4):
        mine = [space for space in spaces if isinstance(space, SupperSpace) and space.owner == who]
        lines = {line.name: line.points for line in list_score_lines(s, who)}
        assert sum(space.value or 0 for space in mine) == lines["seats"] + lines["jesus"]
    assert any(s.seated[i] >= 0 for i in range(12))
    for i, chair in enumerate(chairs):
        assert isinstance(chair, Chair)
        for who, values in chair.worth:
            for shade, value in enumerate(C.shade_value):
                assert values[shade] == sum(
                    compute_apostle_value(value, distance)
                    * (s.supper[who] & C.spaces_at_distance[i * 3 + distance - 1]).bit_count()
                    for distance in (1, 2, 3)
                )


def test_equal_drawings_are_defined_once() -> None:
    """The same state of a place gives the same object, so its picture is cached."""
    assert board_layout.build_supper_space(C, 3, None, -1, 7, 0) is board_layout.build_supper_space(
        C, 3, None, -1, 7, 0
    )
    assert board_layout.build_supper_space(C, 3, 1, -1, 7, 0) is not board_layout.build_supper_space(C, 3, 0, -1, 7, 0)
    assert draw_card(C, 0).face is draw_card(C, 0, "play r01").face


def test_a_follower_is_next_to_an_end_value() -> None:
    open_seat, taken_seat = (
        board_layout.build_supper_space(C, 0, 0, -1, 7, 15),
        board_layout.build_supper_space(C, 0, 0, 1, 7, 0),
    )
    assert open_seat.value is None
    assert taken_seat.value is not None
    assert open_seat.stand_x - open_seat.x == board_layout.SPACE_WIDTH / 2
    assert taken_seat.stand_x - taken_seat.x == board_layout.FOLLOWER_INSET


def test_missing_goods_of_a_price_are_listed() -> None:
    assert list_missing_goods((1, 0, 2), [0, 5, 1]) == (("stone", 1), ("fish", 1))
    assert list_missing_goods((0, 1, 0), [0, 1, 0]) == ()


def test_the_camp_shows_its_limit() -> None:
    dealt = GAME.view(GAME.deal(3, 1), 0).players[0]

    def slots(followers: int, fish: int, spaces: int) -> list[tuple[str, str, bool]]:
        camped = Camp(followers, followers + fish, spaces)
        player = replace(dealt, goods=[0, 0, fish], camp=camped, offerings=0)
        return [(slot.kind, slot.marking, slot.first) for slot in list_camp_slots(C, player)]

    assert slots(2, 1, 15) == [
        ("follower", "", True),
        ("follower", "", False),
        ("fish", "", True),
        *[("", "", False)] * 12,
        ("lock", "blocked", True),
    ]
    assert slots(15, 2, 16)[-2:] == [("fish", "", True), ("fish", "over", False)]
    small = GAME.with_components(
        GAME.file.with_changes({"camp.open_spaces": 14})
    ).components  # IE-R16, in an edition of 14 and one more
    opened = replace(dealt, goods=[0, 0, 0], camp=Camp(2, 2, 15), offerings=0)
    assert "blocked" not in [slot.marking for slot in list_camp_slots(small, opened)]


def test_every_square_and_every_card_of_another_edition_is_drawn() -> None:
    """IE-C15, IE-1.7  Six and eight squares as printed; any other number, and more cards, within their panel."""
    assert board_layout.list_location_squares(8) == [(7 + 36 * x, y) for y in (32, 68) for x in range(4)]
    assert board_layout.list_location_squares(6) == [(7 + 36 * x, y) for y in (32, 68) for x in range(3)]
    for number in (4, 5, 7, 11, 39):
        there = board_layout.list_location_squares(number)
        assert len(set(there)) == number
        assert max(x for x, _ in there) + board_layout.SQUARE <= 156
        assert max(y for _, y in there) + board_layout.SQUARE <= 108
    crowded = LocationDrawing(0, LocationSquares(11, 1, [3, 3, 3, 1]))
    assert len(crowded.followers) == 10
    assert not crowded.covered
    assert [board_layout.compute_card_pitch(n) for n in (0, 1, 2)] == [50, 50, 50]
    assert all(
        6 + board_layout.compute_card_pitch(n) * (n - 1) + 47 <= 106 for n in range(1, 11)
    )  # the start of the deck


def test_columns_show_the_visits_they_can_reach(client: TestClient) -> None:
    """The panel names the column that opens an Apostle column or lacks the fewest cards, and the reverse."""
    table = Table(client, 3)
    table.go_on(120)
    view = table.view(0)
    mine = view.players[0]
    for column in range(3):
        drawn = ApostleColumnDrawing(view, column, mine)
        opens = [nth for nth, own in enumerate(mine.columns, start=1) for fit in own.fits if fit == opened(fit, column)]
        assert drawn.opens == bool(opens)
        assert drawn.fits == any(fit.column == column + 1 for own in mine.columns for fit in own.fits)
        if opens:
            assert drawn.nth in opens
    for own, pile in zip(mine.columns, draw_card_columns(C, view, mine), strict=True):
        assert [card.id for card in pile.cards] == [C.card_ids[card] for card in own.cards]
        assert pile.opens == any(fit.opens for fit in own.fits)
        assert bool(pile.roman) == bool(own.fits)


def opened(fit: ColumnFit, column: int) -> ColumnFit:
    """Return a fit that opens this Apostle column."""
    return ColumnFit(column + 1, fit.missing, True)


def test_missing_symbols_say_card_or_favor() -> None:
    """IE-2.7  Cards are placed at the end of a column. Missing places before the last fitting one need a Favor."""
    desert, mountain, lake = range(3)
    wanted = (desert, mountain, lake)
    assert measure_progress(1, wanted, 1, [desert], {}) == ColumnProgress(1, 1, (), (mountain, lake))
    assert measure_progress(1, wanted, 1, [mountain], {}) == ColumnProgress(1, 1, (desert,), (lake,))
    assert measure_progress(1, wanted, 1, [mountain], {desert: 1}) == ColumnProgress(
        1, 1, (), (lake,)
    )  # a Favor fills one place
    assert measure_progress(1, (desert, mountain, desert), 1, [mountain], {desert: 1}) == ColumnProgress(
        1, 1, (), (desert,)
    )
    assert measure_progress(1, wanted, 1, [lake, desert], {}) is None
    assert measure_progress(1, wanted, 1, [], {}) is None
    ready = ColumnProgress(3, 2, (), ())
    assert (
        find_nearest_progress([ColumnProgress(1, 1, (desert,), ()), ColumnProgress(2, 1, (), (lake,)), ready]) == ready
    )
    assert find_nearest_progress(
        [ColumnProgress(1, 1, (desert,), ()), ColumnProgress(2, 1, (), (lake,))]
    ) == ColumnProgress(2, 1, (), (lake,))
    assert find_nearest_progress([]) is None


def test_a_column_lists_every_apostle_column_that_fits() -> None:
    """IE-2.7  The nearest Apostle column is drawn. All possible ones are listed, the nearest first."""
    s = table(hands={ANA: "r01 r02"}, columns={ANA: ["r05", "r07 r08"]})
    view = GAME.view(s, ANA)
    first, second, third = draw_card_columns(C, view, view.players[ANA])
    say = GAME.words.reader().format_arg
    assert [say(one) for one in first.progress_texts] == [
        "still needs Lake and Temple for column III",
        "still needs Market, and Temple by a Favor, for column II",
    ]
    assert first.roman == "III"
    assert second.progress_texts == third.progress_texts == []


def test_seats_have_the_same_names_on_board_and_in_text() -> None:
    """IE-2.10  A seat is S07 in the question, in the log and on its cushion."""
    reader = GAME.words.reader()
    for nth in range(len(C.seat_ids)):
        assert board_layout.build_table_chair(C, nth, False, ()).name == reader.format_arg(
            GAME.words.short_name("seat", nth)
        )


def test_a_small_board_marks_the_panes_where_the_decision_is_answered() -> None:
    assert find_active_panes(["go u3c1", "skip"]) == {"supper": True, "city": False, "tracks": False}
    assert find_active_panes(["visit 1 2", "skip"]) == {"supper": False, "city": False, "tracks": True}
    assert find_active_panes(["sell fish", "done"]) == {"supper": False, "city": True, "tracks": False}
    assert find_active_panes([]) == {"supper": False, "city": False, "tracks": False}


def test_a_small_board_opens_where_the_decision_is_answered(client: TestClient) -> None:
    """Exactly one pane is open: the first that is marked, or the Supper."""
    table = Table(client, 3)
    opened = set()
    for _ in range(300):  # no shuffle is fixed here; few matches need more than 80
        table.go_on()
        who = table.state.who
        page = table.page(who)
        checked = re.findall(r'id="pane-(\w+)" checked', page)
        there = find_active_panes([GAME.format_option(o) for o in table.state.legal])
        assert checked == [next((pane for pane in PANES if there[pane]), "supper")]
        opened |= {*checked}
        if opened == {*PANES}:
            break
    assert opened == {*PANES}


def test_names_are_short_and_unique() -> None:
    names = [name.text for name in C.apostle_names]
    assert len({shorten_name(name) for name in names}) == len(names)
    assert max(len(shorten_name(name)) for name in names) <= 10
    assert (shorten_name("Bartholomew"), shorten_name("Philippe"), shorten_name("Matthew")) == (
        "Barth.",
        "Phil.",
        "Matthew",
    )


def test_three_digit_numbers_are_smaller() -> None:
    ink = get_icon_drawer("signs.svg", "sprite.svg")
    assert 'class="num n-pent long"' in ink.number_svg("pent", 133, 0, 0)
    assert 'class="sg num n-pent"' in ink.number_html("pent", 33)


def test_every_board_has_a_place_for_every_component() -> None:
    """Each part has a place on wide and small boards, and each row and column on a phone."""
    style = " ".join((assets.game_folder(GAME) / assets.STYLE_FILE).read_text(encoding="utf-8").split())
    wide = style[style.index("---- 13") : style.index("---- 14")]
    small = style[style.index("---- 14") : style.index("---- 15")]
    phone = style[style.index("---- 15") :]
    spots = [board_layout.build_supper_space(C, nth, None, -1, 7, 0).at for nth in range(len(C.space_ids))]
    spots += [board_layout.build_table_chair(C, nth, False, ()).at for nth in range(len(C.seat_ids))]
    row_at = dict(re.findall(r"\.(r\d) { --x: (\d+)px", phone))
    column_at = dict(re.findall(r"\.(k\d) { --y: (\d+)px", phone))
    across = [int(row_at[row]) for row in sorted({spot.split()[0] for spot in spots})]
    down = [int(column_at[column]) for column in sorted({spot.split()[1] for spot in spots})]
    for places, end in ((across, 390), (down, 410)):
        assert all(after - before >= 40 for before, after in itertools.pairwise(places))  # the width of a finger
        assert places[-1] + 40 <= end
    for part in board_layout.PANEL_CORNERS:
        for there in (wide, small):
            assert re.search(rf"\.p-{part} {{ [^}}]*transform: translate\(", there)
    for number in (1, 2, 3):
        # together with the Followers who wait there
        assert f".p-column{number}, .w{number - 1} {{ translate: " in small


def test_styles_depend_only_on_the_size_of_the_frame() -> None:
    style = (assets.game_folder(GAME) / assets.STYLE_FILE).read_text(encoding="utf-8")
    assert "@media" not in style


def test_movable_cards_are_marked() -> None:
    """IE-R22  Only the asked player sees them."""
    s = table(hands={ANA: "ma17 r05"}, columns={ANA: ["r01 r02", "r03"]}, denarii={ANA: 0})
    play(s, "play ma17", "column 3", "skip", "lay r02 2", "drop r01")
    seen = GAME.view(s, ANA)
    assert list_movable_cards(seen) == ["r02", "r03", "ma17"]  # r02 has been placed, so it may only be discarded
    assert list_movable_cards(GAME.view(s, BEN)) == []
