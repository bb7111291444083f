"""Tests of the information that players must see, in the view and as text (specification, section 8)."""

from dataclasses import replace

from tests.games.testoftime.table import CC, NO, SHORT_CARDS, YES, A, B, C, Testament, end_round, play, table
from triclinium.boardkit.text_table import format_game_table
from triclinium.games.testoftime import GAME
from triclinium.games.testoftime.rules.state import TestOfTime as Position  # a name that pytest does not collect
from triclinium.games.testoftime.ui.board import PlayerLand, draw
from triclinium.games.testoftime.ui.reversal_scroll import ReversalScroll
from triclinium.games.testoftime.ui.view import Attackers, PastRound, PieceGroup, Reversal
from triclinium.games.testoftime.ui.view import Testament as Card


def card(s: Position, seat: int, space: int) -> Card:
    found = GAME.view(s, A).players[seat].testaments[space - 1]
    assert isinstance(found, Card)
    return found


def format_text_table(s: Position, language: str = "en") -> str:
    return format_game_table(GAME, GAME.view(s, A), GAME.words.reader(language), 10_000)


def test_the_view_shows_round_starter_and_passes() -> None:
    """TT-2.1, TT-2.3  Only passes since the last move count."""
    s = table(seats=4, turn=2)
    play(s, "pass", "sire", "pass", "pass")
    view = GAME.view(s, A)
    assert (view.round, view.rounds, view.starter, view.who, view.passed) == (10, 20, 2, 2, [0, 1])
    assert format_text_table(s).startswith("The match has 20 rounds.\n")
    assert "\nround 10\n" in format_text_table(s)
    assert "\n→ seat 2 (starter)\n" in format_text_table(s)
    assert "\nseat 0 (passed)\n" in format_text_table(s)


def test_people_prices_and_points() -> None:
    """TT-3.2, TT-4.2, TT-5.2, TT-13.2  The view has pieces, power, saved lives, costs, and points now and later."""
    s = table(shamans=(2, 0), testaments={A: ["tools", Testament("burial", [(YES, 0)] * 3), "monument"]})
    play(s, "sire", "shamans 0")
    seen = GAME.view(s, A).players[A]
    assert seen.waiting == PieceGroup(followers=18, shamans=2)
    assert seen.in_play == PieceGroup(followers=21, shamans=2)
    assert seen.most == PieceGroup(followers=30, shamans=10)
    assert (seen.power, seen.saved, seen.worth) == (2, 1, 22)
    assert seen.preserve_cost == [1, 2, 3, 4, 5]
    assert seen.create_cost == [4, 8, 12, 16, 20]
    # the age is 3 now; at the end 2 dots count 11 times, 10 dots 14 times and 30 dots 11 times
    assert (seen.score, seen.prospect) == (30, 2 * 11 + 10 * 14 + 30 * 11)


def test_the_view_shows_an_attack_and_its_losses() -> None:
    """TT-9.3, TT-12.2  The view has the attackers in order, both strengths, and the sections that will be lost."""
    s = table(seats=3, shamans=(0, 1, 0), testaments={A: ["art"], B: ["monument"]}, turn=B)
    play(s, "attack", "shamans 1", "followers 1", "attack", "at 0 1", "followers 2", "defend", "followers 2")
    seen = card(s, A, 1)
    assert seen.attackers == [
        Attackers(seat=B, followers=1, shamans=1),
        Attackers(seat=CC, followers=2, shamans=0),
    ]
    assert seen.defenders == PieceGroup(followers=2, shamans=0)
    assert (seen.attack, seen.defence, seen.strips, seen.decays) == (5, 2, 3, True)
    english = "Space 1 is attacked by seat 1 with 1 follower and 1 shaman and seat 2 with 2 followers."
    assert english in format_text_table(s)
    assert "defenders followers 2, attack 5, defence 2, sections lost by attack 3" in format_text_table(s)
    assert "attaqué par place 1 avec 1 fidèle et 1 chamane et place 2 avec" in format_text_table(s, "fr")
    assert "power of a shaman 2, lives saved per action 0, strength of the waiting pieces 19" in format_text_table(
        s
    )  # B, who could still attack


