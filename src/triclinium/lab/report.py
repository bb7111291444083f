"""The lab's results as text for people."""

from triclinium.lab.bench import Bench, Speed
from triclinium.lab.columns import columns
from triclinium.lab.tally import Report

PEERS = (
    "Others on one core: TAG's euro games 31,000 to 196,000 decisions/s with clones of 14 to 123 µs; "
    "Catanatron 19,000 decisions/s with clones of 116 µs."
)


def simulation_text(report: Report) -> str:
    """A simulation: who won how often, by which lines of the score sheet, how long it took."""
    variants = "".join(f", {name}={value}" for name, value in report["variants"].items())
    played = f"{report['played']} of {report['asked']}" if report["interrupted"] else str(report["played"])
    parts = [f"{report['title']} version {report['version']}, seed {report['seed']}{variants}: {played} matches"]
    rows = [["seat", "bot", "mean score", "deviation", "wins", "share"]]
    for seat in report["seats"]:
        share = f"{100 * seat['win_share']:.1f} %"
        figures = [f"{seat['mean_score']:.2f}", f"{seat['deviation']:.2f}", f"{seat['wins']:.1f}", share]
        rows.append([str(seat["seat"]), seat["bot"], *figures])
    parts.append(columns(rows, left=2))
    if len(report["bots"]) > 1:
        rows = [["bot", "seats", "mean score", "wins"]]
        for one in report["bots"]:
            rows.append([one["bot"], str(one["seats"]), f"{one['mean_score']:.2f}", f"{one['wins']:.1f}"])
        parts.append(columns(rows))
    names = list(dict.fromkeys(name for seat in report["seats"] for name in seat["lines"]))
    rows = [["mean points", *(f"seat {seat['seat']}" for seat in report["seats"])]]
    for name in names:
        rows.append([name, *(f"{seat['lines'].get(name, 0.0):.2f}" for seat in report["seats"])])
    parts.append(columns(rows))
    spread = report["decisions"]
    closing = [f"decisions in a match: {spread['mean']:.1f} ({spread['least']} to {spread['most']})"]
    rounds = report["rounds"]
    if rounds is not None:
        closing.append(f"rounds in a match: {rounds['mean']:.1f} ({rounds['least']} to {rounds['most']})")
    time = report["time"]
    hands = "1 worker" if time["workers"] == 1 else f"{time['workers']} workers"
    closing.append(f"{time['seconds']:.1f} s with {hands}: {time['matches_per_second']:.1f} matches/s")
    parts.append("\n".join(closing))
    return "\n\n".join(parts)


def bench_text(bench: Bench) -> str:
    """One build's speed."""
    build = "compiled" if bench["compiled"] else "interpreted"
    rows = [HEAD, *(_cells(speed) for speed in bench["titles"])]
    return f"{build} build, Python {bench['python']}, one core, random play\n\n{columns(rows, 2)}\n\n{PEERS}"


def comparison_text(plain: Bench, native: Bench) -> str:
    """Two builds, measured in one run on one machine, and how many times the compiled one is faster."""
    twins = {speed["title"]: speed for speed in native["titles"]}
    rows = [HEAD]
    for slow in plain["titles"]:
        fast = twins[slow["title"]]
        rows += [_cells(slow), _cells(fast), _ratios(slow, fast)]
    return f"both builds, Python {plain['python']}, one core, random play\n\n{columns(rows, 2)}\n\n{PEERS}"


HEAD = ["title", "build", "seats", "decisions/s", "matches/s", "clone µs", "+resample µs", "digest µs", "bytes"]


def _cells(speed: Speed) -> list[str]:
    return [
        speed["title"],
        "compiled" if speed["compiled"] else "interpreted",
        str(speed["seats"]),
        f"{speed['decisions_per_second']:,}",
        f"{speed['matches_per_second']:,.1f}",
        f"{speed['clone_us']:.2f}",
        f"{speed['resample_us']:.2f}",
        f"{speed['digest_us']:.2f}",
        f"{speed['state_bytes']:,}",
    ]


def _ratios(slow: Speed, fast: Speed) -> list[str]:
    gains = [
        fast["decisions_per_second"] / slow["decisions_per_second"],
        fast["matches_per_second"] / slow["matches_per_second"],
        slow["clone_us"] / fast["clone_us"],
        slow["resample_us"] / fast["resample_us"],
        slow["digest_us"] / fast["digest_us"],
        slow["state_bytes"] / fast["state_bytes"],
    ]
    return ["", "gain", "", *(f"{gain:.1f} x" for gain in gains)]
