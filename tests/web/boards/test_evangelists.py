"""The table of The Acts of the Evangelists: what stands on the page is what the view says, and no more."""

import gzip
import random
import re
import time
from html import escape, unescape

import pytest
from fastapi.testclient import TestClient

from tests.web.test_secrets import Company
from triclinium.kernel.frame import items, table_of, whole, word
from triclinium.kernel.state import NOBODY, Seat
from triclinium.server import seen
from triclinium.server.play import move
from triclinium.titles.evangelists import TITLE
from triclinium.titles.evangelists.chart import AT
from triclinium.titles.evangelists.devices import levels_of
from triclinium.titles.evangelists.drawing import Gospel, draw, rearranged
from triclinium.titles.evangelists.reasons import reasons
from triclinium.titles.evangelists.state import EMPTY, Evangelists
from triclinium.web import table as table_pages
from triclinium.web.seeing import table_page

C = TITLE.components
MOVES = 50


class Table:
    """People at a table, and what each of them sees."""

    def __init__(self, client: TestClient, seats: int) -> None:
        self.company = Company(client, "evangelists", seats)
        self.chance = random.Random(seats)

    @property
    def state(self) -> Evangelists:
        state = self.company.table.playing.state
        assert isinstance(state, Evangelists)
        return state

    def go_on(self, moves: int = 1) -> None:
        """Moves at random, rather with cards and witnesses than without."""
        for _ in range(moves):
            said = [TITLE.say(o) for o in self.state.legal]
            lively = [option for option in said if option.split()[0] not in ("end", "none", "decline")]
            cards = [option for option in lively if option.split()[0] in ("tradition", "interview", "keep", "copy")]
            chosen = self.chance.choice(cards or said if self.chance.random() < 0.6 else lively or said)
            table = self.company.table
            self.company.portal.call(move, self.company.house, table, table.who, chosen, table.version)

    def page(self, viewer: Seat) -> str:
        return self.company.browsers[viewer].get(self.company.path)

    def view(self, viewer: Seat) -> dict[str, object]:
        return seen.view(self.state, viewer)


@pytest.mark.parametrize("seats", [2, 5])
def test_the_pieces_on_the_page_are_those_of_the_view(client: TestClient, seats: int) -> None:
    table = Table(client, seats)
    for n in range(MOVES):
        table.go_on()
        viewer = table.state.who if n % 3 else NOBODY
        page, view = table.page(viewer), table.view(viewer)
        pawns_and_boats(page, view)
        boxes(page, view)
        gospels(page, view, viewer)
        offered(page, table, viewer)
        traditions(page, view)
        hidden(page, view, table.state)


def pawns_and_boats(page: str, view: dict[str, object]) -> None:
    """Each pawn beside its place, each boat in its city, each cube on its witness."""
    players = [table_of(player) for player in items(view["players"])]
    placed = {seat: player["pawn"] for seat, player in enumerate(players) if player["pawn"] is not None}
    pawns = re.findall(r'id="pawn-(\d)" data-place="(\w+)" transform="translate\(([-\d.]+) ([-\d.]+)\)"', page)
    assert {int(seat): place for seat, place, _, _ in pawns} == placed
    for _, place, x, y in pawns:
        assert abs(float(x) - AT[place][0]) + abs(float(y) - AT[place][1]) < 40
    assert len({(x, y) for _, _, x, y in pawns}) == len(pawns)  # nobody stands on somebody else
    assert re.findall(r'class="piece boat" id="boat-(\w+)"', page) == items(view["boats"])
    cubes = dict(re.findall(r'id="cube-(\w+)" [^>]*><rect class="cube (alive|dead)"', page))
    cities = [table_of(city) for city in items(view["cities"])]
    assert cubes == {
        city["witness"]: {"white": "alive", "black": "dead"}[word(city["cube"])] for city in cities if city["cube"]
    }
    bag = table_of(view["bag"])
    inside = page[page.index('class="codexbox"') : page.index('class="key"')]
    assert (inside.count("cube alive"), inside.count("cube dead")) == (bag["white"], bag["black"])


