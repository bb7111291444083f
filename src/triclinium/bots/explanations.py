"""Explanations why one option is better than another, from differences in the evaluation.

Both options are played in worlds that the deciding seat cannot distinguish from the true one. The action is finished,
and the other seats answer by their own evaluation. The differences are weighed in points for each feature and seat. The
largest ones become reasons, and each game has words for its features. Threats that only one option allows are added.
Bots do not use this during search.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from triclinium.bots.budget import UNHURRIED_SECONDS
from triclinium.bots.core.value import find_best_option, finish_action
from triclinium.bots.threats import RivalAnswers, find_avoided_threats
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.text import Message, SeatName, msgid
from triclinium.engine.game import Game

MAX_REASONS = 3
WORLDS = 6
MIN_WORLDS = 2  # minimum number of worlds, even if they take long
MAX_ACTION_POSITIONS = 150  # limit of positions for finishing the action
MAX_ANSWER_POSITIONS = 250  # limit of positions until all other seats have answered
MIN_RELATIVE_POINTS = 0.15  # differences below this part of the largest one are left out
MIN_GAIN_SHARE = 0.4  # a clearer advantage is preferred if it weighs at least this part of the largest
MIN_COST_SHARE = 0.5  # a cost is mentioned if it weighs at least this part of the advantage
MIN_SCALED_POINTS = 0.01  # differences below this part of the game's scale are left out
MIN_WORLD_SHARE = 2 / 3  # minimum share of the worlds that agree on a clause; a drawn card can change it
TOLERANCE = 1e-6

POINTS_TEXT = msgid("you have {0} more {0:point|points}, if the match ended now")

Features = list[list[float]]  # the features of each seat


@dataclass(frozen=True)
class Reason:
    """One difference between two options."""

    feature: str
    seat: Seat  # the seat that the feature belongs to
    amount: float  # the increase after the better option
    points: float  # value for the deciding seat; negative if it is a cost of the better option
    sure: bool  # whether the amount is the same in all sampled worlds
    by_next_turn: bool = False  # whether the amount includes the answers of the other seats
    # a clause, or by the next turn the log template of a threat after the worse option, with its parameters
    sentence: str = ""
    facts: tuple[int, ...] = ()

    @property
    def is_threat(self) -> bool:
        """Return whether it is a move of a rival that only the worse option allows."""
        return bool(self.sentence) and self.by_next_turn

    @property
    def is_gain(self) -> bool:
        return self.points > 0


@dataclass(frozen=True)
class OptionOutcome:
    """The outcome of an option in one world."""

    after_action: Features  # the features after the action is finished
    # the features after the other seats have answered; None if the turn continues or the answers take too long
    after_answers: Features | None
    rivals_had_turns: bool  # whether the others answered with own turns, so that this turn has ended
    # the same features if the turn ends right after the action; None in the same cases
    after_turn_end: Features | None
    answers: RivalAnswers  # answers of the rivals up to then
    position: State  # the position after the action


def explain_choice(game: Game, s: State, seat: Seat, better: Option, other: Option, seed: int) -> list[Reason]:
    """Return the advantages and disadvantages of the better of two options for the asked seat, by importance."""
    return compare_options(game, s, seat, better, [other], seed)[0]


def compare_options(
    game: Game,
    s: State,
    seat: Seat,
    better: Option,
    others: Sequence[Option],
    seed: int,
    seconds: float = UNHURRIED_SECONDS,
) -> list[list[Reason]]:
    """Return the reasons of `explain_choice` against each of several options. It uses fewer worlds if time is short.

    A game's own clause on the two options, if there is one, replaces the differences between the positions after them.
    """
    rng = Rng(seed)
    end = time.thread_time() + seconds
    outcomes: list[list[OptionOutcome]] = []
    for n in range(WORLDS if game.has_secrets else 1):
        if n >= MIN_WORLDS and time.thread_time() > end:
            break
        world = s.resample(seat, rng)
        outcomes.append([simulate_option(game, world, seat, o) for o in (better, *others)])
    best, *rest = zip(*outcomes, strict=True)
    # The clause is on a sampled world, so it cannot reveal anything that the seat does not know.
    clauses = [game.words.describe_choice(world, better, o) for o in others]
    return [
        _find_reasons(game, seat, best, other)
        if clause is None
        else [Reason("", seat, 0.0, game.weights.scale, True, False, *clause)]
        for other, clause in zip(rest, clauses, strict=True)
    ]


def simulate_option(game: Game, world: State, seat: Seat, o: Option) -> OptionOutcome:
    """Play the option in a world, finish its action, let the others answer, and end the turn if it continues."""
    t = world.clone()
    t.choose(o)
    finish_action(game.evaluator, t, seat, game.weights.values, MAX_ACTION_POSITIONS)
    after_action, answers, position = _seat_features(game, t), RivalAnswers(), t.clone()
    after_answers = _seat_features(game, t) if t.who != seat and _play_answers(game, t, seat, answers) else None
    rivals_had_turns = answers.had_turns
    after_turn_end = (
        _seat_features(game, t) if (rivals_had_turns and after_answers) or _end_turn(game, t, seat, answers) else None
    )
    return OptionOutcome(after_action, after_answers, rivals_had_turns, after_turn_end, answers, position)


def _play_answers(game: Game, t: State, seat: Seat, answers: RivalAnswers) -> bool:
    """Let each other seat play what looks best until the seat starts its next turn. Return False at the limit.

    A turn starts at a stable position. In games where these are rounds apart, it starts whenever the seat is asked.
    """
    ai, weights = game.evaluator, game.weights
    positions_seen = 0
    while t.who != NOBODY:
        begins = weights.horizon > 0 or ai.is_stable(t)
        if t.who == seat and begins:
            return True
        positions_seen += len(t.legal)
        if positions_seen > MAX_ANSWER_POSITIONS:
            return False
        answers.had_turns = answers.had_turns or begins
        o = find_best_option(ai, t, t.who, weights.values)
        if t.who == seat:
            t.choose(o)
        else:
            answers.play_option(t, o, seat)
    answers.had_turns = True
    return True


def _end_turn(game: Game, t: State, seat: Seat, answers: RivalAnswers) -> bool:
    """End the seat's turn and let the others answer. Return False if that is impossible or takes too long."""
    closing = [o for o in t.legal if t.who == seat and game.notation.verb_of(o).closes]
    if not closing:
        return False
    t.choose(closing[0])
    return t.who != seat and _play_answers(game, t, seat, answers) and answers.had_turns


