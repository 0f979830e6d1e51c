/* SPDX-License-Identifier: BSD-3-Clause */
/* y += a x in C++17: shapes stand beside plain pointers. */
#include <cohort/cohort.h>

#include <cstdio>
#include <vector>

COHORT_FUNCTION(saxpy,
                (int64_t n, float a, const float *x COHORT_SHAPE(n), float *y COHORT_SHAPE(n)),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

int main()
{
    std::vector<float> x(1 << 20, 1.0f), y(x.size(), 4.0f);

    cohort_strategy *s = cohort_mirrored(nullptr);
    cohort_value *xs = cohort_value_split(s, COHORT_ARRAY(x.data(), x.size()));
    cohort_value *ys = cohort_value_split(s, COHORT_ARRAY(y.data(), y.size()));
    cohort_run(s, saxpy, 2.0f, xs, ys);
    bool is_good = cohort_value_read(ys, COHORT_ARRAY(y.data(), y.size())) == COHORT_OK;
    if (is_good)
        std::printf("y[6] = %g on %d replicas\n", static_cast<double>(y[6]),
                    cohort_strategy_num_replicas(s));
    else
        std::fprintf(stderr, "saxpy: %s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    return is_good ? 0 : 1;
}
