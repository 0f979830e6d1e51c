/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/hosts.h"

#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 253 }; /* of a name in the DNS */

cohort_status cohort_host_check(const char *name)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "-._";
    char shown[64];
    size_t bytes = strspn(name, allowed);
    if (bytes > 0 && bytes <= MOST_BYTES && name[bytes] == '\0')
        return COHORT_OK;
    cohort_utf8_escape(name, strlen(name), shown, sizeof shown);
    return cohort_error_set(COHORT_EINVAL,
                            "'%s' is no name of a host; expected 1 to %d letters, digits, hyphens, "
                            "dots and underlines",
                            shown, MOST_BYTES);
}

cohort_status cohort_hosts_add(cohort_hosts *hosts, const char *name)
{
    cohort_status status = cohort_host_check(name);
    if (status < 0)
        return status;
    if (hosts->n == COHORT_LIMIT_CLUSTER_TASKS)
        return cohort_error_set(COHORT_EINVAL, "there are more than %d hosts",
                                COHORT_LIMIT_CLUSTER_TASKS);
    void *block = hosts->names;
    bool has_room =
        cohort_grow(&block, &hosts->capacity, (size_t)hosts->n + 1, sizeof *hosts->names);
    hosts->names = block;
    if (!has_room || (hosts->names[hosts->n] = cohort_string_copy(name)) == NULL)
        return cohort_error_memory("the hosts of a cluster");
    hosts->n++;
    return COHORT_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void cohort_hosts_sort(cohort_hosts *hosts)
{
    if (hosts->n > 0)
        qsort(hosts->names, (size_t)hosts->n, sizeof *hosts->names, compare_names);
}

int32_t cohort_hosts_find(const cohort_hosts *hosts, const char *name)
{
    for (int32_t i = 0; i < hosts->n; i++)
        if (strcmp(hosts->names[i], name) == 0)
            return i;
    return -1;
}

cohort_status cohort_hosts_check_once(char *const names[], int32_t n, const char *what)
{
    char **sorted = cohort_allocate((size_t)n, sizeof *sorted);
    if (sorted == NULL)
        return cohort_error_memory("the hosts of a cluster");
    for (int32_t i = 0; i < n; i++)
        sorted[i] = names[i];
    qsort(sorted, (size_t)n, sizeof *sorted, compare_names);
    const char *twice = NULL;
    for (int32_t i = 1; i < n && twice == NULL; i++)
        twice = strcmp(sorted[i], sorted[i - 1]) == 0 ? sorted[i] : NULL;
    cohort_free(sorted);
    return twice == NULL ? COHORT_OK
                         : cohort_error_set(COHORT_EINVAL, "%s has host '%s' twice", what, twice);
}

void cohort_hosts_free(cohort_hosts *hosts)
{
    for (int32_t i = 0; i < hosts->n; i++)
        cohort_free(hosts->names[i]);
    cohort_free(hosts->names);
    *hosts = (cohort_hosts){ 0 };
}
