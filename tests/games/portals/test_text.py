"""Tests of the game's texts."""

import re

import pytest

from tests.games.portals.table import play, table
from triclinium.boardkit.text_table import format_game_table
from triclinium.games.portals.game import GAME
from triclinium.games.portals.rules.state import Portals

WORDS = GAME.words


def test_the_question_counts_actions() -> None:
    reader = WORDS.reader("en")
    assert reader.read(WORDS.question(table())) == "Your turn: 4 actions left."
    assert reader.read(WORDS.question(table(actions=1))) == "Your turn: 1 action left."


def test_labels_show_the_whole_face() -> None:
    s = table(hands=["g09"])
    label = WORDS.label(s, GAME.read("burn g09"))
    assert WORDS.reader("en").read(label) == (
        "burn God Destroys Sodom (Genesis, Dead Sea; 1 point, Ancient, God Speaks, Miracle, Mountain, fuel 1 blue)"
    )
    assert WORDS.reader("fr").read(label) == (
        "brûler Dieu détruit Sodome (Genèse, Mer Morte\u202f; 1 point, Antiquité, Dieu parle, Miracle, Montagne,"
        " carburant 1 bleu)"
    )


def test_a_drawn_card_is_named_only_to_its_player() -> None:
    """PP-R32  Other players see only the back of a drawn card."""
    s = table(old="o26")
    s.events = []
    play(s, "draw old")
    names = ("Ann", "Ben", "Cleo")
    assert WORDS.format_log(s.events, 0, WORDS.reader("en", names)) == ["Ann draws “David Slays Goliath”."]
    assert WORDS.format_log(s.events, 1, WORDS.reader("en", names)) == ["Ann draws from the Old Testament deck."]
    assert WORDS.format_log(s.events, -1, WORDS.reader("fr", names)) == ["Ann pioche une carte (Ancien Testament)."]


def test_a_play_names_title_time_and_place() -> None:
    """PP-7.4  The log names the title, time and place of a played card, as the rulebook asks."""
    s = table(pawns=["elah"], hands=["o26"], capsule="11")
    s.events = []
    play(s, "play o26")
    assert WORDS.format_log(s.events, 1, WORDS.reader("en", ("Ann",))) == [
        "Ann witnesses “David Slays Goliath”: 11th century, Valley of Elah; 6 points."
    ]
    assert WORDS.format_log(s.events, 1, WORDS.reader("fr", ("Ann",))) == [
        "Ann assiste à «\u00a0David terrasse Goliath\u00a0»\u00a0: XIe siècle, Vallée d’Éla\u202f; 6 points."
    ]


def test_titles_are_quoted_in_sentences() -> None:
    """PP-4.1, PP-4.3  A title that contains a verb is not read as a part of the sentence."""
    s = table(row="o38 o44 o47 o50 o51", old="o26")
    s.events = []
    play(s, "take o38")
    assert WORDS.format_log(s.events, 1, WORDS.reader("en", ("Ann",))) == [
        "Ann takes “Ahab Takes Naboth’s Vineyard” from the row.",
        "“David Slays Goliath” is added to the row.",
    ]


@pytest.mark.parametrize(
    ("language", "too_far", "closed"),
    [
        (
            "en",
            "its period is out of range (11th century); capsule: 8th century, gauge: 2",
            "this deck is closed until the capsule arrives (5th century); the capsule is still here: 8th century",
        ),
        (
            "fr",
            "son époque est hors de portée (XIe siècle)\u202f; capsule\u00a0: VIIIe siècle, jauge\u00a0: 2",
            "cette pioche est fermée jusqu’à l’arrivée de la capsule (Ve siècle)\u202f;"
            " la capsule est encore ici\u00a0: VIIIe siècle",
        ),
    ],
)
def test_refusals_name_periods_without_a_broken_article(language: str, too_far: str, closed: str) -> None:
    """PP-7.3, PP-R9  Refusals name periods with the right article: "the 8th century", but "Genesis"."""
    s = table(pawns=["elah"], hands=["o26"], capsule="8", gauge=2, variants={"nt_draw": "from_5th"})
    reader = WORDS.reader(language)
    for said, why, number in (("play o26", too_far, "PP-7.3"), ("draw new", closed, "PP-R9")):
        o = GAME.read(said)
        rule = s.asked.forbids(s, o)
        assert rule is not None
        assert (WORDS.format_rule(rule, s.asked.rule_parameters(s, o, rule), reader), rule.number) == (why, number)


