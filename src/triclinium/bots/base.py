"""A bot, and how it is asked.

No bot meets the true state. Whoever runs one calls ``choice`` or ``ask``, which hand it another world that its seat
cannot tell from the true one. A bot that fails does not stop a match: a legal option is taken in its place, and the
fault is named.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import FrameType

from triclinium.bots.budget import UNHURRIED_SECONDS, Budget
from triclinium.bots.core.ranking_network import RankingNetwork
from triclinium.bots.core.restriction import Restriction
from triclinium.bots.networks import load_network_for_bot
from triclinium.bots.time_slices import Sliced, run_to_end
from triclinium.engine.core.errors import BadSetup, suggest_names
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.engine.view import View

RESTRICTION_CACHE_SIZE = 64  # of which the options are kept
MIN_ALARM_SECONDS = 0.001  # seconds of an alarm: 0 would turn it off


@dataclass(frozen=True)
class DecisionRequest:
    """What a bot is handed: all of it is the bot's own, and none of it is the truth that its seat does not know."""

    game: Game
    world: State  # one that the seat cannot tell from the true one; play on in it, or resample it again
    seat: Seat
    rng: Rng
    budget: Budget
    played: Sequence[Option] = ()  # the options of the match so far, as its record tells them to everybody
    restriction: Restriction | None = None  # what the seat may not choose; its world's options keep to it already

    @property
    def view(self) -> View:
        """What the seat sees."""
        return self.game.view(self.world, self.seat)


class Bot:
    """Chooses options for a seat. What a bot keeps between decisions must not change what it may know."""

    name: str  # in the registry
    description: Name  # how it chooses, in one sentence
    budget = Budget(UNHURRIED_SECONDS)  # for one decision
    sensible_only = False  # whether it is asked about sensible options alone
    uses_network = False  # whether it uses what was learnt (nets.py)
    ignores_network = False  # True: its name asks it not to use that: ``steady+plain``

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def ranking_network(self) -> RankingNetwork | None:
        """What was learnt about ranking the options of this game."""
        return load_network_for_bot(self.game, self.name) if self.uses_network and not self.ignores_network else None

    def get_ranking_network(self, s: State) -> RankingNetwork | None:
        """The same for a match: one that goes on by older rules is played as if nothing had been learnt."""
        return self.ranking_network if s.version == self.game.version else None

    def choose(self, request: DecisionRequest) -> Option:
        """One of ``asked.world.legal``."""
        raise NotImplementedError

    def choose_in_slices(self, request: DecisionRequest) -> Sliced[Option]:
        """Choose in slices (`slices.py`). A bot that cannot be suspended chooses in one."""
        yield from ()
        return self.choose(request)


@dataclass(frozen=True)
class BotAnswer:
    """What is played, how long it took, and the fault, if a legal option had to be taken in the bot's place."""

    option: Option
    seconds: float = 0.0  # of processor time, in the process that was asked
    fault: str = ""  # "illegal", "late" (it never answered), or the name of an exception
    detail: str = ""
    was_asked: bool = True  # False: the option was the only one, or a ruling named it
    cut_short: bool = (
        False  # the wall's clock ended the thinking: the machine was too busy, and this is the best so far
    )


class BotTimeout(BaseException):
    """A bot has not come back within its limit. No Exception: a bot that catches all of these must wake up too."""


def ask_bot(
    bot: Bot,
    s: State,
    rng: Rng,
    played: Sequence[Option] = (),
    budget: Budget | None = None,
    forbidden_verbs: Sequence[str] = (),
    forbidden_components: Sequence[int] = (),
) -> BotAnswer:
    """Return the bot's answer for the deciding seat. A lone option, or one that a ruling names, is taken at once.

    The bot neither chooses nor plans options of the ``forbidden_verbs``, options about ``forbidden_components``
    (indexes into `Game.things`) and options that the game's bots avoid, unless there are no others.
    """
    return run_to_end(ask_bot_in_slices(bot, s, rng, played, budget, forbidden_verbs, forbidden_components))