def boxes(page: str, view: dict[str, object]) -> None:
    """Backs, known numbers and the face-up card, place by place."""
    for city in [table_of(city) for city in items(view["cities"])]:
        drawn = page[page.index(f'id="city-{city["id"]}"') :]
        drawn = drawn[: drawn.index("</g></g>\n")]
        assert f"#w-{city['witness']}" in drawn
        assert drawn.count('class="pip"') == city["interviews_left"]
        places = [None if place is None else table_of(place) for place in items(city["box"])]
        assert drawn.count('class="gone"') == places.count(None)
        for at, place in enumerate(places):
            tile = re.search(rf'<g class="tile( open)?" id="card-{city["id"]}-{at}".*?</g>', drawn, re.DOTALL)
            assert (tile is None) == (place is None)
            if tile is not None and place is not None:
                assert bool(tile[1]) == place["face_up"]
                assert f"bk-{place['back']}" in tile[0]
                numbers = re.findall(r'<text class="(?:fn|kn)"[^>]*>(\d+)<', tile[0])
                assert numbers == ([] if place["card"] is None else [str(place["card"])])


def gospels(page: str, view: dict[str, object], viewer: Seat) -> None:
    """The own gospel in the codex, the others in the seats' cards, slot by slot; the cubes on the tracks."""
    players = [table_of(player) for player in items(view["players"])]
    shown = viewer if viewer != NOBODY else whole(view["turn"])
    own = page[page.index('<div class="gospel') :]
    leaves = own[: own.index('<table class="themes">')]
    cells = re.findall(
        r'<div class="page [lr](?:(?!<div ).)*?<b class="init">(\d+)</b>|<div class="page (empty)', leaves, re.DOTALL
    )
    slots = items(players[shown]["slots"])
    assert [int(number) if number else None for number, _ in cells] == slots
    for number, card in re.findall(r'<b class="init">(\d+)</b>(.*?)</div>', leaves, re.DOTALL):
        at = C.numbers.index(int(number))
        assert card.count("#m-") == C.motifs[at].bit_count()
        assert card.count("#w-") == C.circles[at].bit_count()
    minis = re.findall(r'<div class="mini m\d+".*?</div>', page, re.DOTALL)
    others = [player for seat, player in enumerate(players) if seat != viewer]
    assert len(minis) == len(others)
    for mini, player in zip(minis, others, strict=True):
        numbers = re.findall(r'<b>(\d+)</b>|<span class="mc (empty)', mini)
        assert [int(number) if number else None for number, _ in numbers] == items(player["slots"])
    for device, track in (("inc", "inclusio"), ("emp", "emphasis"), ("chi", "chiasm"), ("chr", "chronology")):
        row = re.search(rf'<div class="dtrack t-{device}".*?</div>', own, re.DOTALL)
        assert row is not None
        for space in re.findall(r'<span class="tc.*?</span>', row[0], re.DOTALL):
            label = re.search(r"<i>(.*?)</i>", space)
            assert label is not None
            for seat in re.findall(r'class="seat s(\d)', space):
                level = whole(table_of(players[int(seat)]["levels"])[track])
                assert level == (0 if label[1] == "–" else int(label[1]))
        assert len(re.findall(r'class="seat s\d', row[0])) == len(players)


def offered(page: str, table: Table, viewer: Seat) -> None:
    """Each button on the board carries a legal option; each legal option is in the form."""
    legal = [TITLE.say(o) for o in table.state.legal] if viewer == table.state.who else []
    form = page[page.index('<form id="decision"') :] if legal else ""
    in_form = [unescape(value) for value in re.findall(r'<button class="option[^>]*? value="([^"]*)"', form)]
    assert sorted(in_form) == sorted(legal)
    on_board = [unescape(value) for value in re.findall(r'form="decision" name="option" value="([^"]*)"', page)]
    assert set(on_board) <= set(legal)
    assert len(on_board) == len(set(on_board))
    places = ("to", "start", "sail", "displace", "keep", "face", "slot", "leaf", "position", "tradition", "interview")
    assert {option for option in legal if option.split()[0] in places} <= set(on_board)


