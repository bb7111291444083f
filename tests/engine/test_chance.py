"""Tests of the random numbers of real matches: a keyed stream, fair, equal everywhere, and unpredictable."""

import hashlib
from collections import Counter
from math import prod

import pytest

from tests.engine.rng_attack import A, M, predict_next_draw, reconstruct_draws, recover_state
from triclinium.engine.core.chance import KEY_LIMIT, KeyedRng, create_keyed_rng
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.rng import Rng

DECK = 75  # number of cards, as in Portals and Prophets
SEEN = 12  # number of them that are visible


def compute_stream(key: bytes, draws: list[int]) -> list[int]:
    """Return the documented stream, computed independently."""
    words: list[int] = []
    block = 0
    found: list[int] = []
    for n in draws:
        while True:
            if not words:
                digest = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
                words = [int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 // n * n:
                found.append(word % n)
                break
    return found


def test_the_stream_never_changes() -> None:
    """These numbers are the same on every machine, build and Python version."""
    rng = create_keyed_rng(7)
    assert [rng.below(100) for _ in range(10)] == [1, 61, 77, 95, 78, 15, 71, 40, 37, 2]
    assert rng.state_key() == (7, 10)
    rng = create_keyed_rng(KEY_LIMIT - 1)
    assert [rng.below(6) for _ in range(10)] == [3, 0, 1, 4, 0, 1, 5, 0, 2, 2]


def test_the_stream_is_sha256_in_counter_mode() -> None:
    for seed in (0, 7, 1 << 60, KEY_LIMIT - 1):
        draws = [2, 3, 52, 5550, 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 31) + 1] * 8
        rng = create_keyed_rng(seed)
        assert [rng.below(n) for n in draws] == compute_stream(seed.to_bytes(16, "big"), draws)


