"""Folder of a study: its parts while it is played, whole tables at the end, and the report.

Each part is written under a temporary name and renamed, so that an interrupted study never has half of one.
"""

import io
import os
import shutil
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import polars as pl

from triclinium.engine.core.components import ComponentsTable, read_components
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.toml import to_toml
from triclinium.lab.study.plan import Edition, StudyPlan
from triclinium.lab.study.schema import CHANCE_SCALE, ROW_ORDERS, SCHEMAS, list_table_names
from triclinium.lab.study.study_file import COMPARE, OWN_DEALS, SCREEN, SHARED_DEALS, EditionRequest, Study, read_study

STUDY_FILE = "study.toml"
PARTS_FOLDER = "parts"
EDITIONS_FOLDER = "editions"
UNFINISHED_FILES = (
    PARTS_FOLDER,
    EDITIONS_FOLDER,
    f"{STUDY_FILE}.half",
)  # files of a study that was interrupted before its study file was written
LAST_TABLE = "matches.parquet"  # written after all other tables, so that its presence means that all are complete
COMPRESSION_LEVEL = 19  # level of zstd compression for whole tables, which are a tenth smaller than at level 12
NAME_COLUMNS = ("table", "id", "name")  # columns that identify a component in the whole table
PARQUET_MAGIC = b"PAR1"  # first and last bytes of every Parquet file


class StudyFolder:
    """A folder that stores the plan, parts, tables and weights of a study."""

    def __init__(self, path: Path, plan: StudyPlan) -> None:
        self.path = path
        self.plan = plan
        self.tables = list_table_names(plan.every_choice)

    def open(self, study: Study) -> None:
        """Create the folder, or continue the study that it contains. Raise BadSetup if it contains something else."""
        if self.path.exists() and not self.path.is_dir():
            raise BadSetup(f"{self.path} is a file; give another folder with --to")
        stored_hash = read_study_hash(self.path)
        if (
            stored_hash is None
            and self.path.exists()
            and any(file.name not in UNFINISHED_FILES for file in self.path.iterdir())
        ):
            raise BadSetup(f"{self.path} contains other files; give another folder with --to")
        if stored_hash is not None and stored_hash != self.plan.hash:
            raise BadSetup(f"{self.path} contains another study; give another folder with --to")
        try:
            (self.path if self.finished else self.path / PARTS_FOLDER).mkdir(parents=True, exist_ok=True)
            (self.path / EDITIONS_FOLDER).mkdir(exist_ok=True)
        except OSError as error:
            raise BadSetup(f"{self.path} cannot be created: {error.strerror}; give another folder with --to") from None
        if stored_hash is None:
            self._write_editions()
            write_atomically(self.path / STUDY_FILE, format_study_toml(study, self.plan).encode())
        if self.plan.refit:
            self.plan = replace(self.plan, editions=tuple(map(self._load_weights, self.plan.editions)))

    def _write_editions(self) -> None:
        for edition in self.plan.editions if self.plan.kind != SCREEN else self.plan.editions[:1]:
            file = self.plan.load_edition_game(self.plan.editions.index(edition)).file
            write_atomically(self.path / EDITIONS_FOLDER / f"{edition.hash}.toml", file.to_toml_text().encode())

    # -- weights of bots that were fitted to an edition ----------------------------------------------------------------

    def list_unfitted_editions(self) -> list[int]:
        """Return the editions to which bots have still to be fitted."""
        return [i for i, edition in enumerate(self.plan.editions) if self.plan.refit and not edition.weights]

    def save_weights(self, edition: int, text: str) -> None:
        """Save fitted weights next to their edition and use them in the plan."""
        editions = list(self.plan.editions)
        write_atomically(self._get_weights_path(editions[edition]), text.encode())
        editions[edition] = replace(editions[edition], weights=text)
        self.plan = replace(self.plan, editions=tuple(editions))

    def _load_weights(self, edition: Edition) -> Edition:
        path = self._get_weights_path(edition)
        return replace(edition, weights=path.read_text(encoding="utf-8")) if path.is_file() else edition

    def _get_weights_path(self, edition: Edition) -> Path:
        return self.path / EDITIONS_FOLDER / f"{edition.hash}.weights.toml"

    # -- parts -------------------------------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Return whether all tables are complete, so that no part is left."""
        return (self.path / LAST_TABLE).exists()

    def find_missing_parts(self, wanted: Sequence[int]) -> list[int]:
        """Return the wanted parts that have not been played yet, and delete half-written ones."""
        if self.finished:
            return []
        for rest in (self.path / PARTS_FOLDER).glob("*.half"):
            shutil.rmtree(rest)
        return [part for part in wanted if not self._is_complete(part)]

    def _is_complete(self, part: int) -> bool:
        """Return whether a part is complete.

        Delete a part with a missing or truncated table, so that it is played again.
        """
        place = self._get_part_path(part)
        if not place.is_dir():
            return False
        if all(is_parquet(place / f"{name}.parquet") for name in self.tables):
            return True
        shutil.rmtree(place)
        return False

    def save_part(self, part: int, packed: bytes) -> None:
        """Unpack a part under a temporary name and move it into its place."""
        place = self._get_part_path(part)
        half = place.with_suffix(".half")
        shutil.rmtree(half, ignore_errors=True)
        try:
            half.mkdir(parents=True)
            with zipfile.ZipFile(io.BytesIO(packed)) as box:
                box.extractall(half)
            os.replace(half, place)
        except OSError as error:
            raise BadSetup(f"{place} cannot be written: {error.strerror}; finished parts are kept") from None

    def _get_part_path(self, part: int) -> Path:
        return self.path / PARTS_FOLDER / f"{part:04d}"

    # -- tables ------------------------------------------------------------------------------------------------------

    def read_table(self, name: str, deals: int) -> pl.DataFrame:
        """Return the rows of a table for the first ``deals`` deals, in the order of the matches."""
        if self.finished:
            whole = read_parquet(self.path / f"{name}.parquet")
        else:
            parts = [self._get_part_path(part) / f"{name}.parquet" for part in self.plan.list_parts_until(deals)]
            whole = pl.concat([read_parquet(path) for path in parts if path.exists()] or [make_empty_table(name)])
        return whole.filter(pl.col("match") < self.plan.compute_match_number(0, deals, 0))

    def scan_table(self, name: str, deals: int) -> pl.LazyFrame:
        """Return the same rows as a lazy frame, for tables too large to load whole."""
        paths = [self.path / f"{name}.parquet"]
        if not self.finished:
            there = (self._get_part_path(part) / f"{name}.parquet" for part in self.plan.list_parts_until(deals))
            paths = [path for path in there if path.exists()]
        whole = pl.scan_parquet(paths) if paths else make_empty_table(name).lazy()
        return whole.filter(pl.col("match") < self.plan.compute_match_number(0, deals, 0))

    def count_complete_deals(self) -> int:
        """Return the number of deals, counted from the first, that every arm has played."""
        if self.finished:
            matches = read_parquet(self.path / LAST_TABLE)
            return 1 + int(matches["deal"].to_numpy().max())
        missing = self.find_missing_parts(range(len(self.plan.parts)))
        return self.plan.parts[missing[0]][0][0] if missing else self.plan.deals

    def merge_parts(self, deals: int) -> None:
        """Merge the parts of the first ``deals`` deals into whole tables, and delete the parts."""
        # The matches table comes last, because its presence marks the study as finished.
        for name in () if self.finished else reversed(self.tables):
            buffer = io.BytesIO()
            whole = self.read_table(name, deals).sort(ROW_ORDERS.get(name, ["match"]), maintain_order=True)
            whole = add_component_names(self.plan, whole) if name == "things" else whole
            whole.write_parquet(buffer, compression="zstd", compression_level=COMPRESSION_LEVEL, statistics=False)
            write_atomically(self.path / f"{name}.parquet", buffer.getvalue())
        # An interruption at this point may leave some parts, which the next run deletes.
        shutil.rmtree(self.path / PARTS_FOLDER, ignore_errors=True)


