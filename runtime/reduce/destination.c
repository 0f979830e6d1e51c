/* SPDX-License-Identifier: BSD-3-Clause */
/* A destination: a list of devices in the order in which they were named or found. The first is
 * where a result is made; the others get copies. */
#include "config.h"

#include "runtime/reduce/destination.h"

#include "runtime/base/memory.h"

#include <string.h>

static bool has(const cohort_destination *d, int32_t device)
{
    for (int32_t i = 0; i < d->n; i++)
        if (d->devices[i] == device)
            return true;
    return false;
}

/* Each device once, also where several copies of a variable share it. */
static void add(cohort_destination *d, int32_t device)
{
    if (!has(d, device))
        d->devices[d->n++] = device;
}

/* ------------------------------------------------------------------ where something lies */

static void add_hosts(cohort_destination *d, const cohort_strategy *s)
{
    for (int32_t i = 0; i < cohort_strategy_hosting(s); i++)
        add(d, i);
}

static cohort_status add_variable(cohort_destination *d, const char *call, const cohort_strategy *s,
                                  const cohort_variable *v)
{
    cohort_status status =
        cohort_handle_check(v, COHORT_HANDLE_VARIABLE, call, "the variable of the destination");
    if (status < 0)
        return status;
    if (v->strategy != s)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: variable '%s' of the destination belongs to another strategy",
                                call, v->name);
    for (int32_t i = 0; i < cohort_variable_places(v); i++)
        add(d, cohort_variable_device(v, i));
    return COHORT_OK;
}

/* Copies that a call was to make; those that were made because something read it come and go. What
 * no call has written on a device lies at home. */
static void add_content(cohort_destination *d, const cohort_strategy *s,
                        const cohort_content *content)
{
    const cohort_places *places = &content->places;
    for (int32_t i = 0; i < places->n; i++)
        if (cohort_places_is_newest(places, &places->list[i]) &&
            places->list[i].result.now == places->epoch.now)
            add(d, places->first_device + i);
    if (d->n == 0)
        add(d, s->home);
}

static cohort_status add_value(cohort_destination *d, const char *call, const cohort_strategy *s,
                               const cohort_value *value)
{
    cohort_status status =
        cohort_handle_check(value, COHORT_HANDLE_VALUE, call, "the value of the destination");
    if (status < 0)
        return status;
    if (value->strategy != s)
        return cohort_error_set(
            COHORT_EINVAL, "%s: the value of the destination belongs to another strategy", call);
    if (value->kind == COHORT_EMPTY_VALUE)
        return cohort_error_set(
            COHORT_EINVAL, "%s: the value of the destination lies nowhere: nothing has written it",
            call);
    if (value->kind == COHORT_PER_REPLICA_VALUE)
        add_hosts(d, s);
    else
        add_content(d, s, &value->plain);
    return COHORT_OK;
}

/* ------------------------------------------------------------------ device ids */

static int32_t find_device(const cohort_strategy *s, const char *id, size_t length)
{
    for (int32_t i = 0; i < s->n_devices; i++) {
        const char *mine = cohort_strategy_context(s, i)->device->id;
        if (strlen(mine) == length && memcmp(mine, id, length) == 0)
            return i;
    }
    return -1;
}

static cohort_status no_device(const char *call, const char *id, size_t length)
{
    return cohort_error_set(COHORT_EINVAL,
                            "%s: the destination '%.*s' is no device of the strategy", call,
                            length < 256 ? (int)length : 256, id);
}

/* Not the id of one device of the strategy: what strategies call several, such as "host/2". */
static cohort_status add_selected(cohort_destination *d, const char *call, const cohort_strategy *s,
                                  const char *id, size_t length)
{
    char entry[256];
    const cohort_device **devices = NULL;
    int n = 0;
    if (length >= sizeof entry)
        return no_device(call, id, length);
    memcpy(entry, id, length);
    entry[length] = '\0';
    if (cohort_registry_select(entry, &devices, &n) < 0)
        return no_device(call, id, length);
    cohort_status status = COHORT_OK;
    for (int i = 0; i < n && status >= 0; i++) {
        int32_t device = find_device(s, devices[i]->id, strlen(devices[i]->id));
        if (device < 0)
            status = no_device(call, devices[i]->id, strlen(devices[i]->id));
        else
            add(d, device);
    }
    cohort_free(devices);
    return status;
}

/* A device that one entry names twice is a mistake of the caller; one that a selection contains
 * again is not, and add() passes it over. */
static cohort_status add_id(cohort_destination *d, const char *call, const cohort_strategy *s,
                            const char *id, size_t length)
{
    int32_t device = find_device(s, id, length);
    if (length == 0)
        return cohort_error_set(COHORT_EINVAL, "%s: the destination has an empty device id", call);
    if (device < 0)
        return add_selected(d, call, s, id, length);
    if (has(d, device))
        return cohort_error_set(COHORT_EINVAL, "%s: the destination names '%.*s' twice", call,
                                (int)length, id);
    add(d, device);
    return COHORT_OK;
}

