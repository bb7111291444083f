"""Tests of people in one room: a wall that everyone sees, and a phone for each seat, in every game."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.page_actions import OPTIONS, choose_by_mouse, post_form, version, wait_until_moved
from tests.matches import SHORT
from tests.slow import mark_slow_except, slow
from triclinium import list_games, load_game

PHONE = {"width": 390, "height": 844}
WALL = {"width": 1280, "height": 720}
DOZEN = 12
PARTS = [".wall-top", "#board", "#own", ".wall-log", "#seats .name", "#seats .pts", "#seats .has"]
READ = """names => names.map(name => [...document.querySelectorAll(name)]
    .map(one => one.textContent.replace(/\\s+/g, ' ').trim()))"""


class Room:
    """A wall in the host's browser, a phone for each seat, and a spectator with a wall of their own."""

    def __init__(self, open_page: Visit, id: str) -> None:
        seats = load_game(id).seats[0]
        self.phones = [open_page(viewport=PHONE) for _ in range(seats)]
        host = self.phones[0]
        variants = {f"variant-{name}": value for name, value in SHORT.get(id, {}).items()}
        kinds = {f"kind{seat}": "me" if seat == 0 else "invite" for seat in range(seats)}
        form = {"game": id, "seats": str(seats), "device": "own", "player": "Miriam", "pace": "untimed"}
        post_form(host, "/new", {**form, **kinds, **variants})
        self.path = re.sub(r".*(/tables/\w+).*", r"\1", host.url)
        self.wall = host.context.new_page()
        self.wall.set_viewport_size(WALL)  # type: ignore[arg-type]  # a dict of the same form
        self.wall.goto(f"{self.path}/wall")
        code = re.search(r'class="bigcode"[^>]*>(\w{3}) (\w{3})<', host.content())
        assert code is not None
        for seat, phone in enumerate(self.phones[1:], start=1):
            phone.goto(f"/join/{code[1]}{code[2]}?hand=on")
            phone.locator("input[name=name]").fill(f"Guest {seat}")
            phone.locator("main button").first.click()
            phone.wait_for_url(f"**{self.path}/hand")
        host.locator("#board").wait_for(state="attached")  # the waiting room has opened the table by itself
        watch = re.search(r"/watch/\w+/[0-9a-f]{32}", host.content())
        assert watch is not None
        self.spectator = open_page(viewport=WALL)
        self.spectator.goto(watch[0])
        host.goto(f"{self.path}/hand")
        expect(self.wall.locator("#board")).to_be_visible()

    @property
    def is_over(self) -> bool:
        return "over" in (self.wall.locator("body").get_attribute("class") or "").split()

    def find_asked_phone(self) -> Page:
        """Return the phone of the player who has to decide, as the wall shows it."""
        found = re.search(r"\bs(\d)\b", self.wall.locator(".wall-top").get_attribute("class") or "")
        assert found is not None
        return self.phones[int(found[1])]

    def play(self, chance: random.Random) -> None:
        """Play a move from a phone. The wall updates without a reload."""
        phone = self.find_asked_phone()
        phone.locator(OPTIONS).first.wait_for(state="attached")
        if phone.locator("#decision .k-counted:visible").count():
            choose_counts(phone, chance)
        else:
            choose_by_mouse(phone, chance)
        self.wall.wait_for_function("now => Number(document.body.dataset.version) >= now", arg=int(version(phone)))

    def check_wall(self) -> None:
        """Check that the wall shows what a spectator sees who opens it now."""
        self.spectator.goto(f"{self.path}/wall")
        assert self.wall.evaluate(READ, PARTS) == self.spectator.evaluate(READ, PARTS)
        assert self.wall.locator("#decision, .k-hand").count() == 0
        expect(self.wall.locator(".wall-log li").first).to_be_visible()


def choose_counts(page: Page, chance: random.Random) -> None:
    """Raise random counters until all options of the question are chosen, and send them."""
    before, confirm = version(page), page.locator("#decision .k-counted > .option")
    while confirm.is_disabled():
        chance.choice(page.locator("#decision .k-count .option").all()).click()
    confirm.click()
    wait_until_moved(page, before)


@pytest.mark.parametrize("moves", [DOZEN, slow(10_000, id="match")])
@pytest.mark.parametrize("id", mark_slow_except(list_games(), "portals"))
def test_people_in_one_room_play_with_a_wall_and_phones(open_page: Visit, id: str, moves: int) -> None:
    room, chance = Room(open_page, id), random.Random(7)
    said: list[str] = []
    for n in range(moves):
        if room.is_over:
            break
        room.play(chance)
        said.append(room.wall.locator(".wall-log li").first.inner_text())
        if n % 40 == 5:
            room.check_wall()
    room.check_wall()
    assert len(set(said)) > min(len(said), DOZEN) // 3
    for phone in room.phones:
        assert phone.locator("#board").count() == 0
        assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    if moves > DOZEN:
        assert room.is_over
        for phone in room.phones:
            expect(phone.locator("section.result")).to_be_attached()
