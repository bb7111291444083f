"""Movement: the main action and further steps, by road and by sea (LM-2.3, LM-3, LM-5, LM-6.9 to LM-6.11)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import FREE, NO_PRICE, Action, Price
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.actions.arrive import Arrive
from triclinium.games.missionnaires.rules.actions.cards import TakeSeaCard, draw_card
from triclinium.games.missionnaires.rules.actions.obstacles import (
    Enter,
    Onward,
    can_pay_push,
    enter_space,
    has_entered,
    has_room,
    may_be_leapt,
    needs_push_fee,
)
from triclinium.games.missionnaires.rules.actions.pass_turn import apply_pass, burn_bon
from triclinium.games.missionnaires.rules.components import (
    BURN,
    CONGREGATION,
    GO,
    LEAP,
    OFF,
    PASS,
    RETIRE,
    SEA,
    STOP,
    VOYAGE,
)
from triclinium.games.missionnaires.rules.events import PAID, WIND
from triclinium.games.missionnaires.rules.ranks import may_stop
from triclinium.games.missionnaires.rules.refusals import (
    GENDARME_UNPAID,
    LANDING_TAKEN,
    LEAP_UNPAID,
    NO_ROOM,
    NO_SHIP_TO_SHIP,
    NOT_BEGUN_HERE,
    OVERSEER_UNPAID,
    PASSED_BEFORE,
    ROAD_ONLY,
    SPEED_UNPAID,
    TAKEN,
    TOO_FAR,
    TWICE,
)
from triclinium.games.missionnaires.rules.state import ACCOMPANIED, LAST_TURN, Missionnaires


class GoOn(Onward):
    """LM-3.2, LM-3.3, LM-5.3  The choice after each step with spaces left: stop, or take the next step."""

    id: ClassVar[str] = "GoOn"
    action: ClassVar[Action | None] = stages.COUP
    stage: ClassVar[int] = 3
    chained_verbs: ClassVar[tuple[str, ...]] = ("go",)
    combined_verbs: ClassVar[tuple[str, ...]] = ("stop",)
    question: ClassVar[str] = "{0:space}: stop, or go on?"

    def applies(self, s: Missionnaires) -> bool:
        if self.used >= self.limit:
            return False
        return not owes_speed(s, self) or s.periodicals[self.who] >= s.c.speed_fee

    def option_price(self, s: Missionnaires, o: Option) -> Price:
        return compute_step_price(s, o, self)

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [*list_steps(s, self.who), STOP]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (s.at[self.who],)

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        return None if o == STOP else forbids_step(s, o, self, OFF)

    def options(self, s: Missionnaires) -> list[Option]:
        options = list_legal_steps(s, self, OFF)
        options.append(STOP)
        return options

    def rule_parameters(self, s: Missionnaires, o: Option, rule: Rule) -> tuple[int, ...]:
        return list_step_rule_parameters(s, o, rule, self)

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o != STOP:
            declare_step(s, o, self)


class Advance(GoOn):
    """The choice during a bonus move: a step by road, or stay."""

    id: ClassVar[str] = "Advance"
    action: ClassVar[Action | None] = stages.BONUS_MOVE
    stage: ClassVar[int] = 1
    combined_verbs: ClassVar[tuple[str, ...]] = ()
    question: ClassVar[str] = "Bonus move from {0:space}, by road, {1} {1:space|spaces} at most: where to?"

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (s.at[self.who], self.limit - self.used)

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o != STOP:
            leave_berth(s)
            declare_step(s, o, self)


def make_main_move(s: Missionnaires, who: Seat) -> Onward:
    """LM-3.4  Return a main move before its first step: at most two spaces, speed fee due, by road or sea."""
    return GoOn(who, s.at[who], OFF, 0, s.c.move_paid, 0, 0, 0)


def make_bonus_move(s: Missionnaires, who: Seat, n: int) -> Onward:
    """*advance n*  Return a bonus move before its first step: at most n spaces, no speed fee, by road only."""
    return Advance(who, s.at[who], OFF, 0, n, 1, 1, 1)


class Main(Step[Missionnaires]):
    """LM-2.3  The main action: a first step or leap, a pass, or a burnt BON."""

    id: ClassVar[str] = "Main"
    action: ClassVar[Action | None] = stages.COUP
    stage: ClassVar[int] = 2
    chained_verbs: ClassVar[tuple[str, ...]] = ("go",)
    question: ClassVar[str] = "Your turn, from {0:space}: take a step, or pass."
    question_with_voucher: ClassVar[str] = msgid("Your turn, from {0:space}: take a step, pass, or burn a voucher.")

    def __init__(self, who: Seat, berth: int) -> None:
        super().__init__(who)
        self.berth: Final = berth  # space where the coup began; OFF once a bonus move has been made (LM-5.2)

    def fields(self) -> tuple[int, ...]:
        return (self.berth,)

    def question_template(self, s: Missionnaires) -> str:
        return self.question_with_voucher if s.bons[self.who] else self.question

    def option_price(self, s: Missionnaires, o: Option) -> Price:
        return compute_step_price(s, o, make_main_move(s, self.who))

    def display_rank(self, s: Missionnaires, o: Option) -> int:
        return int(o >= BURN)

    def candidates(self, s: Missionnaires) -> list[Option]:
        options = [*list_steps(s, self.who), PASS, *[BURN + card for card in s.bons[self.who]]]
        if may_stop(s):
            options.append(RETIRE)
        return options

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (s.at[self.who],)

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        if o == RETIRE:
            return None
        if o == PASS or o >= BURN:
            return PASSED_BEFORE if self._must_move(s) else None
        return forbids_step(s, o, make_main_move(s, self.who), self.berth)

    def options(self, s: Missionnaires) -> list[Option]:
        options = list_legal_steps(s, make_main_move(s, self.who), self.berth)
        if not self._must_move(s):
            options.append(PASS)
            for card in s.bons[self.who]:
                options.append(BURN + card)
        if may_stop(s):
            options.append(RETIRE)
        return options

    def _must_move(self, s: Missionnaires) -> bool:
        """LM-R12  Return whether the player must move.

        No player may pass on a congregation in two consecutive turns while a step is possible that costs neither a
        periodical nor a BON.
        """
        who = self.who
        if s.c.kind[s.at[who]] != CONGREGATION or not s.passed[who] & LAST_TURN:
            return False
        move = make_main_move(s, self.who)
        for o in list_steps(s, who):
            costs = compute_speed_price(s, who, o, move) > 0 or needs_push_fee(s, who, find_landing_space(s, o))
            if not costs and forbids_step(s, o, move, self.berth) is None:
                return True
        return False

    def rule_parameters(self, s: Missionnaires, o: Option, rule: Rule) -> tuple[int, ...]:
        return list_step_rule_parameters(s, o, rule, make_main_move(s, self.who))

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o == PASS:
            apply_pass(s, self.who, self.berth)
        elif o == RETIRE:
            s.flow.stop_playing(s, self.who)
        elif o >= BURN:
            burn_bon(s, self.who, o - BURN)
        else:
            declare_step(s, o, make_main_move(s, self.who))


# -- the steps that a space offers ------------------------------------------------------------------------------


def list_steps(s: Missionnaires, who: Seat) -> list[Option]:
    """LM-3.1, LM-6.9  Return steps to all neighbouring spaces and leaps beyond neighbouring proclaimers, ascending."""
    here = s.at[who]
    options = [GO + to for to in s.c.near[here]]
    if s.v.share_spaces:
        return options
    for other in range(s.seats):
        over = s.at[other]
        if may_be_leapt(s, here, over):
            for to in s.c.near[over]:
                if to != here:
                    options.append(LEAP + s.colour[other] * s.c.spaces + to)
    if s.v.pick_colour:
        options.sort()
    return options


def find_landing_space(s: Missionnaires, o: Option) -> int:
    """Return the space where a step or leap ends."""
    return o - GO if o < LEAP else (o - LEAP) % s.c.spaces


def find_leapt_space(s: Missionnaires, o: Option) -> int:
    """Return the space that a leap crosses, or OFF for a plain step."""
    return OFF if o < LEAP else s.at[s.colour.index((o - LEAP) // s.c.spaces)]


def count_leap_spaces(s: Missionnaires, move: Onward) -> int:
    """LM-3.4, LM-6.9  Return the spaces that a leap uses: two, or the rest of a second step in company."""
    in_company = move.used == 1 and not move.road_only and s.get_travel_mode(move.who) == ACCOMPANIED
    return min(s.c.leap, move.limit - move.used) if in_company and move.used < move.limit else s.c.leap


def owes_speed(s: Missionnaires, move: Onward) -> bool:
    """LM-3.3, LM-R8  Return whether the next space costs a speed fee.

    There is one fee a move, but none in company, with fair wind or in a bonus move.
    """
    return move.used == s.c.move_alone and not move.speed_free and s.get_travel_mode(move.who) != ACCOMPANIED


def list_legal_steps(s: Missionnaires, move: Onward, berth: int) -> list[Option]:
    """Return the legal steps. Conditions that are the same for all neighbouring spaces are checked only once."""
    c = s.c
    who = move.who
    here = s.at[who]
    sails = not move.road_only and (c.kind[here] == SEA or (berth == here and not move.used))
    options: list[Option] = []
    if not owes_speed(s, move) or s.periodicals[who] >= c.speed_fee:
        for to in c.near[here] if sails else c.roads[here]:
            if has_entered(s, move, to):
                continue
            if (s.is_empty(to) or to == c.bethel) or forbids_step(s, GO + to, move, berth) is None:
                options.append(GO + to)
    if s.v.share_spaces or move.used + count_leap_spaces(s, move) > move.limit:
        return options
    for other in range(s.seats):
        over = s.at[other]
        if may_be_leapt(s, here, over):
            for to in c.near[over]:
                o = LEAP + s.colour[other] * c.spaces + to
                if to != here and forbids_step(s, o, move, berth) is None:
                    options.append(o)
    if s.v.pick_colour:
        options.sort()
    return options


def forbids_step(s: Missionnaires, o: Option, move: Onward, berth: int) -> Rule | None:
    """Return why the player cannot make and pay for a step now, or None.

    `berth` is the port where the player may board a ship.
    """
    who = move.who
    to = find_landing_space(s, o)
    over = find_leapt_space(s, o)
    leap = over != OFF
    if move.used + (count_leap_spaces(s, move) if leap else 1) > move.limit:
        return TOO_FAR
    if has_entered(s, move, to):
        return TWICE
    rule = forbids_sailing(s, s.at[who], over, to, move, berth)
    if rule is not None:
        return rule
    if s.is_barred_by_proclaimer(to):
        return LANDING_TAKEN if leap else TAKEN
    if not has_room(s, who, to):
        return NO_ROOM
    price = compute_speed_price(s, who, o, move)
    if price > s.periodicals[who]:
        return LEAP_UNPAID if leap else SPEED_UNPAID
    if needs_push_fee(s, who, to) and not can_pay_push(s, who, price):
        return GENDARME_UNPAID if s.has_gendarme(to) else OVERSEER_UNPAID
    return None


def forbids_sailing(s: Missionnaires, here: int, over: int, to: int, move: Onward, berth: int) -> Rule | None:
    """LM-5.2, LM-5.3  Return why a step by sea is not allowed, or None.

    A player may board a ship only in the port where the coup began, never on the way.
    """
    kind = s.c.kind
    first = to if over == OFF else over
    if move.road_only and (kind[here] == SEA or kind[first] == SEA or kind[to] == SEA):
        return ROAD_ONLY
    if kind[here] != SEA and kind[first] == SEA:
        if move.used > 0:
            by_ship = kind[move.via if move.via != OFF else move.start] == SEA
            return NO_SHIP_TO_SHIP if by_ship else NOT_BEGUN_HERE
        if berth != here:
            return NOT_BEGUN_HERE
    if over != OFF and kind[over] != SEA and kind[to] == SEA:
        return NO_SHIP_TO_SHIP if kind[here] == SEA else NOT_BEGUN_HERE
    return None


def compute_speed_price(s: Missionnaires, who: Seat, o: Option, move: Onward) -> int:
    """LM-3.3, LM-6.9  Return the speed fee of a second space or a leap.

    It is 0 in company, with fair wind and in a bonus move.
    """
    spaces = move.used + (1 if o < LEAP else s.c.leap)
    if move.speed_free or spaces <= s.c.move_alone or s.get_travel_mode(who) == ACCOMPANIED:
        return 0
    return 0 if move.used > s.c.move_alone else s.c.speed_fee


def compute_step_price(s: Missionnaires, o: Option, move: Onward) -> Price:
    """LM-3.3, LM-5.4, LM-6.2  Return whether a step is shown as free.

    A step by road onto an open space is free; labels state the price of other steps.
    """
    if o in (STOP, PASS) or o >= BURN:
        return NO_PRICE
    to = find_landing_space(s, o)
    draws = s.c.is_lane(s.at[move.who], to) or o >= LEAP
    return NO_PRICE if draws or compute_speed_price(s, move.who, o, move) or needs_push_fee(s, move.who, to) else FREE


def list_step_rule_parameters(s: Missionnaires, o: Option, rule: Rule, move: Onward) -> tuple[int, ...]:
    """Return the numbers in the message of the rule that bars a step."""
    if rule is TOO_FAR:
        return (move.limit - move.used,)
    if rule is TAKEN or rule is LANDING_TAKEN:
        return (s.find_proclaimer(find_landing_space(s, o)),)
    if rule is GENDARME_UNPAID or rule is OVERSEER_UNPAID:
        return (s.c.push_fee, s.periodicals[move.who] - compute_speed_price(s, move.who, o, move))
    if rule is SPEED_UNPAID or rule is LEAP_UNPAID:
        return (s.c.speed_fee, s.periodicals[move.who])
    return ()


# -- effects of a step -------------------------------------------------------------------------------------------------


def declare_step(s: Missionnaires, o: Option, move: Onward) -> None:
    """LM-3.3, LM-5.6  Pay for speed, take a sea card if one is due, then enter the space if it can still be paid."""
    who = move.who
    here = s.at[who]
    to = find_landing_space(s, o)
    over = find_leapt_space(s, o)
    price = compute_speed_price(s, who, o, move)
    if price:
        s.periodicals[who] -= price
        s.emit(PAID, who, (price,), "LM-3.3" if over == OFF else "LM-6.9")
    beneath = NOBODY if over == OFF else s.find_proclaimer(over)
    sails = s.c.is_lane(here, to if over == OFF else over)
    sails_on = over != OFF and s.c.is_lane(over, to)
    if sails and s.c.kind[here] != SEA:
        s.sailed_from = replace_item(s.sailed_from, who, here)
    card_due = sails and not move.no_sea_card and not is_exempt_from_sea_card(s, who)
    used = move.used + (1 if over == OFF else count_leap_spaces(s, move))
    no_sea_card = 1 if move.no_sea_card or (card_due and s.v.card_per_coup) else 0
    rest = GoOn(
        who, move.start, here if move.used else OFF, used, move.limit, move.speed_free, move.road_only, no_sea_card
    )
    if move.used == 0:
        s.push(rest, Arrive(NOBODY, move.start, 1))
    else:
        s.push(rest)
    if card_due:
        s.push(Enter(NOBODY, to, beneath, over))
        if sails_on and not s.v.card_per_coup:
            s.push(TakeSeaCard(NOBODY))
        draw_card(s, who, VOYAGE)
    else:
        enter_space(s, who, to, beneath, over)


def is_exempt_from_sea_card(s: Missionnaires, who: Seat) -> bool:
    """LM-5.5  Return whether the player travels with the district overseer and therefore takes no sea card."""
    return s.get_travel_mode(who) == ACCOMPANIED and s.c.no_sea_card[s.find_overseer(who)]


def apply_fair_wind(s: Missionnaires, n: int) -> None:
    """LM-R8, LM-5.4  Make the rest of the pending move free of speed fees, with n spaces; sea cards stay due."""
    i = len(s.stack) - 1
    while i >= 0:
        rest = s.stack[i]
        if isinstance(rest, Onward):
            limit = max(n, rest.limit)
            s.stack[i] = GoOn(rest.who, rest.start, rest.via, rest.used, limit, 1, rest.road_only, rest.no_sea_card)
            s.emit(WIND, rest.who, (n,), "LM-R8")
            return
        i -= 1


def leave_berth(s: Missionnaires) -> None:
    """LM-5.2  Forget the port where the coup began, after a bonus move before the main action."""
    i = len(s.stack) - 1
    while i >= 0:
        step = s.stack[i]
        if isinstance(step, Main):
            s.stack[i] = Main(step.who, OFF)
            return
        i -= 1