static cohort_status add_text(cohort_destination *d, const char *call, const cohort_strategy *s,
                              const char *text)
{
    static const char blanks[] = " \t";
    if (text == NULL)
        return cohort_error_set(COHORT_EINVAL, "%s: the text of the destination is NULL", call);
    for (;;) {
        text += strspn(text, blanks);
        size_t all = strcspn(text, ","), length = all;
        while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
            length--;
        cohort_status status = add_id(d, call, s, text, length);
        if (status < 0 || text[all] == '\0')
            return status;
        text += all + 1;
    }
}

/* Those that the strategy goes on without are passed over, as long as another one is left. */
static cohort_status pass_lost(cohort_destination *d, const char *call, const cohort_strategy *s)
{
    const int32_t first = d->devices[0], all = d->n;
    d->n = 0;
    for (int32_t i = 0; i < all; i++)
        if (!cohort_strategy_context(s, d->devices[i])->is_left_out)
            d->devices[d->n++] = d->devices[i];
    return d->n > 0 ? COHORT_OK
                    : cohort_error_set(COHORT_ELOST, "%s: the destination %s is lost", call,
                                       cohort_strategy_context(s, first)->device->id);
}

/* ------------------------------------------------------------------ init, fini */

/* There is room for every device of the strategy, and add() takes none twice, so the list cannot
 * overflow. */
cohort_status cohort_destination_init(cohort_destination *out, const char *call,
                                      const cohort_strategy *s, const cohort_argument *at)
{
    bool is_few = (size_t)s->n_devices <= sizeof out->few / sizeof *out->few;
    *out = (cohort_destination){
        .devices = is_few ? out->few : cohort_allocate((size_t)s->n_devices, sizeof *out->devices)
    };
    if (out->devices == NULL)
        return cohort_error_memory("a destination");
    cohort_status status;
    if (at->kind == COHORT_ARGUMENT_VARIABLE)
        status = add_variable(out, call, s, at->as.p);
    else if (at->kind == COHORT_ARGUMENT_VALUE)
        status = add_value(out, call, s, at->as.p);
    else if (at->kind == COHORT_ARGUMENT_TEXT)
        status = add_text(out, call, s, at->as.p);
    else
        status = cohort_error_set(
            COHORT_EINVAL,
            "%s: a destination is a variable, a value or a text of device ids: COHORT_AT(x)", call);
    if (status >= 0)
        status = pass_lost(out, call, s);
    if (status < 0)
        cohort_destination_fini(out);
    return status;
}

void cohort_destination_fini(cohort_destination *d)
{
    if (d->devices != d->few)
        cohort_free(d->devices);
    *d = (cohort_destination){ .n = 0 };
}

/* Components and shards are no whole copies, wherever they lie. That both have as many places, and
 * each of these is in the list, makes the sets equal. */
bool cohort_destination_holds(const cohort_destination *d, const cohort_variable *v)
{
    bool is_exact = !v->is_sharded && !v->is_per_replica && cohort_variable_places(v) == d->n;
    for (int32_t i = 0; i < d->n && is_exact; i++)
        is_exact = has(d, cohort_variable_device(v, i));
    return is_exact;
}

/* In order: the first device is where the combining happens. */
bool cohort_destination_equals(const cohort_destination *a, const cohort_destination *b)
{
    return a->n == b->n && memcmp(a->devices, b->devices, (size_t)a->n * sizeof *a->devices) == 0;
}

/* ------------------------------------------------------------------ mirrored values */

cohort_status cohort_destination_prepare(const cohort_destination *d, cohort_value *into)
{
    cohort_status status = cohort_value_prepare_plain(into);
    for (int32_t i = 0; i < d->n && status >= 0; i++)
        status =
            cohort_places_prepare(&into->plain.places, into->strategy->executor, d->devices[i]);
    return status;
}

cohort_buffer *cohort_destination_start(const cohort_destination *d, cohort_value *into)
{
    cohort_value_take_kind(into, COHORT_MIRRORED_VALUE);
    cohort_buffer *first = cohort_value_start_content(into->strategy, &into->plain, d->devices[0]);
    for (int32_t i = 1; i < d->n && first == NULL; i++)
        cohort_content_foresee_copy(&into->plain, d->devices[i]);
    return first;
}

void cohort_destination_mirror(const cohort_destination *d, cohort_value *into,
                               cohort_buffer *first)
{
    uint64_t bytes = cohort_content_bytes(&into->plain);
    for (int32_t i = 1; i < d->n; i++)
        cohort_transfer_copy(cohort_content_place_copy(&into->plain, d->devices[i]), first, bytes);
}

void cohort_destination_describe(const cohort_strategy *strategy, const void *request, FILE *out)
{
    (void)strategy;
    (void)request;
    (void)fprintf(out, "into a mirrored value");
}