def test_the_view_shows_the_past_of_each_testament() -> None:
    """TT-12.3  Each round has a cell: preserved or not, the strips by attack, and their players."""
    s = table(seats=3, testaments={A: ["art"]}, turn=B)
    play(s, "attack", "followers 1", "attack", "followers 1", "preserve")
    end_round(s)
    end_round(s)
    assert card(s, A, 1).past == [
        PastRound(round=10, preserved=True, strips=2, by=[B, CC]),
        PastRound(round=11, preserved=False, strips=0, by=[]),
    ]
    past = "preserved with 2 sections lost to seat 1 and seat 2 and decayed."
    assert f"  Space 1, age 2, past rounds: {past}\n" in format_text_table(s)


def test_a_reversal_is_previewed() -> None:
    """TT-11.10  During a reversal the resulting sections are shown next to the current ones."""
    s = table(shamans=(2, 0), testaments={A: [Testament("art", ((NO, 0), (NO, 0)))]})
    assert GAME.view(s, A).reversal is None
    play(s, "reverse", "rounds 2", "mend")
    assert GAME.view(s, A).reversal == Reversal(round=9, price=4, power=1, doomed=0, visible=5)
    assert card(s, A, 1).visible == 4
    assert (
        "Time is reversed to round 9 for Art of seat 0: 5 sections visible if it ended here, 4 now.\n"
        in format_text_table(s)
    )


def test_all_viewers_see_the_same() -> None:
    """Section 5  Nothing is secret, so views of players and spectators differ only in their options."""
    s = table(seats=3, shamans=(1, 2, 3), testaments={A: ["art"]})
    views = [replace(GAME.view(s, seat), viewer=None, options=None) for seat in (A, B, CC, None)]
    assert views[0] == views[1] == views[2] == views[3]
    assert not GAME.has_secrets


def test_json_has_ids_and_the_owner_of_converts() -> None:
    """The API has kinds by id, and ``from``."""
    s = table(testaments={A: ["temple"]})
    play(s, "convert", "pass", "create", "on 2", "build art")
    seen = GAME.view_json(s, B)["players"]
    assert isinstance(seen, list)
    assert seen[A]["convert"] == {"zones": 1, "used": [{"followers": 4, "shamans": 0, "from": B}]}
    assert seen[A]["create_cost"] == {"tools": 4, "art": 8, "burial": 12, "temple": 16, "monument": 20}
    assert (seen[A]["testaments"][0]["kind"], seen[B]["testaments"][0]["kind"]) == ("temple", None)
    assert seen[A]["testaments"][1]["creating"] == {"kind": "art", "followers": 8, "shamans": 0}


def describe_asked(s: Position) -> str:
    return GAME.words.reader("en", ("Ana", "Ben", "Cem")).read(GAME.words.question(s))


def test_the_question_warns_of_possible_losses() -> None:
    """TT-12.4  The question names the Testament with the largest loss, including decay."""
    s = table(testaments={A: ["art"], B: ["tools"]}, turn=1)
    play(s, "attack", "followers 3")
    assert (
        describe_asked(s) == "Your turn: 20 followers and 0 shamans waiting. "
        "If all pass, your Testament on space 1 (Art) falls from 6 to 2 sections."
    )
    play(s, "defend", "followers 1", "pass")
    assert describe_asked(s).endswith("your Testament on space 1 (Art) falls from 6 to 3 sections.")
    end_round(s)
    assert card(s, A, 1).visible == 3
    s = table(testaments={A: ["tools"], B: ["tools"]}, turn=1)
    assert describe_asked(s) == "Your turn: 20 followers and 0 shamans waiting."
    play(s, "attack", "followers 5")
    assert describe_asked(s).endswith("If all pass, your Testament on space 1 (Tools) is buried.")


