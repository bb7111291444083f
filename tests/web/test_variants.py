"""Tests of the choices of a table: in words, with a summary of differences from the printed rules."""

import re
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.bots.test_networks import write_random_network
from tests.web.browser import PlainBrowser
from triclinium.bots.networks import NETWORK_VARIABLE, OFF
from triclinium.engine.registry import list_games, load_game
from triclinium.engine.variant import GROUPS, Variant

SPOKEN = ("en", "fr")


def words(variant: Variant) -> list[str]:
    """Return a variant's name and values as the API has them."""
    values = [variant.format_value(value) for value in variant.values if isinstance(value, str)]
    return [one for one in (variant.name, *values) if "_" in one]


@pytest.mark.parametrize("game_id", list_games())
@pytest.mark.parametrize("language", SPOKEN)
def test_pages_show_no_identifiers(client: TestClient, game_id: str, language: str) -> None:
    """Every variant has a label and every value a name. Identifiers are not shown."""
    browser = PlainBrowser(client)
    browser.client.cookies.set("language", language)
    page = browser.get(f"/new?game={game_id}")
    read = unescape(re.sub(r"<[^>]*>", " ", page))
    game = load_game(game_id)
    reader = game.words.reader(language)
    for variant in game.variants:
        assert reader.format_arg(variant.label) in read
        assert variant.label.text != variant.name.replace("_", " ").capitalize() or variant.name in PLAIN
        for value in variant.values:
            assert not isinstance(value, str) or value in variant.value_names
        assert not [one for one in words(variant) if re.search(rf"\b{one}\b", read)]
        assert variant.group in GROUPS


PLAIN = ("discards", "rounds")  # labels that equal their identifiers


def test_only_printed_values_are_called_printed(client: TestClient) -> None:
    """AE-R34  A variant is called printed only if the rulebook prints it.

    The rulebook lets players select a pawn. The colours of the themes are its suggestion.
    """
    browser = PlainBrowser(client)
    page = browser.get("/new?game=evangelists")
    assert "Players choose their colour: no. The match is still rated." in page
    assert "Standard rules." not in page.split('data-none="')[0] + page.split('data-unrated="')[1]
    page = browser.get("/new?game=evangelists&preset=printed")
    assert "<b>Standard rules.</b>" in page
    assert load_game("evangelists").printed_variants() == {"pick_pawn_colour": "on"}


def test_presets_are_links_and_list_differences(client: TestClient) -> None:
    """Presets are the printed rules, a short match, our rules, and this person's last choice."""
    browser = PlainBrowser(client)
    page = browser.get("/new?game=portals")
    assert "Standard rules." in page
    assert "preset=ours" not in page
    page = browser.get("/new?game=portals&preset=short")
    assert "One change from the printed rules." in page
    assert "Simplified game: yes. The match is not rated, because these options change the game too much." in page
    wish = {"game": "portals", "seats": "2", "player": "Anna", "kind0": "me", "kind1": "invite"}
    browser.post("/new", **wish, **{"variant-fuel_cards": "two_per_turn", "variant-round_limit": "30"})
    assert "Cards burnt in a turn: Two at most." in browser.page
    assert "This match will be rated." in browser.page
    page = browser.get("/new?game=portals&preset=ours")
    assert "Cards burnt in a turn: Two at most. The match is still rated." in page
    assert re.search(r'value="two_per_turn" data-other checked', page)


def test_choices_are_kept_when_a_table_is_refused(client: TestClient) -> None:
    """Two teams need four seats (PP-12.1). The page says so and keeps the other choices."""
    browser = PlainBrowser(client)
    browser.get("/new?game=portals")
    wish = {"game": "portals", "seats": "3", "player": "Anna", "kind0": "me"}
    browser.post("/new", **wish, **{"variant-team": "on", "variant-discards": "hidden"})
    assert "2 changes from the printed rules." in browser.page


def test_the_api_has_the_words_of_variants(client: TestClient) -> None:
    """`GET /api/v1/games/{id}` has label, values, group, shape and whether it is rated."""
    told = client.get("/api/v1/games/portals").json()
    assert told["short"] == {"simplified": "on"}
    (start,) = [one for one in told["variants"] if one["name"] == "start"]
    assert start["label"] == {"en": "First player", "fr": "Premier joueur"}
    assert start["value_names"]["0"] == {"en": "Seat 1", "fr": "Place 1"}
    shapes = {one["name"]: one["shape"] for one in told["variants"]}
    assert (shapes["start"], shapes["portals"], shapes["round_limit"], shapes["team"]) == (
        "list",
        "choice",
        "number",
        "switch",
    )
    assert [one["name"] for one in told["variants"] if not one["rated"]] == ["team", "simplified", "simplified_nt_end"]


def test_a_table_may_be_opened_with_plain_bots(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box appears if the game's bots use training data. The table keeps the choice."""
    browser = PlainBrowser(client)
    monkeypatch.setenv(NETWORK_VARIABLE, OFF)
    assert 'name="untrained_bots"' not in browser.get("/new?game=evangelists")
    monkeypatch.setenv(NETWORK_VARIABLE, str(write_random_network(tmp_path)))
    assert 'name="untrained_bots"' in browser.get("/new?game=evangelists")
    assert 'name="untrained_bots"' not in browser.get("/new?game=portals")
    wish = {"game": "evangelists", "seats": "2", "player": "Anna", "kind0": "me", "kind1": "invite"}
    browser.post("/new", **wish, untrained_bots="on")
    tables = client.app.state.services.tables._tables  # type: ignore[attr-defined]  # an application of ours
    table = tables[browser.table.removeprefix("/tables/")]
    assert table.options.plain
    assert table.options.resolve_bot_name("steady") == "steady+plain"
