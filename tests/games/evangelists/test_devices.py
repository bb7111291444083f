"""Tests of literary devices (AE-9)."""

from importlib import resources

from tests.games.evangelists.table import C, gospel, levels, play, table
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rollout import rollout
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.game import EvangelistsGame
from triclinium.games.evangelists.rules.devices import compute_device_levels


def compute_devices(*numbers: int, interviews: tuple[str, ...] = (), once: bool = False) -> list[int]:
    """Return the levels of inclusio, emphasis, chiasm and chronology of a row of cards, with 0 for an empty slot."""
    held = sum(1 << C.witness_ids.index(witness) for witness in interviews)
    return compute_device_levels(C, tuple(number - 1 for number in numbers), held, once)


def test_the_knowledge_check() -> None:
    """AE-E1  Card 29 in the right slot of the fourth leaf changes the levels 0, 0, 1, 4 to 1, 1, 2, 5."""
    s = table(
        seats=2,
        round_=5,
        pawns=["corinth", "antioch"],
        boxes={"corinth": [29, 31]},
        gospels={0: [2, 20, 15, 0, 19, 21, 28, 0, 0, 3]},
        interviews={0: ["magdalene", "matthew", "clopas"]},
        tokens=[0, 0],
    )
    assert levels(s, 0) == [0, 0, 1, 4]
    play(s, "tradition", "keep 0", "none", "slot 8")
    assert gospel(s, 0) == [2, 20, 15, 0, 19, 21, 28, 29, 0, 3]
    assert levels(s, 0) == [1, 1, 2, 5]


def test_the_knowledge_check_in_parts() -> None:
    """AE-E1  Each device of the Knowledge Check is where the rulebook sees it, and there is no other."""
    assert compute_devices(28, 29, 3, interviews=("matthew",))[0] == 1
    for witness in ("magdalene", "clopas"):
        assert compute_devices(2, 20, 15, 0, 19, 21, 28, 29, 0, 3, interviews=(witness,))[0] == 0
    assert compute_devices(15, 19, 21, 29)[1] == 1
    assert compute_devices(15, 19, 21, 28)[2] == 1
    assert compute_devices(19, 21, 28, 29)[2] == 1
    assert compute_devices(15, 19, 21, 28, 29)[3] == 5


def test_empty_slots_do_not_interrupt() -> None:
    """AE-9.1  The positions of empty slots do not change the levels."""
    held = ("peter",)
    assert (
        compute_devices(7, 10, 12, 18, interviews=held)
        == compute_devices(7, 0, 0, 10, 0, 12, 0, 18, interviews=held)
        == [1, 0, 0, 4]
    )


def test_inclusio_needs_three_in_a_row_and_the_card() -> None:
    """AE-9.2  An inclusio needs three cards in a row and the interview card.

    Two cards, or no interview card, are not enough.
    """
    assert compute_devices(7, 10, 12, interviews=("peter",))[0] == 1
    assert compute_devices(7, 10, interviews=("peter",))[0] == 0
    assert compute_devices(7, 10, 12)[0] == 0
    assert compute_devices(7, 10, 1, 12, interviews=("peter",))[0] == 0


def test_inclusio_counts_each_witness_once() -> None:
    """AE-9.2, AE-R20  A longer or second run with the same witness adds nothing, but a second witness does."""
    assert compute_devices(7, 10, 12, 18, 20, interviews=("peter",))[0] == 1
    assert compute_devices(7, 10, 12, 1, 18, 19, 20, interviews=("peter",))[0] == 1
    assert compute_devices(7, 10, 12, interviews=("peter", "andrew"))[0] == 2  # AE-9.6: the same cards frame both


def test_emphasis_is_four_of_a_motif_anywhere() -> None:
    """AE-9.3  Three cards of a motif make no emphasis, four do. Cards between them do not matter."""
    assert compute_devices(8, 10, 15)[1] == 0
    assert compute_devices(8, 1, 10, 2, 15, 4, 18)[1] >= 1
    assert compute_devices(8, 10, 15, 18)[1] == 1


def test_emphasis_counts_sets_of_four() -> None:
    """AE-R21  Seven cards of a motif make one emphasis, eight make two. A card with two motifs counts for both."""
    crowns = (1, 5, 13, 14, 15, 17, 21, 22)
    assert compute_devices(*crowns)[1] == 2
    assert compute_devices(1, 5, 13, 14, 15, 17, 22)[1] == 1
    assert compute_devices(8, 19, 15, 21, 13, 14)[1] == 2  # four palms and four crowns on six cards


