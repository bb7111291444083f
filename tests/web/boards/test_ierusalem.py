"""The table of Ierusalem: what stands on the page is what the view says, and no more."""

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
from triclinium.titles.ierusalem import TITLE
from triclinium.titles.ierusalem.drawing import Chair, Space, draw
from triclinium.titles.ierusalem.scoring import sheet, worth
from triclinium.titles.ierusalem.state import Ierusalem
from triclinium.web import table as table_pages
from triclinium.web.seeing import table_page

C = TITLE.components
MOVES = 50
ON_BOARD = ("post", "call", "send", "leave", "replace", "trade", "mahane", "sell", "buy", "take", "draw", "listen")
AT_SUPPER = ("offering", "visit", "bring", "seat", "score", "go", "move", "onto", "swap", "with")
IN_STRIP = ("illuminate", "play", "discard", "drop", "column", "clear", "favor", "to", "waste")


class Table:
    """People at a table, and what each of them sees."""

    def __init__(self, client: TestClient, seats: int) -> None:
        self.company = Company(client, "ierusalem", seats)
        self.chance = random.Random(seats)

    @property
    def state(self) -> Ierusalem:
        state = self.company.table.playing.state
        assert isinstance(state, Ierusalem)
        return state

    def go_on(self, moves: int = 1) -> None:
        """Moves at random, rather doing something than skipping it."""
        for _ in range(moves):
            said = [TITLE.say(o) for o in self.state.legal]
            lively = [option for option in said if option.split()[0] not in ("skip", "done", "illuminate")]
            table = self.company.table
            chosen = self.chance.choice(lively or said)
            self.company.portal.call(move, self.company.house, table, table.who, chosen, table.version)

    def page(self, viewer: Seat) -> str:
        return self.company.browsers[viewer].get(self.company.path)

    def view(self, viewer: Seat) -> dict[str, object]:
        return seen.view(self.state, viewer)


@pytest.mark.parametrize("seats", [3, 4])
def test_the_pieces_on_the_page_are_those_of_the_view(client: TestClient, seats: int) -> None:
    table = Table(client, seats)
    for n in range(MOVES):
        table.go_on(1 if n % 5 else 4)
        if table.state.over:
            break
        viewer = table.state.who if n % 3 else NOBODY
        page, view = table.page(viewer), table.view(viewer)
        followers_stand(page, view)
        apostles_sit(page, view)
        tracks(page, view)
        own_strip(page, view, viewer)
        offered(page, table, viewer)
        hidden(page, view)


def followers_stand(page: str, view: dict[str, object]) -> None:
    """Each Follower inside his space or Location, no two on one spot."""
    drawn = re.findall(
        r'<g class="piece fo (?:unused|seat s(\d))[^"]*" id="fo-([\w-]+)" transform="translate\(([\d.]+) ([\d.]+)\)"',
        page,
    )
    at_supper = {id: int(seat) if seat else "unused" for seat, id, _, _ in drawn if "-" not in id}
    assert at_supper == view["supper"]
    assert len({(x, y) for _, _, x, y in drawn}) == len(drawn)
    corners = {
        id: (float(x), float(y))
        for id, x, y in re.findall(r'id="space-(\w+)" transform="translate\(([\d.]+) ([\d.]+)\)"', page)
    }
    assert sorted(corners) == sorted(C.space_ids)
    for _, id, x, y in drawn:
        if id in corners:
            assert 0 < float(x) - corners[id][0] < 59
            assert 0 < float(y) - corners[id][1] < 39
    for place, data in table_of(view["locations"]).items():
        there = [int(seat) for seat, id, _, _ in drawn if id.startswith(f"{place}-")]
        assert [there.count(seat) for seat in range(whole(view["seats"]))] == table_of(data)["followers"]


def apostles_sit(page: str, view: dict[str, object]) -> None:
    """Those at the table on their seats, the others in their columns."""
    drawn = re.findall(r'<g class="piece ap a-(\w+)( seated)?" id="ap-(\w+)"', page)
    waiting = [word(one) for column in items(view["apostles"]) for one in items(table_of(column)["waiting"])]
    assert sorted(id for _, seated, id in drawn if seated) == sorted(map(str, table_of(view["seated"]).values()))
    assert sorted(id for _, seated, id in drawn if not seated) == sorted(waiting)
    open_seats = re.findall(r'<g class="chair open" id="chair-(\w+)"', page)
    assert sorted(open_seats) == sorted(set(C.seat_ids) - set(table_of(view["seated"])))


def tracks(page: str, view: dict[str, object]) -> None:
    """The marker on its space, the Judgments ahead, a disk for each player."""
    track = table_of(view["sanhedrin"])
    marker = re.search(r'id="marker" transform="translate\(830.5 ([\d.]+)\)"', page)
    assert marker is not None
    assert abs(float(marker[1]) - (593.0 - 22.2 * whole(track["marker"]))) < 0.2
    ahead = [str(table_of(tile)["space"]) for tile in items(track["ahead"])]
    assert re.findall(r'id="judgment-(\d+)"', page) == ahead
    players = [table_of(player) for player in items(view["players"])]
    disks = re.findall(r'id="disk-(\d)" transform="translate\(([\d.]+) ', page)
    assert [round((float(x) - 185) / 28) for _, x in disks] == [player["favors_done"] for player in players]
    board = page[page.index('class="ie-board"') :]
    cards = re.findall(r'id="mahane-\d"[^>]* data-enlarge="c-(\w+)"', board)
    assert cards == table_of(view["mahane"])["display"]


