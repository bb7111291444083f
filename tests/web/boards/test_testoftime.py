"""Tests of the board of Test of Time: the page shows every piece of the view once, and every section."""

import random
import re
from collections import Counter
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.server.locked_tables import make_move
from tests.web.test_secrets import Visitors
from triclinium.engine.auto_replies import PLAN_PREFIX
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules.state import TestOfTime
from triclinium.games.testoftime.ui.board import FriezeRound, PlayerLand, draw
from triclinium.games.testoftime.ui.testament_columns import FOLD_WIDTH, lay_out_records
from triclinium.games.testoftime.ui.view import PastRound
from triclinium.games.testoftime.ui.view import Testament as Card
from triclinium.games.testoftime.ui.view import TestOfTimeView as Seen
from triclinium.web.assets import game_folder

MOVES = 50
WISHES = {"pass": 0.5, "sire": 3.0, "create": 4.0, "preserve": 5.0, "attack": 0.8, "defend": 4.0, "mend": 5.0}
PIECE = re.compile(
    r'<use class="piece (\w+) s(\d)" id="([fh])-(\d)-(\d+)" href="#tt-(\w+)" '
    r'transform="translate\(([-\d.]+) ([-\d.]+)\)'
)


def map_lands(drawing: dict[str, object]) -> dict[Seat, PlayerLand]:
    """Return the drawn lands by seat."""
    lands = drawing["lands"]
    assert isinstance(lands, list)
    everybody = [land for land in [drawing["own"], *lands] if isinstance(land, PlayerLand)]
    return {land.seat: land for land in everybody}


class Table:
    """The people at a table, and their views."""

    def __init__(self, client: TestClient, seats: int, **variants: str) -> None:
        self.company = Visitors(client, "testoftime", seats, **variants)
        self.chance = random.Random(seats)

    @property
    def state(self) -> TestOfTime:
        state = self.company.table.current_match.state
        assert isinstance(state, TestOfTime)
        return state

    def go_on(self, reverse: float = 2.0) -> None:
        """Play one decision. Passing is rare, so that all zones and Testaments are used."""
        said = [GAME.format_option(o) for o in self.state.legal]
        wishes = [reverse if option == "reverse" else WISHES.get(option, 1.0) for option in said]
        if said[0].startswith("followers"):
            said = said[:5]
            wishes = wishes[:5]
        option = self.chance.choices(said, wishes)[0]
        table = self.company.table
        self.company.portal.call(make_move, self.company.server, table, table.who, option, table.version)

    def page(self, viewer: Seat) -> str:
        return self.company.browsers[viewer].get(self.company.path)

    def view(self, viewer: Seat) -> Seen:
        return GAME.view(self.state, None if viewer == NOBODY else viewer)


def svg(page: str, name: str) -> str:
    """Return one of the page's drawings."""
    start = page.find(f'<svg class="{name} ttv')
    return "" if start < 0 else page[start : page.find("<template", start)]


def people_agree(page: str, view: Seen) -> None:
    """Check that every piece in play is on the page once, at home or where the view says."""
    found = PIECE.findall(page)
    assert len({(kind, seat, i) for _, _, kind, seat, i, _, _, _ in found}) == len(found)
    for seat, player in enumerate(view.players):
        followers = ("f", player.in_play.followers, player.waiting.followers)
        shamans = ("h", player.in_play.shamans, player.waiting.shamans)
        for sign, in_play, waiting in (followers, shamans):
            theirs = [one for one in found if one[2] == sign and int(one[1]) == seat]
            assert len(theirs) == in_play
            assert sum(one[0] == "waits" for one in theirs) == waiting


