"""Reports of the lab as plain text."""

from triclinium.lab.calibration import CalibrationReport, Reliability
from triclinium.lab.results import ArenaReport, TuningReport, ValueModelReport
from triclinium.lab.speed import GameSpeed, SpeedReport
from triclinium.lab.text_table import format_table
from triclinium.lab.totals import SimulationReport

OTHER_ENGINES = (
    "Others on one core: TAG's euro games 31,000 to 196,000 decisions/s with clones of 14 to 123 µs; "
    "Catanatron 19,000 decisions/s with clones of 116 µs."
)
FAULTS_SHOWN = 10


def format_simulation(report: SimulationReport) -> str:
    """Format a simulation: wins, score lines, and times."""
    variants = "".join(f", {name}={value}" for name, value in report["variants"].items())
    played = f"{report['played']} of {report['asked']}" if report["interrupted"] else str(report["played"])
    head = f"{report['game']} version {report['version']}, seed {report['seed']}{variants}: {played} matches"
    parts = [head + format_network(report["net"])]
    has_points = all("mean_score" in seat for seat in report["seats"])
    rows = [["seat", "bot", *(["mean score", "deviation"] if has_points else []), "wins", "share"]]
    for seat in report["seats"]:
        points = [f"{seat['mean_score']:.2f}", f"{seat['deviation']:.2f}"] if has_points else []
        rows.append(
            [str(seat["seat"]), seat["bot"], *points, f"{seat['wins']:.1f}", f"{100 * seat['win_share']:.1f} %"]
        )
    parts.append(format_table(rows, left_columns=2))
    if len(report["bots"]) > 1:
        rows = [["bot", "seats", *(["mean score"] if has_points else []), "wins"]]
        for bot_report in report["bots"]:
            points = [f"{bot_report['mean_score']:.2f}"] if has_points else []
            rows.append([bot_report["bot"], str(bot_report["seats"]), *points, f"{bot_report['wins']:.1f}"])
        parts.append(format_table(rows))
    names = list(dict.fromkeys(name for seat in report["seats"] for name in seat["lines"]))
    rows = [["mean points" if has_points else "mean", *(f"seat {seat['seat']}" for seat in report["seats"])]]
    for name in names:
        rows.append([name, *(f"{seat['lines'].get(name, 0.0):.2f}" for seat in report["seats"])])
    parts.append(format_table(rows))
    spread = report["decisions"]
    closing = [f"decisions in a match: {spread['mean']:.1f} ({spread['least']} to {spread['most']})"]
    rounds = report["rounds"]
    if rounds is not None:
        closing.append(f"rounds in a match: {rounds['mean']:.1f} ({rounds['least']} to {rounds['most']})")
    closing += [f"faults of {fault}: {count}" for fault, count in report["faults"].items()]
    closing += [format_cut_answers(bot, count) for bot, count in report["cut"].items()]
    time = report["time"]
    hands = "1 worker" if time["workers"] == 1 else f"{time['workers']} workers"
    closing.append(f"{time['seconds']:.1f} s with {hands}: {time['matches_per_second']:.1f} matches/s")
    parts.append("\n".join(closing))
    return "\n\n".join(parts)


def format_speed(bench: SpeedReport) -> str:
    """Format the speed of one build."""
    build = "compiled" if bench["compiled"] else "interpreted"
    rows = [SPEED_HEADER, *(_format_speed_row(speed) for speed in bench["games"])]
    head = f"{build} build, Python {bench['python']}, one core, random play"
    return "\n\n".join(
        [head, format_table(rows, 2), OTHER_ENGINES, SEARCH_HEADING, format_table(_format_search_rows(bench), 2)]
    )


