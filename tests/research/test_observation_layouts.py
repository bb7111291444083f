"""docs/research.md tells the layouts that the code has."""

from pathlib import Path

from triclinium.research.observation_layouts import update_page

PAGE = Path(__file__).parents[2] / "docs" / "research.md"


def test_the_page_is_in_step_with_the_code() -> None:
    """If not: python -m triclinium.research.observation_layouts docs/research.md"""
    text = PAGE.read_text(encoding="utf-8")
    assert update_page(text) == text