def _seat_features(game: Game, s: State) -> Features:
    return [game.evaluator.features(s, seat) for seat in range(s.seats)]


def _weigh_features(game: Game, features: list[float]) -> float:
    return sum(weight * feature for weight, feature in zip(game.weights.values, features, strict=True))


def _find_reasons(
    game: Game, seat: Seat, best: Sequence[OptionOutcome], other: Sequence[OptionOutcome]
) -> list[Reason]:
    """Return the most important differences, with the advantages of the better option first."""
    far = all(
        a.after_answers and b.after_answers and a.rivals_had_turns == b.rivals_had_turns
        for a, b in zip(best, other, strict=True)
    )
    if far:  # both options reached the end of the answers
        after = [(a.after_answers or [], b.after_answers or []) for a, b in zip(best, other, strict=True)]
    else:
        after = [(a.after_action, b.after_action) for a, b in zip(best, other, strict=True)]
    seats = range(len(after[0][0]))
    by_next_turn = far and all(outcome.rivals_had_turns for outcome in best)
    differences = [reason for whose in seats for reason in _compare_seat(game, seat, whose, after, by_next_turn)]
    differences = leave_out_lost_points(game, seat, differences)
    differences.sort(key=lambda reason: -abs(reason.points))
    least = max(
        [
            MIN_SCALED_POINTS * game.weights.scale,
            *(MIN_RELATIVE_POINTS * abs(reason.points) for reason in differences[:1]),
        ]
    )
    positions = [(a.position, b.position) for a, b in zip(best, other, strict=True)]
    important = [reason for reason in differences if abs(reason.points) >= least]
    reasons = _select_reasons(_make_concrete(game, seat, important, positions, least))
    reasons += _find_threats(game, seat, best, other, least)
    return sorted(reasons, key=lambda reason: not reason.is_gain)


