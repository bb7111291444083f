"""Tests of hints at the table without scripts."""

import re
import time

from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table
from triclinium.bots.analysis import Advice, to_percent
from triclinium.server.presenter.decision import DecisionOffer
from triclinium.web.pages.hints import pair_advice_with_offers

BUTTON = re.compile(r'<button class="option.*?</button>', re.DOTALL)
ODDS = re.compile(r'<span class="odds num( best)?">(\d+)')


def open_table_with_free_seat(client: TestClient, **wish: str) -> PlainBrowser:
    """Return a person who is asked, at a table with an empty second seat."""
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "evangelists", 2, **wish)
    cover = re.search(r'href="(/tables/\w+\?as=\d)"', browser.page)
    assert cover is not None
    browser.get(cover[1])
    return browser


def await_hint(browser: PlainBrowser, **more: str) -> list[tuple[str, str]]:
    """Ask for a hint and reload the page until it is there, as without scripts."""
    browser.post(f"{browser.table}/hint", **browser.hidden(f"{browser.table}/hint") | more)
    where = browser.url
    until = time.monotonic() + 60
    while 'class="odds' not in browser.page and time.monotonic() < until:
        assert 'class="thinking"' in browser.page
        assert '<meta http-equiv="refresh"' in browser.page
        time.sleep(0.1)
        browser.get(where)
    return list(marked(browser.page))


def marked(page: str) -> dict[tuple[str, str], int]:
    """Return the marked options with their win probability, the best first."""
    found: dict[tuple[str, str], int] = {}
    best: list[tuple[str, str]] = []
    for button in BUTTON.findall(page):
        mark = ODDS.search(button)
        if mark is None:
            continue
        chosen = re.search(r'name="(\w+)" value="([^"]+)"', button)
        assert chosen is not None
        found[chosen[1], chosen[2]] = int(mark[2])
        if mark[1]:
            best.append((chosen[1], chosen[2]))
    assert len(best) <= 1
    return {key: found[key] for key in sorted(found, key=lambda key: (key not in best, -found[key]))}


def test_a_hint_marks_the_options_themselves(client: TestClient) -> None:
    """A hint marks options in their places, with number keys of their own."""
    browser = open_table_with_free_seat(client)
    offered = browser.options()
    numbers = keys(browser.page)
    best = await_hint(browser)
    assert 2 <= len(best) <= 3
    assert all(name == "option" and option in offered for name, option in best)
    assert browser.options() == offered
    assert keys(browser.page) == numbers
    advice = browser.page[browser.page.index('id="advice"') : browser.page.index('id="decision"')]
    assert "<button" not in advice.replace('<button class="btn tiny">Compare', "")
    assert re.findall(r"<kbd[^>]*>(\d)</kbd>", advice) == [numbers[best[0][1]]]
    assert "The bot would choose this." in advice
    assert re.search(r'class="why">\w+', advice)  # one sentence: the reason, or the verdict if there is none
    assert not re.search(r"Rather than \d|With \d instead", advice)
    assert ">Hint</button>" not in browser.page  # the hint was requested already
    browser.choose(best[0][1])
    assert browser.status == 200
    assert 'class="odds' not in browser.page  # a hint ends with its decision


def keys(page: str) -> dict[str, str]:
    """Return the number key of each option."""
    found = {}
    for button in BUTTON.findall(page):
        value, key = re.search(r' value="([^"]+)"', button), re.search(r"<kbd[^>]*>(\d)</kbd>", button)
        assert value is not None
        assert key is not None
        found[value[1]] = key[1]
    return found


def test_a_hint_marks_the_board_and_describes_the_mark(client: TestClient) -> None:
    """The hinted option is marked on the board too, and screen readers announce the mark."""
    browser = open_table_with_free_seat(client)
    await_hint(browser)
    odds = marked(browser.page)
    board = browser.page[browser.page.index('id="board"') :]
    drawn = dict(re.findall(r'name="option" value="([^"]+)"\s+aria-label="([^"]+)"', board))
    for (_, option), odd in odds.items():
        assert f"{odd}% estimated win probability" in drawn[option]
    assert len(re.findall(r'data-odds="\d+%"', board)) == len(odds)


def test_a_chosen_option_is_compared_with_the_best(client: TestClient) -> None:
    browser = open_table_with_free_seat(client)
    best = await_hint(browser)
    form = browser.page[browser.page.index('name="option" aria-label="Compare') :]
    others = re.findall(r'<option value="([^"]+)">', form[: form.index("</select>")])
    assert others
    assert not {option for _, option in best} & set(others)
    again = await_hint(browser, option=others[-1])
    assert others[-1] in [option for _, option in again]
    browser.post(f"{browser.table}/hint", **browser.hidden(f"{browser.table}/hint"), option="nothing")
    assert browser.status == 404


def test_a_hint_is_confirmed_where_moves_are_confirmed(client: TestClient) -> None:
    browser = open_table_with_free_seat(client)
    where = browser.url
    browser.post("/settings", confirm_offered="1", confirm="on", back="/me")
    browser.get(where)
    assert {name for name, _ in await_hint(browser)} == {"choose"}


def test_a_table_without_hints_offers_none(client: TestClient) -> None:
    browser = open_table_with_free_seat(client, hints="off")
    where = browser.url
    assert f"{browser.table}/hint" not in browser.page
    browser.post(f"{browser.table}/hint", seat="0")
    browser.get(where)
    assert 'class="advice"' not in browser.page


def test_a_question_with_the_next_one_is_marked_too() -> None:
    """If a page combines two questions, the option that answers both has the mark of the hint."""
    offers = [
        DecisionOffer("done; go nain", "go", "To Nain"),
        DecisionOffer("done; go cana", "go", "To Cana"),
        DecisionOffer("play x", "play", "Play"),
    ]
    best = [Advice("done", 0.5, 0.6, then="go cana; stop"), Advice("play x", 0.4, 0.3), Advice("gone", 0.1, 0.1)]
    assert [(offer.option, one.option) for offer, one in pair_advice_with_offers(best, offers)] == [
        ("done; go cana", "done"),
        ("play x", "play x"),
    ]


def test_a_hint_is_in_the_readers_language(client: TestClient) -> None:
    browser = open_table_with_free_seat(client)
    where = browser.url
    browser.post("/settings", language="fr", back="/me")
    browser.get(where)
    hinted_page = await_hint(browser)
    assert hinted_page
    assert "Le robot choisirait" in browser.page
    assert re.search(r"\d+\N{NO-BREAK SPACE}%", browser.page)


def test_the_level_of_play_now_is_chosen_and_remembered(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    offered = re.findall(r'name="level" value="(\w*)"', browser.page)
    assert offered == ["", "novice", "casual", "steady", "strong", "master"]
    assert 'value="" checked' in browser.page
    assert '<span class="your-level">Play against Novice</span>' in browser.page
    browser.post("/play/evangelists", level="novice")
    assert "bot, Novice" in browser.page
    browser.get("/")
    assert 'value="novice" checked' in browser.page
    browser.get("/new")
    assert "Strong: thinks ahead for about a second" in browser.page
    assert "The bots run without the compiled build" in browser.page
    browser.post("/play/evangelists", level="nobody")
    assert browser.status == 400


def test_win_probabilities_have_words() -> None:
    assert [to_percent(chance) for chance in (0.0, 0.004, 0.5, 1.0)] == [1, 1, 50, 99]