LIST = re.compile(r'<template id="t-all">.*?</template>', re.DOTALL)


def traditions(page: str, view: dict[str, object]) -> None:
    """All 36 traditions, which are open to all (AE-1.8), each with the gospels that have it."""
    listed = LIST.findall(page)
    assert len(listed) == 1
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>(.*?)</tr>', listed[0], re.DOTALL)
    assert [int(number) for number, _ in rows] == C.numbers
    players = [table_of(player) for player in items(view["players"])]
    for number, row in rows:
        holders = [int(seat) for seat in re.findall(r'class="seat s(\d)', row)]
        assert holders == [seat for seat, player in enumerate(players) if int(number) in items(player["slots"])]


def hidden(page: str, view: dict[str, object], s: Evangelists) -> None:
    """The title of a card that this viewer does not see is nowhere in the document."""
    told = {whole(number) for player in items(view["players"]) for number in items(table_of(player)["slots"]) if number}
    for city in items(view["cities"]):
        for place in items(table_of(city)["box"]):
            if place is not None and table_of(place)["card"] is not None:
                told.add(whole(table_of(place)["card"]))
    secret = {C.numbers[card] for card in s.box if card != EMPTY} - told
    board = page[page.index('<div class="board"') : page.index('<section class="tabs"')]  # the log remembers old sights
    board = LIST.sub("", board)  # the same for all
    for number in secret - {whole(number) for number in items(view["kept"])}:
        name = C.titles[C.numbers.index(number)].en
        assert escape(name) not in board
        assert f'id="t-{number}"' not in page


@pytest.mark.parametrize("seats", [3, 4])
def test_the_reasons_are_the_rules(client: TestClient, seats: int) -> None:
    """The lanes under the codex make the level that the rules count, and the previews are what happens."""
    table = Table(client, seats)
    checked = 0
    while checked < 60:
        table.go_on()
        s = table.state
        if s.over:
            break
        for seat in range(seats):
            lanes = reasons(C, s.slots[seat], s.interviews[seat], s.emphasis_once)
            levels = levels_of(C, s.slots[seat], s.interviews[seat], s.emphasis_once)
            made = [len(lanes[0]), len(lanes[1]), len(lanes[2]), sum(len(lane.dots) for lane in lanes[3])]
            assert made == levels
        drawing = draw(C, table.view(s.who))
        mine = drawing["mine"]
        assert isinstance(mine, Gospel)
        for o in s.legal:
            said = TITLE.say(o)
            if said.split()[0] not in ("slot", "flip", "position"):
                continue
            after = s.clone()
            after.play(o)
            doing = drawing["doing"]
            assert isinstance(doing, dict)
            levels = list(mine.levels)
            for change in doing[said].moves:
                assert levels[change.track] == change.before
                levels[change.track] = change.after
            assert isinstance(after, Evangelists)
            assert levels == [after.level(s.who, track) for track in range(4)]
            checked += 1
    assert checked


def test_a_leaf_moved_there_and_back_is_where_it_was() -> None:
    slots = (1, EMPTY, 5, 9, EMPTY, 20)
    assert rearranged(C, slots, 0, -1) == (EMPTY, 1, 5, 9, EMPTY, 20)
    assert rearranged(C, slots, 0, 2) == (5, 9, EMPTY, 20, 1, EMPTY)
    assert rearranged(C, rearranged(C, slots, 0, 2), 2, 0) == slots


def test_a_page_in_mid_match_is_light(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under 15 ms of processor time, and far under 120 KB as it is sent; the best of some tries, on a busy machine."""
    table = Table(client, 5)
    table.go_on(120)
    spent: list[float] = []

    def timed(*args: object, **options: object) -> object:
        start = time.thread_time()
        answer = table_page(*args, **options)  # type: ignore[arg-type]
        spent.append(time.thread_time() - start)
        return answer

    monkeypatch.setattr(table_pages, "table_page", timed)
    for _ in range(12):
        page = table.page(table.state.who)
    assert min(spent) < 0.030, spent
    assert len(gzip.compress(page.encode(), 3)) < 60_000
