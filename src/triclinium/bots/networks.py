"""Files with a game's trained ranking network, read with the standard library only.

A file is used only with the rules version, the components and the weights of its training, because it must not mislead
a designer who measures an edition. A log message says once if a file is not used. Only bots that passed the file's
acceptance test use it. ``TRICLINIUM_NET=off`` and ``steady+plain`` disable it. ``TRICLINIUM_NET=FILE`` uses another
file in any learning bot. ``TRICLINIUM_NET=trust=0.5`` and ``FILE,trust=0.5`` halve its corrections and also allow
edited components. The option ``--net`` of a command has the same syntax.

The format is safetensors: eight bytes of length, a JSON header, then numbers of two bytes each.
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

from triclinium.bots.core.ranking_network import RankingNetwork
from triclinium.engine.core.errors import BadComponents, BadSetup, TricliniumError
from triclinium.engine.game import Game
from triclinium.engine.registry import find_game_folder

NETWORK_VARIABLE = "TRICLINIUM_NET"
OFF = "off"
TRUST_PREFIX = "trust="
GATE_PREFIX = "gate "  # prefix of the acceptance tests in a file's metadata
# metadata that every file must have
REQUIRED_METADATA = (
    "game",
    "version",
    "components",
    "features",
    "weights",
    "verbs",
    "hidden",
)
PARTS = ("after", "before", "verb", "context", "second", "second_bias", "last")
MAX_BYTES = 2_000_000
CACHE_SIZE = 32


@dataclass(frozen=True)
class NetworkFile:
    """The numbers of a network and its metadata: training and acceptance tests."""

    metadata: Mapping[str, str]
    parts: Mapping[str, list[float]]

    @property
    def verbs(self) -> list[str]:
        return self.metadata["verbs"].split()

    @property
    def features(self) -> list[str]:
        return self.metadata["features"].split()


def read_network(path: Path) -> NetworkFile:
    """Return the content of a network file. Raise BadComponents if it cannot be read."""
    try:
        data = path.read_bytes()
        (header_size,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8 : 8 + header_size])
        body = data[8 + header_size :]
        parts = {name: _unpack_numbers(body, header[name]) for name in PARTS}
        metadata = {str(name): str(value) for name, value in header["__metadata__"].items()}
        missing = [name for name in REQUIRED_METADATA if name not in metadata]
        if missing:
            raise ValueError(f"its metadata lacks {missing[0]}")
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise BadComponents(f"{path.name} is not a network file: {error}") from None
    return NetworkFile(metadata, parts)


def _unpack_numbers(body: bytes, entry: Mapping[str, object]) -> list[float]:
    offsets = entry["data_offsets"]
    if entry["dtype"] != "F16" or not isinstance(offsets, list):
        raise ValueError("numbers of two bytes are expected")
    first, last = int(offsets[0]), int(offsets[1])
    return list(struct.unpack(f"<{(last - first) // 2}e", body[first:last]))


def write_network(
    path: Path, metadata: Mapping[str, str], parts: Mapping[str, tuple[Sequence[int], Sequence[float]]]
) -> Path:
    """Write a network file and return its path. Its name ends with a hash of its content."""
    body = b""
    header: dict[str, object] = {"__metadata__": dict(metadata)}
    for name in PARTS:
        shape, numbers = parts[name]
        packed = struct.pack(f"<{len(numbers)}e", *numbers)
        header[name] = {"dtype": "F16", "shape": list(shape), "data_offsets": [len(body), len(body) + len(packed)]}
        body += packed
    head = json.dumps(header, sort_keys=True).encode()
    head += b" " * (-len(head) % 8)
    data = struct.pack("<Q", len(head)) + head + body
    assert len(data) <= MAX_BYTES
    file = path / f"net-{hashlib.sha256(data).hexdigest()[:8]}.safetensors"
    file.write_bytes(data)
    return file


@dataclass(frozen=True)
class NetworkSetting:
    """A setting for networks: off, another file, or a factor for its corrections."""

    off: bool = False
    file: Path | None = None  # None: the file that comes with the game
    trust: float | None = None  # None: full trust, but only on the components of its training


def parse_setting(text: str) -> NetworkSetting:
    """Parse ``off``, ``FILE``, ``trust=0.5`` or ``FILE,trust=0.5``. Raise BadSetup for other text."""
    if text == OFF:
        return NetworkSetting(off=True)
    file, prefix, number = text.rpartition(TRUST_PREFIX)
    if not prefix or file[-1:] not in ("", ","):
        return NetworkSetting(file=Path(text) if text else None)
    try:
        trust = float(number)
    except ValueError:
        trust = -1.0
    if not 0 <= trust <= 1:
        raise BadSetup(f"trust is a number from 0 to 1, not {number!r}")
    return NetworkSetting(file=Path(file[:-1]) if file else None, trust=trust)


@contextmanager
def override_network(text: str) -> Iterator[None]:
    """Apply a setting to the bots of this process and its children. Raise BadSetup or BadComponents if it is wrong."""
    setting = parse_setting(text)
    if setting.file is not None:
        read_network(setting.file)
    before = os.environ.get(NETWORK_VARIABLE)
    os.environ[NETWORK_VARIABLE] = text
    try:
        yield
    finally:
        del os.environ[NETWORK_VARIABLE]
        if before is not None:
            os.environ[NETWORK_VARIABLE] = before


def find_network_path(game: Game) -> Path | None:
    """Return the path of the network file for a game, or None if there is none or networks are off."""
    setting = parse_setting(os.environ.get(NETWORK_VARIABLE, ""))
    return setting.file if setting.off or setting.file is not None else _find_shipped_file(game)


@lru_cache(CACHE_SIZE)
def _find_shipped_file(game: Game) -> Path | None:
    paths = sorted(find_game_folder(game, "ai").glob("net-*.safetensors"))
    return paths[0] if paths else None


def check_file_name(path: Path) -> str:
    """Return an error if the file name contains a hash that does not match the content. Otherwise return ""."""
    match = re.fullmatch(r"net-([0-9a-f]{8})", path.stem)
    right = match is None or hashlib.sha256(path.read_bytes()).hexdigest().startswith(match[1])
    return "" if right else "its content does not match its name"


def find_mismatch(game: Game, file: NetworkFile, edited: bool = False) -> str:
    """Return the reason why a file does not fit this game, or "". ``edited`` allows other components."""
    metadata = file.metadata
    if metadata["game"] != game.id:
        return f"it was trained for {metadata['game']}"
    if metadata["version"] != str(game.version):
        return f"it was trained for version {metadata['version']} of the rules"
    schema = game.components_schema
    trained_on = metadata["components"] if schema is None else schema.find_current_hash(metadata["components"])
    if trained_on != game.hash and not edited:
        return "it was trained with other components"
    if file.features != list(game.weights.names):
        return "it uses other features"
    if metadata["weights"] != hash_weights(game):
        return "it was trained with other weights"
    return ""


def hash_weights(game: Game) -> str:
    """Return a hash of the evaluation's weights, because the network is trained on the difference to it."""
    text = json.dumps([*game.weights.values, game.weights.prior])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class LoadedNetwork:
    """The network file found for a game, with its network or the reason for its rejection."""

    name: str = ""  # the file name without its ending; empty if there is no file or networks are off
    network: RankingNetwork | None = None
    trust: float = 1.0
    rejection: str = ""
    file: NetworkFile | None = None
    is_explicit: bool = False  # whether the user named the file, so that no acceptance test is required

    @property
    def label(self) -> str:
        """The name of the network for reports; empty without a network."""
        if self.network is None:
            return ""
        return self.name if self.trust == 1 else f"{self.name}, {TRUST_PREFIX}{self.trust:g}"

    def is_used_by(self, bot: str) -> bool:
        """Return whether a learning bot uses it: it has passed its acceptance test, or the user named the file."""
        return self.network is not None and (
            self.is_explicit or (self.file is not None and has_passed_acceptance(self.file, bot))
        )