def places_agree(page: str, view: Seen) -> None:
    """Check that each Testament space has exactly its builders, keepers, attackers and defenders."""
    drawing = draw(GAME.components, view)
    lands = map_lands(drawing)
    for seat, player in enumerate(view.players):
        land = lands[seat]
        figures = PIECE.findall(svg(page, f"of-{seat}"))
        for space, testament in zip(land.spaces, player.testaments, strict=True):
            standing = Counter[int]()
            if testament.creating is not None:
                standing[seat] += testament.creating.followers + testament.creating.shamans
            if isinstance(testament, Card):
                for group in (testament.preserved, testament.defenders):
                    standing[seat] += 0 if group is None else group.followers + group.shamans
                for force in testament.attackers:
                    standing[force.seat] += force.followers + force.shamans
            there: dict[int, int] = {}
            for _, owner, _, _, _, _, x, y in figures:
                inside = space.x <= float(x) <= space.x + space.w and 0 < float(y) <= land.measure.ground + 8
                if inside:
                    there[int(owner)] = there.get(int(owner), 0) + 1
            assert there == {who: count for who, count in standing.items() if count}


def columns_agree(page: str, view: Seen) -> None:
    """Check the numbers of visible sections and gold dots. The current round has taken nothing yet (TT-12.3)."""
    for seat, player in enumerate(view.players):
        for testament in player.testaments:
            start = page.find(f'<g id="tt-col-{seat}-{testament.space}"')
            assert (start < 0) == (testament.kind is None and testament.creating is None)
            if not isinstance(testament, Card) or testament.creating is not None:
                continue
            column = page[start : page.find("</g>", start)]
            assert len(re.findall(r'class="x-(?:ok|wear|hit)"', column)) == testament.visible
            assert column.count('href="#tt-dot"') == testament.dots
            if testament.visible:
                hits = re.findall(r'class="x-hit"', column)
                assert len(hits) == min(testament.strips, testament.visible)
                past = page.find(f'id="tt-past-{seat}-{testament.space}"')
                coming = f"{view.round}: {'will decay' if testament.decays else 'preserved'}"
                assert coming in page[past : page.find("</template>", past)]


def choices_agree(page: str, view: Seen) -> None:
    """Check that all clickable options are legal and that the form has all legal options."""
    options = view.options
    pressed = [unescape(value) for value in re.findall(r'<button form="decision" name="option" value="([^"]*)"', page)]
    if options is None:
        assert pressed == []
        return
    assert {value.split("; ")[0] for value in pressed} <= set(options)
    form = re.search(r'<form id="decision".*?</form>', page, re.DOTALL)
    assert form is not None
    offered = [unescape(value) for value in re.findall(r'<button class="option[^>]* value="([^"]*)"', form[0])]
    single = [value for value in offered if OPTION_SEPARATOR not in value and not value.startswith(PLAN_PREFIX)]
    assert sorted(single) == sorted(options)
    asked = view.asked
    if asked in ("ChooseSpace", "ChoosePreserved", "ChooseTarget", "ChooseDefended", "ChooseReversed", "ChooseRival",
                 "ChooseKind", "ChooseRounds", "ChooseMark"):  # fmt: skip
        assert {value.split("; ")[0] for value in pressed} == set(options), asked


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_page_shows_the_view(client: TestClient, seats: int) -> None:
    table = Table(client, seats)
    asked: set[object] = set()
    for n in range(MOVES):
        table.go_on()
        viewer = table.company.table.who
        view = table.view(viewer)
        asked.add(view.asked)
        if n % 3:
            continue
        page = table.page(viewer)
        people_agree(page, view)
        places_agree(page, view)
        columns_agree(page, view)
        choices_agree(page, view)
    assert {"Move", "ChooseKind"} <= asked


def test_a_spectator_sees_all_lands_alike(client: TestClient) -> None:
    table = Table(client, 3)
    for _ in range(MOVES):
        table.go_on()
    view = table.view(NOBODY)
    page = table.page(NOBODY)
    assert "ttland large" not in page
    assert page.count('<div class="ttland some">') == 3
    people_agree(page, view)
    places_agree(page, view)
    columns_agree(page, view)
    choices_agree(page, view)


