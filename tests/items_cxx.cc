/* SPDX-License-Identifier: BSD-3-Clause */
/* COHORT_ITEMS in C++. */
#include <cohort/cohort.h>

#include <cmath>
#include <cstdlib>

#include "tests/tap.h"

COHORT_STRUCT(pixel, { uint8_t r, g; });
COHORT_STRUCT(frame, { pixel corner; });

COHORT_ITEMS(axpy, i, n,
             (int64_t n, float a, const float *x COHORT_SHAPE(n), float *y COHORT_SHAPE(n)), {
                 if (x[i] == 0)
                     continue;
                 y[i] += a * x[i], y[i] *= 1;
             });
COHORT_ITEMS_OF_TYPES(grey, i, n, (int64_t n, frame f, pixel *x COHORT_SHAPE(n)),
                      COHORT_TYPES(frame, pixel), { x[i].g = f.corner.r; });

COHORT_ITEMS(until, i, n, (int64_t n, float *x COHORT_SHAPE(n)), {
    if (x[i] == 0)
        break;
    x[i] = 9;
});
COHORT_ITEMS(leaves, i, n, (int64_t n, float *x COHORT_SHAPE(n)), {
    if (x[i] == 0)
        return;
    x[i] = 9;
});

/* Overloaded in C++, and not in C. */
COHORT_ITEMS(roots, i, n, (int64_t n, float *x COHORT_SHAPE(n)), { x[i] = sqrt(x[i]) * 3; });
COHORT_ITEMS(sizes, i, n, (int64_t n, float *x COHORT_SHAPE(n)), { x[i] = abs(x[i]); });
COHORT_ITEMS(long_sizes, i, n, (int64_t n, int64_t *x COHORT_SHAPE(n)), { x[i] = abs(x[i]); });
COHORT_ITEMS(guesses, i, n, (int64_t n, float *x COHORT_SHAPE(n)), {
    auto y = x[i] * 2;
    x[i] = y;
});

COHORT_ITEMS_2D(sums, i, n, j, m,
                (int64_t n, int64_t m, const float *x COHORT_SHAPE(n, m),
                 COHORT_OUT float *y COHORT_SHAPE(n, m)),
                {
                    if (i == 1)
                        continue;
                    y[i * m + j] = x[i * m + j] + (j > 0 ? x[i * m + j - 1] : 10);
                });
COHORT_ITEMS_3D_OF_TYPES(corners, i, n, j, m, k, 2,
                         (int64_t n, int32_t m, frame *x COHORT_SHAPE(n, m, 2)),
                         COHORT_TYPES(frame, pixel),
                         { x[(i * m + j) * 2 + k].corner.g = 100 * i + 10 * j + k; });

static void refuses(const cohort_function *function, const char *message)
{
    ok(cohort_function_check(function, nullptr) == COHORT_EINVAL, "%s is refused", function->name);
    has_text(cohort_error_text(), message, "with the reason");
}

int main()
{
    float x[4] = { 1, 0, 3, 4 }, y[4] = { 5, 5, 5, 5 };
    axpy_host(0, 3, 4, 2, x, y);
    ok(y[0] == 7 && y[1] == 5 && y[2] == 11 && y[3] == 5,
       "the host function runs a range of items");
    is_text(axpy->item, "i", "the descriptor has the index");
    is_text(axpy->count, "n", "the number of items");
    is_text(axpy->item_body, "{ if (x[i] == 0) continue; y[i] += a * x[i], y[i] *= 1; }",
            "and the body");
    ok(cohort_function_check(axpy, nullptr) == COHORT_OK, "it parses");
    pixel pixels[1] = {};
    grey_host(0, 1, 1, frame{ { 3, 4 } }, pixels);
    ok(pixels[0].g == 3, "items have structs");
    ok(grey->types[0]->size == sizeof(frame) && grey->types[1]->size == sizeof(pixel) &&
           grey->types[2] == nullptr,
       "which are listed");
    ok(cohort_function_check(grey, nullptr) == COHORT_OK, "and parse");
    float w[6] = {};
    const float v[6] = { 1, 2, 3, 4, 5, 6 };
    sums_host(0, 2, 0, 3, 2, 3, v, w);
    ok(w[0] == 11 && w[1] == 3 && w[2] == 5 && w[3] == 0, "items have two indices");
    is_text(sums->item, "i, j", "which are listed");
    is_text(sums->count, "n, m", "and their numbers");
    frame frames[12] = {};
    corners_host(0, 2, 0, 3, 0, 2, 2, 3, frames);
    ok(frames[0].corner.g == 0 && frames[11].corner.g == 121, "or three");
    ok(cohort_function_check(sums, nullptr) == COHORT_OK &&
           cohort_function_check(corners, nullptr) == COHORT_OK,
       "and parse");
    float z[3] = { 0, 1, 2 };
    until_host(0, 3, 3, z);
    ok(z[0] == 0 && z[1] == 9 && z[2] == 9, "break ends an item");
    ok(cohort_function_check(leaves, nullptr) == COHORT_EINVAL, "return is refused");
    has_text(cohort_error_text(), "leaves: the body of an item has 'return'", "with the reason");
    refuses(roots, "roots: the body of an item calls sqrt() with a float, which is a double in C");
    refuses(sizes, "sizes: the body of an item calls abs() with something that is no integer");
    refuses(long_sizes, "calls abs() with an integer that is no int");
    refuses(guesses, "has 'auto', which is no type in OpenCL C");
    return tap_done();
}
