"""Evaluation of positions (specification, section 9), in points of the final score or close to them.

A position in the middle of a move includes the expected gain of the move, which `pending_gains.py` estimates.
"""

from typing import Final

from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.games.testoftime.ai.pending_gains import estimate_pending_gain
from triclinium.games.testoftime.ai.quick_policy import choose_quick_option
from triclinium.games.testoftime.ai.section_values import (
    OWN_COVER_SHARE,
    RIVAL_COVER_SHARE,
    average_section_value,
    estimate_followers,
    estimate_sections,
    find_rewritten_slot,
)
from triclinium.games.testoftime.ai.sensible_options import list_sensible_options
from triclinium.games.testoftime.rules.components import ART, BURIAL, KIND_COUNT, MONUMENT, TEMPLE, TOOLS
from triclinium.games.testoftime.rules.scoring import scores
from triclinium.games.testoftime.rules.state import (
    NONE,
    Slot,
    TestOfTime,
    count_followers,
    count_shamans,
    count_visible,
)
from triclinium.games.testoftime.rules.turn import Move

FEATURES: Final = (
    "testaments",  # visible dots multiplied by the final age, after this round's attacks
    "decay",  # points that the natural decay of this round may still take
    "wear",  # points that later decay will take, because the people cannot pay all upkeep
    "danger",  # points that rivals could strip with pieces that one's own waiting pieces do not match
    "followers",  # value of the followers expected to survive, multiplied by the rounds left
    "shamans",  # shamans expected to survive, multiplied by the rounds left
    "at_home",  # waiting pieces, which deter attacks
    "rival",  # Testaments of the strongest rival; half with more than two seats
    "rivals",  # followers and shamans of the rivals, multiplied by the rounds left
    "tie_break",  # shamans in play at the end
    "plan",  # expected gain of the seat's pending decisions
    "cheaper",  # number of Art times the open spaces, because each Art makes creating there cheaper
    "lives",  # lives that Burial Sites will save, multiplied by the rounds left
    "converts",  # followers that Temples will convert, multiplied by the rounds left
    "power",  # number of Monuments multiplied by surviving shamans and by the rounds left
)


LIVES_BY_BURIAL_SITES: Final = (
    0.0,
    1.0,
    1.5,
    1.75,
    1.9,
    2.0,
    2.0,
    2.0,
    2.0,
)  # one entry for each number of Burial Sites that a board can hold


