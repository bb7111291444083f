"""What a game's bots have learnt: a file beside its weights, read with nothing but the standard library.

A file is used for the rules version, the components and the weights that it was learnt with, and for no others: nothing
learnt may mislead a designer who measures an edition. It is used by those bots that it has made better: a bot whose
own gate it did not pass plays as before. ``TRICLINIUM_NET=off`` and ``steady+plain`` leave it out;
``TRICLINIUM_NET=FILE`` tries another one.

The format is safetensors: eight bytes of length, a header in JSON, then numbers of two bytes each.
"""

import hashlib
import json
import os
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from triclinium.bots.core.ranker import Ranker
from triclinium.engine.core.errors import BadComponents
from triclinium.engine.game import Game
from triclinium.engine.registry import folder

VARIABLE = "TRICLINIUM_NET"
OFF = "off"
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


def net_path(game: Game) -> Path | None:
    """Where what a game's bots have learnt is kept; None: nothing is, or it is switched off."""
    said = os.environ.get(VARIABLE, "")
    if said:
        return None if said == OFF else Path(said)
    found = sorted(folder(game, "ai").glob("net-*.safetensors"))
    return found[0] if found else None


def fits(game: Game, file: NetFile) -> str:
    """Why a file is not used for this game; empty: it is."""
    told = file.told
    if told["title"] != game.id:
        return f"it was learnt for {told['title']}"
    if told["version"] != str(game.version):
        return f"it was learnt for version {told['version']} of the rules"
    if told["components"] != game.hash:
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


def learnt(game: Game, bot: str) -> Ranker | None:
    """What a bot adds to its evaluation, if a file fits the game, made the bot better and is not switched off."""
    path = net_path(game)
    return None if path is None else _ranker(game, path, bot if VARIABLE not in os.environ else "")


@lru_cache(KEPT)
def _ranker(game: Game, path: Path, bot: str) -> Ranker | None:
    file = read_net(path)
    return None if fits(game, file) or (bot and not passed(file, bot)) else ranker_of(game, file)


def passed(file: NetFile, bot: str) -> bool:
    """Whether a bot has met itself without the file, and every such gate spoke for the file."""
    gates = [said for name, said in file.told.items() if name.startswith(f"gate {bot},")]
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
