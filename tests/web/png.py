"""A decoder for the PNG images of this project: eight bits per channel, not interlaced."""

import struct
import zlib

CHANNELS = {2: 3, 6: 4}


def pixels(data: bytes) -> tuple[int, int, bytes]:
    """Return width, height, and red, green and blue of every pixel."""
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    assert (depth, interlaced) == (8, 0)
    packed, at = b"", 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        packed += data[at + 8 : at + 8 + length] if name == b"IDAT" else b""
        at += length + 12
    size = CHANNELS[kind]
    raw, line, out = zlib.decompress(packed), bytearray(width * size), bytearray()
    for row in range(height):
        start = row * (width * size + 1)
        line = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + width * size]), line, size)
        out += b"".join(line[n : n + 3] for n in range(0, len(line), size))
    return width, height, bytes(out)


def _unfiltered(how: int, now: bytearray, above: bytearray, size: int) -> bytearray:
    for n in range(len(now)):
        left, up = now[n - size] if n >= size else 0, above[n]
        corner = above[n - size] if n >= size else 0
        now[n] = (now[n] + (0, left, up, (left + up) // 2, _nearest(left, up, corner))[how]) % 256
    return now


def _nearest(left: int, up: int, corner: int) -> int:
    aim = left + up - corner
    return min((left, up, corner), key=lambda value: abs(aim - value))
