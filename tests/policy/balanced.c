/* SPDX-License-Identifier: BSD-3-Clause */
/* A third party's placement policy: every variable goes to the device that holds the fewest bytes
 * so far. */
#include <cohort/cohort.h>

#include <stdio.h>
#include <stdlib.h>

enum { MOST_DEVICES = 64 };

static int balance(const cohort_place_request *request, cohort_copy out[], int capacity, void *user)
{
    int64_t *held = user;
    int best = 0;
    (void)capacity;
    if (request->num_parameter_devices > MOST_DEVICES)
        return COHORT_EINVAL;
    for (int i = 1; i < request->num_parameter_devices; i++)
        if (held[i] < held[best])
            best = i;
    held[best] += request->bytes;
    out[0].device = best;
    return 1;
}

COHORT_FUNCTION(add_one, (int64_t n, float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] += 1;
}

static void print_place(const cohort_variable *v)
{
    cohort_copy copy;
    (void)cohort_variable_copies(v, &copy, 1);
    printf("%s on %d\n", cohort_variable_name(v), (int)copy.device);
}

int main(int argc, char *argv[])
{
    static float zeros[100];
    static const int64_t sizes[] = { 100, 30, 30, 50, 20 };
    int64_t held[MOST_DEVICES] = { 0 };
    const cohort_placement balanced = { .name = "balanced", .place = balance, .user = held };
    cohort_strategy *s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = argc > 1 ? argv[1] : NULL, .placement = &balanced });
    float found[100], sum = 0;
    for (int i = 0; i < 5; i++) {
        char name[2] = { (char)('a' + i), '\0' };
        cohort_variable *v = cohort_variable_create(s, name, COHORT_ARRAY(zeros, sizes[i]), NULL);
        (void)cohort_update(v, add_one, v);
        if (cohort_variable_read(v, COHORT_ARRAY(found, sizes[i])) < 0) {
            fprintf(stderr, "%s\n", cohort_error_text());
            return EXIT_FAILURE;
        }
        for (int64_t j = 0; j < sizes[i]; j++)
            sum += found[j];
        print_place(v);
    }
    printf("sum %g\n%s", (double)sum, cohort_strategy_describe(s));
    cohort_strategy_destroy(s);
    return EXIT_SUCCESS;
}
