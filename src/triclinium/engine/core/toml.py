"""Writer for TOML data without dates, so that edited components files can be stored, sent and read again."""

import json
import re
from collections.abc import Mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(data: Mapping[str, object]) -> str:
    """Return the data as TOML text."""
    return "\n".join(_table_lines("", data)).strip() + "\n"


def _table_lines(path: str, table: Mapping[str, object]) -> list[str]:
    """Return the lines of a table: first its own values, then its inner tables, because TOML requires this order."""
    lines: list[str] = []
    inner: list[str] = []
    for key, value in table.items():
        place = f"{path}.{_format_key(key)}" if path else _format_key(key)
        if isinstance(value, Mapping):
            inner += ["", f"[{place}]", *_table_lines(place, value)]
        elif _is_table_list(value):
            assert isinstance(value, list)
            for row in value:
                inner += ["", f"[[{place}]]", *_table_lines(place, row)]
        else:
            lines.append(f"{_format_key(key)} = {_format_value(value)}")
    return lines + inner


def _is_table_list(value: object) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(item, Mapping) for item in value)


def _format_key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _format_text(key)


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _format_text(value)
    if isinstance(value, list):
        return f"[{', '.join([_format_value(item) for item in value])}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join([f'{_format_key(key)} = {_format_value(item)}' for key, item in value.items()])} }}"
    assert isinstance(value, (int, float)), f"TOML has no word for {value!r}"
    return repr(value)


def _format_text(text: str) -> str:
    """Return the text as a TOML string. TOML strings equal JSON strings except for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
