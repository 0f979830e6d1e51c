#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the tables and polynomials of include/cohort/math_double*.h, which were taken from here by hand.

usage: scripts/make_double_coefficients.py    (takes mpmath)

A number in two parts is a double and the double next to what is left; where a third column says so, the first part is
a multiple of 2^-42, so that sums with a few bits are exact. Polynomials go through the function at the points of
Chebyshev, which is close to minimax. What is a power series in the headers (exp, log, atan) has its own coefficients, 1 / k.
"""
from struct import pack, unpack

from mpmath import mp, mpf

mp.prec = 400
LN2, PI = mp.log(2), mp.pi


def parts(x, grain=None):
    high = float(mp.nint(x * 2 ** grain) / 2 ** grain) if grain else float(x)
    return high, float(x - mpf(high))


def show(title, *numbers):
    print(f"{title}: " + ", ".join(f"{n!r}" for n in numbers))


def rows(title, table):
    print(f"{title}:")
    for row in table:
        print("    " + " ".join(f"{n!r}," for n in row))


def solve(function, least, most, count):
    """Coefficients of the polynomial that is the function at `count` points of Chebyshev."""
    nodes = [(least + most) / 2 + (most - least) / 2 * mp.cos(PI * (2 * k + 1) / (2 * count)) for k in range(count)]
    rows_of = mp.matrix(count, count)
    for i, x in enumerate(nodes):
        for k in range(count):
            rows_of[i, k] = x ** k
    return mp.lu_solve(rows_of, mp.matrix([function(x) for x in nodes]))


def to_float32(x):
    return unpack("f", pack("f", x))[0]


def fit(title, function, least, most, count, weight=None, narrow=float):
    """function(v) = c0 + c1 v + ...; the error is told beside weight(v), or the function itself."""
    fixed = [narrow(float(c)) for c in solve(function, least, most, count)]
    points = [least + (most - least) * mpf(2 * i + 1) / 2000 for i in range(1000)]
    error = max(abs((sum(mpf(c) * v ** k for k, c in enumerate(fixed)) - function(v)) / (weight or function)(v))
                for v in points)
    print(f"{title}: error 2^{float(mp.log(error, 2)):.1f}")
    for c in fixed:
        print(f"    {c!r}," if narrow is float else f"    {c:.9g}f,")


rows("2^(j / 32), j = 0 ... 31, in two parts", [parts(mpf(2) ** (mpf(j) / 32)) for j in range(32)])
show("32 / ln 2", float(32 / LN2))
first = float(mp.nint(LN2 / 32 * 2 ** 40) / 2 ** 40)
show("ln 2 / 32, the first part of 35 bits", first, float(LN2 / 32 - mpf(first)))
show("ln 2 / 32, in two parts", *parts(LN2 / 32))

table = []
for i in range(64):
    least, most = 1 + mpf(i) / 64, 1 + mpf(i + 1) / 64
    if i >= 27:
        least, most = least / 2, most / 2
    inverse = mpf(1) if i in (0, 63) else mp.nint(2 / (least + most) * 512) / 512
    high, low = parts(-mp.log(inverse), 42)
    table.append((float(inverse), high, low))
rows("1 / c of 10 bits and log c, for m in [1 + i / 64, 1 + (i + 1) / 64), halved from i = 27 on", table)
show("ln 2, the first part a multiple of 2^-42", *parts(LN2, 42))
show("1 / ln 2", *parts(1 / LN2))
show("1 / ln 10", *parts(1 / mp.log(10)))
show("ln 2 / ln 10, the first part a multiple of 2^-42", *parts(LN2 / mp.log(10), 42))

mp.prec = 2000
print("2 / pi, behind the point, words of 64 bits:")
whole = int(mp.floor(2 / mp.pi * mpf(2) ** (64 * 19)))
print("    " + ", ".join(f"0x{whole >> 64 * (18 - i) & (2 ** 64 - 1):016x}u" for i in range(19)))
mp.prec = 400
show("2 / pi", float(2 / PI))
first = float(mp.floor(PI / 2 * 2 ** 32) / mpf(2) ** 32)
second = float(mp.floor((PI / 2 - mpf(first)) * 2 ** 66) / mpf(2) ** 66)
show("pi / 2, two parts of 33 bits and the rest", first, second, float(PI / 2 - mpf(first) - mpf(second)))
show("pi / 2", *parts(PI / 2))
show("pi", *parts(PI))
quarter = (PI / 4) ** 2
fit("sin(r) = r + r^3 (c0 + c1 r^2 + ...), |r| <= pi / 4",
    lambda v: (mp.sin(mp.sqrt(v)) - mp.sqrt(v)) / mp.sqrt(v) ** 3, mpf(2) ** -60, quarter, 7,
    lambda v: mp.sin(mp.sqrt(v)) / mp.sqrt(v) ** 3)
fit("cos(r) = 1 - r^2 / 2 + r^4 (c0 + c1 r^2 + ...), |r| <= pi / 4",
    lambda v: (mp.cos(mp.sqrt(v)) - 1 + v / 2) / v ** 2, mpf(2) ** -60, quarter, 6,
    lambda v: mp.cos(mp.sqrt(v)) / v ** 2)
rows("atan(i / 8)", [parts(mp.atan(mpf(i) / 8)) for i in range(9)])

show("2 / sqrt(pi)", *parts(2 / mp.sqrt(PI)))
fit("erf(x) = x (2 / sqrt(pi) + x^2 (c0 + c1 x^2 + ...)), x <= 0.5",
    lambda v: (mp.erf(mp.sqrt(v)) / mp.sqrt(v) - 2 / mp.sqrt(PI)) / v, mpf(2) ** -60, mpf(1) / 4, 9,
    lambda v: mp.erf(mp.sqrt(v)) / mp.sqrt(v) / v)


def scaled(t):
    """(1 + 2 x) e^(x^2) erfc(x) for t = (x - 4) / (x + 4)."""
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


for i in range(7):
    center = mpf(14 * i - 43) / 64
    least = max(mpf(-7) / 64, mpf(-7) / 9 - center)
    high, low = parts(scaled(center))
    show(f"(1 + 2 x) e^(x^2) erfc(x) for t = {14 * i - 43} / 64", high, low)
    # a little more on one side, lest a point of Chebyshev is 0
    fit("and what is to be added, by d = t - that: d (c0 + c1 d + ...)",
        lambda d: (scaled(center + d) - scaled(center)) / d, least, mpf(7) / 64 + mpf(2) ** -20, 13,
        lambda d: scaled(center + d) / d)


def scaled_of_floats(t):
    """The same for t = (x - 2) / (x + 2)."""
    x = 2 * (1 + t) / (1 - t)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


for least, most in ((mpf(-3) / 5, mpf(0)), (mpf(0), mpf(27) / 40)):
    middle = mpf(-5 if least < 0 else 5) / 16
    fit(f"of floats: (1 + 2 x) e^(x^2) erfc(x) = c0 + c1 d + ..., d = t - {float(middle)}, t = (x - 2) / (x + 2)",
        lambda d: scaled_of_floats(middle + d), least - middle, most - middle, 9, None, to_float32)
