"""Messages are rewritten in sources, catalogues and quotations, and keep their translations."""

from pathlib import Path

import pytest

from triclinium.i18n.po import read_po
from triclinium.testing.extract import SourceText, extract_python, extract_template
from triclinium.testing.messages import find_problems, make_game_part
from triclinium.testing.rekey import (
    BadMapping,
    Quotations,
    check_mapping,
    main,
    read_mapping,
    rewrite_python,
    rewrite_template,
    rewrite_test,
)

LONG = (
    "This sentence is so long that no line of Python can hold it, which is why it has to be wrapped between its words."
)


def key(text: str, context: str = "") -> SourceText:
    return SourceText(context, text)


def test_a_literal_is_found_by_its_value_and_its_place() -> None:
    source = (
        "def f(text: str) -> None:\n"
        "    raise Conflict(\n"
        '        "the table "\n'
        '        "is full"\n'
        '    ) if text == "the table is full" else NotFound(msgid("gone"), "gone")\n'
    )
    rewritten = rewrite_python(source, {key("the table is full"): "The table is full.", key("gone"): "Gone."}, [])
    assert 'Conflict(\n        "The table is full."\n    )' in rewritten
    assert 'text == "the table is full"' in rewritten
    assert 'NotFound(msgid("Gone."), "gone")' in rewritten


def test_a_context_keeps_equal_words_apart() -> None:
    source = 'A = Name("left", "seat")\nB = msgid("left")\n'
    assert rewrite_python(source, {key("left", "seat"): "west"}, []) == 'A = Name("west", "seat")\nB = msgid("left")\n'


def test_a_long_literal_is_split_and_reads_the_same() -> None:
    source = 'class A:\n    def f(self) -> None:\n        raise Conflict("é", "short")\n'
    rewritten = rewrite_python(source.replace('"é", ', ""), {key("short"): LONG}, [])
    assert list(extract_python(rewritten)) == [key(LONG)]
    assert len(rewritten.split('" "')) == 2


def test_a_literal_after_wide_letters_is_replaced_in_its_place() -> None:
    assert rewrite_python('a, b = "é’", msgid("old")\n', {key("old"): "new"}, []) == 'a, b = "é’", msgid("new")\n'


def test_a_literal_inside_an_f_string_is_replaced() -> None:
    source = """x = f"## {_('old') or 'old text'}"\n"""
    assert rewrite_python(source, {key("old"): "new"}, []) == """x = f"## {_('new') or 'old text'}"\n"""


def test_a_text_made_from_an_identifier_is_reported() -> None:
    missed: list[str] = []
    source = 'V = Variant("open_hands", ("no", "yes"), Name("Hands are open.", "variant"))\n'
    assert rewrite_python(source, {key("Open hands", "variant name"): "Visible hands"}, missed) == source
    assert missed == ["'Open hands' is made from the identifier 'open_hands'"]


def test_a_template_is_rewritten_where_it_translates() -> None:
    source = """<p title="Zig">{{- _('Zig' if value == 'Zig' else "Zig
        zag", 'Zig') }} {{ other('Zig') }}</p>\n"""
    rewritten = rewrite_template(source, {key("Zig"): "Sip", key("Zig zag"): 'Sip "sap"'})
    assert rewritten == (
        """<p title="Zig">{{- _('Sip' if value == 'Zig' else 'Sip "sap"', 'Zig') }} {{ other('Zig') }}</p>\n"""
    )


def test_a_message_is_wrapped_in_a_template_where_the_old_one_was() -> None:
    assert rewrite_template("<p>{{ _('ab') }}</p>", {key("ab"): LONG}) == f"<p>{{{{ _('{LONG}') }}}}</p>"
    rewritten = rewrite_template("<p>{{ _('a\n  b') }}</p>", {key("a b"): LONG})
    assert len(rewritten.splitlines()) == 2
    assert list(extract_template(rewritten)) == [key(LONG)]


def test_quotations_follow() -> None:
    quotations = Quotations(
        {
            "the seat is taken": "This seat is taken.",
            "{0} has {1} {1:card|cards} left to play": "{0} keeps {1} {1:card|cards}.",
            "Keep": "Save",
        }
    )
    source = (
        '"""Refused because the seat is taken."""\n'
        'assert a == "the seat is taken" and b == "> the seat is taken"\n'
        'assert c == "Ben has 2 cards left to play" and d == "Keep"\n'
        'raises(Conflict, match="the seat is taken")\n'
        'e = f"{a}: the seat is taken"\n'
    )
    assert rewrite_test(source, quotations) == (
        '"""Refused because the seat is taken."""\n'
        'assert a == "This seat is taken." and b == "> This seat is taken."\n'
        'assert c == "Ben keeps 2 cards." and d == "Keep"\n'
        'raises(Conflict, match="This seat is taken")\n'
        'e = f"{a}: This seat is taken."\n'
    )
    assert (
        quotations.replace_marked("The page says *the seat is taken*, because the seat is taken.")
        == "The page says *This seat is taken.*, because the seat is taken."
    )


def write_mapping(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_mapping_that_cannot_be_repeated_is_refused(tmp_path: Path) -> None:
    chain = '[[message]]\nold = "a"\nnew = "b"\n[[message]]\nold = "b"\nnew = "c"\n'
    with pytest.raises(BadMapping, match="'a' becomes 'b', which becomes 'c'"):
        check_mapping(read_mapping(write_mapping(tmp_path / "chain.toml", chain)))
    both = '[[message]]\nold = "a"\nnew = "b"\n[[message]]\nold = "a"\nnew = "c"\n'
    with pytest.raises(BadMapping, match="'a' becomes both 'b' and 'c'"):
        check_mapping(read_mapping(write_mapping(tmp_path / "both.toml", both)))
    with pytest.raises(BadMapping, match="cannot read"):
        read_mapping(write_mapping(tmp_path / "bad.toml", '[[message]]\nold = "a"\nneu = 1\nwhat_else = "b"\n'))


def test_a_game_is_rewritten_and_a_second_run_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, catalogue = tmp_path / "game.py", tmp_path / "data" / "locale" / "fr.po"
    game.write_text('A = msgid("draw")\nB = msgid("Play")\nC = msgid("take")\n', encoding="utf-8")
    catalogue.parent.mkdir(parents=True)
    header = 'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n'
    entries = {"draw": "piocher", "Play": "Jouer", "take": "prendre"}
    catalogue.write_text(
        header + "".join(f'\nmsgid "{old}"\nmsgstr "{fr}"\n' for old, fr in entries.items()), encoding="utf-8"
    )
    mapping = write_mapping(
        tmp_path / "mapping.toml",
        '[[message]]\nold = "draw"\nnew = "Draw!"\nfr = "Piocher !"\n'
        '[[message]]\nold = "take"\nnew = "Take"\n'
        '[[message]]\nold = "Play"\nfr = "Poser"\n'
        '[[message]]\nold = "never said"\nnew = "nothing"\n',
    )
    assert main([str(mapping), "--game", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no file says 'never said'\n2 files changed\n"
    assert game.read_text(encoding="utf-8") == 'A = msgid("Draw!")\nB = msgid("Play")\nC = msgid("Take")\n'
    assert read_po(catalogue).messages == {"Draw!": "Piocher\u202f!", "Play": "Poser", "Take": "prendre"}
    assert not find_problems(make_game_part(tmp_path), catalogue)
    assert main([str(mapping), "--game", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("0 files changed\n")
