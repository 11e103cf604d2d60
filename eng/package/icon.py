#!/usr/bin/env python3
"""Draws the packages' icon, icon.png beside this file: a flask. Needs nothing but Python; the same bytes each time."""
import pathlib
import struct
import zlib

SIZE, SAMPLES = 128, 4
CLEAR, PLATE, GLASS = (0, 0, 0, 0), (64, 42, 120, 255), (240, 236, 250, 255)
POTION, BUBBLE = (94, 200, 126, 255), (214, 245, 222, 255)


def within(x, y, left, top, right, bottom, radius):
    """Whether a point is in a rectangle with round corners."""
    dx = max(left + radius - x, 0, x - (right - radius))
    dy = max(top + radius - y, 0, y - (bottom - radius))
    return left <= x <= right and top <= y <= bottom and dx * dx + dy * dy <= radius * radius


def body(x, y, inset):
    """Whether a point is in the flask: a neck, and a cone that opens downwards."""
    if 30 <= y <= 56:
        return abs(x - 64) <= 11 - inset
    return 56 < y <= 102 - inset and abs(x - 64) <= 11 - inset + (y - 56) * 0.6


def colour(x, y):
    """The colour of a point."""
    if not within(x, y, 0, 0, 128, 128, 24):
        return CLEAR
    for cx, cy, r in ((55, 88, 4), (70, 81, 5), (63, 44, 3)):
        if (x - cx) ** 2 + (y - cy) ** 2 <= r * r:
            return BUBBLE
    if body(x, y, 5):
        return POTION if y > 72 else PLATE
    if body(x, y, 0) or within(x, y, 48, 23, 80, 31, 4):
        return GLASS
    return PLATE


def pixel(column, row):
    """The mean of a pixel's samples, weighted by how opaque they are."""
    steps = [(i + 0.5) / SAMPLES for i in range(SAMPLES)]
    samples = [colour(column + dx, row + dy) for dx in steps for dy in steps]
    alpha = sum(sample[3] for sample in samples)
    if alpha == 0:
        return CLEAR
    return tuple(sum(s[i] * s[3] for s in samples) // alpha for i in range(3)) + (alpha // len(samples),)


def chunk(kind, data):
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(SIZE)) for y in range(SIZE))
header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
pathlib.Path(__file__).with_name("icon.png").write_bytes(png)
