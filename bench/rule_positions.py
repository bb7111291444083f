"""Find positions of bots' matches that show each rule at work, and write them to `data/positions.toml` of each game.

    python -m bench.rule_positions             all games, one after the other
    python -m bench.rule_positions portals     one game

Run it after every change of rules, data or chance. The result depends only on the code. A rule is shown by an option
that it forbids, by an event that names it, or by code that cites it and runs. Docstrings and comments say which code
that is. The section ``without`` of the file gives reasons by hand; the program keeps it.
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import triclinium
from triclinium.bots import choose_option, create_bot
from triclinium.engine.core.event import Event
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Option, State
from triclinium.engine.game import Game
from triclinium.engine.match import Match
from triclinium.engine.registry import find_game_folder
from triclinium.engine.rule_positions import EVENT, FILE, FORBIDS, MOVE, QUESTION, SET_UP, SHOWN, format_match_start
from triclinium.testing.random_matches import GameCase, list_cases, select_covering_cases

NUMBER = re.compile(r"\b[A-Z]{2}-R?\d+(?:\.\d+)*")
WHIM = 4  # one decision in this many is random, so that rare rules occur
QUESTIONS_TRACED = 3  # questions of each step in a match whose list of options is traced
METHODS = ("applies", "candidates", "options", "forbids", "forced_option", "apply", "run")
CODE_PACKAGES = ("rules", "ui", "ai")
VIEW_INTERVAL = 40  # moves between two traced views
STRENGTH = {FORBIDS: 4, EVENT: 3, MOVE: 2, QUESTION: 1, SET_UP: 1, SHOWN: 0}
CLEAR, VAGUE = 1, 0  # whether other options of the same question do without the rule


@dataclass(frozen=True)
class Sighting:
    """A decision in one of the matches at which a rule was seen."""

    kind: str
    quality: int
    match: int
    move: int
    option: str

    @property
    def rank(self) -> tuple[int, int]:
        return (self.quality, STRENGTH[self.kind])


# -- which code cites which rule ---------------------------------------------------------------------------------------


class Citations:
    """The rules that functions and lines of a game cite, and a tracer that notes which of them run."""

    def __init__(self, game: Game) -> None:
        self.folder = str(find_game_folder(game, "data").parent)
        self.functions: dict[tuple[str, int], frozenset[str]] = {}
        self.procedures: set[tuple[str, int]] = set()  # functions that return nothing
        self.lines: dict[str, dict[int, frozenset[str]]] = {}
        self._has_cited_lines: dict[CodeType, bool] = {}
        self.all: set[str] = set()
        for package in CODE_PACKAGES:
            for path in sorted(Path(self.folder, package).rglob("*.py")):
                self._read(path, path.read_text(encoding="utf-8"))
        for path in sorted(Path(self.folder).glob("*.py")):
            self._read(path, path.read_text(encoding="utf-8"))

    def _read(self, path: Path, source: str) -> None:
        self.all.update(NUMBER.findall(source))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                self._cite(path, node, _find_numbers(ast.get_docstring(node)))
            elif isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and method.name in METHODS:
                        self._cite(path, method, _find_numbers(ast.get_docstring(node)))
        lines = self.lines.setdefault(str(path), {})
        pending: frozenset[str] = frozenset()
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                if token.line[: token.start[1]].strip():
                    lines[token.start[0]] = _find_numbers(token.string) | lines.get(token.start[0], frozenset())
                else:
                    pending |= _find_numbers(token.string)
            elif pending and token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE):
                lines[token.start[0]] = pending | lines.get(token.start[0], frozenset())
                pending = frozenset()

    def _cite(self, path: Path, node: ast.FunctionDef, numbers: frozenset[str]) -> None:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        key = (str(path), first)
        self.functions[key] = self.functions.get(key, frozenset()) | numbers
        if isinstance(node.returns, ast.Constant) and node.returns.value is None:
            self.procedures.add(key)

    def trace(self, job: Callable[[], object]) -> set[str]:
        """Run a function and return the rules that apply: the code that cites them runs.

        A function that returns a false value, such as an empty list, has found that its rule does not apply.
        """
        seen: set[str] = set()

        def trace_inside(frame: FrameType, event: str, arg: Any) -> Any:
            code = frame.f_code
            if event == "line":
                seen.update(self.lines[code.co_filename].get(frame.f_lineno, ()))
            elif event == "return" and arg:
                seen.update(self.functions.get((code.co_filename, code.co_firstlineno), ()))
            return trace_inside

        def trace_call(frame: FrameType, event: str, arg: Any) -> Any:
            code = frame.f_code
            if code.co_filename not in self.lines:
                return None
            key = (code.co_filename, code.co_firstlineno)
            if key in self.procedures:
                seen.update(self.functions[key])
            frame.f_trace_lines = self._has_lines(code)
            return trace_inside if frame.f_trace_lines or key in self.functions else None

        before = sys.gettrace()
        sys.settrace(trace_call)
        try:
            job()
        finally:
            sys.settrace(before)
        return seen

    def _has_lines(self, code: CodeType) -> bool:
        """Return whether a comment in this function cites a rule."""
        found = self._has_cited_lines.get(code)
        if found is None:
            lines = self.lines[code.co_filename]
            found = any(line in lines for _, _, line in code.co_lines() if line is not None)
            self._has_cited_lines[code] = found
        return found


def _find_numbers(text: str | None) -> frozenset[str]:
    return frozenset(NUMBER.findall(text or ""))


def list_explained(game: Game) -> list[str]:
    """Return the numbers of all rules and rulings on the rules page, in its order."""
    text = (find_game_folder(game, "data") / "rules.en.md").read_text(encoding="utf-8")
    return re.findall(r'<a id="[^"]+"></a>\s*\*\*([A-Z]+-R?[\d.]+)\*\*', text)


def list_cited(game: Game) -> list[str]:
    """Return the explained rules that the code of the game cites."""
    cited = Citations(game).all
    return [number for number in list_explained(game) if number in cited]


# -- sightings ---------------------------------------------------------------------------------------------------------


def play_match(case: GameCase, seed: int) -> Match:
    """Play a match with the greedy bot and some random decisions."""
    match = Match(case.game, case.seats, seed, case.variants)
    greedy, rng = create_bot("greedy", case.game), Rng(seed + 1)
    while not match.state.over:
        whim = rng.below(WHIM) == 0
        o = rng.pick(match.state.options()) if whim else choose_option(greedy, match.state, rng)
        match.play(case.game.format_option(o))
    return match


def find_sightings(match: Match, number: int, citations: Citations) -> Iterator[tuple[str, Sighting]]:
    """Yield the rules that this match shows, each with the place where it does."""
    game, record = match.game, match.record
    begun: list[State] = []
    dealt = citations.trace(lambda: begun.append(record.deal(game)))
    s, asked = begun[0], Counter[str]()
    dealt |= {variant.ruling for variant, _ in game.recorded_variants(record.variants)}
    yield from ((rule, Sighting(SET_UP, VAGUE, number, 0, record.options[0])) for rule in dealt)
    for n, text in enumerate(record.options):
        played = game.read(text)
        yield from see_refusals(game, s, number, n)
        yield from see_events(game, s, number, n)
        yield from see_code(game, s, number, n, played, citations)
        asked[s.asked.id] += 1
        if asked[s.asked.id] <= QUESTIONS_TRACED:
            listed = citations.trace(partial(list_options, s))
            yield from ((rule, Sighting(QUESTION, VAGUE, number, n, text)) for rule in listed)
        if n % VIEW_INTERVAL == 0:
            shown = citations.trace(lambda: (game.view(s, s.who), game.visible_scores(s, s.who)))
            yield from ((rule, Sighting(SHOWN, VAGUE, number, n, text)) for rule in shown)
        s.play(played)


def see_refusals(game: Game, s: State, number: int, n: int) -> Iterator[tuple[str, Sighting]]:
    """Yield the rules that forbid an option of this question."""
    for o in s.candidates():
        if o not in s.legal:
            yield s.forbidding_rule(o).number, Sighting(FORBIDS, CLEAR, number, n, game.format_option(o))


def see_events(game: Game, s: State, number: int, n: int) -> Iterator[tuple[str, Sighting]]:
    """Yield the rules that the events of the legal options name."""
    rules = {o: {event.rule for event in play_with_events(s, o) if event.rule} for o in s.legal}
    common = set.intersection(*rules.values()) if len(rules) > 1 else set()
    for o, seen in rules.items():
        for rule in seen:
            yield rule, Sighting(EVENT, VAGUE if rule in common else CLEAR, number, n, game.format_option(o))


def see_code(
    game: Game, s: State, number: int, n: int, played: Option, citations: Citations
) -> Iterator[tuple[str, Sighting]]:
    """Yield the rules that the code cites which runs after the played option or another one."""
    other = next((o for o in reversed(s.legal) if o != played), played)
    traced = {
        o: citations.trace(partial(finish_option, game, s, o)) for o in {played, other, *s.anytime_options(s.who)}
    }
    common = set.intersection(*traced.values()) if len(traced) > 1 else set()
    for o, seen in sorted(traced.items()):
        for rule in seen:
            yield rule, Sighting(MOVE, VAGUE if rule in common else CLEAR, number, n, game.format_option(o))


def list_options(s: State) -> None:
    """List the options of the asked step, and look for a rule against each candidate."""
    step = s.asked
    step.options(s)
    for o in step.candidates(s):
        step.forbids(s, o)


def play_with_events(s: State, o: Option) -> list[Event]:
    """Play an option on a copy and return its events."""
    t = s.clone()
    t.events = []
    t.play(o)
    return t.events


def finish_option(game: Game, s: State, o: Option) -> None:
    """Play an option on a copy, and count the points if it ends the match."""
    t = s.clone()
    t.events = []
    t.play(o)
    if t.over:
        game.scores(t)
        for seat in range(t.seats):
            game.rank_reason(t, seat)


# -- choosing ----------------------------------------------------------------------------------------------------------


def choose_sightings(found: Mapping[tuple[str, bool], list[Sighting]]) -> dict[tuple[str, bool], Sighting]:
    """Return a clear sighting of each rule, allowing and forbidding, from few and short matches."""
    best: dict[tuple[str, bool], list[Sighting]] = {}
    for wanted, sightings in found.items():
        highest = max(sighting.rank for sighting in sightings)
        best[wanted] = [sighting for sighting in sightings if sighting.rank == highest]
    chosen: dict[tuple[str, bool], Sighting] = {}
    while len(chosen) < len(best):
        counts: dict[int, int] = {}
        for wanted, sightings in best.items():
            for match in {sighting.match for sighting in sightings if wanted not in chosen}:
                counts[match] = counts.get(match, 0) + 1
        match = max(counts, key=lambda match: (counts[match], -match))
        for wanted, sightings in best.items():
            here = [sighting for sighting in sightings if sighting.match == match]
            if here and wanted not in chosen:
                chosen[wanted] = min(here, key=lambda sighting: (sighting.move, sighting.option))
    return chosen


def write_positions(game: Game) -> None:
    """Find the positions of a game and write its file."""
    citations, explained = Citations(game), list_explained(game)
    cases = select_covering_cases(list_cases(game))
    matches: list[Match] = []
    found: dict[tuple[str, bool], dict[tuple[int, int, str], Sighting]] = {}
    for i, case in enumerate(cases):
        matches.append(play_match(case, 500 + i))
        for rule, sighting in find_sightings(matches[-1], i, citations):
            if rule in explained:  # Keep the first sighting of every kind in each match.
                key = (i, sighting.quality, sighting.kind)
                found.setdefault((rule, sighting.kind == FORBIDS), {}).setdefault(key, sighting)
        sys.stderr.write(f"{game.id}: match {i + 1}, {len({rule for rule, _ in found})} rules\n")
    for rule in explained:  # where the rule forbids something, only an event shows better what it allows
        allowing = found.get((rule, False), {})
        if (rule, True) in found and not any(sighting.kind == EVENT for sighting in allowing.values()):
            found.pop((rule, False), None)
    chosen = choose_sightings({wanted: list(sightings.values()) for wanted, sightings in found.items()})
    path = find_game_folder(game, "data") / FILE
    without = tomllib.loads(path.read_text(encoding="utf-8"))["without"] if path.exists() else {}
    path.write_text(format_file(game, matches, chosen, explained, without), encoding="utf-8")
    missing = [rule for rule in list_cited(game) if not any(key[0] == rule for key in chosen)]
    cited = len(list_cited(game))
    sys.stdout.write(f"{game.id}: {cited - len(missing)} of {cited} cited rules, without: {' '.join(missing)}\n")


def format_file(
    game: Game,
    matches: list[Match],
    chosen: Mapping[tuple[str, bool], Sighting],
    explained: Iterable[str],
    without: Mapping[str, str],
) -> str:
    """Return the file as text."""
    used = sorted({sighting.match for sighting in chosen.values()})
    lines = [
        "# Positions that show the rules at work. `python -m bench.rule_positions` writes this file; only the section",
        "# [without], the reasons why other rules have no position, is written by hand.",
        f'components = "{game.hash}"',
        "",
    ]
    for match in used:
        record, length = matches[match].record, max(each.move for each in chosen.values() if each.match == match)
        lines += ["[[matches]]", *format_match_start(record, length), ""]
    lines += ["[without]", *(f'"{rule}" = "{reason}"' for rule, reason in without.items()), "", "[positions]"]
    for rule in explained:
        rows = [chosen[key] for key in ((rule, False), (rule, True)) if key in chosen]
        texts = [
            f'["{row.kind}", {used.index(row.match)}, {row.move}, "{row.option}", "{compute_digest(matches, row):x}"]'
            for row in rows
        ]
        if texts:
            lines.append(f'"{rule}" = [{", ".join(texts)}]')
    return "\n".join(lines) + "\n"


def compute_digest(matches: Sequence[Match], sighting: Sighting) -> int:
    """Return the digest of the state after the option, or 0 if the option is forbidden."""
    match = matches[sighting.match]
    if sighting.kind == FORBIDS:
        return 0
    s = match.record.replay(sighting.move, match.game)
    s.play(match.game.read(sighting.option))
    return s.digest()


def main(names: list[str]) -> None:
    """Write the positions of the given games, or of all games."""
    for name in names or triclinium.list_games():
        write_positions(triclinium.load_game(name))


if __name__ == "__main__":
    main(sys.argv[1:])
