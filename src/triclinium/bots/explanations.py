"""Why one option is better than another: what the evaluation sees after the one and not after the other.

Both are played in worlds that the deciding seat cannot tell from the true one, the action is finished, and the others
answer as their evaluation says. What differs then, feature by feature and seat by seat, is weighed in points; the
largest differences are the reasons, and each game has words for its features. What a rival could do after the one only
is told besides. Nothing here is asked while bots search.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from triclinium.bots.budget import UNHURRIED
from triclinium.bots.core.value import best_option, finish
from triclinium.bots.threats import Answers, avoided
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.text import Message, SeatName, msgid
from triclinium.engine.game import Game

MOST = 3  # reasons
WORLDS = 6
FEW = 2  # of them, however long they take
ACTION = 150  # positions, at most, that are looked at to finish the action
ANSWERS = 250  # positions, at most, that are looked at until the others have answered
FAINT = 0.15  # a difference that weighs less than this part of the largest one is not told
NOTHING = 0.01  # a difference of less than this part of the game's scale is not told
SAME = 1e-6
LATER = msgid("better in the long run")

Features = list[list[float]]  # of each seat


@dataclass(frozen=True)
class Reason:
    """One thing in which two options differ."""

    feature: str
    seat: Seat  # whose it is
    amount: float  # so much more after the better option
    points: float  # what it is worth to the seat that decides; negative: it is the price of the better option
    sure: bool  # it is so much in every world that the seat can think of
    sentence: str = ""  # in place of a feature: the log's template for what the seat would do after the worse one
    facts: tuple[int, ...] = ()  # what fills `sentence`

    @property
    def gain(self) -> bool:
        return self.points > 0


@dataclass(frozen=True)
class Outcome:
    """What an option leads to in one world."""

    done: Features  # when its action is finished
    answered: Features | None  # when the others have answered; None: the turn goes on, or they take long
    begun: bool  # the others have answered by turns of their own: this one is over
    ended: Features | None  # when they have, this turn ended as soon as its action is done; None: as above
    answers: Answers  # until then


def why(game: Game, s: State, seat: Seat, better: Option, other: Option, seed: int) -> list[Reason]:
    """What speaks for the better of two options of the seat that is asked, and what against it, by weight."""
    return compare(game, s, seat, better, [other], seed)[0]


def compare(
    game: Game, s: State, seat: Seat, better: Option, others: Sequence[Option], seed: int, seconds: float = UNHURRIED
) -> list[list[Reason]]:
    """The same for each of several others; few worlds are looked into where this takes long."""
    rng = Rng(seed)
    end = time.thread_time() + seconds
    found: list[list[Outcome]] = []
    for n in range(WORLDS if game.secrets else 1):
        if n >= FEW and time.thread_time() > end:
            break
        world = s.resample(seat, rng)
        found.append([outcome(game, world, seat, o) for o in (better, *others)])
    best, *rest = zip(*found, strict=True)
    return [_reasons(game, seat, best, other) for other in rest]


def outcome(game: Game, world: State, seat: Seat, o: Option) -> Outcome:
    """Play the option in a world, finish its action, and let the others answer; then end the turn if it goes on."""
    t = world.clone()
    t.choose(o)
    finish(game.evaluator, t, seat, game.weights.each, ACTION)
    done, answers = _features(game, t), Answers()
    answered = _features(game, t) if t.who != seat and _answered(game, t, seat, answers) else None
    begun = answers.turns
    ended = _features(game, t) if (begun and answered) or _ended(game, t, seat, answers) else None
    return Outcome(done, answered, begun, ended, answers)


def _answered(game: Game, t: State, seat: Seat, answers: Answers) -> bool:
    """Let the others do what looks best to each, until the seat begins anew; False if that takes long.

    A seat begins at a quiet moment; where these are rounds apart, whenever it is asked.
    """
    ai, weights = game.evaluator, game.weights
    looked = 0
    while t.who != NOBODY:
        begins = weights.horizon > 0 or ai.is_stable(t)
        if t.who == seat and begins:
            return True
        looked += len(t.legal)
        if looked > ANSWERS:
            return False
        answers.turns = answers.turns or begins
        o = best_option(ai, t, t.who, weights.each)
        if t.who == seat:
            t.choose(o)
        else:
            answers.choose(t, o, seat)
    answers.turns = True
    return True


def _ended(game: Game, t: State, seat: Seat, answers: Answers) -> bool:
    """End the turn of the seat, and let the others answer that; False if it cannot be ended here, or takes long."""
    closing = [o for o in t.legal if t.who == seat and game.notation.verb(o).closes]
    if not closing:
        return False
    t.choose(closing[0])
    return t.who != seat and _answered(game, t, seat, answers) and answers.turns


def _features(game: Game, s: State) -> Features:
    return [game.evaluator.features(s, seat) for seat in range(s.seats)]


def _worth(game: Game, features: list[float]) -> float:
    return sum(weight * feature for weight, feature in zip(game.weights.each, features, strict=True))


def _reasons(game: Game, seat: Seat, best: Sequence[Outcome], other: Sequence[Outcome]) -> list[Reason]:
    """The differences that weigh most, those that speak for the better option first."""
    far = all(a.answered and b.answered and a.begun == b.begun for a, b in zip(best, other, strict=True))
    if far:  # both came equally far
        after = [(a.answered or [], b.answered or []) for a, b in zip(best, other, strict=True)]
    else:
        after = [(a.done, b.done) for a, b in zip(best, other, strict=True)]
    found = [one for whose in range(len(after[0][0])) for one in _of_seat(game, seat, whose, after)]
    found.sort(key=lambda one: -abs(one.points))
    least = max([NOTHING * game.weights.scale, *(FAINT * abs(one.points) for one in found[:1])])
    told = _with_a_gain([one for one in found if abs(one.points) >= least])
    told += _threats(game, seat, best, other, least)
    return sorted(told, key=lambda one: not one.gain)


def _threats(game: Game, seat: Seat, best: Sequence[Outcome], other: Sequence[Outcome], least: float) -> list[Reason]:
    """The gravest thing that the better option avoids, where it is worth at least so many points."""
    after = [(a.ended, b.ended) for a, b in zip(best, other, strict=True) if a.ended and b.ended]
    if len(after) < len(best):
        return []
    for one in avoided([a.answers for a in best], [b.answers for b in other], game.secrets):
        whose = seat if one.hits else one.seat
        lost = sum(_worth(game, a[whose]) - _worth(game, b[whose]) for a, b in after) / len(after)
        points = lost if one.hits else -lost / (len(best[0].done) - 1)
        if points >= least:
            return [Reason("", one.seat, 0.0, round(points, 4), True, one.sentence, one.facts)]
    return []


def _of_seat(game: Game, seat: Seat, whose: Seat, after: list[tuple[Features, Features]]) -> list[Reason]:
    """All that differs for a seat; features that are called the same are told as one."""
    found: dict[tuple[str, ...], Reason] = {}
    words, rivals = game.words, len(after[0][0]) - 1
    for place, name in enumerate(game.weights.names):
        texts = () if whose != seat and name in words.turn_features else words.feature_words.get(name, ())
        amounts = [best[whose][place] - other[whose][place] for best, other in after]
        if not texts or not game.weights.each[place] or not _is_reason(amounts):
            continue
        amount = sum(amounts) / len(amounts)
        sure = max(amounts) - min(amounts) < SAME
        points = game.weights.each[place] * amount * (1.0 if whose == seat else -1.0 / rivals)
        if texts in found:
            first = found[texts]
            amount = first.amount * (1.0 + points / first.points)
            name, points, sure = first.feature, first.points + points, sure and first.sure
        found[texts] = Reason(name, whose, round(amount, 4), round(points, 4), sure)
    return list(found.values())


def _is_reason(amounts: list[float]) -> bool:
    """Whether worlds agree: no world says the opposite, and at least half of them say it."""
    more = sum(1 for amount in amounts if amount > SAME)
    less = sum(1 for amount in amounts if amount < -SAME)
    return min(more, less) == 0 and 2 * max(more, less) >= len(amounts)


def _with_a_gain(told: list[Reason]) -> list[Reason]:
    """The heaviest; among them what speaks for the better option most, if anything does."""
    first = told[:MOST]
    gains = [one for one in told if one.gain]
    return first if not gains or gains[0] in first else [*first[:-1], gains[0]]


def reason_text(game: Game, reason: Reason, seat: Seat) -> Message:
    """A reason in words: ``+4 marks``, ``Ben: -1 octagon``; ``seat`` is who decides."""
    if reason.sentence:
        return Message("Otherwise perhaps: {0}", Message(reason.sentence, *reason.facts, who=reason.seat))
    said = game.words.feature(reason.feature, reason.amount, reason.sure)
    return said if reason.seat == seat else Message("{0}: {1}", SeatName(reason.seat), said)


def told(game: Game, reasons: Sequence[Reason], seat: Seat) -> Message:
    """All reasons in one sentence: ``+4 marks; Ben: -2 marks; but -1 octagon``, and what is avoided in another."""
    threats = [reason_text(game, one, seat) for one in reasons if one.sentence]
    rest = [one for one in reasons if not one.sentence]
    if threats:
        return Message("{0}. {1}", _weighed(game, rest, seat), threats[0]) if rest else threats[0]
    return _weighed(game, rest, seat)


def _weighed(game: Game, reasons: Sequence[Reason], seat: Seat) -> Message:
    gains = [reason_text(game, one, seat) for one in reasons if one.gain]
    costs = [reason_text(game, one, seat) for one in reasons if not one.gain]
    if not gains:
        return Message("better in the long run, despite {0}", _in_a_row(costs)) if costs else Message(LATER)
    return Message("{0}; but {1}", _in_a_row(gains), _in_a_row(costs)) if costs else _in_a_row(gains)


def _in_a_row(said: Sequence[Message]) -> Message:
    first, *rest = said
    return Message("{0}; {1}", first, _in_a_row(rest)) if rest else first
