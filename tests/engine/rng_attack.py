"""An attack on linear generators in forty lines: it computes a shuffle from the visible cards.

L'Ecuyer's two small generators are one multiplicative generator modulo M, and `below` returns the top bits of its
state. So a few consecutive draws are a point near a known lattice. LLL and Babai's rounding find the lattice point,
which is the state. The state determines every earlier and later draw.
"""

from fractions import Fraction
from functools import cache

M1, M2 = 2147483563, 2147483399
M = M1 * M2
A = (40014 * M2 * pow(M2, -1, M1) + 40692 * M1 * pow(M1, -1, M2)) % M


def reconstruct_draws(deck: list[int], printed: list[int], seen: int) -> list[tuple[int, int]]:
    """Return the draws (value, range) that put the last cards of a shuffled deck in their visible places.

    `Rng.shuffle` fills a list from its end, two places for each draw. From the printed order and the last cards the
    swaps can be undone.
    """
    items = list(printed)
    found: list[tuple[int, int]] = []
    size = len(items)
    while len(items) - size + 2 <= seen:
        last = size - 1
        i = items.index(deck[last], 0, size)
        items[i], items[last] = items[last], items[i]
        j = items.index(deck[last - 1], 0, last)
        items[j], items[last - 1] = items[last - 1], items[j]
        found.append((i * last + j, size * last))
        size -= 2
    return found


def recover_state(draws: list[tuple[int, int]]) -> int:
    """Return the state of a linear generator at the first of these draws. For another generator it is meaningless."""
    target = [Fraction(M * (2 * value + 1), 2 * many) for value, many in draws]
    found = find_near_lattice_point(lattice(len(draws)), target)
    return found[0] % M


@cache
def lattice(n: int) -> list[list[int]]:
    """Return a short basis of the lattice of all runs of n states, which is the same for every seed."""
    rows = [[pow(A, k, M) for k in range(n)]]
    rows += [[M if k == i else 0 for k in range(n)] for i in range(1, n)]
    return reduce_lattice(rows)


def predict_next_draw(state: int, many: int) -> int:
    """Return the result of `below` in this state."""
    return state * many // M


def orthogonal(rows: list[list[int]]) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """Return the rows made orthogonal (Gram-Schmidt), and the coefficients that were subtracted."""
    made: list[list[Fraction]] = []
    taken: list[list[Fraction]] = []
    for row in rows:
        left = [Fraction(x) for x in row]
        parts: list[Fraction] = []
        for other in made:
            part = dot([Fraction(x) for x in row], other) / dot(other, other)
            parts.append(part)
            left = [x - part * y for x, y in zip(left, other, strict=True)]
        made.append(left)
        taken.append(parts)
    return made, taken


def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def reduce_lattice(rows: list[list[int]]) -> list[list[int]]:
    """Return short rows of the same lattice (Lenstra, Lenstra and Lovász).

    This simple version is for small dimensions.
    """
    rows = [list(row) for row in rows]
    k = 1
    while k < len(rows):
        for j in range(k - 1, -1, -1):
            part = round(orthogonal(rows[: k + 1])[1][k][j])
            if part:
                rows[k] = [x - part * y for x, y in zip(rows[k], rows[j], strict=True)]
        made, taken = orthogonal(rows[: k + 1])
        if dot(made[k], made[k]) >= (Fraction(3, 4) - taken[k][k - 1] ** 2) * dot(made[k - 1], made[k - 1]):
            k += 1
        else:
            rows[k], rows[k - 1] = rows[k - 1], rows[k]
            k = max(k - 1, 1)
    return rows


def find_near_lattice_point(rows: list[list[int]], target: list[Fraction]) -> list[int]:
    """Return a lattice point near the target (Babai)."""
    made, _ = orthogonal(rows)
    left = list(target)
    for row, straight in zip(reversed(rows), reversed(made), strict=True):
        part = round(dot(left, straight) / dot(straight, straight))
        left = [x - part * y for x, y in zip(left, row, strict=True)]
    return [int(x - y) for x, y in zip(target, left, strict=True)]