def ask_bot_in_slices(
    bot: Bot,
    s: State,
    rng: Rng,
    played: Sequence[Option] = (),
    budget: Budget | None = None,
    forbidden_verbs: Sequence[str] = (),
    forbidden_components: Sequence[int] = (),
) -> Sliced[BotAnswer]:
    """Ask a bot as `ask` does. The time in which it is suspended counts neither as thinking nor as delay."""
    verbs = (*bot.game.verbs_bots_avoid, *forbidden_verbs)
    strict = bool(forbidden_verbs or forbidden_components)
    restriction = build_restriction(bot.game, verbs, tuple(forbidden_components), strict) if verbs or strict else None
    legal = bot.game.evaluator.sensible_options(s) if bot.sensible_only else s.legal
    legal = legal if restriction is None else restriction.filter_options(s, legal)
    forced_option = legal[0] if len(legal) == 1 else bot.game.ruled_option(s)
    if forced_option is not None and forced_option in legal:
        return BotAnswer(forced_option, was_asked=False)
    granted_budget = budget or bot.budget
    fallback = rng.fork()
    world = s.resample(s.who, rng)
    world.legal = legal
    request = DecisionRequest(bot.game, world, s.who, rng, granted_budget, played, restriction)
    fault = detail = ""
    o: Option | None = None
    done = False
    wall = seconds = 0.0
    task = bot.choose_in_slices(request)
    try:
        while True:
            began, spent = time.monotonic(), time.thread_time()
            try:
                with _limit_bot_time(max(MIN_ALARM_SECONDS, granted_budget.stuck_limit - wall)):
                    try:
                        next(task)
                    except StopIteration as end:
                        o, done = end.value, True
            except BotTimeout:
                if not done:  # else the alarm rang when the answer was there
                    fault, detail = "late", f"no answer after {granted_budget.stuck_limit:.1f} s"
            except Exception as error:  # a bot is somebody else's code: any fault of it must not stop a match
                fault, detail = type(error).__name__, str(error)
            wall += time.monotonic() - began
            seconds += time.thread_time() - spent
            if done or fault:
                break
            yield
    finally:
        task.close()
    if not fault and o not in legal:
        fault, detail = "illegal", f"{o} is not one of {legal}"
    if fault or o is None:
        return BotAnswer(fallback.pick(legal), seconds, fault, detail)
    return BotAnswer(o, seconds, cut_short=wall >= granted_budget.wall_limit)


@lru_cache(RESTRICTION_CACHE_SIZE)
def build_restriction(
    game: Game, verbs: tuple[str, ...], components: tuple[int, ...] = (), strict: bool = True
) -> Restriction:
    """Return what forbids options of these verbs and about these components; raise BadSetup for an unknown verb."""
    verbs_by_word = {verb.word: verb for verb in game.verbs}
    for word in verbs:
        if word not in verbs_by_word:
            raise BadSetup(f"{game.id} has no verb {word!r}; {suggest_names(word, verbs_by_word)}")
    forbidden_by_verb = [any(o in verbs_by_word[word] for word in verbs) for o in range(game.notation.size)]
    forbidden_by_component = [n in components for n in range(len(game.all_components))] if components else []
    return Restriction(forbidden_by_verb, forbidden_by_component, game.option_components, strict)


def choose_option(bot: Bot, s: State, rng: Rng, played: Sequence[Option] = (), budget: Budget | None = None) -> Option:
    """What the bot chooses for the seat that is asked, or a legal option if it fails."""
    return ask_bot(bot, s, rng, played, budget).option


def play_out(
    s: State, bots: Sequence[Bot], rngs: Sequence[Rng], on_answer: Callable[[Seat, BotAnswer], None] | None = None
) -> int:
    """Play to the end, a bot and its chance for each seat, and say how many decisions were made."""
    played: list[Option] = []
    while not s.over:
        answer = ask_bot(bots[s.who], s, rngs[s.who], played)
        if on_answer is not None:
            on_answer(s.who, answer)
        played.append(answer.option)
        s.choose(answer.option)
    return len(played)


@contextmanager
def _limit_bot_time(seconds: float) -> Iterator[None]:
    """Raise Late, once, in a bot that does not come back. Only a process's main thread can be woken so."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def raise_timeout(number: int, frame: FrameType | None) -> None:
        raise BotTimeout

    before = signal.signal(signal.SIGALRM, raise_timeout)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # it may ring at this very moment
            signal.signal(signal.SIGALRM, before)
