"""What is sent in a form is text, whatever it was meant to be; and what sends it has a name."""

import pytest

from tests.web.browser import unnamed
from triclinium.web.render import Form


@pytest.mark.parametrize(
    ("sent", "number"),
    [
        ("7", 7),
        ("000000007", 7),
        ("999999999", 999_999_999),
        *((text, -1) for text in ("", "x", "-1", "+7", " 7", "7.0", "1_000", "\u00b2", "\u0663", "1" * 10, "9" * 5000)),
    ],
)
def test_a_number_of_a_form_is_one_or_none_was_sent(sent: str, number: int) -> None:
    """Signs, spaces, digits of other scripts and numbers of a thousand digits are no numbers: nothing raises."""
    assert Form({"n": sent}).whole("n") == number
    assert Form({}).whole("n", 5) == 5


def test_a_button_without_a_name_is_found() -> None:
    """The browser of these tests refuses a page with one: it must see it."""
    drawn = '<svg aria-hidden="true"><title>Undo</title></svg>'
    for nameless in (
        "<button> </button>",
        f"<button>{drawn}</button>",
        f'<button title="">{drawn}</button>',
        f'<a href="/">{drawn}<span aria-hidden="true">x</span></a>',
        "<summary>&nbsp;</summary>",
    ):
        assert unnamed(f"<p>{nameless}</p>"), nameless
    for named in (
        "<button>Undo</button>",
        f'<button aria-label="Undo">{drawn}</button>',
        f'<button>{drawn}<span class="sr">Undo</span></button>',
        '<a href="/"><img alt="Undo"></a>',
    ):
        assert not unnamed(named), named