class TestOfTimeEvaluator(Evaluator):
    """The evaluation of positions for bots."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, TestOfTime)
        return features(s, seat)

    def progress(self, s: State) -> float:
        assert isinstance(s, TestOfTime)
        return measure_progress(s)

    def is_stable(self, s: State) -> bool:
        assert isinstance(s, TestOfTime)
        return is_stable(s)

    def sensible_options(self, s: State) -> list[Option]:
        assert isinstance(s, TestOfTime)
        return list_sensible_options(s)

    def quick_option(self, s: State) -> Option:
        assert isinstance(s, TestOfTime)
        return choose_quick_option(s)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, TestOfTime)
        return scores(s)


def is_stable(s: TestOfTime) -> bool:
    """Return whether the position is between two rounds.

    Within a round attacks are unanswered, and waiting pieces favour the seat that moves last.
    """
    if s.who == NOBODY:
        return True
    if s.who != s.starter or s.passes != 0 or not isinstance(s.stack[-1], Move):
        return False
    return s.waiting == s.followers and s.waiting_shamans == s.shamans


def features(s: TestOfTime, seat: Seat) -> list[float]:
    """Return one number for each name in FEATURES."""
    left = float(s.rounds - s.round)
    followers = shamans = worn = 0.0  # People and wear count for later rounds only, so they stay 0 in the last round.
    fights = FightSummary(s)
    worth = fights.worth
    strongest = 0.0
    theirs = 0.0
    threat = 0
    for rival in range(s.seats):
        if rival != seat:
            points, decaying, upkeep, sections = sum_testaments(s, rival, RIVAL_COVER_SHARE, fights)
            strength = points - 0.6 * decaying
            if left:
                followers, shamans = count_survivors(s, rival, fights.expected_dead[rival])
                strength -= 0.5 * estimate_wear(s, upkeep, sections, followers + shamans * fights.power[rival])
                theirs += followers + 2.0 * shamans
            if strength > strongest:
                strongest = strength
            if worth[rival] > threat and s.has_attack_left(rival):
                threat = worth[rival]
    points, decaying, upkeep, sections = sum_testaments(s, seat, OWN_COVER_SHARE, fights)
    art = burials = temples = monuments = 0.0
    if left:
        followers, shamans = count_survivors(s, seat, fights.expected_dead[seat])
        worn = estimate_wear(s, upkeep, sections, followers + shamans * fights.power[seat])
        art, burials, temples, monuments = estimate_testament_effects(s, seat)
    return [
        points,
        decaying,
        worn,
        estimate_danger(s, seat, threat - worth[seat]),
        estimate_followers(followers) * left,
        shamans * left,
        float(worth[seat]),
        strongest if s.seats == 2 else 0.5 * strongest,
        theirs * left / (s.seats - 1),
        float(s.shamans[seat]),
        estimate_pending_gain(s, seat),
        art,
        burials * left,
        temples * left,
        monuments * shamans * left,
    ]


class FightSummary:
    """The summary of all fights, computed once because evaluation is the most frequent call of bots."""

    power: list[int]  # power of a shaman, by seat
    worth: list[int]  # worth of the waiting pieces, by seat
    uncovered: dict[Slot, int]  # uncovered strength, by attacked slot
    expected_dead: list[
        float
    ]  # expected dead followers by seat: those met by defenders, and half of those the owner could still meet

    def __init__(self, s: TestOfTime) -> None:
        seats = s.seats
        self.power = [s.get_shaman_power(i) for i in range(seats)]
        self.worth = [s.waiting[i] + s.waiting_shamans[i] * self.power[i] for i in range(seats)]
        self.uncovered = {}
        self.expected_dead = [0.0] * seats
        attackers = s.attackers
        for slot in range(len(attackers)):
            if attackers[slot] and s.visible[slot] > 0:
                self.add_fight(s, slot)

    def add_fight(self, s: TestOfTime, slot: Slot) -> None:
        """TT-12.2  Add the fight for one Testament."""
        owner = slot // s.c.spaces
        brought = [0] * s.seats
        attack = 0
        for force in s.attackers[slot]:
            who = force >> 16
            followers = count_followers(force)
            brought[who] += followers
            attack += followers + count_shamans(force) * self.power[who]
        guard = s.defenders[slot]
        defence = count_followers(guard) + count_shamans(guard) * self.power[owner]
        self.uncovered[slot] = attack - defence
        could = defence + 0.5 * self.worth[owner]
        for who in range(s.seats):
            if brought[who]:
                met = min(float(brought[who]), could) - s.count_deaths_saved(who)
                if met > 0.0:
                    self.expected_dead[who] += met


def estimate_testament_effects(s: TestOfTime, seat: Seat) -> tuple[float, float, float, float]:
    """Return the effects of Art, Burial Sites, Temples and Monuments, including those being created.

    Art counts only if a space is open. Further Burial Sites and Temples count less than the first. Converts are limited
    by the number of pieces. The effect of Tools is part of the upkeep.
    """
    c = s.c
    counts = s.standing_counts[seat * KIND_COUNT : (seat + 1) * KIND_COUNT]
    open_spaces = 0
    for slot in range(seat * c.spaces, (seat + 1) * c.spaces):
        if s.making[slot] != NONE:
            counts[s.making[slot]] += 1
        elif s.visible[slot] == 0:
            open_spaces += 1
    temples = 0.6 + 0.4 * counts[TEMPLE] if counts[TEMPLE] and s.followers[seat] < c.max_followers else 0.0
    return float(counts[ART] * open_spaces), LIVES_BY_BURIAL_SITES[counts[BURIAL]], temples, float(counts[MONUMENT])


def measure_progress(s: TestOfTime) -> float:
    """Return the share of rounds played."""
    return s.round / s.rounds


def sum_testaments(s: TestOfTime, seat: Seat, covering: float, fights: FightSummary) -> tuple[float, float, int, float]:
    """Return four sums over a seat's Testaments, including those being created, in one pass to save time.

    The first is the final points after the current attacks. The second is the part of them that decays this round. The
    third is the upkeep of a round, and the last the points of an average section of each.
    """
    c = s.c
    rewritten = find_rewritten_slot(s)
    tools = s.standing_counts[seat * KIND_COUNT + TOOLS]
    points = decaying = sections = 0.0
    upkeep = 0
    for slot in range(seat * c.spaces, (seat + 1) * c.spaces):
        seen = s.visible[slot]
        kind = s.making[slot]
        if kind != NONE:
            age = s.rounds - s.round
            points += c.dots[kind][-1] * age
            if kind == TOOLS and tools < c.spaces:
                tools += 1
        else:
            if seen == 0 and slot != rewritten:
                continue
            kind = s.kind[slot]
            age = s.rounds - s.since[slot]
            if slot == rewritten:
                seen = count_visible(c.size[kind], s.past[slot])
            if slot in fights.uncovered and fights.uncovered[slot] > 0:
                uncovered = fights.uncovered[slot]
                strips = min(float(seen), uncovered - covering * min(uncovered, fights.worth[seat]))
                points += estimate_sections(s, slot, seen - strips)
            else:
                points += c.dots[kind][seen] * age
            if s.visible[slot] == 0:
                continue
            if s.keepers[slot] == 0:
                decaying += c.dots[kind][-1] * age / c.size[kind]
        upkeep += c.preserve_cost[kind][tools]
        sections += c.dots[kind][-1] * age / c.size[kind]
    return points, decaying, upkeep, sections


def estimate_wear(s: TestOfTime, upkeep: int, sections: float, pieces: float) -> float:
    """Return the points that will decay in later rounds because the seat has too many pieces for its upkeep."""
    free = 0.6 * pieces
    if upkeep <= free:
        return 0.0
    rounds = min(6.0, float(s.rounds - s.round))
    return (1.0 - free / upkeep) * rounds * sections


def estimate_danger(s: TestOfTime, seat: Seat, threat: int) -> float:
    """Return half of the points that a rival's surplus of waiting pieces could strip from the best Testament."""
    if threat <= 0:
        return 0.0
    spaces = s.c.spaces
    worst = 0.0
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.visible[slot] > 0:
            worst = max(worst, min(threat, s.visible[slot]) * average_section_value(s, slot))
    return 0.5 * worst


def count_survivors(s: TestOfTime, seat: Seat, fallen: float) -> tuple[float, float]:
    """Return the followers and shamans in play that are expected to survive the end of the round.

    Shamans die only as builders or parents when there are too few followers, never in a fight.
    """
    spaces = s.c.spaces
    saved = s.count_deaths_saved(seat)
    followers = s.followers[seat] - fallen
    shamans = s.shamans[seat]
    for slot in range(seat * spaces, (seat + 1) * spaces):
        if s.making[slot] != NONE:
            dead = max(0, s.c.deaths[s.making[slot]] - saved)
            fewer = min(dead, count_followers(s.makers[slot]))
            followers -= fewer
            shamans -= min(dead - fewer, count_shamans(s.makers[slot]))
        if s.defenders[slot]:
            followers -= max(0, count_followers(s.defenders[slot]) - saved)
    for parents in s.shaman_sires[seat]:
        dead = max(0, s.c.sire_shaman_deaths - saved)
        fewer = min(dead, count_followers(parents))
        followers -= fewer
        shamans -= min(dead - fewer, count_shamans(parents))
    return followers, float(shamans)