def load_network_for_bot(game: Game, bot: str) -> RankingNetwork | None:
    """Return the network for a bot, or None if no file fits, passed its test and is switched on."""
    loaded = load_network(game)
    return loaded.network if loaded.is_used_by(bot) else None


def load_network(game: Game) -> LoadedNetwork:
    """Return the network of a game. If it is rejected, log the reason once."""
    path: Path | None = None
    with suppress(BadSetup):  # `_load_cached_network` logs the error once
        path = find_network_path(game)
    return _load_cached_network(game, os.environ.get(NETWORK_VARIABLE, ""), path)


@lru_cache(CACHE_SIZE)
def _load_cached_network(game: Game, text: str, path: Path | None) -> LoadedNetwork:
    name = text
    file: NetworkFile | None = None
    try:
        setting = parse_setting(text)
        if path is None:
            return LoadedNetwork()
        name = path.stem
        file = read_network(path)
        rejection = check_file_name(path) or find_mismatch(game, file, setting.trust is not None)
        if not rejection:
            trust = 1.0 if setting.trust is None else setting.trust
            return LoadedNetwork(
                name, build_ranking_network(game, file, trust), trust, "", file, setting.file is not None
            )
    except TricliniumError as error:
        rejection = str(error)
    if parent_process() is None:  # otherwise every worker of a study would log it too
        logging.getLogger(__name__).warning("%s is not used by bots of %s: %s", name, game.id, rejection)
    return LoadedNetwork(name, rejection=rejection, file=file)


def has_passed_acceptance(file: NetworkFile, bot: str) -> bool:
    """Return whether the bot won every acceptance test against itself without the file."""
    gates = [verdict for name, verdict in file.metadata.items() if name.startswith(f"{GATE_PREFIX}{bot},")]
    return bool(gates) and all(verdict.endswith(", passed") for verdict in gates)


def build_ranking_network(game: Game, file: NetworkFile, trust: float = 1.0) -> RankingNetwork:
    """Return the compiled network for play."""
    verb_of = map_options_to_verbs(game, file.verbs)
    parts = file.parts
    return RankingNetwork(
        int(file.metadata["hidden"]),
        parts["after"],
        parts["before"],
        parts["verb"],
        parts["context"],
        parts["second"],
        parts["second_bias"],
        parts["last"],
        verb_of,
        game.weights.prior,
        trust,
    )


def map_options_to_verbs(game: Game, words: Sequence[str]) -> list[int]:
    """Return the index of each option's verb among these words, or -1."""
    verb_indexes = [-1] * game.notation.size
    for verb in game.verbs:
        if verb.word in words:
            verb_indexes[verb.first : verb.first + verb.size] = [words.index(verb.word)] * verb.size
    return verb_indexes