def test_questions_mention_only_existing_pieces() -> None:
    """TT-9.2, TT-10.3, TT-12.2  The question mentions only pieces that exist, and one follower is in the singular."""
    s = table(seats=3, shamans=(1, 0, 0), testaments={A: ["art"]}, turn=1)
    play(s, "attack")
    assert describe_asked(s) == "How many followers attack Art of Ana on space 1?"
    play(s, "followers 2", "attack", "followers 2", "defend", "shamans 0")
    assert describe_asked(s) == "How many followers defend Art on space 1? Uncovered attack: 4."
    t = s.clone()
    play(s, "followers 1", "pass", "pass", "pass")
    assert describe_asked(s) == (
        "Art on space 1: your defenders meet 1 attacking follower. How many of them belong to Ben?"
    )
    play(t, "followers 2", "pass", "pass", "defend", "shamans 1")
    assert describe_asked(t) == "How many followers defend Art on space 1, together with 1 shaman? Uncovered attack: 2."
    s = table(shamans=(2, 0), testaments={B: ["art"]})
    play(s, "attack", "shamans 2")
    assert describe_asked(s) == "How many followers attack Art of Ben on space 1, together with 2 shamans?"


def test_a_past_round_is_asked_about_in_plain_words() -> None:
    """TT-11.5, TT-11.7, TT-14.6  The question asks to preserve an own Testament after all, or to spoil a rival's."""
    s = table(shamans=(1, 0), testaments={A: [Testament("art", [(NO, 0)])]})
    play(s, "reverse")
    assert describe_asked(s) == "Round 9 of Art: leave it, or preserve it after all for 4?"
    for once, further in ((False, "spoil its preservation for 4?"), (True, "spoil it too, for free?")):
        art = Testament("art", [(YES, 0)] * 2)
        s = table(shamans=(2, 0), testaments={B: [art]}, variants={"one_payment": once})
        play(s, "reverse", "rounds 2")
        assert describe_asked(s) == "Round 8 of Art of Ben: leave it, or spoil its preservation for 4?"
        play(s, "spoil")
        assert describe_asked(s) == f"Round 9 of Art of Ben: leave it, or {further}"


def test_the_question_names_the_space_of_equal_testaments() -> None:
    """TT-5.1, TT-10.1, TT-12.2  The question names the space if a player has two Testaments of a kind."""
    s = table(seats=3, shamans=(3, 0, 0), testaments={A: ["art", "art"]}, turn=1)
    play(s, "attack", "at 0 2", "followers 2", "attack", "at 0 2", "followers 2")
    assert describe_asked(s).endswith("your Testament on space 2 (Art) falls from 6 to 1 section.")
    play(s, "preserve", "on 1", "shamans 0", "pass", "pass", "preserve")
    assert describe_asked(s).startswith("How many shamans help to preserve Art on space 2?")
    play(s, "shamans 0", "pass", "pass", "defend")
    assert describe_asked(s) == "How many shamans defend Art on space 2? Uncovered attack: 4."
    play(s, "shamans 1", "followers 0", "pass", "pass", "pass")
    assert describe_asked(s).startswith("Art on space 2: your defenders meet 1 attacking follower.")


def own_land(s: Position) -> PlayerLand:
    land = draw(C, GAME.view(s, A))["own"]
    assert isinstance(land, PlayerLand)
    return land


def test_a_target_shows_the_points_at_stake() -> None:
    """TT-9.1, TT-13.1  The target shows its points at the end, and the pieces its owner could still send."""
    s = table(seats=3, testaments={B: ["art"], CC: ["tools"]}, shamans=(0, 2, 0))
    play(s, "attack")
    labels = [GAME.words.reader("en", ("Ana", "Ben", "Cem")).read(GAME.words.label(s, o)) for o in s.legal]
    points = [GAME.view(s, A).players[seat].prospect for seat in (B, CC)]
    assert labels == [
        f"Ben, space 1: Art, 6 sections visible, {points[0]} points at the end; 22 waiting to defend",
        f"Cem, space 1: Tools, 4 sections visible, {points[1]} points at the end; 20 waiting to defend",
    ]


def test_the_past_shows_the_shamans_needed_for_each_round() -> None:
    """TT-11.3  The page shows for each number of rounds how many shamans it takes.

    With power 2 one shaman is enough for two rounds.
    """
    s = table(shamans=(2, 0), testaments={A: ["monument", Testament("art", [(NO, 0)] * 5)]})
    play(s, "reverse")
    for seat, dead in ((A, [0, 2, 2, 1, 1]), (B, [0] * 5)):
        roll = draw(C, GAME.view(s, seat))["roll"]
        assert isinstance(roll, ReversalScroll)
        assert [card.dead for card in roll.cards] == dead


