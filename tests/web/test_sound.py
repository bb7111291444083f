"""Tests of sounds: none unless turned on, and no sound files."""

from pathlib import Path

from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser
from tests.web.test_pages import new_hot_table

STATIC = Path(__file__).parents[2] / "src" / "triclinium" / "web" / "static"


def test_a_table_is_silent_until_sound_is_turned_on(client: TestClient) -> None:
    browser = PlainBrowser(client)
    new_hot_table(browser, "testoftime", 2)
    table = browser.table
    assert "sound.js" not in browser.page
    assert "Turn sound on" in browser.page
    browser.post("/settings", sound="on", back=table)
    assert browser.table == table
    assert "/static/sound.js?" in browser.page
    assert "Turn sound off" in browser.page
    assert "sound.js" not in browser.get("/")  # Only tables have sounds.
    assert "Turn sound off" in browser.get("/me")
    browser.post("/settings", sound="loud", back=table)
    assert "sound.js" in browser.page  # there is no such setting
    browser.post("/settings", sound="off", back=table)
    assert "sound.js" not in browser.page
    other = PlainBrowser(client)
    new_hot_table(other, "testoftime", 2)
    assert "sound.js" not in other.page


def test_the_low_time_sound_is_optional(client: TestClient) -> None:
    """A separate switch turns on the ticking, next to those for the table and the chat."""
    browser = PlainBrowser(client)
    new_hot_table(browser, "testoftime", 2)
    table = browser.table
    assert "Sound when your time runs low" in browser.get("/notifications")
    for wished, heard in (({"sound": "on"}, "table"), ({"clock_sound": "on"}, "clock")):
        browser.get("/notifications")
        browser.post("/notifications", digest="18:00", **wished)
        assert f'data-sounds="{heard}"' in browser.get(table)
        assert "/static/sound.js?" in browser.page
    assert 'wants.includes("clock")) cues.low()' in client.get("/static/sound.js").text


def test_the_cues_are_synthesised(client: TestClient) -> None:
    script = client.get("/static/sound.js").text
    assert "createOscillator" in script
    for cue in ("turn", "move", "refusal", "end"):
        assert f"cues.{cue}()" in script
    assert not [path for path in STATIC.iterdir() if path.suffix in (".mp3", ".ogg", ".wav", ".m4a", ".webm")]
