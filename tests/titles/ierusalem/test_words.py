"""What the title says (both languages)."""

from tests.titles.ierusalem.table import ANA, BEN, play, table
from triclinium.titles.ierusalem import TITLE
from triclinium.titles.ierusalem.actions.cards import put_away
from triclinium.titles.ierusalem.words import APPRECIATIONS, NEWS, QUESTIONS, REWARDS, SCORE_LINES, SOURCE_NAMES, VERBS

WORDS = TITLE.words


def test_every_template_has_its_french() -> None:
    """Questions, buttons, log lines, score lines."""
    texts = [
        *QUESTIONS.values(),
        *NEWS.values(),
        *SCORE_LINES.values(),
        *SOURCE_NAMES,
        *APPRECIATIONS,
        *REWARDS.values(),
    ]
    texts += [text for pair in VERBS.values() for text in pair]
    lacking = [text for text in texts if text not in ("", "{0}") and text not in WORDS.french]
    assert lacking == []


def test_every_verb_has_a_button() -> None:
    """No option without a label."""
    assert {verb.word for verb in TITLE.verbs} == set(VERBS)


def test_the_button_of_a_space_tells_price_and_worth() -> None:
    """What a good player wants to know before going."""
    s = table(hands={ANA: "r01"}, seated={"s02": "peter"})
    play(s, "play r01", "column 1", "skip")
    reader = WORDS.reader()
    label = reader.read(WORDS.label(s, TITLE.read("go u2c2")))
    assert label == "U2c2: costs 2 Bread and 5 VP at the end"
    label = reader.read(WORDS.label(s, TITLE.read("go u3c3")))
    assert label == "U3c3: costs 1 Stone and 1 Fish, −3 to 4 VP at the end and a Mahane card"


def test_a_drawn_card_is_told_to_its_owner_alone() -> None:
    """IE-R32  Others read that a card was drawn."""
    s = table(hands={ANA: "r02 r03"}, mahane="ma07", supper={ANA: ""})
    s.news = []
    play(s, "play r02", "column 1", "mahane", "draw")
    assert s.news is not None
    reader = WORDS.reader("en", ("Ana", "Ben"))
    mine = " ".join(WORDS.log(s.news, ANA, reader))
    theirs = " ".join(WORDS.log(s.news, BEN, reader))
    assert "MA07" in mine
    assert "MA07" not in theirs
    assert "Ana draws a Mahane card." in theirs


def test_the_table_in_plain_text() -> None:
    """Followers, seats and hands are there; another's hand shows backs."""
    s = table(seated={"s02": "peter"}, hands={ANA: "r01 ma05"})
    text = WORDS.table(s.view(ANA), WORDS.reader("en", ("Ana", "Ben", "Cem", "Dia")))
    assert "[+6]" in text
    assert "R01 MA05" in text
    assert "> Ana (red)" in text
    other = WORDS.table(s.view(BEN), WORDS.reader("fr"))
    assert "MA05" not in other.split("Main")[1]
    assert "rouge" in other


def test_the_view_tells_what_a_column_may_become() -> None:
    """Which Apostle columns it fits, and which symbols are still missing; a column that is too long fits none."""
    s = table(columns={ANA: ["r03", "r05 r08", "r01 r02"]}, received={ANA: "temple"})
    players = s.view(ANA)["players"]
    assert isinstance(players, list)
    first, second, third = players[ANA]["columns"]
    assert first["fits"] == [{"column": 1, "missing": ["market", "lake"], "opens": False}]
    assert second["fits"] == [{"column": 3, "missing": ["temple"], "opens": True}]
    assert second["apostle_vp"] == 3
    assert third["fits"] == []


def test_the_log_tells_which_card_comes_into_the_display() -> None:
    """IE-4.11, IE-R14  Everybody sees the card that is turned up, be it from the deck or on its way under it."""
    s = table(hands={ANA: "r02 r03"}, display="ma05 ma06", mahane="ma07", supper={ANA: ""})
    s.news = []
    play(s, "play r02", "column 1", "mahane", "take ma05")
    assert [TITLE.components.card_ids[news.facts[0]] for news in s.news if news.kind == "turned_up"] == ["ma07"]
    assert any(line.startswith("MA07") for line in WORDS.log(s.news, BEN, WORDS.reader()))
    s = table(hands={ANA: "r03 r04 r05 r06 r07 ma08 ma09"}, display="ma05", mahane="", empty_decks=True)
    s.news = []
    put_away(s, ANA, TITLE.components.card_ids.index("ma08"))
    assert [news.kind for news in s.news] == ["turned_up"]