def test_the_value_of_the_lowest_section_is_shown() -> None:
    """TT-5.6, TT-13.2  The page shows the points of the lowest section: its dots times the age at the end.

    A buried Testament has none.
    """
    s = table(testaments={A: ["monument", Testament("art", ((NO, 4),)), Testament("tools", seen=0)]})
    assert [space.edge for space in own_land(s).spaces] == [2 * 11, 2 * 12, 0]


def test_the_steps_of_a_rivals_past_cite_its_rule() -> None:
    """TT-11.5, TT-11.6, TT-11.7  The steps cite the rule for a player's own past, or the one for a rival's past."""
    for owner, past, change, rules in (
        (A, (NO, 0), "mend", ["TT-11.1", "TT-11.2", "TT-11.5", "TT-11.8", "TT-11.6"]),
        (B, (YES, 0), "spoil", ["TT-11.1", "TT-11.2", "TT-11.7", "TT-11.8"]),
    ):
        s = table(shamans=(3, 0), testaments={owner: [Testament("art", (past, past))]})
        for stage, said in enumerate(("reverse", "rounds 2", change), 2):
            play(s, said)
            heading = GAME.words.heading(s)
            assert heading is not None
            assert (heading.current_stage, [rule for _, rule in heading.stages]) == (stage, rules)


def test_testaments_being_created_count_if_kept() -> None:
    """TT-4.3, TT-13.1  A Testament being created has its own result, and is included in the forecast."""
    s = table(testaments={A: ["tools", Testament("art", seen=0)]})
    play(s, "preserve", "pass", "create", "on 2", "build art")
    land = own_land(s)
    assert (land.prospect, land.forecast) == (2 * 11 + 7 * 10,) * 2


def test_testaments_buried_during_a_round_are_not_preserved() -> None:
    """TT-R19, TT-12.3  The preservers of a buried Testament are still placed, but the round will count as decay."""
    s = table(shamans=(0, 1), testaments={A: [Testament("tools", ((NO, 2), (YES, 0)))]})
    play(s, "preserve")
    assert [(cell.round, cell.preserved) for cell in own_land(s).spaces[0].cells[-1:]] == [(10, True)]
    play(s, "reverse", "spoil")
    space = own_land(s).spaces[0]
    assert (space.standing, space.preserved, space.cells[-1].preserved) == (False, False, False)
    end_round(s)
    assert card(s, A, 1).past[-1] == PastRound(round=10, preserved=False, strips=0, by=[])


def test_limited_attacks_are_counted_down() -> None:
    """TT-14.5  A player without attacks left cannot attack, however many pieces wait."""
    s = table(testaments={B: ["temple"]}, variants={"attacks_per_round": 2})
    play(s, "attack", "followers 1", "pass")
    assert (own_land(s).attacks, own_land(s).most_attacks, own_land(s).strongest_attack) == (1, 2, 19)
    play(s, "attack", "followers 1")
    assert (own_land(s).attacks, own_land(s).strongest_attack, GAME.view(s, A).players[A].worth) == (2, 0, 18)
    drawn = own_land(s).people_key
    s = table(testaments={B: ["temple"]})
    play(s, "attack", "followers 1", "pass", "attack", "followers 1")
    assert (own_land(s).most_attacks, own_land(s).strongest_attack) == (0, 18)
    assert own_land(s).people_key != drawn, "drawings are kept by it, from table to table"


def test_drawings_are_kept_for_each_edition_apart() -> None:
    """TT-R27  A Testament being created has other sections and another end with other cards."""
    keys: set[str] = set()
    for game in (GAME, SHORT_CARDS):
        s = table(game=game)
        play(s, "create", "on 1", "build tools")
        land = draw(s.c, game.view(s, A))["own"]
        assert isinstance(land, PlayerLand)
        keys |= {land.people_key, land.spaces[0].key}
    assert len(keys) == 4