def test_draws_have_no_modulo_bias() -> None:
    """Words beyond the last complete range of n are discarded, not folded onto the first numbers."""
    n = 3 << 30  # discards a quarter of all words; folding would make the first third twice as likely
    rng = create_keyed_rng(1)
    low = sum(rng.below(n) < n // 3 for _ in range(30_000))
    assert 9_600 < low < 10_400
    assert 39_000 < rng.state_key()[1] < 41_000  # number of words that were used
    counts = Counter(rng.below(7) for _ in range(70_000))
    assert all(9_600 < counts[i] < 10_400 for i in range(7))


def test_a_shuffle_follows_its_draws() -> None:
    """An independent computation agrees: the last place is filled first, with several places per draw."""
    for size in (0, 1, 2, 3, 12, 13, 36, 75, 200):
        deck = list(range(size))
        create_keyed_rng(size).shuffle(deck)
        rng = create_keyed_rng(size)
        items = list(range(size))
        left = size
        while left > 1:
            many = [left]
            while len(many) < left - 1 and prod(many) * (left - len(many)) <= 1 << 30:
                many.append(left - len(many))
            drawn = rng.below(prod(many))
            for n in many:
                drawn, i = divmod(drawn, n)
                items[i], items[n - 1] = items[n - 1], items[i]
            left -= len(many)
        assert deck == items
        assert sorted(deck) == list(range(size))


def test_a_shuffle_reaches_every_order_equally_often() -> None:
    rng = create_keyed_rng(9)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        deck = [0, 1, 2, 3]
        rng.shuffle(deck)
        counts[tuple(deck)] += 1
    assert len(counts) == 24
    assert all(850 < count < 1150 for count in counts.values())


def test_a_copy_has_the_same_stream_and_a_fork_another() -> None:
    rng = create_keyed_rng(3)
    for start in range(10):
        copy = rng.copy()
        assert copy.state_key() == rng.state_key()
        assert [copy.below(1000) for _ in range(20)] == [rng.below(1000) for _ in range(20)]
        fork = rng.fork()
        assert isinstance(fork, KeyedRng)
        assert fork.state_key() != rng.state_key()
        assert start == 0 or [fork.below(1000) for _ in range(9)] != [rng.copy().below(1000) for _ in range(9)]


def test_a_purpose_has_its_own_stream_for_each_number() -> None:
    """Its key is the key of the match, the purpose as four bytes and the number as eight, whatever was drawn before."""
    rng = create_keyed_rng(7)
    key = (7).to_bytes(16, "big")
    for purpose, n in ((0, 0), (1, 0), (0, 1), (3, 1 << 40)):
        rng.below(10)
        own = key + purpose.to_bytes(4, "big") + n.to_bytes(8, "big")
        stream = rng.derive(purpose, n)
        assert [stream.below(n) for n in (2, 52, 1 << 30)] == compute_stream(own, [2, 52, 1 << 30])
    assert rng.state_key() == (7, 4), "streams for one purpose take nothing from the match's stream"
    plain = Rng(7)
    assert plain.derive(3, 4) is plain


def test_cards_that_two_piles_share_come_in_the_same_order() -> None:
    """Each card takes the word of the stream whose place is its number, and the pile is sorted by them."""
    rng = create_keyed_rng(11)
    for n in range(40):
        deck, other = list(range(75)), [card for card in range(90) if card % 7]
        rng.order(2, n, deck)
        rng.order(2, n, other)
        assert [card for card in deck if card in other] == [card for card in other if card in deck]
        words = rng.derive(2, n)
        numbers = [words.below(1 << 32) for _ in range(90)]
        assert deck == sorted(range(75), key=lambda card: numbers[card])
    assert rng.state_key() == (11, 0)


def test_ordering_reaches_every_order_equally_often() -> None:
    rng = create_keyed_rng(9)
    counts: Counter[tuple[int, ...]] = Counter()
    for n in range(24_000):
        deck = [5, 8, 9, 30]
        rng.order(1, n, deck)
        counts[tuple(deck)] += 1
    assert len(counts) == 24
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.parametrize("seed", [-1, KEY_LIMIT, 10**60])
def test_a_key_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(BadSetup, match=r"a seed is a whole number from 0 to 2\^128 - 1"):
        create_keyed_rng(seed)


def next_foretold(rng: Rng) -> bool:
    """Return whether a few consecutive draws, out of thousands, predict the next three."""
    many = [DECK * (DECK - 1)] * 6
    draws = [(rng.below(n), n) for n in many]
    state = recover_state(draws)
    for _ in many:
        state = state * A % M
    for n in many[:3]:
        if predict_next_draw(state, n) != rng.below(n):
            return False
        state = state * A % M
    return True


def predict_hidden_cards(rng: Rng) -> bool:
    """Return whether the open cards of a deck reveal the others if it is shuffled with two places per draw."""
    printed = list(range(DECK))
    deck = printed[:]
    Rng.shuffle(rng, deck)
    draws = reconstruct_draws(deck, printed, SEEN)
    assert len(draws) == SEEN // 2
    state = recover_state(draws)
    guess = printed[:]
    size = DECK
    while size > 1:
        last = size - 1
        both = predict_next_draw(state, size * last)
        i, j = both // last, both % last
        guess[i], guess[last] = guess[last], guess[i]
        guess[j], guess[last - 1] = guess[last - 1], guess[j]
        state = state * A % M
        size -= 2
    return guess == deck


def test_open_cards_predict_the_old_generator_but_not_the_new() -> None:
    """With twelve open cards of 75, lattice reduction solves the linear generator but not the keyed stream."""
    assert sum(predict_hidden_cards(Rng(seed)) for seed in range(20)) >= 18
    assert sum(predict_hidden_cards(create_keyed_rng(seed)) for seed in range(20)) == 0
    assert sum(next_foretold(Rng(seed)) for seed in range(20)) >= 18
    assert sum(next_foretold(create_keyed_rng(seed)) for seed in range(20)) == 0