def test_eight_of_one_motif() -> None:
    """AE-S11, AE-R21, AE-R22  Eight cards of one motif make two emphases (one with the option), and no chiasm."""
    assert compute_devices(1, 5, 13, 14, 15, 17, 21, 22) == [0, 2, 0, 8]
    assert compute_devices(1, 5, 13, 14, 15, 17, 21, 22, once=True) == [0, 1, 0, 8]


def test_emphasis_once_is_a_table_option() -> None:
    """AE-R21  The match stores the option."""
    row = [1, 5, 13, 14, 15, 17, 21, 22]
    assert levels(table(seats=2, round_=3, gospels={0: row}), 0)[1] == 2
    assert levels(table(seats=2, round_=3, gospels={0: row}, variants={"emphasis_once_per_motif": True}), 0)[1] == 1


def test_chiasm_has_two_motifs() -> None:
    """AE-9.4, AE-R22  A chiasm has one motif outside and another inside."""
    assert compute_devices(13, 8, 19, 14)[2] == 1  # crown, palm, palm, crown
    assert compute_devices(13, 14, 8, 19)[2] == 0
    assert compute_devices(13, 14, 28, 22)[2] == 0  # crowns are outside and inside, but the coins are in wrong places
    assert compute_devices(17, 13, 14, 22)[2] == 1  # crown and coin outside, crown inside: coin and crown differ


def test_chiasms_overlap() -> None:
    """AE-9.4, AE-9.6  Each four cards of a chiasm count once, and a card may belong to several chiasms."""
    assert compute_devices(15, 19, 21, 28)[2] == 1
    assert compute_devices(15, 19, 21, 28, 29)[2] == 2


def test_chronology_is_the_longest_rising_run() -> None:
    """AE-9.5, AE-R23  Chronology counts rising runs of at least 3 cards. Shorter runs have no cube."""
    assert compute_devices(1, 2)[3] == 0
    assert compute_devices(1, 2, 3)[3] == 3
    assert compute_devices(4, 1, 2)[3] == 0
    assert compute_devices(20, 21, 5, 6, 7, 8, 1)[3] == 4
    assert compute_devices()[3] == 0


def test_a_card_that_breaks_devices() -> None:
    """AE-S10, AE-9.7  Card 34 between 10 and 12 lowers inclusio and chronology and makes a chiasm."""
    s = table(
        seats=2,
        pawns=["corinth", "antioch"],
        boxes={"corinth": [34, 31]},
        gospels={0: [7, 10, 0, 12, 18, 0]},
        interviews={0: ["peter"]},
        tokens=[0, 0],
    )
    assert levels(s, 0) == [1, 0, 0, 4]
    play(s, "tradition", "keep 0", "none", "slot 3")
    assert levels(s, 0) == [0, 0, 1, 3]


def test_meanings_have_no_effect() -> None:
    """AE-9.8  A file with other meanings plays the same match."""
    text = (resources.files("triclinium.games.evangelists") / "data" / "components.toml").read_text("utf-8")
    other = EvangelistsGame(ComponentsFile(text.replace('meaning = "', 'meaning = "not '), "edited.toml"))
    one, two = GAME.deal(3, 9), other.deal(3, 9)
    assert other.file.hash != GAME.file.hash
    rollout(one, Rng(4), 5000)
    rollout(two, Rng(4), 5000)
    assert one.over
    assert one.digest() == two.digest()


def test_tracks_have_no_end() -> None:
    """AE-R25  Ten cards in order reach level 10, and one card for each pair of motifs makes five emphases."""
    assert compute_devices(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)[3] == 10
    pairs = {mask: card + 1 for card, mask in enumerate(C.motifs) if mask.bit_count() == 2}
    assert len(pairs) == 10
    assert compute_devices(*pairs.values())[1] == 5


def test_levels_depend_on_gospel_and_cards_alone() -> None:
    """AE-R24  The levels on the table equal those computed from the gospels and cards."""
    s = table(
        seats=2,
        pawns=["corinth", "antioch"],
        boxes={"corinth": [12, 31]},
        witnesses={"corinth": "peter"},
        gospels={0: [7, 10, 0, 0, 18, 0]},
        tokens=[0, 0],
    )
    play(s, "tradition", "keep 0", "none", "slot 3", "interview", "weak", "rearrange weak", "leaf 3", "position 1")
    assert gospel(s, 0) == [18, 0, 7, 10, 12, 0]
    assert levels(s, 0) == compute_devices(18, 7, 10, 12, interviews=("peter",)) == [1, 0, 0, 3]
