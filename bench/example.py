"""Installation of the example game for tests and screenshots, without pip."""

import sys
from pathlib import Path

from triclinium.engine import registry

KUHN = Path(__file__).parents[1] / "examples" / "kuhn"


def install(folder: Path, package: str, points: dict[str, str]) -> None:
    """Make a folder on sys.path look like an installed package with these games."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[{registry.ENTRY_POINT_GROUP}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def add_kuhn(folder: Path) -> None:
    """Add Kuhn poker to the games of this process."""
    install(folder, "kuhn_poker", {"kuhn": "kuhn:GAME"})
    sys.path[:0] = [str(folder), str(KUHN)]
