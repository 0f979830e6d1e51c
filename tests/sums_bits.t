#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Sums of items have the same bits whatever compiler made the body, at any level, with vectors of any length; and as kernels.
. "${srcdir:-.}/tests/tap.sh"
has_equal_bits || skip_all 'FLT_EVAL_METHOD is not 0, and equal bits are not promised'
if ldd "$builddir/.libs/libcohort.so" 2>/dev/null | grep -q 'lib[a-z]*san\.'; then
    skip_all 'the library has sanitizers in it, which a program of others has not'
fi
scratch sums_bits

cat >"$scratch/sums.c" <<'END'
#include <cohort/cohort.h>
#include <stdio.h>

COHORT_ITEMS_SUMS(measure, i, n, (int64_t n, const float *x COHORT_SHAPE(n), const float *y COHORT_SHAPE(n)),
                  ((COHORT_SUM, float, total), (COHORT_PROD, float, product), (COHORT_MIN, float, low, at),
                   (COHORT_MAX, float, high)), {
                      total += x[i] * y[i];
                      product *= 1 + x[i] * 0.001f;
                      if (at < 0 || x[i] < low)
                          low = x[i], at = i;
                      high = y[i] > high ? y[i] : high;
                  });
COHORT_ITEMS_ARRAY_SUMS(cluster, i, n, (int64_t n, int64_t k, const float *x COHORT_SHAPE(n)),
                        ((COHORT_SUM, float, sums, k)), { sums[i % k] += x[i] * 1.1f + 0.3f; });

COHORT_ITEMS_SUMS_2D(plate, i, n, j, m, (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m)),
                     ((COHORT_SUM, float, total), (COHORT_MAX, float, most)), {
                         total += x[i * m + j] * 1.1f + 0.3f;
                         most = x[i * m + j] > most ? x[i * m + j] : most;
                     });

COHORT_ITEMS_SUMS_3D(cube, i, n, j, m, k, l, (int64_t n, int64_t m, int64_t l, const float *x COHORT_SHAPE(n, m, l)),
                     ((COHORT_SUM, float, total)), { total += x[(i * m + j) * l + k] * 1.1f + 0.3f; });
COHORT_ITEMS_ARRAY_SUMS_3D(cubes, i, n, j, m, k, l, (int64_t n, int64_t m, int64_t l, const float *x COHORT_SHAPE(n, m, l)),
                           ((COHORT_SUM, float, sums, 5)), { sums[(j + k) % 5] += x[(i * m + j) * l + k] * 1.1f + 0.3f; });
COHORT_ITEMS_ARRAY_SUMS_2D(plates, i, n, j, m, (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m)),
                           ((COHORT_SUM, float, sums, 5)), { sums[j % 5] += x[i * m + j] * 1.1f + 0.3f; });

enum { N = 10001, BLOCKS = 79, K = 5 };
static float x[N], y[N];

static unsigned long long digest = 14695981039346656037ull;

static void add(const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        digest = (digest ^ ((const unsigned char *)bytes)[i]) * 1099511628211ull;
}

int main(int argc, char **argv)
{
    float f[BLOCKS * K] = { 0 };
    int64_t p[BLOCKS] = { 0 };
    for (int i = 0; i < N; i++)
        x[i] = (float)((int64_t)i * 7919 % 1009) / 17 - 20, y[i] = (float)((int64_t)i * 31 % 97) / 7;
    cohort_strategy *s = cohort_mirrored(argc > 1 ? argv[1] : NULL);
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x, N)), *ys = cohort_value_split(s, COHORT_ARRAY(y, N)), *out[8];
    for (int i = 0; i < 8; i++)
        out[i] = cohort_value_create(s);
    cohort_run(s, measure, xs, ys, out[0], out[1], out[2], out[3], out[4]);
    cohort_run(s, cluster, xs, out[5], COHORT_NAMED(k, K));
    for (int m = 73; m <= 137; m += 64) { /* 73 * 137 is N */
        cohort_run(s, plate, COHORT_ARRAY(x, N / m, m), out[6], out[7]);
        for (int i = 6; i < 8; i++) {
            cohort_value_read(out[i], COHORT_ARRAY(f, m == 73 ? 69 : 146));
            add(f, sizeof *f * (m == 73 ? 69 : 146));
        }
    }
    for (int i = 0; i < 3; i++) { /* 2 * 50 * 100 of N; and 100 rows of 100 */
        int64_t shape[COHORT_MAX_RANK], count;
        cohort_run(s, i == 0 ? cube : i == 1 ? cubes : plates,
                   i == 2 ? COHORT_ARRAY(x, 100, 100) : COHORT_ARRAY(x, 2, 50, 100), out[6 + i % 2]);
        int rank = cohort_value_shape(out[6 + i % 2], 0, NULL, shape);
        count = shape[0] * (i == 0 ? 1 : 5);
        if (rank != 1 + (i != 0) || count > BLOCKS * K ||
            cohort_value_read(out[6 + i % 2], i == 0 ? COHORT_ARRAY(f, count) : COHORT_ARRAY(f, shape[0], 5)) != COHORT_OK)
            return fprintf(stderr, "%s\n", cohort_error_text()), 1;
        add(f, sizeof *f * (size_t)count);
    }
    for (int i = 0; i < 5; i++) {
        cohort_value_read(out[i], i == 3 ? COHORT_ARRAY(p, BLOCKS) : COHORT_ARRAY(f, BLOCKS));
        add(i == 3 ? (void *)p : (void *)f, BLOCKS * (i == 3 ? sizeof *p : sizeof *f));
    }
    int64_t shape[COHORT_MAX_RANK];
    cohort_value_shape(out[5], 0, NULL, shape);
    if (cohort_value_read(out[5], COHORT_ARRAY(f, shape[0], K)) != COHORT_OK)
        return fprintf(stderr, "%s\n", cohort_error_text()), 1;
    add(f, sizeof *f * (size_t)shape[0] * K);
    printf("%llx\n", digest);
    cohort_strategy_destroy(s);
    return 0;
}
END
given=$(sed -n 's/^Cflags:.*includedir} *//p' "$builddir/cohort.pc")
libraries=$builddir/.libs
export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
devices=host
if "$builddir/cli/cohort" devices 2>/dev/null | grep -q '^ *opencl:0'; then
    devices="$devices opencl:0"
else
    skip 'kernels have the bits of the host' 'no OpenCL device'
fi

# check COMPILER OPTION...
wanted=
check() {
    compiler=$1
    shift
    # shellcheck disable=SC2086 # $CC may have options, and flags are a list
    if ! $compiler -std=gnu11 "$@" $given -I"$srcdir/include" -I"$builddir/include" "$scratch/sums.c" \
        "$libraries/libcohort.so" -o "$scratch/sums" 2>"$scratch/errors"; then
        skip "$compiler $*" "$(head -n 1 "$scratch/errors")"
        return
    fi
    for device in $devices; do
        found=$("$scratch/sums" "$device" 2>&1)
        wanted=${wanted:-$found}
        echo "$found" | grep -q "^[0-9a-f]*$" || found="no digest: $found"
        is "$found" "$wanted" "$compiler $* on $device: the bits of all others"
    done
}

check "${CC:-cc}" -O0
for level in -O1 -O2 -O3 -Os; do
    check "${CC:-cc}" "$level"
done
check "${CC:-cc}" -O3 -march=native
check "${CC:-cc}" -O3 -fopenmp
! command -v clang >/dev/null 2>&1 || for level in -O0 -O2 -O3; do
    check clang "$level"
done
tap_done
