"""Tests of the shuffle commitment: every step of the check, and every way in which it can fail."""

import hashlib

import pytest

from tests.toy import TOY
from triclinium.engine.commitment import SealCheck, check_seal, compute_seal, summarize_checks
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.text import Reader
from triclinium.engine.match import Match
from triclinium.engine.record import Record

SALT = "5a" * 16


def play_sealed_match(seed: int = 12345 << 100) -> Record:
    """Return the record of a complete match with a shuffle commitment."""
    match = Match(TOY, 2, seed)
    rng = Rng(1)
    while not match.state.over:
        match.play(TOY.format_option(rng.pick(match.state.options())))
    record = match.record
    record.salt = SALT
    record.seal = compute_seal(record.format_seed(), SALT)
    return record


def list_checks(made: list[SealCheck]) -> list[tuple[str, bool]]:
    return [(Reader().read(check.what), check.holds) for check in made]


def test_a_seal_equals_the_output_of_sha256sum() -> None:
    record = play_sealed_match()
    text = f"{SALT}:{12345 << 100:032x}"
    assert record.seal == hashlib.sha256(text.encode()).hexdigest()


def test_a_valid_seal_is_confirmed() -> None:
    record = play_sealed_match()
    made = check_seal(record, record.seal[:8].upper(), TOY)
    assert list_checks(made) == [
        ("The seal in the record equals the one you copied.", True),
        ("The SHA-256 hash of the salt, a colon and the key equals the seal.", True),
        (f"The key produces this match: its {len(record.options)} moves and its final result follow from it.", True),
    ]
    assert made[1].detail == f"SHA-256({SALT}:{record.format_seed()}) = {record.seal}"
    assert summarize_checks(made).text.startswith("The shuffle is the one")


def test_a_different_copied_seal_is_reported() -> None:
    made = check_seal(play_sealed_match(), "0" * 64, TOY)
    assert list_checks(made) == [("The seal in the record equals the one you copied.", False)]
    assert summarize_checks(made).text.startswith("This does not prove")


def test_a_key_without_its_seal_is_reported() -> None:
    """The check fails if any bit of the key differs."""
    for bit in (0, 59, 60, 61, 100, 127):
        record = play_sealed_match()
        assert record.seed is not None
        record.seed ^= 1 << bit
        assert list_checks(check_seal(record, "", TOY)) == [
            ("The SHA-256 hash of the salt, a colon and the key equals the seal.", False)
        ]


def test_a_key_of_another_match_is_reported() -> None:
    record = play_sealed_match()
    record.options[0] = "join yes"
    made = check_seal(record, "", TOY)
    assert [check.holds for check in made] == [True, False]
    assert "does not follow" in made[1].detail


def test_a_running_match_shows_the_seal_to_keep() -> None:
    record = play_sealed_match().truncate(2).without_seed()
    made = check_seal(record, record.seal[:12], TOY)
    assert list_checks(made)[-1] == (
        "The salt and the key are shown when the match is over. Keep the seal until then.",
        False,
    )
    assert made[-1].detail == record.seal


def test_a_record_without_a_seal_proves_nothing() -> None:
    assert list_checks(check_seal(Match(TOY, 2, 7).record, "", TOY)) == [
        ("The record contains no seal, so it cannot be checked against one.", False)
    ]


@pytest.mark.parametrize("kept", ["abc", "zz" * 16, "a" * 65, "0x" + "a" * 10])
def test_text_that_is_no_seal_is_refused(kept: str) -> None:
    with pytest.raises(BadSetup, match="a seal is 8 to 64 hexadecimal digits"):
        check_seal(play_sealed_match(), kept, TOY)
