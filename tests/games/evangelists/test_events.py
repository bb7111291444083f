"""Tests of events: every event of the rules has its sentence and reveals nothing hidden."""

import pytest

from tests.games.evangelists.table import deal_match, play, table
from triclinium.engine.core.event import ANYTIME, BOOKKEEPING, CHOSEN, FORCED, NO_TARGET, Event, EventType
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules import events

TYPES = [thing for thing in vars(events).values() if isinstance(thing, EventType)]
ENGINES = {CHOSEN, FORCED, ANYTIME}
NAMES = ("Ann", "Ben")


def collect_events(seats: int, **variants: object) -> list[Event]:
    """Return all events of some random matches."""
    found: list[Event] = []
    for seed in range(4):
        rng = Rng(seed)
        s = deal_match(seats=seats, seed=seed, variants=variants)
        s.events = found
        while not s.over:
            s.play(rng.pick(s.options()))
    return found


def test_events_have_unique_ids_and_a_sentence() -> None:
    assert len({type.id for type in TYPES}) == len(TYPES)
    assert all(type.text or type.weight == BOOKKEEPING for type in TYPES)


def test_exactly_the_declared_events_happen() -> None:
    found = collect_events(4, pick_pawn_colour=True, boat_after_last_octagon=True)
    assert {event.type for event in found} - ENGINES == set(TYPES)
    for event in found:
        if event.type.target_fact != NO_TARGET:
            assert event.facts[event.type.target_fact] in set(range(4)) - {event.seat}


@pytest.mark.parametrize(
    ("language", "all_hear", "looker_hears"),
    [
        ("en", "Ann looks at 2 cards in Corinth.", "Ann looks at 2 cards in Corinth: 7 Call of the fishermen and 8 "),
        ("fr", "Ann regarde 2 cartes à Corinthe.", "Ann regarde 2 cartes à Corinthe\u00a0: 7 L’appel des pêcheurs "),
    ],
)
def test_only_the_player_who_looks_sees_the_cards(language: str, all_hear: str, looker_hears: str) -> None:
    """AE-6.1  All players see the number of cards, but only the looker sees the cards."""
    s = table(seats=2, pawns=["corinth", "antioch"], boxes={"corinth": [7, 8]})
    s.events = []
    play(s, "tradition")
    reader = GAME.words.reader(language, NAMES)
    for viewer in (1, NOBODY):
        assert GAME.words.format_log(s.events, viewer, reader) == [all_hear]
    (heard,) = GAME.words.format_log(s.events, 0, reader)
    assert heard.startswith(looker_hears)


def test_slots_and_leaves_are_numbered_from_one() -> None:
    """AE-6.4, AE-8.1  The log counts them like the gospel and the notation, and says that the Rearrange was weak."""
    s = table(seats=2, pawns=["corinth", "antioch"], tokens=[0, 0], gospels={0: [7, 8, 9, 0, 0, 0]})
    reader = GAME.words.reader("en", NAMES)
    s.events = []
    t = s.clone()
    t.events = []
    play(s, "rearrange weak", "leaf 1", "position 2")
    assert GAME.words.format_log(s.events, 0, reader) == ["Ann moves leaf 1 to position 2 (weak)."]
    play(t, "rearrange weak", "leaf 1", "flip")
    assert GAME.words.format_log(t.events, 0, reader) == ["Ann flips leaf 1 (weak)."]


@pytest.mark.parametrize(
    ("how", "told"),
    [("flip", "Ben follows and flips leaf 1."), ("position 3", "Ben follows and moves leaf 1 to position 3.")],
)
def test_a_following_rearrange_is_marked_in_the_log(how: str, told: str) -> None:
    """AE-3.5, AE-8.3  The log cites the rule of following and says whether it was paid or free."""
    s = table(seats=2, pawns=["corinth", "antioch"], gospels={0: [7, 8, 0, 0, 0, 0], 1: [9, 0, 0, 0, 0, 0]})
    s.events = []
    play(s, "rearrange strong", "leaf 1", "flip", "done", "follow", "leaf 1", how)
    assert told in GAME.words.format_log(s.events, 0, GAME.words.reader("en", NAMES))
    assert "AE-8.3" in [event.rule for event in s.events]


