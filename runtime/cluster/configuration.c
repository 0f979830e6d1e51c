/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/cluster/configuration.h"

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/cluster/spec.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ filters */

/* "/KEY:DIGITS" at *at: behind it, and the number; false: it is not there. */
static bool read_number(const char **at, const char *key, int32_t *out)
{
    size_t bytes = strlen(key), digits;
    if (strncmp(*at, key, bytes) != 0)
        return false;
    digits = strspn(*at + bytes, "0123456789");
    if (digits == 0 || digits > 9)
        return false;
    *out = 0;
    for (size_t i = 0; i < digits; i++)
        *out = *out * 10 + ((*at)[bytes + i] - '0');
    *at += bytes + digits;
    return true;
}

typedef struct task_filter {
    const char *job;
    size_t job_bytes;
    int32_t task; /* negative: all */
} task_filter;

static bool read_filter(const char *text, task_filter *out)
{
    static const char key[] = "/job:";
    int32_t replica = 0;
    if (strncmp(text, key, sizeof key - 1) != 0)
        return false;
    const char *at = text + sizeof key - 1;
    *out = (task_filter){ at, strcspn(at, "/"), -1 };
    at += out->job_bytes;
    bool has_replica = read_number(&at, "/replica:", &replica);
    if (!read_number(&at, "/task:", &out->task) && has_replica)
        return false;
    return out->job_bytes > 0 && replica == 0 && at[0] == '\0';
}

static cohort_status check_filter(const char *text, int i)
{
    char what[64];
    task_filter read;
    (void)snprintf(what, sizeof what, "device filter %d", i);
    cohort_status status = cohort_cluster_check_text(text, what, false);
    if (status < 0 || read_filter(text, &read))
        return status;
    return cohort_error_set(COHORT_EINVAL, "%s is '%s'; expected /job:JOB or /job:JOB/task:INDEX",
                            what, text);
}

bool cohort_config_lets_through(const cohort_config *config, const char *task_type, int32_t task_id)
{
    task_filter read;
    if (!cohort_handle_is(config, COHORT_HANDLE_CONFIG) || task_type == NULL)
        return false;
    for (int32_t i = 0; i < config->n_filters; i++) {
        bool is_filter = read_filter(config->filters[i], &read);
        if (is_filter && strlen(task_type) == read.job_bytes &&
            strncmp(task_type, read.job, read.job_bytes) == 0 &&
            (read.task < 0 || read.task == task_id))
            return true;
    }
    return config->n_filters == 0;
}

/* ------------------------------------------------------------------ making */

static cohort_status check_options(const cohort_config_options *options)
{
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(COHORT_EINVAL, "reserved[%zu] of the options is not zero", i);
    if (options->num_device_filters < 0 || options->num_device_filters > COHORT_LIMIT_CLUSTER_TASKS)
        return cohort_error_set(COHORT_EINVAL, "%d device filters; 0 to %d",
                                (int)options->num_device_filters, COHORT_LIMIT_CLUSTER_TASKS);
    if (options->num_device_filters > 0 && options->device_filters == NULL)
        return cohort_error_set(COHORT_EINVAL, "the list of device filters is NULL");
    for (int32_t i = 0; i < options->num_device_filters; i++) {
        cohort_status status = check_filter(options->device_filters[i], i);
        if (status < 0)
            return status;
    }
    return cohort_cluster_check_text(options->collective_leader, "the collective leader", true);
}

static void free_parts(cohort_config *config)
{
    for (int32_t i = 0; i < config->n_filters; i++)
        cohort_free(config->filters[i]);
    cohort_free(config->filters);
    cohort_free(config->collective_leader);
}

static bool copy_texts(cohort_config *config, const cohort_config_options *options)
{
    const char *leader = options->collective_leader;
    config->collective_leader = cohort_string_copy(leader != NULL ? leader : "");
    config->filters = cohort_allocate((size_t)options->num_device_filters, sizeof(char *));
    if (config->collective_leader == NULL || config->filters == NULL)
        return false;
    for (; config->n_filters < options->num_device_filters; config->n_filters++) {
        char *filter = cohort_string_copy(options->device_filters[config->n_filters]);
        if (filter == NULL)
            return false;
        config->filters[config->n_filters] = filter;
    }
    return true;
}

