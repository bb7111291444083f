"""Tests of the map of Les Missionnaires: the page shows exactly what the view says, in the right places."""

import gzip
import random
import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.server.locked_tables import make_move
from tests.web.test_secrets import Visitors
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import split_options
from triclinium.games.missionnaires import GAME
from triclinium.games.missionnaires.rules.components import OFF
from triclinium.games.missionnaires.rules.events import DREW
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.ui.board import ROUND_LIMIT_NOTICE, Tour, draw
from triclinium.games.missionnaires.ui.board_layout import HEIGHT, WIDTH, list_spaces_by_number
from triclinium.games.missionnaires.ui.card_faces import list_cards
from triclinium.games.missionnaires.ui.coup_costs import CoupCosts
from triclinium.games.missionnaires.ui.map_drawing import MapDrawing, MapWindow, list_known_congregations
from triclinium.games.missionnaires.ui.view import MissionnairesView

MOVES = 50
C = GAME.components
PIECE = re.compile(
    r'<g class="piece (\w+)[^"]*" id="([\w-]+)" transform="translate\(([-\d.]+) ([-\d.]+)\)" data-at="(\w+)"'
)
CLICKS = {"go", "leap", "to", "stop", "guard", "show", "swap", "play", "use", "draw"}


def play_forward(state: Missionnaires, chance: random.Random) -> str:
    """Play one move, preferably a step rather than a pass."""
    said = [GAME.format_option(o) for o in state.legal]
    return chance.choice([option for option in said if option not in ("pass", "stop")] or said)


class Alone:
    """The same match without a server, for tests that need no page."""

    def __init__(self) -> None:
        state = GAME.deal(3, 23)
        assert isinstance(state, Missionnaires)
        self.state = state
        self.chance = random.Random(23)

    def go_on(self) -> None:
        self.state.choose(GAME.read(play_forward(self.state, self.chance)))

    def view(self, viewer: Seat) -> MissionnairesView:
        return GAME.view(self.state, None if viewer == NOBODY else viewer)


class Table:
    """Three people at a table, and their views."""

    def __init__(self, client: TestClient) -> None:
        self.company = Visitors(client, "missionnaires", 3)
        self.chance = random.Random(23)

    @property
    def state(self) -> Missionnaires:
        state = self.company.table.current_match.state
        assert isinstance(state, Missionnaires)
        return state

    def go_on(self) -> None:
        option = play_forward(self.state, self.chance)
        table = self.company.table
        self.company.portal.call(make_move, self.company.server, table, table.who, option, table.version)

    def page(self, viewer: Seat) -> str:
        return self.company.browsers[viewer].get(self.company.path)

    def view(self, viewer: Seat) -> MissionnairesView:
        return GAME.view(self.state, None if viewer == NOBODY else viewer)


@pytest.fixture
def table(client: TestClient) -> Table:
    return Table(client)


@pytest.fixture(scope="module")
def later_table(shared_client: TestClient) -> Table:
    """Return a table some moves later, for tests that only read it."""
    table = Table(shared_client)
    for _ in range(MOVES):
        table.go_on()
    return table


def list_pieces(view: MissionnairesView) -> dict[str, str]:
    """Return each piece on the board by its id, with its space in the view."""
    found = {f"gendarme-{id}": C.ids[at] for id, at in zip(C.gendarmes, view.gendarmes, strict=True)}
    for id, overseer in zip(C.overseers, view.overseers, strict=True):
        if overseer.with_ is None and overseer.at is not None:
            found[f"overseer-{id}"] = C.ids[overseer.at]
    for player in view.players:
        if player.at is not None:
            found[f"pawn-{player.seat}"] = C.ids[player.at]
    return found


def check_board(page: str, view: MissionnairesView, viewer: Seat) -> None:
    """Check that pieces, badges, tours, vouchers and piles of the page are those of the view."""
    drawn = PIECE.findall(page)
    assert {id: at for _, id, _, _, at in drawn} == list_pieces(view)
    assert len(drawn) == len(list_pieces(view))
    spaces = {space.id: space for space in list_spaces_by_number(C)}
    crowd = [at for *_, at in drawn]
    for _, _, x, y, at in drawn:
        if crowd.count(at) == 1:
            assert (float(x), float(y)) == (spaces[at].x, spaces[at].y)
    for player in view.players:
        if player.company is not None:
            pawn = page[page.index(f'id="pawn-{player.seat}"') :].split('class="piece')[0]
            assert f">{C.overseers[player.company].upper()}</text></g>" in pawn
    me = view.players[viewer] if viewer >= 0 else None
    mine = [] if me is None else [C.ids[space] for space in list_known_congregations(me)]
    marked = re.findall(r'<g class="lm-place congregation mine s\d"[^>]* data-shown="(\w+)"', page)
    assert sorted(marked) == sorted(mine)
    assert sorted(re.findall(r'<li class="todo s\d" data-shows="(\w+)"', page)) == sorted(mine)
    visited = [] if me is None else [C.ids[space] for space in me.visited]
    assert re.findall(r'<li class="done" data-shows="(\w+)"', page) == visited
    rail = page[page.index('data-live="seats"') : page.index('class="rail tabs"')]
    cards = rail.split('<article class="player')[1:]
    for player, card in zip(view.players, cards, strict=True):
        line = card[card.index('class="k-seat') : card.index('class="k-more')]
        figures = [int(n) for n in re.findall(r"<b>(\d+)</b>", line)]
        assert figures == [player.periodicals, len(player.unvisited), *[len(player.bons)] * bool(player.bons)]
        assert re.findall(r'data-enlarge="k-(\w+)"', card) == [C.card_ids[bon] for bon in player.bons]
        assert ("lm-missed" in card) == bool(player.missed)
    tickets = re.findall(r'class="choose[^"]*k-card s [^>]*data-enlarge="k-(\w+)"', page)
    assert tickets == ([] if me is None else [C.card_ids[bon] for bon in me.bons])
    piles = re.findall(r'data-enlarge="lm-(?:pile|about)-(\w+)"[^>]*>\s*<i class="k-deck">.*?</i><b>(\d+)</b>', page)
    assert {name: int(n) for name, n in piles} == {
        "sea": view.decks.sea.size,
        "territories": view.decks.territories.size,
        "reserve": len(view.reserve),
        "periodical": view.stock,
    }


