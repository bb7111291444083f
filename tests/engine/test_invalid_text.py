"""Tests that any input causes at most one of our errors with a sentence."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.test_record import SHORT, play_match
from tests.toy import TOY
from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadComponents, BadNotation, BadRecord, Refused, TricliniumError
from triclinium.engine.core.rng import SEED_LIMIT, Rng
from triclinium.engine.record import Record

WHOLE = play_match(3).record.dumps()
WORDS = st.sampled_from([*" ".join([WHOLE, SHORT]).split(), "hidden", "open", "-1", "²", "1_0", "9" * 50, "\x85", ""])


def fault(kind: type[TricliniumError], call: Callable[[], object]) -> str | None:
    """Return the message of this kind of error, or None without an error. Any other error is a failure."""
    try:
        call()
    except kind as error:
        return str(error)
    return None


@given(st.text() | st.lists(WORDS, max_size=4).map(" ".join))
def test_any_text_as_an_option(text: str) -> None:
    if fault(BadNotation, lambda: TOY.read(text)) is None:
        assert TOY.read(TOY.format_option(TOY.read(text))) == TOY.read(text)


@given(st.integers())
def test_any_number_as_an_option(o: int) -> None:
    s = TOY.deal(2, 1)
    before = s.digest()
    refused = fault(Refused, lambda: s.play(o))
    assert (refused is None) == (s.digest() != before)
    assert refused is None or str(o) in refused


@given(st.text())
def test_any_text_as_a_record(text: str) -> None:
    found = fault(BadRecord, lambda: Record.loads(text))
    assert found is not None
    assert found.startswith("record: line 1 ")


@given(st.integers(0, len(WHOLE.splitlines()) - 1), st.lists(WORDS, max_size=3).map(" ".join))
def test_a_record_with_any_line_changed(at: int, line: str) -> None:
    """The record replays or gives a reason."""
    lines = WHOLE.splitlines()
    lines[at] = line
    found = fault(BadRecord, lambda: Record.loads("\n".join(lines)).replay(game=TOY))
    assert found != ""


@given(st.text())
def test_any_text_as_components(text: str) -> None:
    found = fault(BadComponents, lambda: ComponentsFile(text, "mine.toml"))
    assert found is None or found.startswith("mine.toml is not readable TOML")


@given(st.integers(0, SEED_LIMIT - 1), st.integers(1, 1 << 31))
def test_any_seed_and_any_die(seed: int, sides: int) -> None:
    rng = Rng(seed)
    draws = [rng.below(sides) for _ in range(20)]
    assert all(0 <= draw < sides for draw in draws)
    items = draws[:]
    rng.shuffle(items)
    assert sorted(items) == sorted(draws)
    assert all(0 < lane < 1 << 31 for lane in rng.state_key())
