"""Generator of the API reference in ``docs/reference``, from signatures and docstrings.

``python -m triclinium.testing.reference docs/reference`` (or ``make docs``) writes all pages. It reads source files and
imports nothing that it describes, so that the plain and the compiled build give the same pages.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

SOURCE = Path(__file__).resolve().parents[2]  # the folder that holds the package `triclinium`
LINE_WIDTH = 100  # columns of a signature before it is broken into lines

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class ReferencePage:
    """One page of the reference: its file, its title, its first lines, and the names in each section."""

    id: str
    title: str
    introduction: str
    sections: dict[str, tuple[str, ...]]  # heading -> names as `module:Name`, the module without `triclinium.`


PAGES = (
    ReferencePage(
        "engine",
        "Engine",
        "For authors of games and for programs that play or read matches. "
        "[How to write a game](../new-game.md) introduces these names one by one.",
        {
            "Games and matches": (
                "engine.registry:load_game",
                "engine.registry:list_games",
                "engine.game:Game",
                "engine.match:Match",
                "engine.record:Record",
                "engine.variant:Variant",
            ),
            "Rules": (
                "engine.core.state:State",
                "engine.core.state:Step",
                "engine.core.state:Draw",
                "engine.core.notation:Verb",
                "engine.core.notation:Notation",
                "engine.core.action:Action",
                "engine.core.rule:Rule",
                "engine.core.event:EventType",
                "engine.core.event:Event",
                "engine.core.rng:Rng",
            ),
            "Components": (
                "engine.core.components:ComponentsFile",
                "engine.core.components:ConstraintCheck",
                "engine.components_schema:ComponentsSchema",
                "engine.component_kinds:ComponentKind",
                "engine.component_kinds:CardFace",
                "engine.component_kinds:Layout",
            ),
            "Views and text": (
                "engine.view:View",
                "engine.view:to_json",
                "engine.core.text:Name",
                "engine.core.text:Message",
                "engine.core.text:Reader",
                "engine.game_text:GameText",
            ),
            "Scores and evaluation": (
                "engine.core.score:Score",
                "engine.core.score:ScoreSheetLine",
                "engine.visible_scores:VisibleScore",
                "engine.visible_scores:ScoreContest",
                "engine.core.evaluator:Evaluator",
                "engine.core.weights:Weights",
            ),
            "Observations": (
                "engine.core.encoding:CellBlock",
                "engine.core.encoding:Encoding",
                "engine.core.observer:Observer",
                "engine.core.observer:QuestionEncoder",
            ),
            "Errors": (
                "engine.core.errors:TricliniumError",
                "engine.core.errors:Refused",
                "engine.core.errors:BadNotation",
                "engine.core.errors:BadSetup",
                "engine.core.errors:BadRecord",
                "engine.core.errors:BadComponents",
            ),
        },
    ),
    ReferencePage(
        "bots",
        "Bots",
        "For authors of bots and for programs that let bots play. [Bots](../bots.md) describes how the bots think.",
        {
            "Playing": (
                "bots.registry:create_bot",
                "bots.registry:list_bots",
                "bots.registry:assign_bots",
                "bots.base:choose_option",
                "bots.base:ask_bot",
                "bots.base:play_out",
                "bots.seeds:derive_seed",
            ),
            "Writing a bot": (
                "bots.base:Bot",
                "bots.base:DecisionRequest",
                "bots.base:BotAnswer",
                "bots.budget:Budget",
                "bots.core.restriction:Restriction",
            ),
            "Analysis": (
                "bots.analysis:find_hints",
                "bots.analysis:Advice",
                "bots.review:review_match",
                "bots.review:Review",
                "bots.review:ReviewedDecision",
                "bots.review:LuckEvent",
                "bots.review:Swing",
            ),
        },
    ),
    ReferencePage(
        "lab",
        "Lab",
        "For designers and researchers who measure games with Python. "
        "[The designer's lab](../lab.md) shows the same on the command line.",
        {
            "Simulation": (
                "lab.simulation:SimulationPlan",
                "lab.simulation:run_simulation",
                "lab.totals:SimulationReport",
                "lab.speed:measure_speed",
            ),
            "Arena": (
                "lab.arena:Tournament",
                "lab.arena:play_tournament",
                "lab.results:ArenaReport",
                "lab.results:BotResult",
            ),
            "Studies": (
                "lab.study.study_file:Study",
                "lab.study.study_file:EditionRequest",
                "lab.study.study_file:read_study",
                "lab.study.run:run_study",
                "lab.study.run:make_plan",
                "lab.study.run:rebuild_report",
                "lab.study.summary:StudyResult",
                "lab.study.summary:StudySummary",
                "lab.study.summary:ArmReport",
                "lab.study.compare:Difference",
                "lab.study.statistics:Estimate",
                "lab.study.arrays:load_arms",
                "lab.study.arrays:ArmMatches",
                "lab.study.figures:measure_arms",
            ),
        },
    ),
    ReferencePage(
        "research",
        "Research",
        "For researchers who train or evaluate agents. [Research](../research.md) has examples.",
        {
            "Batched play": (
                "research.batch:Batch",
                "research.batch:OptionPositions",
                "research.batch:draw_options",
                "research.worker_pool:WorkerPool",
                "research.network_inputs:NetworkInputs",
            ),
            "Histories and episodes": (
                "research.recall:Recall",
                "research.episodes:Episode",
            ),
            "Environments": (
                "research.pettingzoo:env",
                "research.pettingzoo:TurnBasedEnv",
                "research.gymnasium:SingleSeatEnv",
                "research.vector_env:SingleSeatVectorEnv",
                "research.openspiel:OpenSpielGame",
                "research.openspiel:OpenSpielState",
                "research.openspiel:make_resampler",
            ),
            "Exact solutions": (
                "research.cfr:GameTree",
                "research.cfr:CfrSolver",
                "research.cfr:compute_expected_values",
                "research.cfr:BestResponse",
                "research.cfr:exploitability",
            ),
        },
    ),
)


def format_page(page: ReferencePage) -> str:
    """Return a page as Markdown."""
    parts = [
        f"# {page.title} reference",
        page.introduction,
        "This page is generated from the source: run `make docs` to update it.",
    ]
    for heading, names in page.sections.items():
        parts.append(f"## {heading}")
        parts += [part for name in names for part in _format_name(name)]
    return "\n\n".join(parts) + "\n"


def write_pages(folder: Path) -> None:
    """Write all pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        (folder / f"{page.id}.md").write_text(format_page(page), encoding="utf-8")