def format_comparison(plain: SpeedReport, native: SpeedReport) -> str:
    """Format two builds that were measured in one run, with the speed-up of the compiled one."""
    twins = {speed["game"]: speed for speed in native["games"]}
    rows = [SPEED_HEADER]
    for slow in plain["games"]:
        fast = twins[slow["game"]]
        rows += [_format_speed_row(slow), _format_speed_row(fast), _format_gain_row(slow, fast)]
    head = f"both builds, Python {plain['python']}, one core, random play"
    searches = _format_search_rows(plain) + _format_search_rows(native)[1:]
    return "\n\n".join([head, format_table(rows, 2), OTHER_ENGINES, SEARCH_HEADING, format_table(searches, 2)])


SPEED_HEADER = ["game", "build", "seats", "decisions/s", "matches/s", "clone µs", "+resample µs", "digest µs", "bytes"]


SEARCH_HEADING = "search, one core"


def _format_search_rows(bench: SpeedReport) -> list[list[str]]:
    rows = [["game", "build", "seats", "iterations/s", "nodes/s", "resampling"]]
    for speed in bench["games"]:
        build = "compiled" if speed["compiled"] else "interpreted"
        figures = [f"{speed['iterations_per_second']:,}", f"{speed['nodes_per_second']:,}"]
        rows.append([speed["game"], build, str(speed["seats"]), *figures, f"{speed['resampling'] * 100:.1f} %"])
    return rows


def _format_speed_row(speed: GameSpeed) -> list[str]:
    return [
        speed["game"],
        "compiled" if speed["compiled"] else "interpreted",
        str(speed["seats"]),
        f"{speed['decisions_per_second']:,}",
        f"{speed['matches_per_second']:,.1f}",
        f"{speed['clone_us']:.2f}",
        f"{speed['resample_us']:.2f}",
        f"{speed['digest_us']:.2f}",
        f"{speed['state_bytes']:,}",
    ]


def _format_gain_row(slow: GameSpeed, fast: GameSpeed) -> list[str]:
    gains = [
        fast["decisions_per_second"] / slow["decisions_per_second"],
        fast["matches_per_second"] / slow["matches_per_second"],
        slow["clone_us"] / fast["clone_us"],
        slow["resample_us"] / fast["resample_us"],
        slow["digest_us"] / fast["digest_us"],
        slow["state_bytes"] / fast["state_bytes"],
    ]
    return ["", "gain", "", *(f"{gain:.1f} x" for gain in gains)]


def format_arena(report: ArenaReport) -> str:
    """Format a tournament: bots by rating, then their faults.

    Times are processor time per decision, the same unit as budgets.
    """
    has_points = all("mean_score" in bot_result for bot_result in report["standings"])
    result = ["score", "margin"] if has_points else ["margin in ranks"]
    rows = [["bot", "share", "95 % interval", "rating", *result, "CPU ms", "longest", "faults"]]
    for bot_result in report["standings"]:
        rows.append(
            [
                bot_result["bot"],
                f"{bot_result['share'] * 100:.1f} %",
                f"{bot_result['low'] * 100:.1f} - {bot_result['high'] * 100:.1f}",
                f"{bot_result['rating']:.1f} ± {bot_result['deviation']:.1f}",
                *([f"{bot_result['mean_score']:.1f}"] if has_points else []),
                f"{bot_result['margin']:+.1f}",
                f"{bot_result['seconds'] * 1000:.1f}",
                f"{bot_result['longest'] * 1000:.0f}",
                str(bot_result["faults"]),
            ]
        )
    played = f"{report['played']} matches of {report['game']} with {report['seats']} seats, seed {report['seed']}"
    parts = [played + format_network(report["net"]), format_table(rows)]
    if not report["balanced"]:
        parts.append("The seatings were not played equally often. A multiple of their number of matches is fairer.")
    for bot_result in report["standings"]:
        if bot_result["cut"]:
            parts.append(format_cut_answers(bot_result["bot"], bot_result["cut"]))
    for fault in report["faults"][:FAULTS_SHOWN]:
        where = f"match {fault['match']}, move {fault['move']}"
        parts.append(f"{fault['bot']} failed in {where}: {fault['kind']} ({fault['detail']})")
    if len(report["faults"]) > FAULTS_SHOWN:
        parts.append(f"and {len(report['faults']) - FAULTS_SHOWN} faults more")
    return "\n\n".join(parts)


