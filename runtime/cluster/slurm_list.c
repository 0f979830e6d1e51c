/* SPDX-License-Identifier: BSD-3-Clause */
/* Source of the grammar: slurm_cluster_resolver.py of TensorFlow 2.21, expand_hostlist and
 * expand_tasks_per_node; stricter, as what these let pass as nothing is an error here. */
#include "config.h"

#include "runtime/cluster/slurm_list.h"

#include "runtime/base/limits.h"
#include "runtime/base/utf8.h"
#include "runtime/cluster/spec.h"

#include <stdio.h>
#include <string.h>

/* Where in a list the reader is. */
typedef struct reader {
    const char *name, *list, *at;
} reader;

static cohort_status fail(const reader *r, const char *expected)
{
    char shown[64];
    cohort_utf8_escape(r->at, strlen(r->at), shown, sizeof shown);
    return cohort_error_set(COHORT_EINVAL, "%s: byte %td: '%s'; expected %s", r->name,
                            r->at - r->list, shown, expected);
}

static cohort_status check_size(const reader *r)
{
    if (memchr(r->list, '\0', COHORT_LIMIT_SLURM_LIST_BYTES + 1) != NULL)
        return COHORT_OK;
    return cohort_error_set(COHORT_EINVAL, "%s: it has more than %d bytes", r->name,
                            COHORT_LIMIT_SLURM_LIST_BYTES);
}

static cohort_status fail_many(const reader *r)
{
    return cohort_error_set(COHORT_EINVAL, "%s: byte %td: more than %d of them", r->name,
                            r->at - r->list, COHORT_LIMIT_CLUSTER_TASKS);
}

/* Digits, at most nine of them. */
static cohort_status read_number(reader *r, int32_t *out, int *out_digits)
{
    size_t digits = strspn(r->at, "0123456789");
    if (digits == 0 || digits > 9)
        return fail(r, "a number of at most 9 digits");
    *out = 0;
    for (size_t i = 0; i < digits; i++)
        *out = *out * 10 + (r->at[i] - '0');
    *out_digits = (int)digits;
    r->at += digits;
    return COHORT_OK;
}

/* At the end of an item: true, and behind the comma that has another item behind it. */
static bool goes_on(reader *r)
{
    bool is_comma = r->at[0] == ',' && r->at[1] != '\0';
    r->at += is_comma;
    return is_comma;
}

/* ------------------------------------------------------------------ hosts */

typedef struct hosts {
    reader r;
    cohort_slurm_take_fn take;
    void *user;
    int32_t n;
    const char *prefix; /* of the host that is read */
    int prefix_bytes;
} hosts;

/* width 0: the prefix alone */
static cohort_status take_host(hosts *h, int width, int32_t number)
{
    char host[COHORT_LIMIT_CLUSTER_TEXT_BYTES + 1];
    if (h->n++ >= COHORT_LIMIT_CLUSTER_TASKS)
        return fail_many(&h->r);
    if (width > 0)
        (void)snprintf(host, sizeof host, "%.*s%0*d", h->prefix_bytes, h->prefix, width,
                       (int)number);
    else
        (void)snprintf(host, sizeof host, "%.*s", h->prefix_bytes, h->prefix);
    return h->take(h->user, host);
}

/* "3", "3-7", "003-007": as wide as the first number. */
static cohort_status read_range(hosts *h)
{
    int32_t first, last;
    int width, other;
    reader start = h->r;
    cohort_status status = read_number(&h->r, &first, &width);
    last = first;
    if (status >= 0 && h->r.at[0] == '-') {
        h->r.at++;
        status = read_number(&h->r, &last, &other);
    }
    if (status >= 0 && last < first)
        return fail(&start, "a range that goes up");
    for (int32_t i = first; i <= last && status >= 0; i++)
        status = take_host(h, width, i);
    return status;
}

static cohort_status read_ranges(hosts *h)
{
    cohort_status status;
    do {
        h->r.at++; /* the bracket, then commas */
        status = read_range(h);
    } while (status >= 0 && h->r.at[0] == ',');
    if (status < 0)
        return status;
    if (h->r.at[0] != ']')
        return fail(&h->r, "a comma or ]");
    h->r.at++;
    return COHORT_OK;
}

