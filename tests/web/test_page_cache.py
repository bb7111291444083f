"""Tests of the page cache: a newly rendered part equals the cached part.

An incomplete cache key would show one viewer the information of another.
"""

import random
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from tests.slow import slow
from tests.web.test_secrets import Visitors
from triclinium import list_games, load_game
from triclinium.web.html_snippets import HtmlSnippets

MOVES = 120


@pytest.fixture
def comparing_cache(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Compare every cached part with a new one on servers that start from now on. Yield the keys."""
    kept = HtmlSnippets.render_cached
    keys: list[object] = []

    def once(self: HtmlSnippets, key: tuple[object, ...], make: Callable[..., str], *args: object) -> str:
        known = kept(self, key, make, *args)
        assert make(*args) == known, f"{key} lacks something that its part depends on"
        keys.append(key)
        return known

    monkeypatch.setattr(HtmlSnippets, "render_cached", once)
    return keys


@pytest.mark.parametrize("every", [50, slow(3)])
@pytest.mark.parametrize("id", list_games())
def test_a_cached_part_depends_only_on_its_key(
    comparing_cache: list[object], own_client: TestClient, id: str, every: int
) -> None:
    company = Visitors(own_client, id, load_game(id).seats[-1])
    chance = random.Random(3)
    for n in range(MOVES):
        if company.table.status != "playing":
            break
        if n % every == 0:
            for viewer, browser in company.browsers.items():
                page = browser.get(company.path)
                assert browser.status == 200, f"seen by {viewer}: {page[:300]}"
        company.play(chance)
    assert len(comparing_cache) > 100
