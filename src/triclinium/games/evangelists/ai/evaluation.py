"""Features of a position for bots (specification, section 9), in points or close to them."""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.games.evangelists.ai.arrangements import (
    evaluate_current_levels,
    find_best_step,
    find_best_value,
    find_next_step,
)
from triclinium.games.evangelists.rules.actions.interview import HowStrong, count_interview_marks
from triclinium.games.evangelists.rules.actions.rearrange import ChooseHow, ChooseLeaf, FollowRearrange
from triclinium.games.evangelists.rules.actions.tradition import Keep, PlaceCopy
from triclinium.games.evangelists.rules.components import TRACKS
from triclinium.games.evangelists.rules.scoring import (
    count_matches,
    count_points_behind_leader,
    count_shared_spaces,
    count_track_points,
    scores,
)
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.turn import ChooseAction, NewRound
from triclinium.games.evangelists.rules.verbs import BOAT, DECLINE, DONE, LEAF, REARRANGE

FEATURES: Final = (
    "tally",  # tally marks, including the minimum that an Interview in progress pays
    "tracks",  # current points of the four tracks, relative to the leader
    "steps",  # levels on the four tracks, regardless of the leader
    "theme",  # current points of the theme
    "matches",  # cards that match the theme
    "bonus",
    "ties",
    "cards",  # cards in the gospel, including those about to be placed
    "room",  # empty slots that the remaining octagons can still fill
    # disorder: distance of cards from the slots where their numbers belong, weighted by the share of empty slots
    "order",
    "tokens",  # follow tokens, less if opponents have few turns left to follow
    "prospects",  # expected marks from the witnesses that the player has not interviewed; nearer witnesses count more
    "octagons",  # octagons left in the seat's turn
    "at_work",  # 1 during the seat's action, after its price is paid and before its effect
    "in_city",
    "rival",  # marks and track points of the best opponent
)


class EvangelistsEvaluator(Evaluator):
    """The evaluator of The Acts of the Evangelists."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Evangelists)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, Evangelists)
        return measure_progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, Evangelists)
        return is_stable(s)

    def sensible_options(self, s: State) -> list[Option]:
        assert isinstance(s, Evangelists)
        return list_sensible_options(s)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Evangelists)
        return scores(s)


def is_stable(s: Evangelists) -> bool:
    """Return whether no action is under way."""
    return s.who == NOBODY or isinstance(s.stack[-1], ChooseAction)


def list_sensible_options(s: Evangelists) -> list[Option]:
    """AE-8  Return the options worth searching.

    A Rearrange is planned as one arrangement with the fewest steps, and only where it adds value. After the last
    octagon of the match, boat rides are left out.
    """
    step = s.asked
    legal = s.legal
    if isinstance(step, ChooseLeaf):
        leaf, how = find_next_step(s, step.who, step.most, step.made)
        return [DONE if how == DONE else LEAF + leaf]
    if isinstance(step, ChooseHow):
        return [choose_option_for_leaf(s, step)]
    if isinstance(step, FollowRearrange):
        return legal if find_best_step(s, step.who, -1)[0] > evaluate_current_levels(s, step.who) else [DECLINE]
    if isinstance(step, ChooseAction):
        return [o for o in legal if is_sensible(s, step.who, o)]
    return legal


def choose_option_for_leaf(s: Evangelists, step: ChooseHow) -> Option:
    """Return the planned option for the leaf, or else the best one for this leaf alone."""
    leaf, how = find_next_step(s, step.who, step.most, step.made)
    return how if leaf == step.leaf and how != DONE else find_best_step(s, step.who, step.leaf)[2]


def is_sensible(s: Evangelists, who: Seat, o: Option) -> bool:
    """Return whether an option of the turn can improve the position."""
    if o == BOAT:
        return s.octagons > 0 or count_turns_to_come(s, who) > 0
    if o == REARRANGE:
        return find_best_step(s, who, -1)[0] > evaluate_current_levels(s, who)
    if o == REARRANGE + 1:  # A strong Rearrange is sensible only where one step is not enough.
        return find_best_value(s, who) > max(evaluate_current_levels(s, who), find_best_step(s, who, -1)[0])
    return True


def count_turns_to_come(s: Evangelists, seat: Seat) -> int:
    """Return the number of the seat's turns that have not begun."""
    rounds = s.c.track_end - s.marker - 1
    between = not s.stack or isinstance(s.stack[0], NewRound)
    later = (seat - s.stenographer) % s.seats > (s.turn - s.stenographer) % s.seats
    return rounds + (1 if between or later else 0)


