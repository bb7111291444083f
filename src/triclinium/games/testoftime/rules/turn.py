"""Sequence of play: moves in turn until all players pass, then the end of the round (chapter GAMEPLAY)."""

from collections.abc import Mapping
from typing import ClassVar, Final

from mypy_extensions import i64

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import ASK, ATTACKED, NOBODY, ROUND, Option, Seat, Step
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.actions.attack import begin_attack, forbids_attack
from triclinium.games.testoftime.rules.actions.convert import begin_convert, compute_convert_cost, forbids_convert
from triclinium.games.testoftime.rules.actions.create import begin_create, find_cheapest_create_cost, forbids_create
from triclinium.games.testoftime.rules.actions.defend import begin_defend, forbids_defend
from triclinium.games.testoftime.rules.actions.meet import ask_owners_to_divide
from triclinium.games.testoftime.rules.actions.preserve import (
    begin_preserve,
    find_cheapest_preserve_cost,
    forbids_preserve,
    list_unpaid_upkeep,
)
from triclinium.games.testoftime.rules.actions.reverse import begin_reverse, forbids_reverse
from triclinium.games.testoftime.rules.actions.sire import (
    count_possible_children,
    forbids_sire,
    forbids_sire_shaman,
    sire_follower,
    sire_shaman,
)
from triclinium.games.testoftime.rules.components import (
    ATTACK,
    CONVERT,
    CREATE,
    DEFEND,
    MAX_SEATS,
    PASS,
    PRESERVE,
    REVERSE,
    SIRE,
    SIRE_SHAMAN,
)
from triclinium.games.testoftime.rules.end_of_round import end_round
from triclinium.games.testoftime.rules.events import EVEN, MERCY, OVER, PASSED, ROUND_BEGUN, SCORED
from triclinium.games.testoftime.rules.option_lists import MOVE_OPTIONS
from triclinium.games.testoftime.rules.refusals import (
    ATTACKS_MADE,
    CONVERT_COST,
    CONVERT_LIMIT,
    CREATE_COST,
    NO_FOLLOWER_LEFT,
    NO_SHAMAN_LEFT,
    PRESERVE_COST,
    SHAMAN_ZONES_USED,
    SIRE_COST,
    SIRE_SHAMAN_COST,
    SIRE_ZONES_USED,
)
from triclinium.games.testoftime.rules.scoring import (
    count_testament_age,
    count_testament_points,
    count_total_points,
    count_visible_dots,
)
from triclinium.games.testoftime.rules.state import NONE, TestOfTime


def begin_round(s: TestOfTime) -> None:
    """TT-2.1, TT-14.3, TT-R21  Begin the next round: mercy, if agreed, then the starting player's move."""
    s.round += 1
    s.passes = 0
    s.emit(ROUND_BEGUN, s.starter, (s.round,), "TT-2.1")
    if s.mercy:
        for seat in range(s.seats):
            given = s.c.mercy_pieces - s.followers[seat] - s.shamans[seat]
            if given > 0:
                s.followers[seat] += given
                s.waiting[seat] += given
                s.emit(MERCY, seat, (given,), "TT-14.3")
    s.stack.append(MOVES_BY_SEAT[s.starter])


class FirstRound(Step[TestOfTime]):
    """TT-1.5  The start of round 1, as a step so that the log shows who starts."""

    id: ClassVar[str] = "FirstRound"

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def run(self, s: TestOfTime) -> None:
        begin_round(s)


class EndRound(Step[TestOfTime]):
    """TT-2.3, TT-12.2  The end of the moves: owners divide what their defenders meet, then the round is resolved."""

    id: ClassVar[str] = "EndRound"

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def run(self, s: TestOfTime) -> None:
        s.stack.append(RESOLVE)
        ask_owners_to_divide(s)


class Resolve(Step[TestOfTime]):
    """TT-12.8  The resolution of the round. The last round is resolved like any other (TT-R23) and ends the match.

    After any other round the next seat clockwise starts the next one.
    """

    id: ClassVar[str] = "Resolve"

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def run(self, s: TestOfTime) -> None:
        end_round(s)
        if s.round < s.rounds:
            s.starter = (s.starter + 1) % s.seats
            begin_round(s)
        else:
            end_match(s)