def add_component_names(plan: StudyPlan, things: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of components with their table, id and English name, as the edition of each match has them."""
    # A screening changes numbers only, so all its arms have the components of the first edition.
    editions = [0 if plan.kind == SCREEN else arm.edition for arm in plan.arms]
    frames = [pl.DataFrame(schema={"edition": pl.Int64, "thing": pl.Int32} | dict.fromkeys(NAME_COLUMNS, pl.String))]
    for edition in sorted(set(editions)):
        game = plan.load_edition_game(edition)
        reader = game.words.reader()
        rows = [
            (edition, n, component.table, component.id, reader.format_arg(component.name))
            for n, component in enumerate(game.all_components)
        ]
        frames.append(pl.DataFrame(rows, schema=frames[0].schema, orient="row"))
    edition_of = pl.Series(editions, dtype=pl.Int64)
    arm = things["match"] // plan.max_rotations % len(plan.arms)
    labelled = things.with_columns(edition=edition_of.gather(arm)).join(
        pl.concat(frames), on=["edition", "thing"], how="left", maintain_order="left"
    )
    return labelled.select("match", "seat", "thing", *NAME_COLUMNS, "offered", "taken", "held")


def make_empty_table(table: str) -> pl.DataFrame:
    return pl.DataFrame(schema=SCHEMAS[table])


def is_parquet(path: Path) -> bool:
    """Return whether a file begins and ends with the Parquet marker, and so is complete."""
    if not path.is_file() or path.stat().st_size < 2 * len(PARQUET_MAGIC):
        return False
    with path.open("rb") as file:
        first = file.read(len(PARQUET_MAGIC))
        file.seek(-len(PARQUET_MAGIC), os.SEEK_END)
        return first == file.read() == PARQUET_MAGIC


def read_parquet(path: Path) -> pl.DataFrame:
    """Read a table in the current schema. Raise BadSetup if it is damaged."""
    try:
        table = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError):
        raise BadSetup(f"{path} is damaged; delete its folder and run the study again") from None
    # Parts from an earlier version stored win probabilities as fractions.
    if "chance" in table.columns and table.schema["chance"].is_float():
        table = table.with_columns(chance=(pl.col("chance") * CHANCE_SCALE).round().cast(pl.Int16))
    return table


def collect_rows(rows: pl.LazyFrame, folder: StudyFolder) -> pl.DataFrame:
    """Collect a lazy frame. Raise BadSetup if a table is damaged."""
    try:
        return rows.collect(engine="streaming")
    except (pl.exceptions.PolarsError, OSError):
        raise BadSetup(f"a table in {folder.path} is damaged; delete the folder and run the study again") from None


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it."""
    half = path.with_name(f"{path.name}.half")
    try:
        half.write_bytes(content)
        os.replace(half, path)
    except OSError as error:
        with suppress(OSError):
            half.unlink(missing_ok=True)  # A full disk needs the space of the unfinished file.
        raise BadSetup(f"{path} cannot be written: {error.strerror}; finished matches are kept") from None


def read_study_hash(path: Path) -> str | None:
    """Return the hash of the study in a folder: None without a study file, "" if the file is unreadable."""
    if not (path / STUDY_FILE).exists():
        return None
    try:
        text = (path / STUDY_FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    hashes = [line.partition("=")[2].strip().strip('"') for line in text.splitlines() if line.startswith("study = ")]
    return hashes[-1] if hashes else ""


def explain_mismatch(path: Path, plan: StudyPlan) -> str:
    """Explain why the folder does not contain the study that its own file describes on this machine."""
    sheet = read_components(path / STUDY_FILE)
    played = sheet.row("played") if sheet.has("played") else ComponentsTable(STUDY_FILE, {})
    rules, release = played.data.get("rules"), played.data.get("triclinium")
    if (rules, release) == (plan.version, plan.release):
        return f"contains another study than its {STUDY_FILE} says: that was changed since"
    return (
        f"was played by version {rules} of the rules and Triclinium {release}; here are {plan.version} and "
        f"{plan.release}, which would play different matches"
    )


def load_study(path: Path) -> Study:
    """Return the study of a folder. Raise BadSetup if there is none."""
    if not (path / STUDY_FILE).is_file():
        raise BadSetup(f"{path} contains no study, because it has no {STUDY_FILE}")
    return read_study(path / STUDY_FILE)


def format_study_toml(study: Study, plan: StudyPlan) -> str:
    """Return a study file of the study as played, with defaults filled in and the versions that played it."""
    data: dict[str, object] = {"game": study.game, "kind": study.kind}
    if study.question:
        data["question"] = study.question
    if study.main:
        data["main"] = study.main
    data |= {
        "seats": plan.seats,
        "bots": list(study.bots),
        "also": list(study.check_bots()),
        "detect": study.detect,
        "matches": _compute_matches_setting(plan),
        "seed": study.seed,
        "looks": study.looks,
    }
    if plan.kind == SCREEN:
        data["deals"] = SHARED_DEALS if plan.shares_deals else OWN_DEALS
        data |= {"shared_variance": plan.shared_variance} if plan.shared_variance else {}
    flags = {"open_ended": study.open_ended, "every_choice": study.every_choice, "refit": study.refit}
    flags |= {"all_components": study.all_components}
    data |= {key: True for key, on in flags.items() if on}
    data |= {"replays": plan.replayed_deals} if plan.kind == COMPARE else {}
    lists = {"verbs": study.verbs, "figures": study.figures, "only": study.only}
    lists |= {"cards": study.banned_cards, "places": study.banned_places}
    data |= {key: list(names) for key, names in lists.items() if names}
    data |= {key: dict(values) for key, values in (("variants", study.variants), ("band", study.bands)) if values}
    editions = [_build_edition_data(edition, plan) for edition in study.editions]
    data |= {"edition": editions} if editions else {}
    data["played"] = {
        "study": plan.hash,
        "rules": plan.version,
        "triclinium": plan.release,
        "components": sorted({edition.hash for edition in plan.editions}) if len(plan.editions) < 10 else [],
    }
    return to_toml(data)


def _compute_matches_setting(plan: StudyPlan) -> int:
    """Return the value of `matches` that leads to the same plan when the file is read again."""
    if plan.kind == SCREEN:
        return plan.matches
    return plan.deals if plan.kind == COMPARE else plan.deals * plan.seats


def _build_edition_data(request: EditionRequest, plan: StudyPlan) -> dict[str, object]:
    if request.components:
        hash = next(edition.hash for edition in plan.editions if edition.name == request.name)
        return {"name": request.name, "components": f"editions/{hash}.toml"}
    return {"name": request.name, "set": dict(request.set)} if request.set else {"name": request.name}
