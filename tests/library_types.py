"""Type information of all imported libraries, read by mypy during installation.

``python -m tests.library_types`` stores it in mypy's cache. It is half of what a first type check reads.
"""

import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "tests", "bench", "examples")
STATEMENT = re.compile(r"^ *(?:from ([\w.]+) import (\([^)]*\)|[\w, ]+)|import ([\w.]+))", re.MULTILINE)


def is_ours(module: str) -> bool:
    """Return whether a module is in one of our folders, or is one of them."""
    return _is_ours(module.partition(".")[0])


@cache
def _is_ours(top: str) -> bool:
    places = [ROOT, ROOT / "src", *(ROOT / "examples").iterdir()]
    return any((place / top).is_dir() or (place / f"{top}.py").is_file() for place in places)


def imports() -> list[str]:
    """Return every import of an external module once.

    Statements are found by their text, because parsing all source files would take as long as testing a game.
    """
    found: set[str] = set()
    for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for module, names, alone in STATEMENT.findall(path.read_text(encoding="utf-8")):
            if alone:
                found.add(f"import {alone}")
            else:
                found |= {
                    f"from {module} import {name.split()[0]}" for name in names.strip("()").split(",") if name.strip()
                }
    return sorted(line for line in found if not is_ours(line.split()[1]))


def main() -> None:
    """Run mypy and ignore its messages. `make check` checks our own code."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "imports.py"
        file.write_text("\n".join(imports()) + "\n", encoding="utf-8")
        subprocess.run([sys.executable, "-m", "mypy", str(file)], cwd=ROOT, check=False, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
