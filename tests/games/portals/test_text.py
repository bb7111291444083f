"""Tests of the game's texts."""

import pytest

from tests.games.portals.table import play, table
from triclinium.games.portals.game import GAME

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


def test_a_draw_is_told_to_the_drawer_only() -> None:
    """PP-R32  The others see the back."""
    s = table(old="o26")
    s.events = []
    play(s, "draw old")
    names = ("Ann", "Ben", "Cleo")
    assert WORDS.format_log(s.events, 0, WORDS.reader("en", names)) == ["Ann draws “David Slays Goliath”."]
    assert WORDS.format_log(s.events, 1, WORDS.reader("en", names)) == ["Ann draws from the Old Testament deck."]
    assert WORDS.format_log(s.events, -1, WORDS.reader("fr", names)) == ["Ann pioche une carte (Ancien Testament)."]


def test_a_play_names_title_time_and_place() -> None:
    """PP-7.4  The rulebook asks for this."""
    s = table(pawns=["elah"], hands=["o26"], capsule="11")
    s.events = []
    play(s, "play o26")
    assert WORDS.format_log(s.events, 1, WORDS.reader("en", ("Ann",))) == [
        "Ann witnesses “David Slays Goliath”: 11th century, Valley of Elah; 6 points."
    ]
    assert WORDS.format_log(s.events, 1, WORDS.reader("fr", ("Ann",))) == [
        "Ann assiste à «\u00a0David terrasse Goliath\u00a0»\u00a0: XIe siècle, Vallée d'Éla\u202f; 6 points."
    ]


def test_a_title_is_not_read_as_a_part_of_the_sentence() -> None:
    """PP-4.1, PP-4.3  Titles contain verbs."""
    s = table(row="o38 o44 o47 o50 o51", old="o26")
    s.events = []
    play(s, "take o38")
    assert WORDS.format_log(s.events, 1, WORDS.reader("en", ("Ann",))) == [
        "Ann takes “Ahab Takes Naboth's Vineyard” from the row.",
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
            "cette pioche est fermée jusqu'à l'arrivée de la capsule (Ve siècle)\u202f;"
            " la capsule est encore ici\u00a0: VIIIe siècle",
        ),
    ],
)
def test_refusals_name_periods_without_a_broken_article(language: str, too_far: str, closed: str) -> None:
    """PP-7.3, PP-R9  "The 8th century" has an article, but "Genesis" has none."""
    s = table(pawns=["elah"], hands=["o26"], capsule="8", gauge=2, variants={"nt_draw": "from_5th"})
    reader = WORDS.reader(language)
    for said, why, number in (("play o26", too_far, "PP-7.3"), ("draw new", closed, "PP-R9")):
        o = GAME.read(said)
        rule = s.asked.forbids(s, o)
        assert rule is not None
        assert (WORDS.format_rule(rule, s.asked.rule_parameters(s, o, rule), reader), rule.number) == (why, number)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_table_in_plain_text(language: str) -> None:
    """It has the timeline with capsule and range, the row, players, and the own hand with its options."""
    s = table(pawns=["hebron"], hands=["g06 o26 g07", "o27"], gauge=1, row="o01 o02 o03 o04 r1")
    text = WORDS.format_table(GAME.view(s, 0), WORDS.reader(language, ("Ann", "Ben", "Cleo")))
    assert "[Gen] *15 14" in text
    assert "O01 " in text
    assert "Ann" in text
    assert "O27" not in text
    assert ("playable here" if language == "en" else "jouable ici") in text
    assert ("in range, 2 steps away" if language == "en" else "à portée, à 2 pas") in text


def test_the_own_hand_is_sorted_by_period() -> None:
    """Events come in the order of the timeline, then cards that score from the hand."""
    s = table(hands=["r1 n02 g06 o26 g07"])
    text = WORDS.format_table(GAME.view(s, 0), WORDS.reader("en")).partition("Your hand")[2]
    assert [line.split()[0] for line in text.strip().splitlines()] == ["G06", "G07", "O26", "N02", "R1"]


def test_new_testament_cards_are_counted_towards_an_end_only_where_they_bring_it() -> None:
    """PP-R27  In the simplified variant a third card does not end the game."""
    reader = WORDS.reader("en")
    assert "New Testament 1 of 3" in WORDS.format_table(GAME.view(table(played=["n01"]), None), reader)
    plain = WORDS.format_table(GAME.view(table(played=["n01"], variants={"simplified": True}), None), reader)
    assert "New Testament 1;" in plain
    assert " of 3" not in plain


