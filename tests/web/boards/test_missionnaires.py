"""The atlas of Les Missionnaires shows what the view says: no more, no less, and in its place."""

import gzip
import random
import re
import time
from html import unescape

import pytest
from fastapi.testclient import TestClient

from tests.web.test_secrets import Company
from triclinium.kernel.frame import items, table_of, whole, word
from triclinium.kernel.state import NOBODY, Seat
from triclinium.server import seen
from triclinium.server.play import move
from triclinium.titles.missionnaires import TITLE
from triclinium.titles.missionnaires.components import BETHEL
from triclinium.titles.missionnaires.drawing import HEIGHT, WIDTH, atlas, draw, reach, tour_of
from triclinium.titles.missionnaires.state import Missionnaires

MOVES = 50
C = TITLE.components
PIECE = re.compile(
    r'<g class="piece (\w+)[^"]*" id="([\w-]+)" transform="translate\(([-\d.]+) ([-\d.]+)\)" data-at="(\w+)"'
)
CLICKS = {"go", "leap", "to", "stop", "guard", "show", "swap", "play", "use", "burn", "draw"}


class Table:
    """Three people at a table, and what each of them sees."""

    def __init__(self, client: TestClient) -> None:
        self.company = Company(client, "missionnaires", 3)
        self.chance = random.Random(23)

    @property
    def state(self) -> Missionnaires:
        state = self.company.table.playing.state
        assert isinstance(state, Missionnaires)
        return state

    def go_on(self) -> None:
        """One move, rather onwards than a pass."""
        said = [TITLE.say(o) for o in self.state.legal]
        option = self.chance.choice([option for option in said if option not in ("pass", "stop")] or said)
        table = self.company.table
        self.company.portal.call(move, self.company.house, table, table.who, option, table.version)

    def page(self, viewer: Seat) -> str:
        return self.company.browsers[viewer].get(self.company.path)

    def view(self, viewer: Seat) -> dict[str, object]:
        return seen.view(self.state, viewer)


@pytest.fixture
def table(client: TestClient) -> Table:
    return Table(client)


def players_of(view: dict[str, object]) -> list[dict[str, object]]:
    return [table_of(player) for player in items(view["players"])]


def standing(view: dict[str, object]) -> dict[str, str]:
    """Every piece on the board by its id, and the space it stands on, as the view has it."""
    found = {f"gendarme-{id}": word(at) for id, at in table_of(view["gendarmes"]).items()}
    for id, facts in table_of(view["overseers"]).items():
        where = table_of(facts)
        if where["with"] is None and where["at"] is not None:
            found[f"overseer-{id}"] = word(where["at"])
    for player in players_of(view):
        if player["at"] is not None:
            found[f"pawn-{player['seat']}"] = word(player["at"])
    return found


def agrees(page: str, view: dict[str, object], viewer: Seat) -> None:
    """Pieces, badges, tours, vouchers and piles of the page are those of the view."""
    drawn = PIECE.findall(page)
    assert {id: at for _, id, _, _, at in drawn} == standing(view)
    assert len(drawn) == len(standing(view))
    spaces = {space.id: space for space in atlas(C)}
    crowd = [at for *_, at in drawn]
    for _, _, x, y, at in drawn:
        if crowd.count(at) == 1:
            assert (float(x), float(y)) == (spaces[at].x, spaces[at].y)
    players = players_of(view)
    for player in players:
        if player["company"] is not None:
            pawn = page[page.index(f'id="pawn-{player["seat"]}"') :].split('class="piece')[0]
            assert f">{word(player['company']).upper()}</text></g>" in pawn
    mine = tour_of(players[viewer]) if viewer >= 0 else []
    marked = re.findall(r'<g class="lm-place congregation mine s\d"[^>]* data-shown="(\w+)"', page)
    assert sorted(marked) == sorted(mine)
    assert sorted(re.findall(r'<li class="todo s\d" data-shows="(\w+)"', page)) == sorted(mine)
    visited = items(players[viewer]["visited"]) if viewer >= 0 else []
    assert re.findall(r'<li class="done" data-shows="(\w+)"', page) == visited
    rail = page[page.index('data-live="seats"') : page.index('id="main"')]
    cards = rail.split('<article class="player')[1:]
    for player, card in zip(players, cards, strict=True):
        figures = [int(n) for n in re.findall(r'<b class="num">(\d+)</b>', card)]
        assert figures == [player["periodicals"], len(items(player["unvisited"]))]
        assert re.findall(r'data-enlarge="lm-card-(\w+)"', card) == player["bons"]
        assert ("lm-missed" in card) == bool(player["missed"])
    tickets = re.findall(r'class="choose[^"]*lm-ticket[^>]*data-enlarge="lm-card-(\w+)"', page)
    assert tickets == (items(players[viewer]["bons"]) if viewer >= 0 else [])
    decks = table_of(view["decks"])
    sizes = {name: int(n) for name, n in re.findall(r'data-size="(\w+)">(\d+)<', page)}
    assert sizes == {
        "sea": table_of(decks["sea"])["size"],
        "territories": table_of(decks["territories"])["size"],
        "reserve": len(items(view["reserve"])),
        "stock": view["stock"],
    }


