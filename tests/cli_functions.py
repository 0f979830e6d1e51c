#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cohort run on functions of libraries that are installed, against Python and NumPy."""
import ctypes
import math
import os
import sys
import zlib

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cohort_run import case, main  # noqa: E402

RANDOM = np.random.RandomState(1)
X, Y = RANDOM.rand(50), RANDOM.rand(50) - 0.5
A, B = RANDOM.rand(7, 5), RANDOM.rand(5, 3)
BYTES = np.frombuffer(b"the quick brown fox", np.uint8)


def library(*names):
    """The first of these that loads, or None."""
    for name in names:
        try:
            ctypes.CDLL(name)
            return name
        except OSError:
            pass
    return None


def of(names, prototype, values, expected, tolerance=0):
    found = library(*names)
    claim = prototype.split("(")[0].split()[-1].lstrip("*")
    words = [prototype, "--library", found] if found else f"no {names[0]}"
    return case(f"{claim} of {names[0]}", words, values, expected, tolerance)


LIBM = ["libm.so.6", "libm.so", "libc.so"]
LIBC = ["libc.so.6", "libc.so"]
BLAS = ["libopenblas.so.0", "libopenblas.so", "libcblas.so.3", "libblas.so.3"]
ZLIB = ["libz.so.1", "libz.so"]
ROW_MAJOR, PLAIN = 101, 111
GEMM = ("void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double a[m][k], "
        "int lda COHORT_IS(k), const double b[k][n], int ldb COHORT_IS(n), double beta, double c[m][n], "
        "int ldc COHORT_IS(n))")

CASES = [
    of(LIBM, "double cos(double x)", {"x": 0.5}, {"result": math.cos(0.5)}),
    of(LIBM, "double sin(double x)", {"x": -2.5}, {"result": math.sin(-2.5)}),
    of(LIBM, "double pow(double x, double y)", {"x": 2.0, "y": 0.5}, {"result": 2.0**0.5}),
    of(LIBM, "double hypot(double x, double y)", {"x": 3.0, "y": 4.0}, {"result": 5.0}),
    of(LIBM, "double atan2(double y, double x)", {"y": -1.0, "x": -0.0}, {"result": math.atan2(-1.0, -0.0)}),
    of(LIBM, "double fma(double x, double y, double z)", {"x": 3.0, "y": 4.0, "z": -12.0}, {"result": 0.0}),
    of(LIBM, "double erf(double x)", {"x": 0.3}, {"result": math.erf(0.3)}, 1e-15),
    of(LIBM, "double tgamma(double x)", {"x": 5.5}, {"result": math.gamma(5.5)}, 1e-14),
    of(LIBM, "double ldexp(double x, int e)", {"x": 0.75, "e": -1070}, {"result": math.ldexp(0.75, -1070)}),
    of(LIBM, "float sqrtf(float x)", {"x": 2.0}, {"result": float(np.float32(np.sqrt(np.float32(2))))}, 1e-7),
    of(LIBM, "long lround(double x)", {"x": -2.5}, {"result": -3}),
    of(LIBM, "double nextafter(double x, double y)", {"x": 0.0, "y": "-inf"}, {"result": -5e-324}),
    of(LIBM, "double remquo(double x, double y, out int quotient[1])", {"x": 7.5, "y": 2.0},
       {"result": -0.5, "quotient": [4]}),
    of(LIBM, "double modf(double x, out double whole[1])", {"x": -3.75}, {"result": -0.75, "whole": [-3.0]}),
    of(LIBM, "double _Complex csqrt(double _Complex z)", {"z": "-4+0j"}, {"result": 2j}, 1e-15),
    of(LIBM, "double cabs(double _Complex z)", {"z": "3-4j"}, {"result": 5.0}),
    of(LIBC, "int abs(int j)", {"j": -7}, {"result": 7}),
    of(LIBC, "long labs(long j)", {"j": -2**40}, {"result": 2**40}),
    of(LIBC, "int toupper(int c)", {"c": ord("q")}, {"result": ord("Q")}),
    of(LIBC, "int memcmp(const unsigned char a[n], const unsigned char b[n], size_t n)", {"a": BYTES, "b": BYTES},
       {"result": 0}),
    of(ZLIB, "unsigned long crc32(unsigned long crc, const unsigned char buf[len], unsigned len)",
       {"crc": 0, "buf": BYTES}, {"result": zlib.crc32(BYTES.tobytes())}),
    of(ZLIB, "unsigned long adler32(unsigned long adler, const unsigned char buf[len], unsigned len)",
       {"adler": 1, "buf": BYTES}, {"result": zlib.adler32(BYTES.tobytes())}),
    of(ZLIB, "unsigned long compressBound(unsigned long n)", {"n": 1000}, {"result": 1013}),
    of(BLAS, "double cblas_ddot(int n, const double x[n], int incx, const double y[n], int incy)",
       {"x": X, "incx": 1, "y": Y, "incy": 1}, {"result": X @ Y}, 1e-14),
    of(BLAS, "double cblas_dnrm2(int n, const double x[n], int incx)", {"x": X, "incx": 1},
       {"result": np.linalg.norm(X)}, 1e-14),
    of(BLAS, "double cblas_dasum(int n, const double x[n], int incx)", {"x": Y, "incx": 1},
       {"result": np.abs(Y).sum()}, 1e-14),
    of(BLAS, "size_t cblas_idamax(int n, const double x[n], int incx)", {"x": Y, "incx": 1},
       {"result": int(np.abs(Y).argmax())}),
    of(BLAS, "void cblas_daxpy(int n, double alpha, const double x[n], int incx, double y[n], int incy)",
       {"alpha": -1.5, "x": X, "incx": 1, "y": Y, "incy": 1}, {"y": Y - 1.5 * X}, 1e-15),
    of(BLAS, GEMM, {"order": ROW_MAJOR, "ta": PLAIN, "tb": PLAIN, "alpha": 2.0, "a": A, "b": B, "beta": 0.0,
                    "c": "zeros(7,3)"}, {"c": 2 * A @ B}, 1e-14),
]

if __name__ == "__main__":
    main(CASES)
