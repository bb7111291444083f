"""What a game's bots have learnt: a file beside its weights, read with nothing but the standard library.

A file is used for the rules version, the components and the weights that it was learnt with, and for no others: nothing
learnt may mislead a designer who measures an edition. That one is not used is said once. It is used by those bots that
it has made better: a bot whose own gate it did not pass plays as before. ``TRICLINIUM_NET=off`` and ``steady+plain``
leave it out; ``TRICLINIUM_NET=FILE`` tries another one, in any bot that learns; ``TRICLINIUM_NET=trust=0.5`` and
``FILE,trust=0.5`` count half of what it says, on edited components too. ``--net`` of a command says the same.

The format is safetensors: eight bytes of length, a header in JSON, then numbers of two bytes each.
"""

import hashlib
import json
import logging
import os
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import parent_process
from pathlib import Path

from triclinium.bots.core.ranking_network import Ranker
from triclinium.engine.core.errors import BadComponents, BadSetup, TricliniumError
from triclinium.engine.game import Game
from triclinium.engine.registry import folder

VARIABLE = "TRICLINIUM_NET"
OFF = "off"
TRUST = "trust="
GATE = "gate "  # what the history of a file calls the trials that it went through
TOLD = ("title", "version", "components", "features", "weights", "verbs", "hidden")  # what a file must tell of itself
PARTS = ("after", "before", "verb", "context", "second", "second_bias", "last")
LARGEST = 2_000_000  # bytes
KEPT = 32


@dataclass(frozen=True)
class NetFile:
    """The numbers of a network, and its history: what it was learnt from and what it won."""

    told: Mapping[str, str]
    parts: Mapping[str, list[float]]

    @property
    def verbs(self) -> list[str]:
        return self.told["verbs"].split()

    @property
    def features(self) -> list[str]:
        return self.told["features"].split()


def read_net(path: Path) -> NetFile:
    """A file by its content; raises BadComponents."""
    try:
        data = path.read_bytes()
        (long,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8 : 8 + long])
        body = data[8 + long :]
        parts = {name: _numbers(body, header[name]) for name in PARTS}
        told = {str(name): str(value) for name, value in header["__metadata__"].items()}
        missing = [name for name in TOLD if name not in told]
        if missing:
            raise ValueError(f"it does not tell its {missing[0]}")
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise BadComponents(f"{path.name} is no network of ours: {error}") from None
    return NetFile(told, parts)


def _numbers(body: bytes, entry: Mapping[str, object]) -> list[float]:
    offsets = entry["data_offsets"]
    if entry["dtype"] != "F16" or not isinstance(offsets, list):
        raise ValueError("numbers of two bytes are expected")
    first, last = int(offsets[0]), int(offsets[1])
    return list(struct.unpack(f"<{(last - first) // 2}e", body[first:last]))


def write_net(path: Path, told: Mapping[str, str], parts: Mapping[str, tuple[Sequence[int], Sequence[float]]]) -> Path:
    """Write the numbers, each part with its shape; the file's name ends with what its content hashes to."""
    body = b""
    header: dict[str, object] = {"__metadata__": dict(told)}
    for name in PARTS:
        shape, numbers = parts[name]
        packed = struct.pack(f"<{len(numbers)}e", *numbers)
        header[name] = {"dtype": "F16", "shape": list(shape), "data_offsets": [len(body), len(body) + len(packed)]}
        body += packed
    head = json.dumps(header, sort_keys=True).encode()
    head += b" " * (-len(head) % 8)
    data = struct.pack("<Q", len(head)) + head + body
    assert len(data) <= LARGEST
    found = path / f"net-{hashlib.sha256(data).hexdigest()[:8]}.safetensors"
    found.write_bytes(data)
    return found


@dataclass(frozen=True)
class Wish:
    """What somebody asks of what was learnt: nothing of it, another file, or how much of it counts."""

    off: bool = False
    file: Path | None = None  # None: what the game ships
    trust: float | None = None  # None: all of it, and nothing on components that it was not learnt on


def read_wish(said: str) -> Wish:
    """``off``, ``FILE``, ``trust=0.5`` or ``FILE,trust=0.5``; raises BadSetup."""
    if said == OFF:
        return Wish(off=True)
    file, found, number = said.rpartition(TRUST)
    if not found or file[-1:] not in ("", ","):
        return Wish(file=Path(said) if said else None)
    try:
        trust = float(number)
    except ValueError:
        trust = -1.0
    if not 0 <= trust <= 1:
        raise BadSetup(f"trust in what was learnt is a number from 0 to 1, not {number!r}")
    return Wish(file=Path(file[:-1]) if file else None, trust=trust)


@contextmanager
def wished(said: str) -> Iterator[None]:
    """Bots of this process, and of those that it starts, go by these words; raises BadSetup or BadComponents."""
    wish = read_wish(said)
    if wish.file is not None:
        read_net(wish.file)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = said
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before