/* PREFIX, or PREFIX[RANGE,...] */
static cohort_status read_host(hosts *h)
{
    char prefix[COHORT_LIMIT_CLUSTER_TEXT_BYTES + 1];
    size_t bytes = strcspn(h->r.at, ",[]");
    h->prefix = h->r.at;
    h->prefix_bytes = (int)bytes;
    if (bytes > COHORT_LIMIT_CLUSTER_TEXT_BYTES - sizeof "999999999:65535")
        return fail(&h->r, "a shorter name");
    (void)snprintf(prefix, sizeof prefix, "%.*s", h->prefix_bytes, h->prefix);
    if (!cohort_utf8_is_printable(prefix, sizeof prefix))
        return fail(&h->r, "UTF-8 without control characters");
    if (bytes == 0 && h->r.at[0] != '[')
        return fail(&h->r, "the name of a host");
    h->r.at += bytes;
    cohort_status status = h->r.at[0] == '[' ? read_ranges(h) : take_host(h, 0, 0);
    if (status >= 0 && h->r.at[0] != '\0' && h->r.at[0] != ',')
        return fail(&h->r, "a comma: nothing follows the brackets of a host");
    return status;
}

cohort_status cohort_slurm_each_host(const char *name, const char *list, cohort_slurm_take_fn take,
                                     void *user)
{
    hosts h = { .r = { name, list, list }, .take = take, .user = user };
    cohort_status status = check_size(&h.r);
    if (status < 0 || list[0] == '\0')
        return status;
    do
        status = read_host(&h);
    while (status >= 0 && goes_on(&h.r));
    if (status >= 0 && h.r.at[0] != '\0')
        return fail(&h.r, "a host behind the comma");
    return status;
}

/* Keeps one of them. */
typedef struct wanted {
    int k, n;
    char *out;
    size_t bytes;
} wanted;

static cohort_status keep_one(void *user, const char *host)
{
    wanted *w = user;
    if (w->n++ == w->k && w->out != NULL)
        (void)snprintf(w->out, w->bytes, "%s", host);
    return COHORT_OK;
}

int cohort_slurm_host(const char *list, int k, char *out, size_t bytes)
{
    static const char call[] = "cohort_slurm_host";
    wanted w = { k, 0, out, bytes };
    if (list == NULL)
        return cohort_error_null(call, "the list");
    cohort_status status = cohort_slurm_each_host(call, list, keep_one, &w);
    if (status >= 0 && out != NULL && (k < 0 || k >= w.n))
        return cohort_error_set(COHORT_EINVAL, "%s: no host %d; the list has %d", call, k, w.n);
    return status < 0 ? status : w.n;
}

/* ------------------------------------------------------------------ tasks */

/* "(x3)", or nothing, which is once. */
static cohort_status read_times(reader *r, int32_t *out)
{
    int digits;
    *out = 1;
    if (r->at[0] != '(')
        return COHORT_OK;
    if (r->at[1] != 'x')
        return fail(r, "(x and a number)");
    r->at += 2;
    cohort_status status = read_number(r, out, &digits);
    if (status >= 0 && r->at[0] != ')')
        return fail(r, ")");
    r->at += status >= 0;
    return status;
}

int cohort_slurm_read_tasks(const char *name, const char *list, int32_t out[], int capacity)
{
    reader r = { name, list, list };
    int32_t number, times, n = 0;
    int digits;
    cohort_status status = check_size(&r);
    if (status < 0 || list[0] == '\0')
        return status;
    do {
        status = read_number(&r, &number, &digits);
        if (status >= 0)
            status = read_times(&r, &times);
        if (status < 0)
            return status;
        if (times > COHORT_LIMIT_CLUSTER_TASKS - n)
            return fail_many(&r);
        for (int32_t i = 0; i < times; i++, n++)
            if (n < capacity)
                out[n] = number;
    } while (goes_on(&r));
    return r.at[0] == '\0' ? n : fail(&r, "a number, or (x and a number), and a comma or the end");
}

int cohort_slurm_tasks(const char *list, int32_t out[], int capacity)
{
    static const char call[] = "cohort_slurm_tasks";
    return list != NULL ? cohort_slurm_read_tasks(call, list, out, capacity)
                        : cohort_error_null(call, "the list");
}
