"""The base class of bots, and the functions that ask them for a decision.

No bot sees the true state. `ask_bot` and `choose_option` give it a world that its seat cannot distinguish from the true
one. A bot that fails does not stop the match. A random legal option replaces its choice, and the answer names the
fault.
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

RESTRICTION_CACHE_SIZE = 64  # maximum number of restrictions in the cache
MIN_ALARM_SECONDS = 0.001  # shortest time of an alarm, because 0 would turn it off


@dataclass(frozen=True)
class DecisionRequest:
    """The data for one decision. Everything in it is a copy without hidden information, and the bot may change it."""

    game: Game
    world: State  # a world that the seat cannot distinguish from the true one, to play in or to resample
    seat: Seat
    rng: Rng
    budget: Budget
    played: Sequence[Option] = ()  # the options of the match so far, which are public
    # options that the seat must not choose; the world's legal options already respect them
    restriction: Restriction | None = None

    @property
    def view(self) -> View:
        """The view of the seat."""
        return self.game.view(self.world, self.seat)


class Bot:
    """Base class of bots. Data that a bot keeps between decisions must not reveal hidden information to it."""

    name: str  # the name in the registry
    description: Name  # one sentence on how the bot chooses
    budget = Budget(UNHURRIED_SECONDS)  # the default budget for one decision
    sensible_only = False  # whether the bot is only offered sensible options
    uses_network = False  # whether the bot uses the ranking network (networks.py)
    ignores_network = False  # whether its name excludes the network, as in ``steady+plain``

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def ranking_network(self) -> RankingNetwork | None:
        """The ranking network for this game and bot, or None."""
        return load_network_for_bot(self.game, self.name) if self.uses_network and not self.ignores_network else None

    def get_ranking_network(self, s: State) -> RankingNetwork | None:
        """Return the ranking network for this match, or None if the match uses an older version of the rules."""
        return self.ranking_network if s.version == self.game.version else None

    def choose(self, request: DecisionRequest) -> Option:
        """Return one of ``request.world.legal``."""
        raise NotImplementedError

    def choose_in_slices(self, request: DecisionRequest) -> Sliced[Option]:
        """Choose in slices (`time_slices.py`). By default the whole choice is a single slice."""
        yield from ()
        return self.choose(request)


@dataclass(frozen=True)
class BotAnswer:
    """The chosen option, the time it took, and the fault if a random option replaced the bot's choice."""

    option: Option
    seconds: float = 0.0  # processor time in the process that ran the bot
    fault: str = ""  # "illegal", "late" (it did not answer in time), or the name of an exception
    detail: str = ""
    was_asked: bool = True  # False if there was only one option or a ruling decided
    cut_short: bool = (
        # The wall-clock limit ended the search, because the machine was too busy. The option is the best one found so
        # far.
        False
    )


class BotTimeout(BaseException):
    """A signal that a bot has exceeded its time limit. It is no Exception, so a bot cannot catch it by accident."""


def ask_bot(
    bot: Bot,
    s: State,
    rng: Rng,
    played: Sequence[Option] = (),
    budget: Budget | None = None,
    forbidden_verbs: Sequence[str] = (),
    forbidden_components: Sequence[int] = (),
) -> BotAnswer:
    """Return the bot's answer for the deciding seat. It is not asked if there is one option or a ruling decides.

    The bot neither chooses nor plans options of the ``forbidden_verbs``, options about ``forbidden_components``
    (indexes into `Game.all_components`) and options that the game's bots avoid, unless there are no others.
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
    """Return the answer of `ask_bot`, in slices. Time between slices counts neither as thinking time nor as delay."""
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
                if not done:  # the alarm can also ring just after the answer, which then counts
                    fault, detail = "late", f"no answer after {granted_budget.stuck_limit:.1f} s"
            except Exception as error:  # a bot may be third-party code, and its errors must not stop a match
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
    """Return a restriction that forbids these verbs and components. Raise BadSetup for an unknown verb."""
    verbs_by_word = {verb.word: verb for verb in game.verbs}
    for word in verbs:
        if word not in verbs_by_word:
            raise BadSetup(f"{game.id} has no verb {word!r}; {suggest_names(word, verbs_by_word)}")
    forbidden_by_verb = [any(o in verbs_by_word[word] for word in verbs) for o in range(game.notation.size)]
    forbidden_by_component = [n in components for n in range(len(game.all_components))] if components else []
    return Restriction(forbidden_by_verb, forbidden_by_component, game.option_components, strict)


def choose_option(bot: Bot, s: State, rng: Rng, played: Sequence[Option] = (), budget: Budget | None = None) -> Option:
    """Return the bot's choice for the asked seat, or a random legal option if it fails."""
    return ask_bot(bot, s, rng, played, budget).option


def play_out(
    s: State, bots: Sequence[Bot], rngs: Sequence[Rng], on_answer: Callable[[Seat, BotAnswer], None] | None = None
) -> int:
    """Play a match to its end and return the number of decisions. Each seat has a bot and a random stream."""
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
    """Raise BotTimeout once if the bot does not return in time. It works in the main thread only."""
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
        finally:  # the alarm may ring at this very moment
            signal.signal(signal.SIGALRM, before)