def offers(page: str, legal: list[str]) -> None:
    """What can be clicked is legal, all that is legal stands in the form, and all that has a place has its click."""
    start = page.index('<form id="decision"')
    form = page[start : page.index("</form>", start)]
    assert sorted(map(unescape, re.findall(r'name="option" value="([^"]*)"', form))) == sorted(legal)
    clicked = set(map(unescape, re.findall(r'form="decision" name="option" value="([^"]*)"', page)))
    assert clicked <= set(legal)
    assert {option for option in legal if option.split()[0] in CLICKS} <= clicked


def test_the_board_shows_the_view(table: Table) -> None:
    for n in range(MOVES):
        asked = table.state.who
        for viewer in (asked, (asked + 1) % 3 if n % 3 else NOBODY):
            page = table.page(viewer)
            agrees(page, table.view(viewer), viewer)
            if viewer == asked:
                offers(page, [TITLE.say(o) for o in table.state.legal])
            else:
                assert 'form="decision"' not in page
        table.go_on()


def test_every_kind_of_decision_has_its_clicks(table: Table) -> None:
    """The page is looked at twice for each kind of decision that a long match brings."""
    met: dict[object, int] = {}
    for _ in range(300):
        kind = table.view(NOBODY)["asked"]
        met[kind] = met.get(kind, 0) + 1
        if met[kind] <= 2:
            offers(table.page(table.state.who), [TITLE.say(o) for o in table.state.legal])
        table.go_on()
    assert {"Main", "GoOn", "PushTo"} <= set(met)


def test_everything_can_be_enlarged(table: Table) -> None:
    for _ in range(MOVES):
        table.go_on()
    page = table.page(table.state.who)
    wanted = set(re.findall(r'data-enlarge="([\w-]+)"', page))
    told = re.findall(r'<template id="([\w-]+)"', page)
    assert wanted <= set(told)
    assert len(told) == len(set(told))


def test_the_decks_tell_what_may_still_come(table: Table) -> None:
    for _ in range(MOVES):
        table.go_on()
    piles = draw(C, table.view(NOBODY))["decks"]
    assert isinstance(piles, list)
    assert [sum(count for _, count, _ in pile.unseen) for pile in piles] == [pile.size for pile in piles]
    assert [pile.size for pile in piles] == [len(table.state.sea_deck), len(table.state.deck)]


def test_a_price_is_what_the_coup_costs(table: Table) -> None:
    """Before a main action, the first steps that the rules allow are those that have a price, and the same price."""
    compared = 0
    for _ in range(150):
        state = table.state
        view = table.view(state.who)
        if view["asked"] == "Main":
            prices = reach(C, view, players_of(view), state.who)
            for o in state.legal:
                said = TITLE.say(o).split()
                if said[0] == "go":
                    label = TITLE.words.reader("en").read(TITLE.words.label(state, o))
                    paid = re.search(r"for (\d)", label)
                    price = prices.get(C.ids.index(said[1]))
                    assert price is not None, label
                    if not price.far:
                        assert price.periodicals + price.bons == (int(paid[1]) if paid else 0), label
                        compared += 1
        table.go_on()
    assert compared > 60


def test_the_atlas_has_every_space_on_the_sheet() -> None:
    sheet = atlas(C)
    assert [space.id for space in sheet] == C.ids
    assert all(20 < space.x < WIDTH - 8 and 20 < space.y < HEIGHT - 8 for space in sheet)
    assert sheet[C.kind.index(BETHEL)].grid == "A2"
    for a in sheet:
        for b in sheet:
            assert a is b or (a.x - b.x) ** 2 + (a.y - b.y) ** 2 > 17**2, (a.id, b.id)


def test_the_page_is_small_and_its_drawing_quick(table: Table) -> None:
    for _ in range(MOVES):
        table.go_on()
    page = table.page(table.state.who)
    assert len(gzip.compress(page.encode(), 5)) < 120_000
    view = table.view(table.state.who)
    assert whole(view["round"]) >= 1
    spent: list[float] = []
    for _ in range(5):
        start = time.process_time()
        draw(C, view)
        spent.append(time.process_time() - start)
    assert min(spent) < 0.010
