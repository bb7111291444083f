"""Tests of match records as text, and of every way in which they can be wrong."""

import json
from collections.abc import Callable

import pytest

from tests.toy import SHEET, TOY, Figs
from triclinium.engine import registry
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadRecord
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score, compute_lead
from triclinium.engine.core.state import State
from triclinium.engine.match import Match
from triclinium.engine.record import Record


def play_match(seats: int = 2, seed: int = 7, variants: dict[str, object] | None = None) -> Match:
    """Return a complete random match."""
    match = Match(TOY, seats, seed, variants)
    rng = Rng(seed)
    while not match.state.over:
        match.play(TOY.format_option(rng.pick(match.state.options())))
    return match


SHORT = f"""triclinium record 2
game figs
version 1
components {TOY.file.hash}
seats 2
variant gift on
seed 00000000000000000000000000000007
result open

1 stop
2 draw
end 2
"""


SEED = "seed 00000000000000000000000000000007"


def test_another_format_is_refused() -> None:
    """A record in another format is refused: format 1 was never released, and a later format needs a later release."""
    for format in (1, 3):
        with pytest.raises(BadRecord, match=f"line 1 has a different format \\('record {format}'\\)"):
            Record.loads(SHORT.replace("record 2", f"record {format}"))


def test_a_key_is_written_in_full() -> None:
    record = Match(TOY, 2, (1 << 128) - 1).record
    assert f"\nseed {'f' * 32}\n" in record.dumps()
    assert record.to_json()["seed"] == "f" * 32
    assert Record.loads(record.dumps()).seed == (1 << 128) - 1


def test_a_sealed_record_has_its_salt_only_with_its_seed() -> None:
    record = play_match().record
    record.seal, record.salt = "ab" * 32, "cd" * 16
    assert f"\n{SEED}\nseal {record.seal}\nsalt {record.salt}\nresult " in record.dumps()
    again = Record.loads(record.dumps())
    assert (again.seal, again.salt, again.dumps()) == (record.seal, record.salt, record.dumps())
    hidden = record.without_seed().dumps()
    assert f"\nseed hidden\nseal {record.seal}\nresult " in hidden
    assert record.salt not in hidden
    assert Record.loads(hidden).seal == record.seal


def test_a_record_has_the_documented_format() -> None:
    match = Match(TOY, 2, 7, {"gift": True, "rounds": 4})
    match.play("stop")
    match.play("draw")
    assert match.record.dumps() == SHORT


def test_text_and_back() -> None:
    for seats in (2, 3):
        record = play_match(seats, 3, {"gift": True, "rounds": 6}).record
        again = Record.loads(record.dumps())
        assert again.dumps() == record.dumps()
        assert again.to_json() == record.to_json()
        assert again.variants == {"gift": "on", "rounds": "6"}


def test_replay_equals_play(figs: Figs) -> None:
    match = play_match(3)
    record = Record.loads(match.record.dumps())
    assert record.replay().digest() == match.state.digest()
    assert record.replay(game=figs).digest() == match.state.digest()


def test_replay_until(figs: Figs) -> None:
    record = play_match().record
    s = figs.deal(2, 7)
    assert record.replay(move_count=0).digest() == s.digest()
    s.play(figs.read(record.options[0]))
    assert record.replay(move_count=1).digest() == s.digest()
    assert record.replay(move_count=10_000).over
    assert record.truncate(1).options == record.options[:1]
    assert record.truncate(1).result is None


def test_a_record_as_json() -> None:
    match = play_match()
    found = json.loads(json.dumps(match.record.to_json()))
    assert found["game"] == "figs"
    assert found["options"] == match.record.options
    assert found["result"] == [{"rank": score.rank, "total": score.total} for score in match.game.scores(match.state)]
    assert Record.loads(SHORT).to_json()["result"] is None


def test_blank_lines_and_trailing_spaces_do_no_harm() -> None:
    assert Record.loads(SHORT.replace("\n1 stop", "\n\n  1 stop  ")).options == ["stop", "draw"]
    assert Record.loads(SHORT.replace("\n", "\r\n")).dumps() == SHORT


# -- records that cannot be read -------------------------------------------------------------------------------------


def drop_lines(line: str) -> Callable[[str], str]:
    return lambda text: "".join(f"{one}\n" for one in text.splitlines() if not one.startswith(line))


