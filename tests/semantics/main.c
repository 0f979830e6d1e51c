/* SPDX-License-Identifier: BSD-3-Clause */
/* Every case on every list of devices, with several numbers of replicas and under every placement
 * policy for which it is the same: one claim for a case and a list. The cases: semantics/reduce.c
 * and its neighbours. */
#include "config.h"

#include "tests/semantics/cases.h"

typedef struct place {
    const char *devices;
    int replicas[5]; /* ends with 0 */
} place;

static const place places[] = {
    { "host", { 1, 2, 3, 8 } },       { "host/2", { 2, 3, 8 } },
    { "loopback", { 1, 2, 3, 8 } },   { "opencl:0", { 1, 2, 3, 8 } },
    { "host,opencl:0", { 2, 3, 8 } },
};
enum { PLACES = sizeof places / sizeof *places };

static const char *const policies[] = { "mirrored", "central", "one-device", "round-robin",
                                        "sharded" };
enum { POLICIES = sizeof policies / sizeof *policies };

static const semantic_case *const groups[] = { reduce_cases,  run_cases,    mirrored_cases,
                                               on_read_cases, gather_cases, placement_cases };
enum { GROUPS = sizeof groups / sizeof *groups, MOST_CASES = 160 };

/* Where a case failed first on a list of devices (replicas 0: nowhere), and how often it was
 * checked. */
typedef struct outcome {
    const char *policy;
    int replicas, times;
} outcome;

static cohort_strategy *open_at(const char *devices, int replicas, const char *policy)
{
    return cohort_strategy_create(
        &(cohort_strategy_options){ .name = policy, .devices = devices, .replicas = replicas });
}

static bool is_about(const semantic_case *it, int replicas, int policy)
{
    return (it->replicas == 0 || it->replicas == replicas || (it->replicas < 0 && replicas > 1)) &&
           (it->where == ANY_PLACEMENT || policy == 0);
}

static void check_all(const char *devices, int replicas, int policy, outcome outcomes[])
{
    cohort_strategy *s = open_at(devices, replicas, policies[policy]);
    if (!good(s != NULL))
        outcomes[0] = (outcome){ policies[policy], replicas, 1 };
    int k = 0;
    for (int g = 0; g < GROUPS && s != NULL; g++)
        for (const semantic_case *it = groups[g]; it->text != NULL; it++, k++) {
            if (!is_about(it, replicas, policy))
                continue;
            outcomes[k].times++;
            if (!it->check(s, replicas, it->data) && outcomes[k].replicas == 0) {
                outcomes[k].policy = policies[policy];
                outcomes[k].replicas = replicas;
                (void)cohort_strategy_recover(s);
            }
        }
    cohort_strategy_destroy(s);
}

static void report(const char *devices, const outcome outcomes[])
{
    int k = 0;
    for (int g = 0; g < GROUPS; g++)
        for (const semantic_case *it = groups[g]; it->text != NULL; it++, k++) {
            if (outcomes[k].times > 0 &&
                !ok(outcomes[k].replicas == 0, "%s; on %s", it->text, devices))
                diag("%d replicas, %s", outcomes[k].replicas, outcomes[k].policy);
        }
}

static void check_place(const place *at)
{
    outcome outcomes[MOST_CASES] = { { 0 } };
    cohort_strategy *probe = open_at(at->devices, at->replicas[1], NULL);
    if (probe == NULL) {
        if (strstr(at->devices, "opencl") != NULL)
            skip(at->devices, cohort_error_text());
        else
            ok(false, "%s: %s", at->devices, cohort_error_text());
        return;
    }
    cohort_strategy_destroy(probe);
    for (int i = 0; at->replicas[i] > 0; i++)
        for (int policy = 0; policy < POLICIES; policy++)
            check_all(at->devices, at->replicas[i], policy, outcomes);
    report(at->devices, outcomes);
}

/* Each function and device once: what stays for the life of the process is there afterwards. */
static void warm_up(void)
{
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < 2; k++) {
            outcome outcomes[MOST_CASES] = { { 0 } };
            cohort_strategy *probe = open_at(places[i].devices, places[i].replicas[k], NULL);
            cohort_strategy_destroy(probe);
            if (probe != NULL)
                check_all(places[i].devices, places[i].replicas[k], 0, outcomes);
        }
}

int main(void)
{
    warm_up();
    core_live warm = core_live_now();
    for (int i = 0; i < PLACES; i++)
        check_place(&places[i]);
    core_no_leak(warm);
    return tap_done();
}