def test_a_strong_rearrange_is_one_line() -> None:
    """AE-8.2, AE-R36  The line has the number of steps and the resulting leaves, even after ten steps."""
    reader = GAME.words.reader("en", NAMES)
    s = table(seats=2, pawns=["corinth", "antioch"], tokens=[0, 0], gospels={0: [7, 8, 9, 0, 0, 0]})
    s.events = []
    t = s.clone()
    t.events = []
    play(s, "rearrange strong", "leaf 1", "position 2", "leaf 1", "flip", "done")
    assert GAME.words.format_log(s.events, 0, reader)[:1] == [
        "Ann rearranges the gospel (strong) in 2 steps: [– 9] [7 8] [– –]."
    ]
    play(t, "rearrange strong", *["leaf 1", "flip"] * 10)
    told = [line for line in GAME.words.format_log(t.events, 1, reader) if "rearranges" in line]
    assert told == ["Ann rearranges the gospel (strong) in 10 steps: [7 8] [9 –] [– –]."]


@pytest.mark.parametrize("witness", ["peter", "clopas"])
@pytest.mark.parametrize(("bag", "told"), [((6, 0), "the witness is alive"), ((0, 2), "the witness has died")])
def test_cube_events_name_one_or_two_witnesses(witness: str, bag: tuple[int, int], told: str) -> None:
    """AE-7.2  The log and the question say whether the witness lives, in words that also fit Mary and Clopas."""
    s = table(seats=2, pawns=["corinth", "antioch"], witnesses={"corinth": witness}, bag=bag)
    s.events = []
    play(s, "interview")
    reader = GAME.words.reader("en", NAMES)
    cube = "white" if bag[0] else "black"
    name = {"peter": "Peter", "clopas": "Mary and Clopas"}[witness]
    assert f"A {cube} cube for {name}: {told}." in GAME.words.format_log(s.events, 1, reader)
    assert reader.read(GAME.words.question(s)) == f"{name}: {told}. Weak or strong?"


@pytest.mark.parametrize(
    ("language", "log", "question"),
    [
        (
            "en",
            [
                "In Corinth Ann interviews Mary, mother of Jesus.",
                "Ann records 5 marks with Mary, mother of Jesus (strong).",
            ],
            "Ann has interviewed Mary, mother of Jesus. You may get 1 tally mark for free.",
        ),
        (
            "fr",
            [
                "À Corinthe, Ann s’entretient avec Marie, mère de Jésus.",
                "Ann note 5 marques (Marie, mère de Jésus, Entretien fort).",
            ],
            "Ann a mené un Entretien avec Marie, mère de Jésus. Vous pouvez noter 1 marque gratuitement.",
        ),
    ],
)
def test_a_name_with_a_comma_keeps_the_other_words(language: str, log: list[str], question: str) -> None:
    """AE-7.1, AE-7.6, AE-7.7  City, weak and strong are not read as part of the witness's name."""
    s = table(
        seats=2,
        pawns=["corinth", "antioch"],
        witnesses={"corinth": "mother"},
        alive=["mother"],
        gospels={0: [1, 0, 0, 0, 0, 0], 1: [2, 0, 0, 0, 0, 0]},
    )
    s.events = []
    play(s, "interview", "strong")
    reader = GAME.words.reader(language, NAMES)
    assert GAME.words.format_log(s.events, 1, reader) == log
    assert reader.read(GAME.words.question(s)) == question


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["travel weak", "to athens"], "Ann travels from Corinth to Athens (weak)."),
        (["travel strong", "to rome"], "Ann travels from Corinth to Rome (strong)."),
        (["travel strong", "to rome", "to ephesus"], "Ben follows from Antioch to Ephesus."),
        (["interview", "weak"], "Ann records 3 marks with Peter (weak)."),
        (["interview", "strong"], "Ann records 5 marks with Peter (strong)."),
        (
            ["tradition", "keep 0", "keep 1"],
            "Ann also keeps 9 Sheltered from the king from Corinth (strong Tradition).",
        ),
    ],
)
def test_the_log_says_weak_or_strong(texts: list[str], told: str) -> None:
    """AE-2.3, AE-4, AE-6.3, AE-7  The log shows which actions could be followed for free."""
    s = table(
        seats=2,
        pawns=["corinth", "attalia"] if "to ephesus" in texts else ["corinth", "antioch"],
        tokens=[0, 0],
        gospels={0: [7, 0, 0, 0, 0, 0]},
        witnesses={"corinth": "peter"},
        alive=["peter"],
        boxes={"corinth": [8, 9]},
    )
    s.events = []
    play(s, *texts)
    log = GAME.words.format_log(s.events, 0, GAME.words.reader("en", NAMES))
    assert told.replace("Antioch", "Attalia").replace("Sheltered from the king", TITLE) in log


TITLE = GAME.components.titles[8].text
