"""What a viewer can tell of the scores in the middle of a match."""

from tests.toy import TOY, Toy, cards
from triclinium.kernel.known import known_scores
from triclinium.kernel.rng import Rng
from triclinium.kernel.rollout import rollout
from triclinium.kernel.score import Line, Score
from triclinium.kernel.state import NOBODY


class Counting(Toy):
    """Figs with a score that counts the hidden hands too."""

    def clone(self) -> "Counting":
        return counting_from(super().clone())

    def scores(self) -> list[Score]:
        found: list[Score] = []
        for score in super().scores():
            points = sum(self.values[card] for card in cards(self.hands[score.seat]))
            lines = [*score.lines, Line("hand", points)]
            found.append(Score(score.seat, score.rank, score.total + points, lines))
        return found


def counting_from(toy: Toy) -> Counting:
    """The same match, scored otherwise."""
    t = Counting()
    toy.carry(t)
    for name in Toy.__annotations__:
        setattr(t, name, getattr(toy, name))
    return t


def counting(seed: int) -> Counting:
    toy = TOY.deal(3, seed)
    assert isinstance(toy, Toy)
    return counting_from(toy)


def test_what_hangs_on_hidden_cards_is_not_told() -> None:
    """A seat knows its own hand's points and nobody else's; a spectator knows none."""
    s = counting(3)
    mine = sum(s.values[card] for card in cards(s.hands[1]))
    known = known_scores(TOY, s, 1)
    assert [score.lines["hand"] for score in known] == [None, mine, None]
    assert [score.total for score in known] == [None, 3 + mine, None]
    assert [score.lines["coins"] for score in known] == [3, 3, 3]
    assert [score.lines["hand"] for score in known_scores(TOY, s, NOBODY)] == [None, None, None]
    assert known[0].to_json() == {
        "seat": 0,
        "rank": known[0].rank,
        "total": None,
        "lines": {"laid": 0, "coins": 3, "joined": 0, "hand": None},
    }


def test_the_truth_is_not_consulted() -> None:
    """In every world that the seat cannot tell apart the answer is the same."""
    s = counting(5)
    told = [score.to_json() for score in known_scores(TOY, s, 0)]
    for seed in range(5):
        world = s.resample(0, Rng(seed))
        assert [score.to_json() for score in known_scores(TOY, world, 0)] == told


def test_asking_changes_nothing() -> None:
    s = counting(5)
    before = s.digest()
    known_scores(TOY, s, 0)
    assert s.digest() == before


def test_everything_is_known_when_the_match_is_over() -> None:
    s = TOY.deal(3, 4)
    rollout(s, Rng(1), TOY.bound)
    assert s.over
    known = known_scores(TOY, s, NOBODY)
    assert [(score.rank, score.total) for score in known] == [(score.rank, score.total) for score in s.scores()]
    assert [list(score.lines.values()) for score in known] == [
        [line.points for line in score.lines] for score in s.scores()
    ]