def _format_name(address: str) -> list[str]:
    """Format one public class or function; raise `LookupError` if its module has no such name."""
    module, name = address.split(":")
    text = SOURCE.joinpath("triclinium", *module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    heading = f"### `{name}`\n\n`triclinium.{module}`"
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return [heading, *_format_class(node, text.splitlines())]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            return [heading, _format_code(_format_signature(node)), *_format_docstring(node)]
    raise LookupError(f"triclinium.{module} has no class or function {name}")


def _format_class(node: ast.ClassDef, lines: list[str]) -> Iterator[str]:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    constructor = next((each for each in _list_methods(node) if each.name == "__init__"), None)
    yield _format_code(f"class {node.name}({bases})" if bases else f"class {node.name}")
    yield from _format_docstring(node)
    if constructor is not None:
        yield _format_code(_format_signature(constructor, node.name))
    if rows := list(_format_attributes(node, lines)):
        yield "\n".join(["| attribute | type | meaning |", "|---|---|---|", *rows])
    for method in _list_methods(node):
        if method.name.startswith("_") or not ast.get_docstring(method):
            continue
        if _is_property(method):
            yield f"**`{method.name}`**: `{ast.unparse(method.returns) if method.returns else 'object'}`"
        else:
            yield _format_code(_format_signature(method))
        yield from _format_docstring(method)


def _list_methods(node: ast.ClassDef) -> list[Function]:
    return [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]


def _is_property(method: Function) -> bool:
    return any(ast.unparse(each) in ("property", "cached_property") for each in method.decorator_list)


def _format_attributes(node: ast.ClassDef, lines: list[str]) -> Iterator[str]:
    """Yield a row for each public attribute; its comment in the source is its meaning."""
    for each in node.body:
        if (
            not isinstance(each, ast.AnnAssign)
            or not isinstance(each.target, ast.Name)
            or each.target.id.startswith("_")
        ):
            continue
        source = " ".join(line.strip() for line in lines[each.lineno - 1 : each.end_lineno])
        _, _, meaning = source.partition("  # ")
        default = f" = {ast.unparse(each.value)}" if each.value is not None else ""
        cells = (f"`{each.target.id}`", f"`{ast.unparse(each.annotation)}{default}`", _to_markdown(meaning.strip()))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _format_signature(node: Function, name: str = "") -> str:
    """Format a signature in one line or, if it is long, one parameter a line; without `self`."""
    is_static = any(ast.unparse(each) == "staticmethod" for each in node.decorator_list)
    parameters = list(_format_parameters(node.args))
    if parameters and parameters[0] in ("self", "cls") and not is_static:
        parameters = parameters[1:]
    result = "" if name or node.returns is None else f" -> {ast.unparse(node.returns)}"
    prefix = ("async " if isinstance(node, ast.AsyncFunctionDef) else "") + (name or node.name)
    line = f"{prefix}({', '.join(parameters)}){result}"
    if len(line) <= LINE_WIDTH:
        return line
    return "\n".join([f"{prefix}(", *(f"    {each}," for each in parameters), f"){result}"])


def _format_parameters(args: ast.arguments) -> Iterator[str]:
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [*[None] * (len(positional) - len(args.defaults)), *args.defaults]
    for place, (arg, default) in enumerate(zip(positional, defaults, strict=True)):
        yield _format_parameter(arg, default)
        if args.posonlyargs and place == len(args.posonlyargs) - 1:
            yield "/"
    if args.vararg is not None:
        yield f"*{ast.unparse(args.vararg)}"
    elif args.kwonlyargs:
        yield "*"
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield _format_parameter(arg, default)
    if args.kwarg is not None:
        yield f"**{ast.unparse(args.kwarg)}"


def _format_parameter(arg: ast.arg, default: ast.expr | None) -> str:
    text = ast.unparse(arg)
    if default is None:
        return text
    return f"{text} = {ast.unparse(default)}" if arg.annotation else f"{text}={ast.unparse(default)}"


def _format_code(text: str) -> str:
    return f"```python\n{text}\n```"


def _format_docstring(node: ast.ClassDef | Function) -> Iterable[str]:
    """Return the docstring as Markdown; its examples become code blocks."""
    docstring = inspect.cleandoc(ast.get_docstring(node) or "")
    for paragraph in re.split(r"\n\s*\n", docstring):
        if paragraph.startswith(">>> "):
            yield f"```python\n{paragraph}\n```"
        elif paragraph:
            yield _to_markdown(paragraph)


def _to_markdown(text: str) -> str:
    return re.sub(r"``([^`]+)``", r"`\1`", text)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
