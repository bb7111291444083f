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

from triclinium.bots.budget import UNHURRIED, Budget
from triclinium.bots.core.ranking_network import Ranker
from triclinium.bots.core.restriction import Ban
from triclinium.bots.networks import learnt
from triclinium.bots.time_slices import Sliced, complete
from triclinium.engine.core.errors import BadSetup, nearest
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.engine.view import View

BANS = 64  # of which the options are kept
SHORTEST = 0.001  # seconds of an alarm: 0 would turn it off


@dataclass(frozen=True)
class Asked:
    """What a bot is handed: all of it is the bot's own, and none of it is the truth that its seat does not know."""

    game: Game
    world: State  # one that the seat cannot tell from the true one; play on in it, or resample it again
    seat: Seat
    rng: Rng
    budget: Budget
    played: Sequence[Option] = ()  # the options of the match so far, as its record tells them to everybody
    banned: Ban | None = None  # what the seat may not choose; its world's options keep to it already

    @property
    def view(self) -> View:
        """What the seat sees."""
        return self.game.view(self.world, self.seat)


class Bot:
    """Chooses options for a seat. What a bot keeps between decisions must not change what it may know."""

    name: str  # in the registry
    how: Name  # how it chooses, in one sentence
    budget = Budget(UNHURRIED)  # for one decision
    sensible = False  # whether it is asked about sensible options alone
    learns = False  # whether it uses what was learnt (nets.py)
    plain = False  # True: its name asks it not to use that: ``steady+plain``

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def ranker(self) -> Ranker | None:
        """What was learnt about ranking the options of this game."""
        return learnt(self.game, self.name) if self.learns and not self.plain else None

    def ranker_for(self, s: State) -> Ranker | None:
        """The same for a match: one that goes on by older rules is played as if nothing had been learnt."""
        return self.ranker if s.version == self.game.version else None

    def choose(self, asked: Asked) -> Option:
        """One of ``asked.world.legal``."""
        raise NotImplementedError

    def think(self, asked: Asked) -> Sliced[Option]:
        """Choose in slices (`slices.py`). A bot that cannot be suspended chooses in one."""
        yield from ()
        return self.choose(asked)


@dataclass(frozen=True)
class Answer:
    """What is played, how long it took, and the fault, if a legal option had to be taken in the bot's place."""

    option: Option
    seconds: float = 0.0  # of processor time, in the process that was asked
    fault: str = ""  # "illegal", "late" (it never answered), or the name of an exception
    detail: str = ""
    asked: bool = True  # False: the option was the only one, or a ruling named it
    cut: bool = False  # the wall's clock ended the thinking: the machine was too busy, and this is the best so far


class Late(BaseException):
    """A bot has not come back within its limit. No Exception: a bot that catches all of these must wake up too."""


def ask(
    bot: Bot,
    s: State,
    rng: Rng,
    played: Sequence[Option] = (),
    budget: Budget | None = None,
    banned: Sequence[str] = (),
    banned_components: Sequence[int] = (),
) -> Answer:
    """What is played for the seat that is asked. A lone option, or one that a ruling names, is taken unasked.

    Options of the ``banned`` verbs, options about ``banned_components`` (indexes into `Game.things`), and those that
    the game has bots shun, are neither chosen nor planned, unless there are no others.
    """
    return complete(ask_in_slices(bot, s, rng, played, budget, banned, banned_components))


def ask_in_slices(
    bot: Bot,
    s: State,
    rng: Rng,
    played: Sequence[Option] = (),
    budget: Budget | None = None,
    banned: Sequence[str] = (),
    banned_components: Sequence[int] = (),
) -> Sliced[Answer]:
    """Ask a bot as `ask` does. The time in which it is suspended counts neither as thinking nor as delay."""
    verbs = (*bot.game.shunned, *banned)
    strict = bool(banned or banned_components)
    never = ban(bot.game, verbs, tuple(banned_components), strict) if verbs or strict else None
    legal = bot.game.evaluator.sensible(s) if bot.sensible else s.legal
    legal = legal if never is None else never.allowed(s, legal)
    settled = legal[0] if len(legal) == 1 else bot.game.agreed(s)
    if settled is not None and settled in legal:
        return Answer(settled, asked=False)
    given = budget or bot.budget
    fallback = rng.fork()
    world = s.resample(s.who, rng)
    world.legal = legal
    asked = Asked(bot.game, world, s.who, rng, given, played, never)
    fault = detail = ""
    o: Option | None = None
    done = False
    wall = seconds = 0.0
    task = bot.think(asked)
    try:
        while True:
            began, spent = time.monotonic(), time.thread_time()
            try:
                with _alarm(max(SHORTEST, given.limit - wall)):
                    try:
                        next(task)
                    except StopIteration as end:
                        o, done = end.value, True
            except Late:
                if not done:  # else the alarm rang when the answer was there
                    fault, detail = "late", f"no answer after {given.limit:.1f} s"
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
        return Answer(fallback.pick(legal), seconds, fault, detail)
    return Answer(o, seconds, cut=wall >= given.bound)


@lru_cache(BANS)
def ban(game: Game, verbs: tuple[str, ...], components: tuple[int, ...] = (), strict: bool = True) -> Ban:
    """Return what forbids options of these verbs and about these components; raise BadSetup for an unknown verb."""
    words = {verb.word: verb for verb in game.verbs}
    for word in verbs:
        if word not in words:
            raise BadSetup(f"{game.id} has no verb {word!r}; {nearest(word, words)}")
    of_verbs = [any(o in words[word] for word in verbs) for o in range(game.notation.size)]
    of_components = [n in components for n in range(len(game.things))] if components else []
    return Ban(of_verbs, of_components, game.subjects, strict)


def choice(bot: Bot, s: State, rng: Rng, played: Sequence[Option] = (), budget: Budget | None = None) -> Option:
    """What the bot chooses for the seat that is asked, or a legal option if it fails."""
    return ask(bot, s, rng, played, budget).option


def play_out(
    s: State, bots: Sequence[Bot], rngs: Sequence[Rng], heard: Callable[[Seat, Answer], None] | None = None
) -> int:
    """Play to the end, a bot and its chance for each seat, and say how many decisions were made."""
    played: list[Option] = []
    while not s.over:
        answer = ask(bots[s.who], s, rngs[s.who], played)
        if heard is not None:
            heard(s.who, answer)
        played.append(answer.option)
        s.choose(answer.option)
    return len(played)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise Late, once, in a bot that does not come back. Only a process's main thread can be woken so."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # it may ring at this very moment
            signal.signal(signal.SIGALRM, before)