def leave_out_lost_points(game: Game, seat: Seat, reasons: list[Reason]) -> list[Reason]:
    """Return the reasons without the seat's points if it has fewer of them in all, because then they are no reason."""
    points = [reason for reason in reasons if reason.seat == seat and reason.feature in game.words.point_features]
    if sum(reason.amount for reason in points) > 0:
        return reasons
    return [reason for reason in reasons if reason not in points]


def _find_clause(
    game: Game, topic: str, seat: Seat, positions: Sequence[tuple[State, State]]
) -> tuple[str, tuple[int, ...]] | None:
    """Return the game's clause on a topic, or on anything for "", if most worlds agree, or None."""
    clauses = Counter(game.words.describe_difference(topic, better, other, seat) for better, other in positions)
    clause, worlds = clauses.most_common(1)[0]
    return clause if worlds >= MIN_WORLD_SHARE * len(positions) else None


def _find_points_clause(
    game: Game, seat: Seat, positions: Sequence[tuple[State, State]]
) -> tuple[str, tuple[int, ...]] | None:
    """Return a clause on the points that the seat has only after the better option, or None."""
    more = {
        (game.scores(better)[seat].total or 0) - (game.scores(other)[seat].total or 0) for better, other in positions
    }
    return (POINTS_TEXT, (min(more),)) if min(more) > 0 else None


def _make_concrete(
    game: Game, seat: Seat, reasons: Sequence[Reason], positions: Sequence[tuple[State, State]], least: float
) -> list[Reason]:
    """Return the reasons, the most important first, with the game's clauses on topics in which the seat gains.

    Features without words are left out where there is no clause. If no advantage is left, the game may have a clause on
    something else that players can see.
    """
    words = game.words
    points: dict[tuple[str, tuple[int, ...]], float] = {}
    clear: list[Reason] = []
    for reason in reasons:
        topic = words.feature_topics.get(reason.feature, "") if reason.seat == seat and reason.is_gain else ""
        clause = _find_clause(game, topic, seat, positions) if topic else None
        if clause is not None:
            points[clause] = points.get(clause, 0.0) + reason.points
        elif reason.feature in words.feature_words:
            clear.append(reason)
    if not points and not any(reason.is_gain for reason in clear):
        clause = _find_clause(game, "", seat, positions) or _find_points_clause(game, seat, positions)
        if clause is not None:
            points[clause] = least
    concrete = [Reason("", seat, 0.0, worth, True, False, *clause) for clause, worth in points.items()]
    return sorted([*clear, *concrete], key=lambda reason: -abs(reason.points))


def _find_threats(
    game: Game, seat: Seat, best: Sequence[OptionOutcome], other: Sequence[OptionOutcome], least: float
) -> list[Reason]:
    """Return the worst threat that the better option avoids, if its value reaches the limit."""
    after = [
        (a.after_turn_end, b.after_turn_end)
        for a, b in zip(best, other, strict=True)
        if a.after_turn_end and b.after_turn_end
    ]
    if len(after) < len(best):
        return []
    for threat in find_avoided_threats([a.answers for a in best], [b.answers for b in other], game.has_secrets):
        whose = seat if threat.hits_decider else threat.seat
        lost = sum(_weigh_features(game, a[whose]) - _weigh_features(game, b[whose]) for a, b in after) / len(after)
        points = lost if threat.hits_decider else -lost / (len(best[0].after_action) - 1)
        if points >= least:
            return [Reason("", threat.seat, 0.0, round(points, 4), True, True, threat.sentence, threat.facts)]
    return []