def make_replacer(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new)


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda text: "", "x.rec: line 1 should be 'triclinium record 2'"),
        (lambda text: "hello\n" + text, "x.rec: line 1 should be 'triclinium record 2'"),
        (make_replacer("record 2", "record 3"), "x.rec: line 1 has a different format ('record 3')"),
        (drop_lines("game"), "x.rec: line 2 should give the game"),
        (make_replacer("game figs", "game"), "x.rec: line 2 should give the game"),
        (drop_lines("version"), "x.rec: line 3 should give the version"),
        (make_replacer("version 1", "version one"), "x.rec: line 3 must have a whole number, not 'one'"),
        (drop_lines("components"), "x.rec: line 4 should give the components"),
        (make_replacer("seats 2", "seats two"), "x.rec: line 5 must have a whole number, not 'two'"),
        (make_replacer("variant gift on", "variants gift on"), "x.rec: line 6 should give the seed"),
        (make_replacer(SEED, "seed x"), "x.rec: line 7 must have 32 hexadecimal digits, not 'x'"),
        (make_replacer(SEED, "seed " + "G" * 32), f"x.rec: line 7 must have 32 hexadecimal digits, not '{'G' * 32}'"),
        (drop_lines("seed"), "x.rec: line 7 should give the seed"),
        (make_replacer("result open", "result 1:"), "x.rec: line 8 must have a whole number, not ''"),
        (make_replacer("result open", "result 1:a 2:3"), "x.rec: line 8 must have a whole number, not 'a'"),
        (make_replacer("2 draw", "3 draw"), "x.rec: line 11 should be move number 2"),
        (make_replacer("2 draw", "draw"), "x.rec: line 11 should be move number 2"),
        (make_replacer("2 draw", "2"), "x.rec: line 11 should be move number 2"),
        (make_replacer("end 2", "end 3"), "x.rec: line 12 should be 'end 2'"),
        (lambda text: text + "3 stop\n", "x.rec: line 13 comes after the end of the record"),
        (lambda text: text + "\n\n" + text, "x.rec: line 15 comes after the end of the record"),
        (
            drop_lines("end"),
            "x.rec: line 11 is the last one, and the closing line is missing: half-written after move 2",
        ),
        (
            lambda text: text[: text.index("2 draw")],
            "x.rec: line 10 is the last one, and the closing line is missing: half-written after move 1",
        ),
        (
            lambda text: text[: text.index("seats")],
            "x.rec: line 4 is the last one, and 'seats' is missing: half-written",
        ),
    ],
)
def test_a_damaged_record_is_reported_with_line_and_reason(spoil: Callable[[str], str], complaint: str) -> None:
    with pytest.raises(BadRecord) as caught:
        Record.loads(spoil(SHORT), "x.rec")
    assert str(caught.value) == complaint


def test_a_number_of_any_length_is_read_without_harm() -> None:
    with pytest.raises(BadRecord):
        Record.loads(SHORT.replace(SEED, "seed " + "9" * 10_000)).replay(game=TOY)


# -- records that do not replay --------------------------------------------------------------------------------------


def test_an_unknown_version_is_refused(figs: Figs) -> None:
    record = Record.loads(SHORT.replace("version 1", "version 3"))
    with pytest.raises(BadRecord, match="there is no version 3 of the rules of figs; the installed version is 1"):
        record.replay()


def test_a_record_of_another_game_is_refused() -> None:
    class Dates(Figs):
        id = "dates"

    with pytest.raises(BadRecord, match="record of figs, not of dates"):
        Record.loads(SHORT).replay(game=Dates(TOY.file))


def test_other_components_need_the_game_that_has_them(figs: Figs) -> None:
    edited = figs.with_components(ComponentsFile(SHEET.replace("coins = 3", "coins = 4"), "mine.toml"))
    match = Match(edited, 2, 7)
    match.play("stop")
    with pytest.raises(BadRecord) as caught:
        match.record.replay()
    assert str(caught.value) == (
        f"this record needs the components {edited.file.hash} of figs; installed are {figs.file.hash}"
    )
    assert match.record.replay(game=edited).digest() == match.state.digest()


def test_the_same_options_on_edited_components(figs: Figs) -> None:
    """`replay(game=edited)` gives the result of the same match on another file and ignores the old result."""
    record = play_match().record
    edited = figs.with_components(ComponentsFile(SHEET.replace("coins = 3", "coins = 9"), "mine.toml"))
    assert edited.file.hash != figs.file.hash
    assert record.replay(game=edited).over


