/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as lists of Slurm, of hosts and of tasks: what is read has as many as are counted, and
 * an error has its place in the list. */
#include "config.h"

#include "runtime/base/limits.h"
#include "runtime/cluster/slurm_list.h"

#include <cohort/cluster.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_good)
{
    if (!is_good)
        abort();
}

static void check_error(int status, const char *list, const char *name)
{
    char *end;
    size_t bytes = strlen(name);
    check(status == COHORT_EINVAL && strncmp(cohort_error_text(), name, bytes) == 0);
    check(strncmp(cohort_error_text() + bytes, ": byte ", 7) == 0);
    check(strtoumax(cohort_error_text() + bytes + 7, &end, 10) <= strlen(list));
    check(strncmp(end, ": ", 2) == 0);
}

static cohort_status count(void *user, const char *host)
{
    check(host[0] != '\0' && strlen(host) <= COHORT_LIMIT_CLUSTER_TEXT_BYTES);
    return (*(int *)user)++, COHORT_OK;
}

static void read_hosts(const char *list)
{
    char last[COHORT_LIMIT_CLUSTER_TEXT_BYTES + 1] = "";
    int n = 0;
    cohort_status status = cohort_slurm_each_host("HOSTS", list, count, &n);
    check(n <= COHORT_LIMIT_CLUSTER_TASKS);
    if (status < 0) {
        check_error(status, list, "HOSTS");
        return;
    }
    check(n == 0 || cohort_slurm_host(list, n - 1, last, sizeof last) == n);
    check((n == 0) == (last[0] == '\0'));
}

static void read_tasks(const char *list)
{
    int32_t first[4] = { -1, -1, -1, -1 };
    int n = cohort_slurm_read_tasks("TASKS", list, first, 4);
    if (n < 0)
        check_error(n, list, "TASKS");
    for (int i = 0; i < 4; i++)
        check((first[i] >= 0) == (i < n) || n < 0);
    check(n <= COHORT_LIMIT_CLUSTER_TASKS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    char *text = calloc(size + 1, 1);
    check(text != NULL);
    memcpy(text, data, size);
    read_hosts(text);
    read_tasks(text);
    free(text);
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("slurm");
}
#endif
