"""Tests of texts next to the question: its action, the numbers on options, and lines of the log."""

from tests.games.missionnaires.table import C, options, play, table
from triclinium.boardkit.text_table import format_game_table
from triclinium.engine.core.text import Reader
from triclinium.games.missionnaires.game import GAME
from triclinium.games.missionnaires.rules.state import Missionnaires

NAMES = ("Ann", "Ben", "Cem")


def reader(language: str = "en") -> Reader:
    return GAME.words.reader(language, NAMES)


def describe_heading(s: Missionnaires) -> tuple[str, list[str]]:
    """Return the action of the question, and the rule of each of its stages."""
    heading = GAME.words.heading(s)
    assert heading is not None
    return reader().format_arg(heading.action), [rule for _, rule in heading.stages]


def labels(s: Missionnaires, language: str = "en") -> list[str]:
    return [reader(language).read(GAME.words.label(s, o)) for o in s.options()]


def log(s: Missionnaires, *said: str) -> list[str]:
    s.events = []
    play(s, *said)
    return list(GAME.words.format_log(s.events, 1, reader()))


def test_a_card_that_may_be_cancelled_is_of_either_deck() -> None:
    """LM-8.4  The text does not call a territory card a sea card."""
    s = table(at=["lyo"], territory=["t01"], bons={0: ["t36"]})
    play(s, "go gre", "stop")
    assert describe_heading(s) == ("A card is drawn", ["LM-8.4"])
    s = table(at=["mrs"], sea=["m17"], bons={0: ["t36"]})
    play(s, "go s07")
    assert describe_heading(s) == ("A card is drawn", ["LM-8.4"])


def test_a_storm_is_the_second_stage_of_a_sea_card() -> None:
    """LM-R11  The first stage is drawing it."""
    s = table(at=["s13", "rom", "ath"], sea=["m22"])
    play(s, "go reg")
    heading = GAME.words.heading(s)
    assert heading is not None
    assert heading.stages[heading.current_stage - 1][1] == "LM-R11"
    assert reader("fr").read(GAME.words.question(s)) == "Tempête\u00a0: dans quel port débarquez-vous Ann\u202f?"


def test_a_bonus_move_is_one_to_its_end() -> None:
    """LM-8.1  The second step of a bonus move does not cost a periodical as a second space would (LM-3.3)."""
    s = table(at=["lyo"], bons={0: ["t32"]})
    play(s, "play t32")
    assert describe_heading(s)[0] == "Bonus move"
    assert labels(s)[-1] == "Stay here"
    play(s, "go gre")
    assert labels(s)[-1] == "Stop here"
    assert "go tur" in options(s)
    assert describe_heading(s)[0] == "Bonus move"
    play(s, "go tur", "go mil")
    play(s, "go gen")
    assert describe_heading(s)[0] == "Your turn"


def test_the_option_shows_the_fee() -> None:
    """LM-2.1, LM-6.2  The option shows its payment, also for a card or for a push that a voucher could pay."""
    s = table(at=["lyo"], territory=["t07"])
    play(s, "go gre", "stop")
    assert labels(s) == ["Hand in 1 periodical", "Miss a turn"]
    assert labels(s, "fr")[0] == "Remettre 1 périodique"
    s = table(at=["tls"], bons={0: ["t29"]})
    play(s, "go per")
    assert labels(s)[0] == f"Hand in {C.push_fee} periodical"


def test_a_missed_turn_shows_the_turns_still_to_miss() -> None:
    """LM-2.1, LM-R21  Without further missed turns no number is shown."""
    lines = log(table(at=["lyo"], missed=[0, 1, 2]), "pass")
    assert "Ben misses this turn." in lines
    assert "Cem misses this turn and has 1 more to miss." in lines


def test_a_space_at_sea_reads_like_any_other() -> None:
    """LM-3.8  The text never says *in* Off Menorca."""
    s = table(at=["s07"], sea=["m01"])
    play(s, "go s08")
    assert reader().read(GAME.words.question(s)) == "Off Menorca: stop, or go on?"
    s = table(at=["s08"], sea=["m17"])
    assert "Ann stays put (Off Menorca); the move is over." in log(s, "go s09")
    s = table(at=["s07", "s08"], sea=["m01", "m02"])
    assert "Ann leaps over Ben (Off Menorca)." in log(s, "leap yellow s09")


def test_a_rank_has_its_reason() -> None:
    """LM-9.2, LM-R16  The reason has the turns of a finished player, or what is missing, without zeros."""
    s = table(at=["bou", "lrh", "rom"], hands={0: [], 1: []}, bons={1: ["m29", "m30"]}, variants={"play_on": "never"})
    play(s, "go bet", "stop")
    reasons = [GAME.rank_reason(s, seat) for seat in range(3)]
    assert [reader().read(reason) for reason in reasons] == [
        "back home in 1 turn",
        "everything visited, 2 vouchers, 1 space from the Bethel",
        f"1 congregation left, {C.distance[s.at[2]][C.bethel]} spaces from the Bethel",
    ]
    assert reader("fr").read(reasons[1]) == "toutes les visites faites, 2 BONS, à 1 case du Béthel"


def test_the_text_table_at_sea() -> None:
    """LM-3.8, LM-7.3  Points and lanes have names. An overseer who has just joined helps from the next coup on."""
    s = table(at=["s07"], sea=["m15"])
    play(s, "go s08")
    said = format_game_table(GAME, GAME.view(s, 0), reader(), 10_000)
    assert "  red: Off Menorca C3\n  The overseer helps from the next coup on.\n" in said
    assert "periodicals 8, accompanied by circuit overseer, newly joined" in said
    assert "(sea point)" in next(line for line in said.splitlines() if line.startswith("Ann: "))
    play(s, "stop", "pass", "pass")
    assert "from the next coup on" not in format_game_table(GAME, GAME.view(s, 0), reader())
