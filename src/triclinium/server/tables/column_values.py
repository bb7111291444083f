"""Type checks for values of database rows."""


def as_int(value: object) -> int:
    assert isinstance(value, int)
    return value


def as_float(value: object) -> float:
    assert isinstance(value, (int, float))
    return float(value)
