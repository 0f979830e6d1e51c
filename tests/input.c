/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs: what they refuse, what replicas get, how values and memory behave, what fails. */
#include "config.h"

#include "tests/input/shared.h"

/* Each device and function once: what stays for the life of the process is there afterwards. */
static void warm_up(void)
{
    (void)core_warm();
    warm_up_ahead();
    warm_up_faults();
    warm_up_loans();
    warm_up_values();
    for (int replicas = 1; replicas <= MOST_REPLICAS; replicas++) {
        const char *devices;
        for (int k = 0; (devices = place_of(replicas, k)) != NULL; k++) {
            cohort_strategy *s = open_on(devices, replicas);
            (void)steps_of(s, cohort_distribute_dataset(s, dataset_of("range 4, batch 4", 1, 0)),
                           -1);
            cohort_strategy_destroy(s);
        }
    }
}

static void test_all(const cohort_loopback *loopback)
{
    test_wrong_calls();
    test_batches();
    test_pipelines();
    test_ends();
    test_examples();
    test_values();
    test_loans();
    test_grown();
    test_steady();
    test_cardinality();
    test_ahead();
    test_faults(loopback);
}

int main(void)
{
    const cohort_loopback *loopback = steer();
    warm_up();
    core_live warm = core_live_now();
    test_all(loopback);
    core_no_leak(warm);
    remove_files();
    return tap_done();
}