def offers(page: str, legal: list[str]) -> None:
    """Check that clickable options are legal, that the form has all legal options, and that places are clickable."""
    start = page.index('<form id="decision"')
    form = page[start : page.index("</form>", start)]
    formed = [split_options(unescape(said)) for said in re.findall(r'name="option" value="([^"]*)"', form)]
    assert {first for first, *_ in formed} == set(legal)
    clicked = set(map(unescape, re.findall(r'form="decision" name="option" value="([^"]*)"', page)))
    assert {value.split("; ")[0] for value in clicked} <= set(legal)
    assert {option for option in legal if option.split()[0] in CLICKS} <= {split_options(value)[0] for value in clicked}


def test_the_board_shows_the_view(table: Table) -> None:
    for n in range(MOVES):
        asked = table.state.who
        both = (asked, (asked + 1) % 3 if n % 3 else NOBODY)
        for viewer in both[n // 2 % 2 :][: 1 - n % 2]:
            page = table.page(viewer)
            check_board(page, table.view(viewer), viewer)
            if viewer == asked:
                offers(page, [GAME.format_option(o) for o in table.state.legal])
            else:
                assert 'form="decision"' not in page
        table.go_on()


def test_every_kind_of_decision_can_be_clicked(table: Table) -> None:
    """A long match is checked twice for each kind of decision."""
    met: dict[object, int] = {}
    for _ in range(120):
        kind = table.view(NOBODY).asked
        met[kind] = met.get(kind, 0) + 1
        if met[kind] <= 2:
            offers(table.page(table.state.who), [GAME.format_option(o) for o in table.state.legal])
        table.go_on()
    assert {"Main", "GoOn", "PushTo"} <= set(met)


def test_everything_can_be_enlarged(later_table: Table) -> None:
    page = later_table.page(later_table.state.who)
    wanted = set(re.findall(r'data-enlarge="([\w-]+)"', page))
    told = re.findall(r'<template id="([\w-]+)"', page)
    assert wanted <= set(told)
    assert len(told) == len(set(told))


def test_the_decks_list_remaining_cards(later_table: Table) -> None:
    decks = draw(C, later_table.view(NOBODY))["decks"]
    assert isinstance(decks, list)
    sizes = [deck.pile.count for deck in decks]
    assert [sum(int(face.corner) for face in deck.contents.cards) for deck in decks] == sizes
    assert sizes == [len(later_table.state.sea_deck), len(later_table.state.deck)]


def test_the_shown_price_equals_the_cost() -> None:
    """Before a main action, exactly the legal first steps have a price, and it is the real price."""
    table = Alone()
    compared = 0
    for _ in range(150):
        state = table.state
        view = table.view(state.who)
        if view.asked == "Main":
            prices = CoupCosts(C, view, view.players[state.who]).ends
            for o in state.legal:
                said = GAME.format_option(o).split()
                if said[0] == "go":
                    label = GAME.words.reader("en").read(GAME.words.label(state, o))
                    paid = re.search(r"for (\d)", label)
                    price = prices.get(C.ids.index(said[1]))
                    assert price is not None, label
                    if not price.two_steps:
                        assert price.periodicals + price.bons == (int(paid[1]) if paid else 0), label
                        compared += 1
        table.go_on()
    assert compared > 60


def test_a_phone_opens_at_the_decision() -> None:
    """All options on the map and the pawn are immediately visible."""
    table = Alone()
    met: set[object] = set()
    for _ in range(200):
        view = table.view(table.state.who)
        assert view.options
        drawn = draw(C, view)
        window, sight = drawn["phone"], drawn["spot"]
        assert isinstance(window, MapWindow)
        assert callable(sight)
        spots = [spot for option in view.options if (spot := sight(option)) is not None]
        assert all(window.contains(spot) for spot in spots), view.options
        assert window.width == pytest.approx(window.height * WIDTH / HEIGHT)
        assert 0 <= window.x <= WIDTH - window.width + 0.01
        met.add(view.asked)
        table.go_on()
    assert {"Main", "PushTo"} <= met


def test_an_option_shows_its_consequences() -> None:
    """A legal step shows its fare. Congregations of the tour and gendarmes are marked."""
    table = Alone()
    told = {"mine": 0, "fare": 0, "guarded": 0, "onward": 0}
    for _ in range(200):
        view = table.view(table.state.who)
        assert view.options
        mine = [C.ids[space] for space in list_known_congregations(view.players[table.state.who])]
        guarded = [C.ids[space] for space in view.gendarmes]
        face_of = draw(C, view)["face"]
        assert callable(face_of)
        for option in view.options:
            verb, target = option.split()[0], option.split()[-1]
            face = face_of(option)
            if verb in ("go", "leap"):
                assert face.mine == (target in mine)
                assert face.guarded == (target in guarded)
                told["mine"] += face.mine
                told["guarded"] += face.guarded
                told["fare"] += face.fare is not None
                told["onward"] += len(face.second_steps)
                assert all(space.id in mine and fare.two_steps for space, fare in face.second_steps)
            elif verb in ("play", "use", "burn"):
                assert face.card is list_cards(C)[C.card_ids.index(target)].face
            elif verb != "to" and face is not None:
                assert face.sign
        table.go_on()
    assert all(told.values()), told


def test_a_drawn_card_is_shown_with_its_effect(table: Table) -> None:
    """LM-8.1  Players and spectators see the drawn card until something else happens."""
    while not any(event.type is DREW for event in table.company.table.current_match.events[-1]):
        table.go_on()
    card = next(event.facts[0] for event in table.company.table.current_match.events[-1] if event.type is DREW)
    name = GAME.words.reader("en").format_arg(C.card_names[card]).removeprefix("Voucher: ")
    for viewer in (0, 1, 2, NOBODY):
        page = unescape(table.page(viewer))
        shown = page[page.index('class="turned-up"') : page.index('id="board"')]
        assert f'<span class="k-title">{name}</span>' in shown
        assert GAME.words.reader("en").format_arg(C.card_texts[card]) in shown


def test_finished_players_are_shown_with_rank_and_turns(table: Table) -> None:
    """LM-9.2  The panel shows this while the others continue."""
    state = table.state
    home = (state.who + 1) % 3
    state.rank[home], state.at[home] = 1, OFF
    state.ended_round = tuple(7 if seat == home else 0 for seat in range(3))
    assert "back home in 7 turns, rank 1" in table.page(state.who)


def test_every_town_shows_why_it_cannot_be_reached() -> None:
    """LM-3.4, LM-3.9  A town shows the cost of the coup or the rule that forbids ending there, and the way is drawn."""
    table = Alone()
    for _ in range(MOVES):
        view = table.view(table.state.who)
        me = view.players[table.state.who]
        sight = MapDrawing(C, view)
        table.go_on()
        if me.at is None:
            continue
        ends = CoupCosts(C, view, me).ends
        for number in range(C.spaces):
            told = sight.describe_space(number, "en")
            assert (number == me.at) or ("next coup:" in told) != ("(LM-" in told)
            assert ("next coup:" in told) == (number in ends)
    drawn = sight.draw_paths()
    goals = {id for ids in re.findall(r'data-shown="([^"]*)"', drawn) for id in ids.split()}
    assert goals == set(C.ids) - {C.ids[sight.here]}


def test_the_list_has_the_nearest_first(later_table: Table) -> None:
    view = later_table.view(0)
    tour = draw(C, view)["tour"]
    assert isinstance(tour, Tour)
    assert view.distances is not None
    away = [view.distances[stop.space.number] for stop in tour.stops]
    assert away == sorted(away)
    assert away == [stop.distance for stop in tour.stops]
    assert [stop.slot for stop in sorted(tour.stops, key=lambda stop: stop.slot)] == list(range(1, len(away) + 1))
    page = later_table.page(0)
    assert re.findall(r'<b class="d num">(\d+)</b>', page) == [str(steps) for steps in away]


def test_the_last_round_is_announced(table: Table) -> None:
    """LM-R16  "Round 1 of 200" would be misleading. The number is shown on hover."""
    limit = table.state.v.round_limit
    page = table.page(0)
    assert f"Round {table.state.round}</" in page
    assert f"of {limit}</" not in page
    assert f"Round {table.state.round}; round {limit} is the last one (LM-R16)" in page
    table.state.round = limit - ROUND_LIMIT_NOTICE
    assert draw(C, table.view(0))["last_round"] == limit
    table.state.round -= 1
    assert draw(C, table.view(0))["last_round"] is None


def test_the_page_is_small(later_table: Table) -> None:
    page = later_table.page(later_table.state.who)
    assert len(gzip.compress(page.encode(), 5)) < 120_000
