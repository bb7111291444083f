"""The tables of docs/benchmark.md, from a folder of results files:

python -m triclinium.lab.benchmark.page docs/studies/benchmark docs/benchmark.md
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from triclinium.lab.benchmark.ladder import CHECKSUM, load_ladder
from triclinium.lab.benchmark.results import Header, compute_checksum, read_results
from triclinium.lab.benchmark.scores import BenchmarkScore, BotScores, combine_scores, compute_scores

MARK: Final = (
    "<!-- benchmark: written by python -m triclinium.lab.benchmark.page docs/studies/benchmark docs/benchmark.md -->"
)
ABSENT: Final = "–"


class ResultsRow(NamedTuple):
    """A bot with its results on the committed deals, and those of a verifier's run if there is one."""

    file: str
    header: Header
    reported: BotScores
    rerun: BotScores | None

    @property
    def best_known(self) -> BotScores:
        """The scores of the verifier's run if it has all games, otherwise the reported scores."""
        return self.rerun if self.rerun is not None and self.rerun.total is not None else self.reported

    @property
    def order(self) -> tuple[float, float, str]:
        """The place in the table: highest verified total first, then highest reported total."""
        totals = [None if scores is None else scores.total for scores in (self.rerun, self.reported)]
        verified, reported = (-1.0 if total is None else total.value for total in totals)
        return -verified, -reported, self.header["bot"]


def read_rows(folder: Path) -> list[ResultsRow]:
    """Return a row for each results file on the committed deals."""
    paths = sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")])
    all_results = [(path, read_results(path)) for path in paths]
    current = [(path, results) for path, results in all_results if results.header["deals"] == CHECKSUM]
    reruns = {results.header["of"]: compute_scores(results) for _, results in current if "of" in results.header}
    rows = [
        ResultsRow(path.name, results.header, compute_scores(results), reruns.get(compute_checksum(path)))
        for path, results in current
        if results.key is None
    ]
    return sorted(rows, key=lambda row: row.order)


def format_page_tables(rows: Sequence[ResultsRow]) -> str:
    """Return the tables of the page."""
    ladder = load_ladder()
    titles = ["bot", "re-run", "reported", *(game.id for game in ladder.games), "ms for a decision", "results"]
    table = [titles, ["---"] * len(titles)]
    for row in rows:
        games = [_format_score(row.best_known.games.get(game.id)) for game in ladder.games]
        totals = [_format_score(None if scores is None else scores.total) for scores in (row.rerun, row.reported)]
        thinking = f"{1000 * row.reported.seconds:.3g}, {row.header['build']}"
        table.append([f"`{row.header['bot']}`", *totals, *games, thinking, f"[file](studies/benchmark/{row.file})"])
    parts = [
        f"Version {ladder.version} of the deals and the ladder, SHA-256 `{CHECKSUM}`.",
        _format_table(table),
        "Scores against each rival, averaged over the games where both have played:",
        _format_rival_table(rows),
    ]
    return "\n\n".join(parts) + "\n"


def _format_rival_table(rows: Sequence[ResultsRow]) -> str:
    words = list(
        dict.fromkeys(_cut_budget(name) for game in load_ladder().games for name in (*game.ladder, *game.more))
    )
    table = [["bot", *words], ["---"] * (1 + len(words))]
    for row in rows:
        cells = []
        for word in words:
            scores = [score for (_, rival), score in row.best_known.rivals.items() if _cut_budget(rival) == word]
            cells.append(_format_score(combine_scores(scores) if scores else None))
        table.append([f"`{row.header['bot']}`", *cells])
    return _format_table(table)


def _cut_budget(name: str) -> str:
    return name.partition("@")[0]


def _format_score(score: BenchmarkScore | None) -> str:
    return ABSENT if score is None else str(score)


def _format_table(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(folder: str, page: str) -> None:
    """Write the tables into the page, after its mark."""
    path = Path(page)
    head = path.read_text(encoding="utf-8").partition(MARK)[0]
    path.write_text(f"{head}{MARK}\n\n{format_page_tables(read_rows(Path(folder)))}", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