END_ROUND: Final = EndRound()
RESOLVE: Final = Resolve()


def end_match(s: TestOfTime) -> None:
    """TT-13.2, TT-13.3  End the match; the log shows the points of each Testament and how ties are broken."""
    s.emit(OVER, NOBODY, (), "TT-12.8")
    for slot in range(len(s.kind)):
        if s.kind[slot] != NONE:
            owner = slot // s.c.spaces
            facts = (
                s.kind[slot],
                owner,
                count_visible_dots(s, slot),
                count_testament_age(s, slot),
                count_testament_points(s, slot),
            )
            s.emit(SCORED, owner, facts, "TT-13.2")
    totals = [count_total_points(s, seat) for seat in range(s.seats)]
    for seat in range(s.seats):
        if totals.count(totals[seat]) > 1:
            s.emit(EVEN, seat, (s.shamans[seat],), "TT-13.3")


class Move(Step[TestOfTime]):
    """TT-2.1  The choice of exactly one move, which may be Pass; TT-2.4: a player who can only pass is not asked."""

    id: ClassVar[str] = "Move"
    action: ClassVar[Action | None] = stages.MOVE
    chained_verbs: ClassVar[tuple[str, ...]] = ("create", "preserve", "convert", "attack", "defend", "reverse")
    question: ClassVar[str] = "Your turn: {0} {0:follower|followers} and {1} {1:shaman|shamans} waiting."
    completed_verbs: ClassVar[tuple[str, ...]] = ("preserve", "sire", "sire_shaman")
    completed_text: ClassVar[str] = "Choose who pays …"
    plan_texts: ClassVar[Mapping[str, str]] = {
        "preserve_sire": "Preserve all, sire in all zones",
        "preserve": "Preserve all",
        "sire": "Sire in all zones",
        "pass": "Pass until attacked",
    }
    auto_reply_text: ClassVar[str] = "Pass"
    auto_reply_spans: ClassVar[tuple[str, ...]] = (ATTACKED, ROUND)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.waiting[self.who], s.waiting_shamans[self.who])

    def display_rank(self, s: TestOfTime, o: Option) -> int:
        """Return the display rank, with Defend first."""
        return int(o != DEFEND)

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(CREATE, PASS + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        who = self.who
        worth = s.compute_waiting_worth(who)
        if o == CREATE:
            return forbids_create(s, who, worth)
        if o == PRESERVE:
            return forbids_preserve(s, who, worth)
        if o == SIRE:
            return forbids_sire(s, who, worth)
        if o == SIRE_SHAMAN:
            return forbids_sire_shaman(s, who, worth)
        if o == CONVERT:
            return forbids_convert(s, who, worth)
        if o == ATTACK:
            return forbids_attack(s, who)
        if o == DEFEND:
            return forbids_defend(s, who)
        if o == REVERSE:
            return forbids_reverse(s, who)
        return None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        who = self.who
        c = s.c
        if rule is CREATE_COST:
            return (find_cheapest_create_cost(s, who), s.compute_waiting_worth(who))
        if rule is PRESERVE_COST:
            return (find_cheapest_preserve_cost(s, who), s.compute_waiting_worth(who))
        if rule is SIRE_COST:
            return (c.sire_cost, s.compute_waiting_worth(who))
        if rule is SIRE_SHAMAN_COST:
            return (c.sire_shaman_cost, s.compute_waiting_worth(who))
        if rule is CONVERT_COST:
            return (compute_convert_cost(s, who), s.compute_waiting_worth(who))
        if rule is SIRE_ZONES_USED:
            return (c.sire_zones,)
        if rule is SHAMAN_ZONES_USED:
            return (c.sire_shaman_zones,)
        if rule is NO_FOLLOWER_LEFT or rule is CONVERT_LIMIT:
            return (c.max_followers,)
        if rule is NO_SHAMAN_LEFT:
            return (c.max_shamans,)
        if rule is ATTACKS_MADE:
            return (s.attacks_per_round,)
        return ()

    def options(self, s: TestOfTime) -> list[Option]:
        who = self.who
        if s.waiting[who] == 0 and s.waiting_shamans[who] == 0:
            return MOVE_OPTIONS[0]
        worth = s.compute_waiting_worth(who)
        move_mask: i64 = 0  # one bit for each move
        if forbids_create(s, who, worth) is None:
            move_mask |= 1 << CREATE
        if forbids_preserve(s, who, worth) is None:
            move_mask |= 1 << PRESERVE
        if forbids_sire(s, who, worth) is None:
            move_mask |= 1 << SIRE
        if forbids_sire_shaman(s, who, worth) is None:
            move_mask |= 1 << SIRE_SHAMAN
        if forbids_convert(s, who, worth) is None:
            move_mask |= 1 << CONVERT
        if forbids_attack(s, who) is None:
            move_mask |= 1 << ATTACK
        if forbids_defend(s, who) is None:
            move_mask |= 1 << DEFEND
        if forbids_reverse(s, who) is None:
            move_mask |= 1 << REVERSE
        return MOVE_OPTIONS[move_mask]

    def auto_reply_option(self, s: TestOfTime) -> Option:
        return PASS

    def list_plans(self, s: TestOfTime) -> list[str]:
        """Return the plans that spare several moves and that the pieces at home can pay for."""
        who = self.who
        if not self.is_unthreatened(s):
            return [f"pass {self.count_uncovered_attack(s)}"]
        worth = s.compute_waiting_worth(who)
        upkeep = list_unpaid_upkeep(s, who)
        children = 0 if forbids_sire(s, who, worth) is not None else count_possible_children(s, who, worth)
        plans: list[str] = []
        if len(upkeep) > 0 and children > 0 and sum(upkeep) + s.c.sire_cost <= worth:
            plans.append("preserve_sire")
        if len(upkeep) > 1 and sum(upkeep) <= worth:
            plans.append("preserve")
        if children > 1:
            plans.append("sire")
        plans.append("pass")
        return plans

    def plan_option(self, s: TestOfTime, plan: str) -> Option:
        if "preserve" in plan and PRESERVE in s.legal:
            return PRESERVE
        if "sire" in plan and SIRE in s.legal:
            return SIRE
        if not plan.startswith("pass"):
            return ASK
        return PASS if self.count_uncovered_attack(s) <= int("0" + plan[5:]) else ASK

    def count_uncovered_attack(self, s: TestOfTime) -> int:
        """TT-10.1  Return the strength against the player's Testaments that no defender covers."""
        slots = range(self.who * s.c.spaces, (self.who + 1) * s.c.spaces)
        return sum([max(0, s.compute_uncovered_attack(slot)) for slot in slots])

    def is_unthreatened(self, s: TestOfTime) -> bool:
        """TT-2.2, TT-10.1  Return whether no attack on the player can be covered, so that Pass is a safe answer."""
        return forbids_defend(s, self.who) is not None

    def apply(self, s: TestOfTime, o: Option) -> None:
        who = self.who
        s.moves_begun += 1
        if o == PASS:
            pass_turn(s, who)
            return
        s.passes = 0
        s.stack.append(MOVES_BY_SEAT[(who + 1) % s.seats])
        if o == CREATE:
            begin_create(s, who)
        elif o == PRESERVE:
            begin_preserve(s, who)
        elif o == SIRE:
            sire_follower(s, who)
        elif o == SIRE_SHAMAN:
            sire_shaman(s, who)
        elif o == CONVERT:
            begin_convert(s, who)
        elif o == ATTACK:
            begin_attack(s, who)
        elif o == DEFEND:
            begin_defend(s, who)
        else:
            begin_reverse(s, who)


MOVES_BY_SEAT: Final = [Move(seat) for seat in range(MAX_SEATS)]  # Steps never change, so all tables share them.


def pass_turn(s: TestOfTime, who: Seat) -> None:
    """TT-2.2, TT-2.3, TT-R4  Pass, which is not final.

    As many passes in a row as there are players end the round at once.
    """
    s.passes += 1
    s.emit(PASSED, who, (), "TT-2.2")
    if s.passes == s.seats:
        s.stack.append(END_ROUND)
    else:
        s.stack.append(MOVES_BY_SEAT[(who + 1) % s.seats])
