#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Print the polynomials of include/cohort/math.h, which were taken from here by hand.

usage: scripts/make_math_coefficients.py

Each is the minimax polynomial (exchange algorithm of Remez, in 50 decimal digits) for the largest error relative to
the function. Coefficients become floats one at a time, lowest power first, and after each the others are fitted anew
(N. Brisebarre, S. Chevillard, "Efficient polynomial L-infinity approximations", ARITH 2007, has better ways; this one
is enough here). Same script, same numbers.
"""
from decimal import Decimal, getcontext
from math import cos, pi
from struct import pack, unpack

getcontext().prec = 50
GRID = 600


def to_float32(x):
    return unpack("f", pack("f", x))[0]


def solve(rows, right):
    """Gauss, with pivots."""
    n = len(rows)
    rows = [row[:] + [b] for row, b in zip(rows, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    out = [Decimal(0)] * n
    for i in reversed(range(n)):
        out[i] = (rows[i][n] - sum(rows[i][k] * out[k] for k in range(i + 1, n))) / rows[i][i]
    return out


def extrema(errors, count):
    """Where errors alternate: the largest of each run of one sign, and of those the `count` neighbours that stand out."""
    peaks = []
    for i, e in enumerate(errors):
        if peaks and (e > 0) == (errors[peaks[-1]] > 0):
            if abs(e) > abs(errors[peaks[-1]]):
                peaks[-1] = i
        else:
            peaks.append(i)
    while len(peaks) > count:
        peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
    return peaks


def remez(points, basis, target):
    """Coefficients of the basis (values at the points) that come closest to the target, and their largest error."""
    n = len(basis)
    where = [round((len(points) - 1) * (1 - cos(pi * i / n)) / 2) for i in range(n + 1)]
    for _ in range(50):
        rows = [[b[i] for b in basis] + [Decimal((-1) ** k)] for k, i in enumerate(where)]
        found = solve(rows, [target[i] for i in where])[:n]
        errors = [sum(c * b[i] for c, b in zip(found, basis)) - target[i] for i in range(len(points))]
        moved = extrema(errors, n + 1)
        if len(moved) < n + 1 or moved == where:
            break
        where = moved
    return found, max(abs(e) for e in errors)


def fit(title, least, most, count, power, leading, function):
    """function(x) = leading(x) + power(x) (c0 + c1 v + ...), where power gives the factor and the variable v."""
    points = [Decimal(least) + (Decimal(most) - Decimal(least)) * (2 * i + 1) / (2 * GRID) for i in range(GRID)]
    exact = [function(x) for x in points]
    basis = [[power(x)[0] * power(x)[1] ** k / f for x, f in zip(points, exact)] for k in range(count)]
    target = [(f - leading(x)) / f for x, f in zip(points, exact)]
    fixed = []
    for k in range(count):
        found, _ = remez(points, basis[k:], target)
        fixed.append(to_float32(float(found[0])))
        target = [t - Decimal(fixed[k]) * b for t, b in zip(target, basis[k])]
    error = max(abs(t) for t in target)
    print(f"{title}: largest relative error 2^{float(error.ln() / Decimal(2).ln()):.1f}")
    for k, c in enumerate(fixed):
        print(f"    c{k} = {c:.9g}f")


def tanh(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def series(x, first, ratio):
    """first + first * ratio(1) + first * ratio(1) * ratio(2) ..., to the last digit."""
    total, term, k = Decimal(0), first, 1
    while abs(term) > Decimal("1e-48"):
        total, term, k = total + term, term * ratio(k), k + 1
    return total


def sin(x):
    return series(x, x, lambda k: -x * x / (2 * k * (2 * k + 1)))


def cos_of(x):
    return series(x, Decimal(1), lambda k: -x * x / (2 * k * (2 * k - 1)))


def atan(x):
    """For small x, to which half angles lead."""
    for _ in range(4):
        x = x / (1 + (1 + x * x).sqrt())
    return 16 * series(x, x, lambda k: -x * x * (2 * k - 1) / (2 * k + 1))


def erf(x):
    factor = 2 / PI.sqrt()
    return factor * series(x, x, lambda k: -x * x * (2 * k - 1) / (k * (2 * k + 1)))


def sinh(x):
    return series(x, x, lambda k: x * x / (2 * k * (2 * k + 1)))


def asin(x):
    return atan(x / (1 - x * x).sqrt())


PI = 4 * atan(Decimal(1))
LN2 = Decimal(2).ln()
ROOT2 = Decimal(2).sqrt()
high = float.fromhex("0x1.62e4p-1")
print(f"ln 2 = {high:.9g}f + {to_float32(float(LN2 - Decimal(high))):.9g}f; 1 / ln 2 = {to_float32(float(1 / LN2)):.9g}f")
fit("exp(r) = 1 + r + r^2 (c0 + c1 r + ...), |r| <= ln 2 / 2", -LN2 / 2, LN2 / 2, 5,
    lambda r: (r * r, r), lambda r: 1 + r, lambda r: r.exp())
fit("log(1 + f) = f - f^2 / 2 + f^3 (c0 + c1 f + ...), sqrt(1/2) <= 1 + f <= sqrt(2)", 1 / ROOT2 - 1, ROOT2 - 1, 9,
    lambda f: (f ** 3, f), lambda f: f - f * f / 2, lambda f: (1 + f).ln())
fit("tanh(x) = x + x^3 (c0 + c1 x^2 + ...), x <= 0.625", Decimal(0), Decimal("0.625"), 5,
    lambda x: (x ** 3, x * x), lambda x: x, tanh)
fit("sin(r) = r + r^3 (c0 + c1 r^2 + ...), |r| <= pi / 4", Decimal(0), PI / 4, 3,
    lambda x: (x ** 3, x * x), lambda x: x, sin)
fit("cos(r) = 1 - r^2 / 2 + r^4 (c0 + c1 r^2 + ...), |r| <= pi / 4", Decimal(0), PI / 4, 3,
    lambda x: (x ** 4, x * x), lambda x: 1 - x * x / 2, cos_of)
fit("atan(t) = t + t^3 (c0 + c1 t^2 + ...), |t| <= tan(pi / 8)", Decimal(0), ROOT2 - 1, 5,
    lambda x: (x ** 3, x * x), lambda x: x, atan)
ln2_high = Decimal(to_float32(float(LN2)))
print(f"ln 2 = {to_float32(float(LN2)):.9g}f + {to_float32(float(LN2 - ln2_high)):.9g}f")
fit("2^r = 1 + r ln 2 + r^2 (c0 + c1 r + ...), |r| <= 1/2", Decimal("-0.5"), Decimal("0.5"), 5,
    lambda r: (r * r, r), lambda r: 1 + r * LN2, lambda r: (r * LN2).exp())
fit("erf(x) = x + x (c0 + c1 x^2 + ...), x <= 0.921875", Decimal(0), Decimal("0.921875"), 7,
    lambda x: (x, x * x), lambda x: x, erf)
fit("-log(1 - erf(x)) = x + x (c0 + c1 x + ...), 0.921875 <= x <= 4", Decimal("0.921875"), Decimal(4), 9,
    lambda x: (x, x), lambda x: x, lambda x: -(1 - erf(x)).ln())
fit("sinh(x) = x + x^3 (c0 + c1 x^2 + ...), x <= 1", Decimal(0), Decimal(1), 4,
    lambda x: (x ** 3, x * x), lambda x: x, sinh)
fit("asin(x) = x + x^3 (c0 + c1 x^2 + ...), x <= 1/2", Decimal(0), Decimal("0.5"), 5,
    lambda x: (x ** 3, x * x), lambda x: x, asin)
print("1 / c of 7 bits and log c, whose first part is a multiple of 2^-16, for m in [1 + i / 32, 1 + (i + 1) / 32), "
      "halved from i = 13 on")
for i in range(32):
    middle = (Decimal(2 * i + 1) / 64 + 1) / (2 if i >= 13 else 1)
    inverse = Decimal(1) if i in (0, 31) else Decimal(round(64 / middle)) / 64
    high = Decimal(round(-inverse.ln() * 65536)) / 65536
    print(f"    {{ {float(inverse)}f, {float(high):.9g}f, {to_float32(float(-inverse.ln() - high)):.9g}f }},")
high = Decimal(round(LN2 * 65536)) / 65536
print(f"ln 2 = {float(high):.9g}f + {to_float32(float(LN2 - high)):.9g}f")
