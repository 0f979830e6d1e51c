/* SPDX-License-Identifier: BSD-3-Clause */
/* make check-long: cohort/math.h at all 2^32 floats, beside libm in double. Prints the largest
 * errors. */
#include "tests/tap.h"
#include "tests/ulp.h"

enum { PIECES = 4096 };

static ulp_result measure_all(const ulp_function *f)
{
    static ulp_result piece[PIECES];
    const uint64_t length = (UINT64_C(1) << 32) / PIECES;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < PIECES; i++)
        piece[i] = ulp_measure(f, length * (uint64_t)i, length * (uint64_t)(i + 1), 1);
    ulp_result worst = piece[0];
    for (int i = 1; i < PIECES; i++)
        if (piece[i].error > worst.error)
            worst = piece[i];
    return worst;
}

int main(void)
{
    for (int i = 0; i < ULP_FUNCTIONS; i++) {
        const ulp_function *f = &ulp_functions[i];
        ulp_result r = measure_all(f);
        ok(r.error <= f->bound, "%s is wrong by %g ulp at most, over all floats", f->name,
           f->bound);
        diag("%.4f ulp, at %.9g", r.error, (double)r.at);
    }
    return tap_done();
}