def test_the_players_are_listed_in_turn_order() -> None:
    """PP-2.1  The list starts with the first player and shows who still has a turn in the last round."""
    s = table(first=2, who=2)
    text = WORDS.format_table(GAME.view(s, 0), WORDS.reader("en", ("Ann", "Ben", "Cleo")))
    assert text.index("> Cleo") < text.index("  Ann") < text.index("  Ben")


def test_cards_out_of_the_game_are_listed() -> None:
    """PP-4.5  Burnt and discarded cards do not return."""
    s = table(hands=["o21 g03"])
    assert "Out of the game" not in WORDS.format_table(GAME.view(s, 1), WORDS.reader("en"))
    play(s, "burn o21", "discard")
    assert "Out of the game: O21, G03" in WORDS.format_table(GAME.view(s, 1), WORDS.reader("en"))
    assert "Hors du jeu\u00a0: O21, G03" in WORDS.format_table(GAME.view(s, 1), WORDS.reader("fr"))


def test_before_the_pawn_stands_no_way_is_called_shut() -> None:
    """PP-1.9"""
    s = GAME.deal(2, 5)
    plain = WORDS.format_table(GAME.view(s, s.who), WORDS.reader())
    assert "Your hand" in plain
    assert "path blocked" not in plain


def test_what_everybody_has_witnessed_and_who_leads() -> None:
    """PP-7.4, PP-11.6  The list has each player's cards, and a star at symbols where nobody has more."""
    s = table(played=["o33 n07", "o14"], hands=["", "s6"])
    mine = WORDS.format_table(GAME.view(s, 1), WORDS.reader("en", ("Ann", "Ben", "Cleo")))
    assert "witnessed: O33, N07" in mine
    assert "Royalty 1*" in mine
    assert "* most of a symbol" in mine
    assert mine.count("Mountain 2*") == 1
    assert mine.count("Mountain 1+1*") == 1  # with the Symbol card that Ben knows
    assert "+1 a Symbol card known in hand" in mine
    assert "Mountain 0*" not in mine
    others = WORDS.format_table(GAME.view(s, 0), WORDS.reader("fr", ("Ann", "Ben", "Cleo")))
    assert "Montagne 2*" in others
    assert "Montagne 1," not in others
    assert others.count("Montagne 1\n") == 1
    assert "+1" not in others
    assert "événements vus\u00a0: O14" in others


def test_cards_discarded_face_down_are_told_by_their_backs() -> None:
    """PP-R12  Only the player who discarded them sees which cards they are."""
    s = table(hands=["n02 o26 g06"], variants={"discards": "hidden"})
    play(s, "discard", "hide 1", "discard", "hide 1")
    assert "Out of the game: N02, O26" in WORDS.format_table(GAME.view(s, 0), WORDS.reader("en"))
    for viewer in (1, None):
        plain = WORDS.format_table(GAME.view(s, viewer), WORDS.reader("en"))
        assert "Out of the game" not in plain
        assert "Discarded face down: 1 Old Testament, 1 New Testament" in plain


def test_a_majority_that_an_unseen_card_could_change_has_a_reserve() -> None:
    """PP-11.2, PP-11.6  The Symbol card would break a tie. The holder of the one unseen card knows more."""
    s = table(2, hands=["", "o26"], played=["o04", "o06"], row="o15 o16 o17 o18 o19")
    others = WORDS.format_table(GAME.view(s, 0), WORDS.reader("en"))
    assert others.count("Ancient 1*(?)") == 2
    assert "* most of a symbol; (?) an unseen Symbol card could change it" in others
    assert "une carte Symbole non vue" in WORDS.format_table(GAME.view(s, 0), WORDS.reader("fr"))
    own = WORDS.format_table(GAME.view(s, 1), WORDS.reader("en"))
    assert own.count("Ancient 1*,") == 2
    assert "(?)" not in own


def test_a_known_symbol_card_counts_for_both_partners() -> None:
    """PP-11.5, PP-12.1  A count of zero does not lead. The known card is shown next to the count."""
    s = table(4, row="s5 o16 o17 o18 o19", variants={"team": True})
    play(s, "take s5")
    plain = WORDS.format_table(GAME.view(s, None), WORDS.reader("en"))
    assert plain.count("Battle 0+1*,") == 2
    assert plain.count("Battle 0,") == 2


def test_the_terminal_says_what_its_signs_mean() -> None:
    """PP-2.4, PP-8.3  The legend is at the timeline, and for symbols only if a player has one."""
    plain = WORDS.format_table(GAME.view(table(), 0), WORDS.reader("en"))
    assert "([ ] capsule, * in range)" in plain
    assert "most of a symbol" not in plain