def test_the_hash_is_over_the_data_not_over_the_text() -> None:
    commented = ComponentsFile(
        "# a remark\n" + SHEET.replace("hand = 3\ncoins = 3", "coins = 3\nhand = 3"), "mine.toml"
    )
    assert commented.hash == TOY.file.hash


def test_an_illegal_move_is_reported_with_its_number(figs: Figs) -> None:
    record = Record.loads(SHORT.replace("2 draw", "2 join yes"))
    with pytest.raises(BadRecord) as caught:
        record.replay()
    assert str(caught.value) == (
        "move 2 ('join yes') does not follow: cannot join yes: this decision is not open now (K-1)"
    )


def test_an_unreadable_move_is_reported_with_its_number(figs: Figs) -> None:
    record = Record.loads(SHORT.replace("2 draw", "2 drew"))
    with pytest.raises(BadRecord, match=r"move 2 \('drew'\) cannot be read: .*did you mean 'draw'"):
        record.replay()


def test_a_move_after_the_end_is_reported_with_its_number(figs: Figs) -> None:
    record = play_match().record
    record.options.append("stop")
    with pytest.raises(BadRecord, match=rf"move {len(record.options)} .*the match is over \(K-2\)"):
        record.replay()


def test_a_hidden_seed_can_be_read_and_not_replayed(figs: Figs) -> None:
    match = play_match()
    hidden = match.record.without_seed()
    assert match.record.seed == 7
    text = hidden.dumps()
    assert "seed hidden" in text
    again = Record.loads(text)
    assert again.seed is None
    with pytest.raises(BadRecord, match="hidden until its match is over"):
        again.replay()


def test_a_wrong_result_is_refused(figs: Figs) -> None:
    record = play_match().record
    assert record.result is not None
    record.result[0] = (1, 1000)
    with pytest.raises(BadRecord, match="the result in the record is"):
        record.replay()
    assert record.replay(move_count=3).digest() == play_match().record.replay(move_count=3).digest()


def test_a_result_before_the_end_is_refused(figs: Figs) -> None:
    with pytest.raises(BadRecord, match="its options give none"):
        Record.loads(SHORT.replace("result open", "result 1:3 1:3")).replay()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("seats 2", "seats 5", "figs is played with 2 to 3 seats, not 5"),
        ("variant gift on", "variant gift maybe", "the variant gift is off or on, not maybe"),
        ("variant gift on", "variant gigt on", "did you mean 'gift'"),
    ],
)
def test_a_match_that_cannot_be_dealt_is_refused(figs: Figs, old: str, new: str, complaint: str) -> None:
    with pytest.raises(BadRecord, match=f"cannot deal the match of this record: .*{complaint}"):
        Record.loads(SHORT.replace(old, new)).replay()


def test_a_record_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(BadRecord, match="not installed: there is no game 'gigs'"):
        Record.loads(SHORT.replace("game figs", "game gigs")).replay()


# -- games without points --------------------------------------------------------------------------------------------


class Race(Figs):
    """Figs with ranks only."""

    has_points = False

    def scores(self, s: State) -> list[Score]:
        return [Score(score.seat, score.rank, None, score.lines) for score in super().scores(s)]


def play_race() -> Match:
    match = Match(Race(TOY.file), 2, 5)
    while not match.state.over:
        match.play(TOY.format_option(match.state.legal[0]))
    return match


def test_a_game_without_points_keeps_ranks() -> None:
    record = play_race().record
    ranks = " ".join(str(rank) for rank, _ in record.result or [])
    assert f"\nresult {ranks}\n" in record.dumps()
    again = Record.loads(record.dumps())
    assert again.result == record.result
    assert [one["total"] for one in again.to_json()["result"]] == [None, None]  # type: ignore[attr-defined]


def test_wrong_ranks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results with other ranks, or with totals in a game without points, are refused."""
    monkeypatch.setattr(registry, "_loaded", {"figs": Race(TOY.file)})
    record = play_race().record
    assert record.result is not None
    ranks = [rank for rank, _ in record.result]
    for wrong in ([(3 - rank, None) for rank in ranks], [(rank, 7) for rank in ranks]):
        record.result = list(wrong)
        with pytest.raises(BadRecord, match="the result in the record is"):
            record.replay()


def test_a_lead_is_in_points_or_in_ranks() -> None:
    assert compute_lead([Score(0, 1, 9, []), Score(1, 2, 4, []), Score(2, 3, 1, [])], [0, 2]) == 5
    assert compute_lead([Score(0, 1, None, []), Score(1, 3, None, []), Score(2, 2, None, [])], [1]) == -2