def _compare_seat(
    game: Game, seat: Seat, whose: Seat, after: list[tuple[Features, Features]], by_next_turn: bool
) -> list[Reason]:
    """Return all differences of one seat that players can see. Features with the same text or topic are combined.

    Those of a rival count only if they are the same in all worlds, because others come from chance or from a guess.
    """
    reasons: dict[tuple[str, ...], Reason] = {}
    words, rivals = game.words, len(after[0][0]) - 1
    for place, name in enumerate(game.weights.names):
        is_of_no_interest = (whose != seat or by_next_turn) and name in words.turn_features
        topic = words.feature_topics.get(name, "")
        texts = () if is_of_no_interest else words.feature_words.get(name, (topic,) if topic and whose == seat else ())
        amounts = [best[whose][place] - other[whose][place] for best, other in after]
        if not texts or not game.weights.values[place] or not _is_reason(amounts):
            continue
        amount = sum(amounts) / len(amounts)
        sure = max(amounts) - min(amounts) < TOLERANCE
        if whose != seat and not sure:
            continue
        points = game.weights.values[place] * amount * (1.0 if whose == seat else -1.0 / rivals)
        if texts in reasons:
            first = reasons[texts]
            amount = first.amount * (1.0 + points / first.points)
            name, points, sure = first.feature, first.points + points, sure and first.sure
        reasons[texts] = Reason(name, whose, round(amount, 4), round(points, 4), sure, by_next_turn)
    return [one for one in reasons.values() if words.is_visible_change(one.feature, one.amount, one.sure)]


def _is_reason(amounts: list[float]) -> bool:
    """Return whether at least half of the worlds agree on the difference and none shows the opposite."""
    more = sum(1 for amount in amounts if amount > TOLERANCE)
    less = sum(1 for amount in amounts if amount < -TOLERANCE)
    return min(more, less) == 0 and 2 * max(more, less) >= len(amounts)


def _select_reasons(reasons: list[Reason]) -> list[Reason]:
    """Return the most important reasons, including the largest advantage of the better option."""
    first = reasons[:MAX_REASONS]
    gains = [reason for reason in reasons if reason.is_gain]
    return first if not gains or gains[0] in first else [*first[:-1], gains[0]]


def find_main_reasons(game: Game, reasons: Sequence[Reason], seat: Seat) -> tuple[list[Reason], Reason | None]:
    """Return one or two advantages, and the seat's largest cost if it is at least half as important as the first one.

    Own advantages precede those about rivals, and numbers precede estimates, if they are nearly as important.
    """
    gains = [reason for reason in reasons if reason.is_gain]
    if not gains:
        return [], None
    most = max(reason.points for reason in gains)

    def rate(reason: Reason) -> tuple[bool, bool, float]:
        is_number = not reason.is_threat and (bool(reason.sentence) or game.words.is_number(reason.feature))
        is_important = reason.points >= MIN_GAIN_SHARE * most
        return is_important and reason.seat == seat, is_important and is_number, reason.points

    gains.sort(key=rate, reverse=True)
    costs = [reason for reason in reasons if not reason.is_gain and reason.seat == seat]
    cost = min(costs, key=lambda reason: reason.points, default=None)
    if cost is None or gains[0].is_threat or -cost.points < MIN_COST_SHARE * gains[0].points:
        return gains[:1], None
    return gains[:1] if gains[0].points >= -cost.points else [gain for gain in gains[:2] if not gain.is_threat], cost


def describe_reason(game: Game, reason: Reason, seat: Seat) -> Message:
    """Return a reason as a clause: ``you have 4 more marks``. ``seat`` is the deciding seat."""
    if reason.sentence and not reason.is_threat:
        return Message(reason.sentence, *reason.facts)
    if reason.sentence:
        return Message("the other option allows this: {0}", Message(reason.sentence, *reason.facts, who=reason.seat))
    change = game.words.describe_feature(reason.feature, reason.amount, reason.sure)
    if reason.seat == seat:
        return (
            Message("you have {0} by your next turn", change)
            if reason.by_next_turn
            else Message("you have {0}", change)
        )
    who = SeatName(reason.seat)
    return (
        Message("{0} has {1} by your next turn", who, change)
        if reason.by_next_turn
        else Message("{0} has {1}", who, change)
    )


def describe_reasons(game: Game, reasons: Sequence[Reason], seat: Seat) -> Message | None:
    """Return the reasons as the end of one sentence, or None if no advantage can be seen on the board."""
    has_words = [one for one in reasons if one.sentence or one.feature in game.words.feature_words]
    gains, cost = find_main_reasons(game, has_words, seat)
    if not gains:
        return None
    texts = [describe_reason(game, gain, seat) for gain in gains]
    text = texts[0] if len(texts) == 1 else Message("{0} and {1}", *texts)
    return text if cost is None else Message("{0}, but {1}", text, describe_reason(game, cost, seat))