def format_network(name: str) -> str:
    """Format the name of the network that bots use, if any."""
    return f"; bots have learnt ({name})" if name else ""


def format_cut_answers(bot: str, count: int) -> str:
    """Format a warning that the clock cut a bot's answers short."""
    return f"{bot} was stopped by the time limit {count} {'time' if count == 1 else 'times'}: the machine was too busy"


def format_tuning(report: TuningReport) -> str:
    """Format the weights that a search changed, and their result against the old ones."""
    rows = [["feature", "before", "after"]]
    for name, weight in report["weights"].items():
        rows.append([name, f"{report['before'][name]:.3f}", f"{weight:.3f}"])
    rows.append(["scale", f"{report['scale_before']:.2f}", f"{report['scale']:.2f}"])
    low, high = report["low"] * 100, report["high"] * 100
    verdict = (
        f"{report['game']}: after {report['matches']} matches of self-play in {report['seconds']:.0f} s the new "
        f"weights win {report['share'] * 100:.1f} % ({low:.1f} - {high:.1f}) of {report['trials']} matches "
        f"against the old ones"
    )
    return f"{format_table(rows)}\n\n{verdict}\n{_format_value_model_line(report)}"


def format_value_model(report: ValueModelReport) -> str:
    """Format a value model with its log loss."""
    rows = [["feature", "early", "late"]]
    rows += [[name, f"{early:g}", f"{late:g}"] for name, (early, late) in report["judge"].items()]
    return f"{format_table(rows)}\n\n{report['game']}: {_format_value_model_line(report)}"


def _format_value_model_line(report: ValueModelReport) -> str:
    return (
        f"the value model learnt from {report['lessons']} matches; on held-out matches its log loss is "
        f"{report['surprise']:.3f}, that of the weights alone {report['surprise_before']:.3f}"
    )


def format_calibration(report: CalibrationReport) -> str:
    """Format the reliability of win probabilities bin by bin: of the raw search, and of calibrated hints."""
    seats = ", ".join(map(str, report["seats"]))
    head = (
        f"{report['game']} with {seats} seats: {report['played']} matches of steady bots, hints of {report['budget']}, "
    )
    parts = [f"{head}seed {report['seed']}"]
    for what, reliability in (("without calibration", report["found"]), ("as hints show them", report["told"])):
        parts.append(_format_reliability(what, reliability))
    if report["fitted"] is not None and report["lines"] is not None:
        parts.append(_format_reliability("with a curve fitted to the other matches", report["fitted"]))
        rows = [["seats", "beginning", "middle", "end"]]
        for number, lines in report["lines"].items():
            rows.append([number, *(f"{offset:+.3f} and {slope:.3f}" for offset, slope in lines)])
        parts.append("offset and slope for whole matches\n" + format_table(rows))
    return "\n\n".join(parts)


def _format_reliability(what: str, reliability: Reliability) -> str:
    rows = [["said", "came", "+-", "samples", "matches"]]
    for bin_row in reliability["bins"]:
        percents = [
            f"{100 * bin_row['said']:.0f} %",
            f"{100 * bin_row['came']:.0f} %",
            f"{100 * bin_row['error']:.0f} %",
        ]
        rows.append([*percents, str(bin_row["samples"]), str(bin_row["matches"])])
    bar = {True: "reached", False: "not reached", None: "too few matches to judge"}[reliability["reaches_bar"]]
    figures = (
        f"expected error {reliability['expected_error']:.3f}, worst large bin {reliability['worst']:.3f}: bar {bar}"
    )
    return f"chances {what}\n{format_table(rows)}\nBrier {reliability['brier']:.4f}, {figures}"