def format_text(s: Portals, seat: int | None, language: str = "en") -> str:
    """Return the text table, without wrapped lines."""
    return format_game_table(GAME, GAME.view(s, seat), WORDS.reader(language, ("Ann", "Ben", "Cleo")), 10_000)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_text_table(language: str) -> None:
    """The text table has the timeline with capsule and range, the row, players, and the viewer's hand with options."""
    s = table(pawns=["hebron"], hands=["g06 o26 g07", "o27"], gauge=1, row="o01 o02 o03 o04 r1")
    text = format_text(s, 0, language)
    assert ("[Genesis] *15th century 14th century" if language == "en" else "[Genèse] *") in text
    assert "O01 " in text
    assert "Ann" in text
    assert "O27" not in text
    assert ("playable here" if language == "en" else "jouable ici") in text
    assert re.search(r"G07 .*" + ("in range, steps 2" if language == "en" else "à portée, pas 2"), text)


def test_new_testament_cards_are_counted_towards_an_end_only_where_they_bring_it() -> None:
    """PP-R27  In the simplified variant a third card does not end the game."""
    assert "New Testament cards: 1 of 3." in format_text(table(played=["n01"]), None)
    plain = format_text(table(played=["n01"], variants={"simplified": True}), None)
    assert "New Testament cards played 1" in plain
    assert " of 3" not in plain


def test_the_first_player_and_the_deciding_player_are_marked() -> None:
    """PP-2.1  Everyone sees which players still have a turn in the last round."""
    text = format_text(table(first=2, who=2), 0)
    assert "\n→ Cleo (begins the round)\n" in text
    assert "\nAnn\n" in text


def test_cards_out_of_the_game_are_listed() -> None:
    """PP-4.5  Burnt and discarded cards are listed, because they do not return."""
    s = table(hands=["o21 g03"])
    assert "out of the game" not in format_text(s, 1)
    play(s, "burn o21", "discard")
    gone = format_text(s, 1).partition("out of the game\n")[2].splitlines()[:2]
    assert [line.split()[0] for line in gone] == ["O21", "G03"]
    assert "hors du jeu\n" in format_text(s, 1, "fr")


def test_a_path_is_called_blocked_only_after_the_pawn_is_placed() -> None:
    """PP-1.9  A way is called blocked only once the pawn is placed."""
    s = GAME.deal(2, 5)
    assert isinstance(s, Portals)
    plain = format_text(s, s.who)
    assert "Your hand" in plain
    assert "path blocked" not in plain


def test_the_text_table_lists_witnessed_events_and_leaders() -> None:
    """PP-7.4, PP-11.6  The table lists each player's cards, and the symbols of which nobody has more."""
    s = table(played=["o33 n07", "o14"], hands=["", "s6"])
    mine = format_text(s, 1).split("\n\n")
    ann, ben = (next(part for part in mine if name in part.splitlines()[0]) for name in ("Ann", "Ben"))
    assert re.search(r"events witnessed\n    O33 .*\n    N07 ", ann)
    assert "Royalty" in next(line for line in ann.splitlines() if line.startswith("  Symbol majorities: "))
    assert "Known Symbol cards" not in ann
    assert "Mountain" in next(line for line in ben.splitlines() if line.startswith("  Symbol majorities: "))
    assert "  Known Symbol cards add one each to: Mountain.\n" in ben
    others = format_text(s, 0, "fr")
    assert "cartes Symbole connues" not in others
    assert "Majorités de symboles\u00a0: " in others


def test_cards_discarded_face_down_are_listed_by_their_backs() -> None:
    """PP-R12  Other players see only the backs of cards that a player discarded face down."""
    s = table(hands=["n02 o26 g06"], variants={"discards": "hidden"})
    play(s, "discard", "hide 1", "discard", "hide 1")
    assert re.search(r"discarded face down\n  N02 .*\n  O26 ", format_text(s, 0))
    for viewer in (1, None):
        assert "discarded face down: [New Testament], [Old Testament]\n" in format_text(s, viewer)


def test_a_majority_that_an_unseen_card_could_change_has_a_reserve() -> None:
    """PP-11.2, PP-11.6  The Symbol card would break a tie. The holder of the one unseen card knows more."""
    s = table(2, hands=["", "o26"], played=["o04", "o06"], row="o15 o16 o17 o18 o19")
    assert format_text(s, 0).count("Ancient (an unseen Symbol card could change it)") == 2
    assert "une carte Symbole non vue" in format_text(s, 0, "fr")
    assert "an unseen Symbol card" not in format_text(s, 1)
    assert len(re.findall("Symbol majorities: Ancient", format_text(s, 1))) == 2


def test_a_known_symbol_card_counts_for_both_partners() -> None:
    """PP-11.5, PP-12.1  A card that everyone saw taken counts for both partners."""
    s = table(4, row="s5 o16 o17 o18 o19", variants={"team": True})
    play(s, "take s5")
    plain = format_text(s, None)
    assert plain.count("Known Symbol cards add one each to: Battle.") == 2
    assert plain.count("Symbol majorities: Battle.") == 2