static cohort_config *make(const cohort_config_options *options)
{
    cohort_status status = check_options(options);
    if (status < 0) {
        (void)cohort_error_prefix(status, "cohort_config_create");
        return NULL;
    }
    cohort_config *config = cohort_allocate(1, sizeof *config);
    if (config == NULL || !copy_texts(config, options)) {
        (void)cohort_error_memory("a configuration");
        if (config != NULL)
            free_parts(config);
        cohort_free(config);
        return NULL;
    }
    config->isolates_session_state = options->isolate_session_state;
    config->allows_soft_placement = options->allow_soft_placement;
    atomic_init(&config->shares, 1);
    cohort_handle_begin(&config->handle, COHORT_HANDLE_CONFIG);
    return config;
}

cohort_config *cohort_config_create(const cohort_config_options *options)
{
    static const cohort_config_options none;
    return cohort_handle_made(COHORT_HANDLE_CONFIG, make(options != NULL ? options : &none));
}

cohort_config *cohort_config_copy(const cohort_config *config)
{
    return cohort_config_create(
        &(cohort_config_options){ .device_filters = (const char *const *)config->filters,
                                  .num_device_filters = config->n_filters,
                                  .isolate_session_state = config->isolates_session_state,
                                  .allow_soft_placement = config->allows_soft_placement,
                                  .collective_leader = config->collective_leader });
}

cohort_config *cohort_config_share(cohort_config *config)
{
    atomic_fetch_add_explicit(&config->shares, 1, memory_order_relaxed);
    return config;
}

void cohort_config_swap(cohort_config *a, cohort_config *b)
{
    cohort_config kept = { .filters = a->filters,
                           .n_filters = a->n_filters,
                           .collective_leader = a->collective_leader,
                           .isolates_session_state = a->isolates_session_state,
                           .allows_soft_placement = a->allows_soft_placement };
    a->filters = b->filters, a->n_filters = b->n_filters;
    a->collective_leader = b->collective_leader;
    a->isolates_session_state = b->isolates_session_state;
    a->allows_soft_placement = b->allows_soft_placement;
    b->filters = kept.filters, b->n_filters = kept.n_filters;
    b->collective_leader = kept.collective_leader;
    b->isolates_session_state = kept.isolates_session_state;
    b->allows_soft_placement = kept.allows_soft_placement;
}

void cohort_config_destroy(cohort_config *config)
{
    if (config == NULL || !cohort_handle_may_destroy(config, COHORT_HANDLE_CONFIG,
                                                     "cohort_config_destroy", "the configuration"))
        return;
    if (atomic_fetch_sub(&config->shares, 1) > 1)
        return;
    free_parts(config);
    cohort_handle_free(&config->handle, sizeof *config, NULL);
}

/* ------------------------------------------------------------------ questions */

bool cohort_config_isolates_session_state(const cohort_config *config)
{
    return cohort_handle_is(config, COHORT_HANDLE_CONFIG) && config->isolates_session_state;
}

bool cohort_config_allows_soft_placement(const cohort_config *config)
{
    return cohort_handle_is(config, COHORT_HANDLE_CONFIG) && config->allows_soft_placement;
}

int cohort_config_num_device_filters(const cohort_config *config)
{
    return cohort_handle_is(config, COHORT_HANDLE_CONFIG) ? config->n_filters : 0;
}

const char *cohort_config_device_filter(const cohort_config *config, int filter)
{
    bool is_there =
        cohort_handle_is(config, COHORT_HANDLE_CONFIG) && filter >= 0 && filter < config->n_filters;
    return is_there ? config->filters[filter] : NULL;
}

const char *cohort_config_collective_leader(const cohort_config *config)
{
    return cohort_handle_is(config, COHORT_HANDLE_CONFIG) ? config->collective_leader : "";
}
