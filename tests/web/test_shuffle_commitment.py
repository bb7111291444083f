"""Tests of the page that checks a shuffle commitment."""

import json
import random
import re
from pathlib import Path

from fastapi.testclient import TestClient

from tests.shell import Shell
from tests.web.browser import PlainBrowser
from tests.web.test_secrets import Visitors
from triclinium.engine.core.state import NOBODY


def test_before_the_end_the_page_shows_the_seal_to_keep(client: TestClient) -> None:
    company = Visitors(client, "evangelists", 2)
    page = company.browsers[0].get(f"{company.path}/shuffle")
    assert company.table.seal in page
    assert company.table.salt not in page
    assert "Copy the seal or download the record now. After the last" in page
    assert "sha256sum" not in page


def test_after_the_end_anyone_can_check_the_seal_step_by_step(client: TestClient, shell: Shell, tmp_path: Path) -> None:
    """A finished match can be checked on the page, or with the command and only the record."""
    company = Visitors(client, "evangelists", 2)
    chance = random.Random(3)
    kept = company.browsers[1].get(f"{company.path}/record")
    while company.table.status == "playing":
        company.play(chance)
    table = company.table
    watcher = company.browsers[NOBODY]
    page = watcher.get(f"{company.path}/shuffle?seal={table.seal[:8]}")
    assert page.count("<b>Yes:</b>") == 3
    assert "The shuffle is the one that was fixed before the first move" in page
    assert "This does not prove that the shuffle was fixed before the first move" in watcher.get(
        f"{company.path}/shuffle?seal=0123456789"
    )
    assert "A seal has 8 to 64 characters" in watcher.get(f"{company.path}/shuffle?seal=seven")
    assert f"printf %s &#39;{table.salt}:" in page or f"printf %s '{table.salt}:" in page
    assert f"/tables/{table.id}/shuffle" in watcher.get(company.path)
    assert f"\nseal {table.seal}\n" in kept  # The seal was visible before the end.
    file = tmp_path / "match.txt"
    file.write_text(watcher.get(f"{company.path}/record"))
    shell.run("verify", str(file), "--seal", table.seal[:16])
    assert (shell.code, shell.error) == (0, "")
    assert shell.out.count(". yes: ") == 3
    assert f"SHA-256({table.salt}:{table.make_opening_record().format_seed()}) = {table.seal}" in shell.out
    shell.run("verify", str(file), "--seal", "0" * 8, "--json")
    assert shell.code == 1
    assert json.loads(shell.out)["holds"] is False
    file.write_text(kept)
    assert shell.run("verify", str(file)).code == 1
    assert "The salt and the key are shown when the match is over. Keep" in shell.out
    assert shell.refused("verify", str(file), "--seal", "seven") == (
        "a seal is 8 to 64 hexadecimal digits, not 'seven'"
    )


def test_the_table_links_to_the_check(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    browser.post("/play/evangelists")
    link = re.search(r'href="(/tables/\w+/shuffle)"', browser.page)
    assert link is not None
    assert "<h1>Shuffle seal</h1>" in browser.get(link[1])