def net_path(game: Game) -> Path | None:
    """Where what a game's bots have learnt is kept; None: nothing is, or it is switched off."""
    wish = read_wish(os.environ.get(VARIABLE, ""))
    return wish.file if wish.off or wish.file is not None else _shipped(game)


@lru_cache(KEPT)
def _shipped(game: Game) -> Path | None:
    found = sorted(folder(game, "ai").glob("net-*.safetensors"))
    return found[0] if found else None


def misnamed(path: Path) -> str:
    """Why a file is not used, if its name tells what its content hashes to and that is not so."""
    told = re.fullmatch(r"net-([0-9a-f]{8})", path.stem)
    right = told is None or hashlib.sha256(path.read_bytes()).hexdigest().startswith(told[1])
    return "" if right else "its content is not what its name says"


def fits(game: Game, file: NetFile, edited: bool = False) -> str:
    """Why a file is not used for this game; empty: it is. ``edited``: its components may be others."""
    told = file.told
    if told["title"] != game.id:
        return f"it was learnt for {told['title']}"
    if told["version"] != str(game.version):
        return f"it was learnt for version {told['version']} of the rules"
    if told["components"] != game.hash and not edited:
        return "it was learnt on other components"
    if file.features != list(game.weights.names):
        return "it reads other features"
    if told["weights"] != weights_hash(game):
        return "it was learnt beside other weights"
    return ""


def weights_hash(game: Game) -> str:
    """Of what the evaluation weighs by: the ranker has learnt the difference to it."""
    text = json.dumps([*game.weights.each, game.weights.prior])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Learnt:
    """What was found for a game: a file, and the ranker in it, or why it is not used."""

    name: str = ""  # of the file, without its ending; empty: there is none, or it is switched off
    ranker: Ranker | None = None
    trust: float = 1.0
    why: str = ""
    file: NetFile | None = None
    asked: bool = False  # whether somebody has named the file: then no gate is asked

    @property
    def used(self) -> str:
        """How a report names it; empty: it is not used."""
        if self.ranker is None:
            return ""
        return self.name if self.trust == 1 else f"{self.name}, {TRUST}{self.trust:g}"

    def serves(self, bot: str) -> bool:
        """Whether a bot that learns uses it: one that it made better, or any if somebody wants that."""
        return self.ranker is not None and (self.asked or (self.file is not None and passed(self.file, bot)))


def learnt(game: Game, bot: str) -> Ranker | None:
    """What a bot adds to its evaluation, if a file fits the game, made the bot better and is not switched off."""
    found = found_for(game)
    return found.ranker if found.serves(bot) else None


def found_for(game: Game) -> Learnt:
    """What a game's bots have learnt; why it is not used is said once."""
    path: Path | None = None
    with suppress(BadSetup):  # which is said below, once
        path = net_path(game)
    return _found(game, os.environ.get(VARIABLE, ""), path)


@lru_cache(KEPT)
def _found(game: Game, said: str, path: Path | None) -> Learnt:
    name = said
    file: NetFile | None = None
    try:
        wish = read_wish(said)
        if path is None:
            return Learnt()
        name = path.stem
        file = read_net(path)
        why = misnamed(path) or fits(game, file, wish.trust is not None)
        if not why:
            trust = 1.0 if wish.trust is None else wish.trust
            return Learnt(name, ranker_of(game, file, trust), trust, "", file, wish.file is not None)
    except TricliniumError as error:
        why = str(error)
    if parent_process() is None:  # else every worker of a study would say it too
        logging.getLogger(__name__).warning("%s is not used by bots of %s: %s", name, game.id, why)
    return Learnt(name, why=why, file=file)


def passed(file: NetFile, bot: str) -> bool:
    """Whether a bot has met itself without the file, and every such gate spoke for the file."""
    gates = [said for name, said in file.told.items() if name.startswith(f"{GATE}{bot},")]
    return bool(gates) and all(said.endswith(", passed") for said in gates)


def ranker_of(game: Game, file: NetFile, trust: float = 1.0) -> Ranker:
    """The network as play uses it."""
    verb_of = verb_of_options(game, file.verbs)
    of = file.parts
    return Ranker(
        int(file.told["hidden"]),
        of["after"],
        of["before"],
        of["verb"],
        of["context"],
        of["second"],
        of["second_bias"],
        of["last"],
        verb_of,
        game.weights.prior,
        trust,
    )


def verb_of_options(game: Game, words: Sequence[str]) -> list[int]:
    """By option the place of its verb among these words; -1: it is not among them, or there is no such option."""
    found = [-1] * game.notation.size
    for verb in game.verbs:
        if verb.word in words:
            found[verb.first : verb.first + verb.size] = [words.index(verb.word)] * verb.size
    return found