def test_a_limit_of_attacks_is_shown(client: TestClient) -> None:
    """TT-14.5  Every seat's panel shows it, and only if there is a limit."""
    table = Table(client, 2, attacks_per_round="2")
    assert table.state.attacks_per_round == 2
    assert table.page(0).count("attacks 0 of 2") == 2
    assert "attacks 0 of" not in Table(client, 2).page(0)


def test_the_past_is_shown_while_time_is_reversed(client: TestClient) -> None:
    """TT-11.4  The page shows the records, the current one, and the Testament before and after."""
    table = Table(client, 2)
    rolled: set[object] = set()
    for _ in range(900):
        table.go_on(0.15)  # rarely, so that shamans gather and there is a choice
        if table.company.table.status != "playing":
            break
        view = table.view(table.company.table.who)
        if view.asked != "ChooseRounds" and view.reversal is None:
            continue
        if view.asked in rolled:
            continue
        rolled.add(view.asked)
        page = table.page(table.company.table.who)
        assert view.focus is not None
        testament = view.players[view.focus.seat].testaments[view.focus.space - 1]
        assert isinstance(testament, Card)
        roll = svg(page, "ttroll")
        assert roll.count('<g class="rcard') == len(testament.past)
        assert roll.count('<g class="rcard hand') == (1 if view.reversal is not None else 0)
        choices_agree(page, view)
        if {"ChooseRounds", "ChooseMark"} <= rolled:
            break
    assert {"ChooseRounds", "ChooseMark"} <= rolled


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("viewer", [0, None])
def test_every_land_is_a_separate_drawing(seats: int, viewer: Seat | None) -> None:
    """The own land is larger, its parts do not overlap, and the style sheet has its size."""
    drawing = draw(GAME.components, GAME.view(GAME.deal(seats, 1), viewer))
    lands, own = map_lands(drawing), drawing["own"]
    assert sorted(lands) == list(range(seats))
    style = (game_folder(GAME) / "style.css").read_text(encoding="utf-8")
    for land in lands.values():
        m = land.measure
        assert m.big == (land is own)
        assert re.search(rf"\.{m.name} {{\s+--w: {m.wide};\s+--h: {m.high};", style)
        assert 0 < m.band < m.ground < m.name_y < m.points_y < m.cells_y < m.cells_y + m.cell_high <= m.home_y
        assert [round(space.x / m.wide, 2) for space in land.spaces] == [0, 0.33, 0.67]
        assert all(zone.x + zone.w < m.wide and zone.y + zone.h < m.high for zone in land.zones)


@pytest.mark.parametrize("seats", [2, 5])
def test_the_frieze_shows_rounds_starters_and_passes(seats: int) -> None:
    """TT-1.5, TT-2.3"""
    s = GAME.deal(seats, 1)
    first = s.who
    s.choose(GAME.read("pass"))
    view = GAME.view(s, None)
    drawing = draw(GAME.components, view)
    rounds = drawing["frieze"]
    assert isinstance(rounds, list)
    assert all(isinstance(one, FriezeRound) for one in rounds)
    assert [one.number for one in rounds] == list(range(1, view.rounds + 1))
    assert [one.starter for one in rounds[:3]] == [first, (first + 1) % seats, None]
    assert [one.state for one in rounds[:2]] == ["cur", "come"]
    assert drawing["shards"] == [first] + [None] * (seats - 1)


@pytest.mark.parametrize("rounds", [0, 3, 19])
def test_the_past_fits_its_area(rounds: int) -> None:
    """Old records are folded with a note of their number. The current round has a cell too."""
    past = [PastRound(round=n + 1, preserved=True, strips=0, by=[]) for n in range(rounds)]
    cells, folded = lay_out_records(past, 50.0, 100.0, 15.0, 9.0)
    assert len(cells) + folded == rounds
    assert (folded > 0) == (rounds == 19)
    assert [cell.round for cell in cells] == list(range(folded + 1, rounds + 1))
    for cell in cells:
        assert cell.x >= (FOLD_WIDTH if folded else 0)
        assert cell.x + 2 * cell.w <= 100.2
