"""A copy of the game Figs in a separate package, which fails where a test wants it to."""

import itertools
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.example import install
from triclinium.engine import registry
from triclinium.engine.game import Game

SOURCE = """
from triclinium.engine.core.errors import Refused
from triclinium.engine.core.text import Name
from triclinium.engine.core.components import ComponentsFile
from tests import toy

FAILS = {fails}


class Turn(toy.Turn):
    def apply(self, s, o):
        if "every option" in FAILS or (o == toy.PEEK and FAILS & {{"rule", "late refusal"}}):
            s.coins[self.who] += 50
            s.hands[self.who] = 0
            s.undo_barrier += s.rng.below(6) + 1
            s.push(toy.Join(self.who, self.who))
            s.emit(toy.PEEKED, self.who)
            if "late refusal" in FAILS:
                raise Refused(o, toy.PILE_EMPTY)
            raise RuntimeError("the innards broke")
        super().apply(s, o)

    def forbids(self, s, o):
        rule = super().forbids(s, o)
        if "reasons" in FAILS and rule is not None:
            raise RuntimeError("no reason")
        return rule

    def options(self, s):
        return [o for o in self.candidates(s) if toy.Turn.forbids(self, s, o) is None]


def speechless(*args, **more):
    raise RuntimeError("no words")


class Words(toy.ToyWords):
    def __getattribute__(self, name):
        return speechless if f"words.{{name}}" in FAILS else super().__getattribute__(name)


class State(toy.Toy):
    def clone(self):
        t = super().clone()
        t.__class__ = State
        return t


class Brittle(toy.Figs):
    id = "brittle"
    name = Name("Brittle")

    def __init__(self, file):
        super().__init__(file)
        self.words = Words(self.notation, toy.LOCALE)

    def view(self, s, seat):
        if "view" in FAILS:
            raise RuntimeError("blind")
        return super().view(s, seat)

    def scores(self, s):
        if "scores at the end" in FAILS and s.over:
            raise RuntimeError("cannot count")
        return super().scores(s)

    def start(self, seats, rng, variants, version):
        s = super().start(seats, rng, variants, version)
        s.__class__ = State
        if FAILS & {{"reasons", "no coins"}}:
            s.coins = [0] * seats  # no card can be laid
        s.stack = [Turn(step.who) if type(step) is toy.Turn else step for step in s.stack]
        return s


GAME = Brittle(ComponentsFile(toy.SHEET, "brittle.toml"))
"""

_number = itertools.count()


@contextmanager
def make_failing_game(
    folder: Path, fails: Collection[str] = (), files: Mapping[str, str] | None = None
) -> Iterator[Game]:
    """Yield the game, installed while the context lasts, with the parts that fail and its files for the pages."""
    package = f"brittle_{next(_number)}"  # a new name each time, because an imported module is kept
    home = folder / package
    home.mkdir()
    (home / "__init__.py").write_text("")
    (home / "game.py").write_text(SOURCE.format(fails=set(fails) or "set()"))
    for name, text in (files or {}).items():
        (home / name).write_text(text)
    install(folder, package, {"brittle": f"{package}.game:GAME"})
    sys.path.insert(0, str(folder))
    registry._loaded.pop("brittle", None)
    try:
        yield registry.load_game("brittle")
    finally:
        sys.path.remove(str(folder))
        registry._loaded.pop("brittle", None)