def own_strip(page: str, view: dict[str, object], viewer: Seat) -> None:
    """Columns, Camp and hand of the viewer; a spectator sees the active player's, the hand from behind."""
    shown = viewer if viewer != NOBODY else whole(view["active"])
    player = table_of(items(view["players"])[shown])
    strip = page[page.index('<div class="ie-own">') :]
    strip = strip[: strip.index('<aside class="rail right"')]
    columns = strip[strip.index('<div class="columns"') : strip.index('<section class="campsec"')]
    cards = [card for column in items(player["columns"]) for card in items(table_of(column)["cards"])]
    assert re.findall(r'data-enlarge="c-(\w+)"', columns) == cards
    camp = strip[strip.index('<section class="campsec"') : strip.index('<section class="handsec"')]
    followers = table_of(player["camp"])["followers"]
    assert camp.count("#seat-") == followers
    for good, n in table_of(player["goods"]).items():
        assert camp.count(f"#{good}") == n
    assert camp.count("#offering") == player["offerings"]
    hand = strip[strip.index('<section class="handsec"') :]
    faces = [card for card in items(player["hand"]) if card in C.card_ids]
    loose = items(table_of(view["doing"]).get("loose", [])) if shown == view["active"] else []
    assert re.findall(r'data-enlarge="c-(\w+)"', hand) == faces + loose
    assert hand.count('class="card back') == len(items(player["hand"])) - len(faces)


def offered(page: str, table: Table, viewer: Seat) -> None:
    """Each button on the board carries a legal option; each legal option is in the form, each place can be clicked."""
    legal = [TITLE.say(o) for o in table.state.legal] if viewer == table.state.who else []
    form = page[page.index('<form id="decision"') :] if legal else ""
    in_form = [unescape(value) for value in re.findall(r'<button class="option[^>]*? value="([^"]*)"', form)]
    assert sorted(in_form) == sorted(legal)
    clickable = {unescape(value) for value in re.findall(r'form="decision" name="option" value="([^"]*)"', page)}
    assert clickable <= set(legal)
    places = ON_BOARD + AT_SUPPER + IN_STRIP
    assert {option for option in legal if option.split()[0] in places} <= clickable


def hidden(page: str, view: dict[str, object]) -> None:
    """Only cards that the viewer sees can be enlarged, and no other card is named outside the log."""
    told = {word(card) for card in items(table_of(view["mahane"])["display"])}
    for player in map(table_of, items(view["players"])):
        told |= {word(card) for card in items(player["hand"])}
        told |= {word(card) for column in items(player["columns"]) for card in items(table_of(column)["cards"])}
    told |= {word(card) for card in items(table_of(view["doing"]).get("loose", []))}
    told.add(str(table_of(view["doing"]).get("card")))
    assert set(re.findall(r'<template id="c-(\w+)"', page)) <= told
    board = page[page.index('<div class="board"') : page.index('<section class="tabs"')]
    for card in set(C.card_ids) - told:
        assert f"c-{card}" not in board
        assert f"{card.upper()} " not in board


def test_what_a_place_is_worth_is_what_it_scores(client: TestClient) -> None:
    """The end values on the spaces add up to the score sheet; a seat's look-up is what an Apostle there would bring."""
    table = Table(client, 4)
    table.go_on(400)
    s = table.state
    drawing = draw(C, table.view(NOBODY))
    spaces, chairs = drawing["spaces"], drawing["chairs"]
    assert isinstance(spaces, list)
    assert isinstance(chairs, list)
    for who in range(4):
        mine = [space for space in spaces if isinstance(space, Space) and space.owner == who]
        lines = {line.name: line.points for line in sheet(s, who)}
        assert sum(space.value or 0 for space in mine) == lines["seats"] + lines["jesus"]
    assert any(s.seated[i] >= 0 for i in range(12))
    for i, chair in enumerate(chairs):
        assert isinstance(chair, Chair)
        for who, values in chair.worth:
            for shade, value in enumerate(C.shade_value):
                assert values[shade] == sum(
                    worth(value, distance) * (s.supper[who] & C.depth[i * 3 + distance - 1]).bit_count()
                    for distance in (1, 2, 3)
                )


def test_a_page_in_mid_match_is_light(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little processor time, also on a machine that does much else, and far under 120 KB as it is sent."""
    table = Table(client, 4)
    table.go_on(150)
    spent: list[float] = []

    def timed(*args: object, **options: object) -> object:
        start = time.thread_time()
        answer = table_page(*args, **options)  # type: ignore[arg-type]
        spent.append(time.thread_time() - start)
        return answer

    monkeypatch.setattr(table_pages, "table_page", timed)
    for _ in range(12):
        page = table.page(table.state.who)
    assert min(spent) < 0.040, spent
    assert len(gzip.compress(page.encode(), 3)) < 60_000