def features(s: Evangelists, seat: Seat) -> list[float]:
    """Return one number for each name in FEATURES."""
    own = s.turn == seat
    turns = count_turns_to_come(s, seat)
    octagons = s.octagons if own else 0
    active = turns > 0 or octagons > 0  # The seat can still act in this match.
    coming = list_cards_to_place(s, seat)
    empty = s.count_empty_slots(seat)
    cards = len(s.slots[seat]) - empty + len(coming)
    matching = count_matches(s, seat)
    for card in coming:
        matching += (s.c.themes[card] >> s.theme[seat]) & 1
    steps = len(coming)  # Assume that each card that is still to be placed raises a track by about one level.
    tracks = 0
    for track in range(TRACKS):
        steps += s.levels[seat * TRACKS + track]
        tracks += count_track_points(s, seat, track)
    rival = 0
    rival_turns = 0
    for other in range(s.seats):
        if other != seat:
            points = s.tally[other]
            for track in range(TRACKS):
                points += count_track_points(s, other, track)
            rival = max(rival, points)
            rival_turns += count_turns_to_come(s, other)
    at_work = own and s.who == seat and s.octagons < s.c.octagons and not is_stable(s)
    return [
        float(s.tally[seat] + count_expected_marks(s, seat)),
        float(tracks),
        float(steps),
        float(count_theme_points(s, seat, matching)),
        float(matching),
        float(s.c.theme_bonus if cards and 2 * matching >= cards else 0),
        float(count_shared_spaces(s, seat)),
        float(cards + (1 if empty and is_choosing_card(s, seat) else 0)),
        float(min(empty, 2 * turns + octagons)),
        measure_disorder(s, seat) * empty / len(s.slots[seat]),
        s.tokens[seat] * min(1.0, rival_turns / (2.0 * (s.seats - 1))),
        estimate_interviews(s, seat, coming) if active else 0.0,
        float(octagons),
        float(at_work),
        float(active and 0 <= s.pawn[seat] < s.c.cities),
        float(rival),
    ]


def count_expected_marks(s: Evangelists, seat: Seat) -> int:
    """Return the minimum number of marks that a current Interview pays."""
    if s.who != seat:
        return 0
    step = s.stack[-1]
    return count_interview_marks(s, seat, step.witness, False) if isinstance(step, HowStrong) else 0


def list_cards_to_place(s: Evangelists, seat: Seat) -> list[int]:
    """Return the cards that are kept or copied but not yet in a slot."""
    if s.who != seat:
        return []
    step = s.stack[-1]
    if isinstance(step, PlaceCopy):
        return [step.copy]
    return [card for card in s.kept_cards if card not in s.slots[seat]] if s.turn == seat else []


def is_choosing_card(s: Evangelists, seat: Seat) -> bool:
    """Return whether the seat is looking at a box and has kept no card yet."""
    return s.who == seat and isinstance(s.stack[-1], Keep) and not s.kept_cards


def count_theme_points(s: Evangelists, seat: Seat, matching: int) -> int:
    """AE-11.3  Return the points of the theme if the seat has ``matching`` cards of it."""
    most = matching
    for other in range(s.seats):
        if other != seat:
            most = max(most, count_matches(s, other))
    if most == 0 or (matching == 0 and s.theme_needs_match):
        return 0
    return count_points_behind_leader(s.c, most - matching)


def measure_disorder(s: Evangelists, seat: Seat) -> float:
    """Return the distance of the cards from the slots where their numbers belong: low left, high right."""
    slots = s.slots[seat]
    last = len(s.c.numbers) - 1.0
    far = 0.0
    for at in range(len(slots)):
        if slots[at] >= 0:
            far += abs(at - slots[at] / last * (len(slots) - 1))
    return far


def measure_progress(s: Evangelists) -> float:
    """Return the progress of the round marker, from 0 to 1."""
    start = s.c.track_start[s.seats]
    return (s.marker - start) / (s.c.track_end - start)


def estimate_interviews(s: Evangelists, seat: Seat, coming: list[int]) -> float:
    """Return the marks that weak Interviews of the remaining witnesses would pay, discounted by distance."""
    here = s.pawn[seat]
    if here < 0:
        return 0.0
    white = s.bag_white
    cubes_in_bag = white + s.bag_black
    hope = (
        (s.c.weak_dead + (s.c.weak_alive - s.c.weak_dead) * white / cubes_in_bag)
        if cubes_in_bag
        else float(s.c.weak_dead)
    )
    total = 0.0
    for city in range(s.c.cities):
        witness = s.witness_at[city]
        if (s.interviews[seat] >> witness) & 1 or not s.piles[witness]:
            continue
        count = s.count_circles(seat, witness)
        for card in coming:
            count += (s.c.circles[card] >> witness) & 1
        if count:
            each = hope
            if (s.alive >> witness) & 1:
                each = float(s.c.weak_alive)
            elif (s.dead >> witness) & 1:
                each = float(s.c.weak_dead)
            total += count * each / (1.0 + s.c.distance[here][city])
    return total
