/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a variable lives. A policy gives logical copies; copies that devices can reach from each
 * other share one store, shards and components have a store each. The order of the stores is that
 * of the copies, or of the replicas. */
#include "config.h"

#include "runtime/value/variable_places.h"

#include "runtime/base/checks.h"
#include "runtime/base/dtype.h"
#include "runtime/base/memory.h"
#include "runtime/value/remote.h"
#include "runtime/value/variable_table.h"

#include <inttypes.h>
#include <string.h>

/* ------------------------------------------------------------------ options */

static bool is_floating(cohort_dtype dtype)
{
    return cohort_dtype_is_floating(dtype) || cohort_dtype_is_complex(dtype);
}

/* MEAN of integers would have another dtype than the variable, which could not hold it. */
static cohort_status check_rules(const char *name, cohort_dtype dtype,
                                 const cohort_variable_options *options)
{
    if (options->synchronization < COHORT_AUTO || options->synchronization > COHORT_ON_READ)
        return cohort_error_set(
            COHORT_EINVAL,
            "variable '%s': %d is no synchronization; COHORT_AUTO, COHORT_ON_WRITE or "
            "COHORT_ON_READ",
            name, (int)options->synchronization);
    if (options->aggregation < COHORT_AGGREGATE_NONE ||
        options->aggregation > COHORT_AGGREGATE_ONLY_FIRST_REPLICA)
        return cohort_error_set(
            COHORT_EINVAL,
            "variable '%s': %d is no aggregation; COHORT_AGGREGATE_NONE, _SUM, _MEAN or "
            "_ONLY_FIRST_REPLICA",
            name, (int)options->aggregation);
    if (options->aggregation == COHORT_AGGREGATE_MEAN && !is_floating(dtype))
        return cohort_error_set(
            COHORT_EINVAL,
            "variable '%s': aggregation MEAN needs a floating dtype, this one is %s; choose "
            "another aggregation or dtype",
            name, cohort_dtype_name(dtype));
    return COHORT_OK;
}

cohort_status cohort_variable_check_options(const cohort_strategy *s, const char *name,
                                            cohort_dtype dtype,
                                            const cohort_variable_options *options)
{
    for (size_t i = 0; i < sizeof options->reserved / sizeof *options->reserved; i++)
        if (options->reserved[i] != NULL)
            return cohort_error_set(
                COHORT_EINVAL, "variable '%s': reserved[%zu] of the options is not zero", name, i);
    const cohort_variable *with = options->colocate_with;
    if (with != NULL && cohort_handle_check(with, COHORT_HANDLE_VARIABLE, "cohort_variable_create",
                                            "the variable of colocate_with") < 0)
        return COHORT_EINVAL;
    if (with != NULL && with->strategy != s)
        return cohort_error_set(
            COHORT_EINVAL,
            "variable '%s': colocate_with is '%s', which belongs to another strategy", name,
            with->name);
    if (with != NULL && options->placement != NULL)
        return cohort_error_set(
            COHORT_EINVAL, "variable '%s': colocate_with and placement exclude each other", name);
    cohort_status status = check_rules(name, dtype, options);
    if (status >= 0 && options->placement != NULL) {
        status = cohort_placement_check(options->placement, "the placement of a variable");
        status = status < 0 ? cohort_error_prefix(status, "variable '%s'", name) : status;
    }
    return status;
}

/* ------------------------------------------------------------------ copies */

static int64_t rows_of(const cohort_extents *extents)
{
    return extents->rank > 0 ? extents->shape[0] : 0;
}

/* Shards are ranges of rows, so that they fit only a variable with as many of them. ordinal -1: the
 * policy was not asked, and does not count this variable. */
static cohort_status copy_places(cohort_variable *v, const cohort_variable *with)
{
    bool is_cut = with->copies[0].rows > 0;
    if (is_cut && rows_of(&v->extents) != rows_of(&with->extents))
        return cohort_error_set(
            COHORT_EINVAL,
            "variable '%s': colocate_with is '%s', which is cut into shards of its %lld rows; this "
            "one has %lld rows",
            v->name, with->name, (long long)rows_of(&with->extents),
            (long long)rows_of(&v->extents));
    v->copies = cohort_allocate((size_t)with->n_copies, sizeof *v->copies);
    if (v->copies == NULL)
        return cohort_error_memory("a variable");
    memcpy(v->copies, with->copies, (size_t)with->n_copies * sizeof *v->copies);
    v->n_copies = with->n_copies;
    v->logical = v->strategy->has_own_parameters ? with->logical : -1;
    v->placement = with->placement;
    v->ordinal = -1;
    return COHORT_OK;
}

/* A policy that mirrors keeps a variable where it is read: with this worker. */
static bool is_served(const cohort_variable *v, const cohort_placement *placement)
{
    return v->strategy->servers != NULL && (placement->flags & COHORT_PLACEMENT_MIRRORS) == 0;
}

static bool is_left_out(const cohort_strategy *s, int32_t parameter)
{
    return cohort_strategy_context(s, s->parameters[parameter])->is_left_out;
}

/* Parameter devices of one logical device stand side by side. */
static int32_t count_parameters(const cohort_strategy *s)
{
    return s->has_own_parameters ? s->n_parameters / s->n_logical : s->n_parameters;
}

/* Those that are not lost, which are all that a policy hears of. */
static int32_t count_there(const cohort_strategy *s)
{
    int32_t n = 0;
    for (int32_t i = 0; i < count_parameters(s); i++)
        n += !is_left_out(s, i);
    return n;
}

/* The place of the how manieth of these in the list of all. */
static int32_t find_there(const cohort_strategy *s, int32_t index)
{
    int32_t i = 0;
    for (; is_left_out(s, i) || index > 0; i++)
        index -= !is_left_out(s, i);
    return i;
}

/* A policy knows the devices of one logical device alone, and those that are there. */
static void move_to_places(cohort_variable *v, bool is_on_servers)
{
    const cohort_strategy *s = v->strategy;
    v->logical = s->has_own_parameters ? s->in_use : -1;
    for (int32_t i = 0; i < v->n_copies && !is_on_servers; i++)
        v->copies[i].device = find_there(s, v->copies[i].device) +
                              (v->logical > 0 ? v->logical * count_parameters(s) : 0);
}

static cohort_status ask_policy(cohort_variable *v, const cohort_placement *placement, bool is_own)
{
    cohort_strategy *s = v->strategy;
    cohort_place_request request = { .name = v->name,
                                     .spec = { .dtype = v->dtype, .rank = v->extents.rank },
                                     .bytes = (int64_t)v->bytes,
                                     .ordinal = cohort_variable_table_next(s, placement),
                                     .num_parameter_devices = is_served(v, placement)
                                                                  ? s->servers->ranks.n_servers
                                                                  : count_there(s),
                                     .number = placement->number,
                                     .max_shards = placement->max_shards,
                                     .is_own = is_own };
    memcpy(request.spec.shape, v->extents.shape, sizeof request.spec.shape);
    /* a policy is a function of the program, and may not call the strategy */
    s->is_asking = true;
    int n = cohort_placement_ask(placement, &request, &v->copies);
    s->is_asking = false;
    if (n < 0)
        return n;
    v->n_copies = n;
    move_to_places(v, is_served(v, placement));
    v->placement = *placement;
    v->ordinal = request.ordinal;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ stores */

static int32_t device_of(const cohort_variable *v, int32_t copy)
{
    return v->strategy->parameters[v->copies[copy].device];
}

/* Both ways: each of the two devices writes the store and reads what the other has written. */
static bool do_share(const cohort_strategy *s, int32_t a, int32_t b)
{
    return cohort_strategy_can_access(s, a, b) && cohort_strategy_can_access(s, b, a);
}

static uint64_t row_bytes(const cohort_variable *v)
{
    return v->is_sharded ? v->bytes / (uint64_t)v->extents.shape[0] : 0;
}

/* A copy goes to the first store that it can share. Where bodies are checked it shares none, for
 * who does a range of a store alone sees not all that it writes. */
static int32_t find_shared(const cohort_variable *v, int32_t device)
{
    bool may_share = !v->is_sharded && (v->strategy->checks & COHORT_CHECK_BODIES) == 0;
    for (int32_t i = 0; i < v->n_stores && may_share; i++)
        if (do_share(v->strategy, v->stores[i].device, device))
            return i;
    return -1;
}

static void add_store(cohort_variable *v, int32_t device, int64_t first_row, int64_t rows)
{
    cohort_store *store = &v->stores[v->n_stores++];
    store->device = device;
    store->first_row = first_row;
    store->rows = rows;
    store->offset = (uint64_t)first_row * row_bytes(v);
    store->bytes = rows > 0 ? (uint64_t)rows * row_bytes(v) : v->bytes;
}

static void store_copies(cohort_variable *v)
{
    for (int32_t i = 0; i < v->n_copies; i++) {
        int32_t shared = find_shared(v, device_of(v, i));
        v->copy_stores[i] = shared >= 0 ? shared : v->n_stores;
        if (shared < 0)
            add_store(v, device_of(v, i), v->copies[i].first_row, v->copies[i].rows);
    }
}

/* They lie with their replicas also where copies have devices of their own. */
static void store_components(cohort_variable *v)
{
    if (v->logical < 0)
        v->logical = v->strategy->in_use;
    for (int32_t r = 0; r < v->strategy->n_replicas; r++)
        add_store(v, cohort_strategy_device(v->strategy, r, v->logical), 0, 0);
}

/* A variable on servers that is read whole lies at home. */
static cohort_status store_served(cohort_variable *v)
{
    cohort_status status = cohort_remote_make(v);
    if (status >= 0)
        add_store(v, v->strategy->home, 0, 0);
    return status;
}

/* ON_READ has components only where the policy mirrors; in central storage there is one copy to
 * write, and the option changes nothing. */
static cohort_status make_stores(cohort_variable *v)
{
    bool is_mirrored = (v->placement.flags & COHORT_PLACEMENT_MIRRORS) != 0;
    v->is_per_replica = v->options.synchronization == COHORT_ON_READ && is_mirrored;
    v->is_sharded = !v->is_per_replica && v->copies[0].rows > 0;
    int32_t most = v->is_per_replica ? v->strategy->n_replicas : v->n_copies;
    v->stores = cohort_allocate((size_t)most, sizeof *v->stores);
    v->copy_stores = cohort_allocate((size_t)v->n_copies, sizeof *v->copy_stores);
    if (v->stores == NULL || v->copy_stores == NULL)
        return cohort_error_memory("a variable");
    if (is_served(v, &v->placement)) {
        v->is_sharded = false;
        return store_served(v);
    }
    if (v->is_per_replica)
        store_components(v);
    else
        store_copies(v);
    return COHORT_OK;
}

cohort_status cohort_variable_choose_places(cohort_variable *v,
                                            const cohort_variable_options *options)
{
    const cohort_variable *with = options->colocate_with;
    bool is_own = options->placement != NULL;
    const cohort_placement *policy = is_own ? options->placement : &v->strategy->placement;
    cohort_status status = with != NULL ? copy_places(v, with) : ask_policy(v, policy, is_own);
    if (status >= 0)
        status = make_stores(v);
    return status;
}

/* ------------------------------------------------------------------ alike */

/* Store by store, for an update runs once for each store and writes the same one of both. */
bool cohort_variable_is_placed_like(const cohort_variable *a, const cohort_variable *b)
{
    bool is_alike = a->n_stores == b->n_stores && a->is_per_replica == b->is_per_replica &&
                    a->is_sharded == b->is_sharded && (a->remote == NULL) == (b->remote == NULL);
    if (is_alike && a->remote != NULL)
        return cohort_remote_is_placed_like(a->remote, b->remote);
    for (int32_t i = 0; i < a->n_stores && is_alike; i++)
        is_alike = a->stores[i].device == b->stores[i].device &&
                   a->stores[i].first_row == b->stores[i].first_row &&
                   a->stores[i].rows == b->stores[i].rows;
    return is_alike;
}

/* ------------------------------------------------------------------ in words */

static const char *device_id(const cohort_variable *v, int32_t device)
{
    return cohort_strategy_context(v->strategy, device)->device->id;
}

static void describe_rows(const cohort_copy *c, FILE *out)
{
    if (c->rows == 1)
        fprintf(out, "row %" PRId64, c->first_row);
    else
        fprintf(out, "rows %" PRId64 "-%" PRId64, c->first_row, c->first_row + c->rows - 1);
    fputs(" on ", out);
}

static void describe_copies(const cohort_variable *v, FILE *out)
{
    for (int32_t i = 0; i < v->n_copies; i++) {
        const cohort_copy *c = &v->copies[i];
        fputs(i > 0 ? ", " : c->rows > 0 ? "" : "on ", out);
        if (c->rows > 0)
            describe_rows(c, out);
        if (v->remote != NULL)
            fprintf(out, "parameter server %" PRId32, c->device);
        else
            fputs(device_id(v, v->strategy->parameters[c->device]), out);
    }
}

static void describe_components(const cohort_variable *v, FILE *out)
{
    fprintf(out, "a component for each replica on");
    for (int32_t r = 0; r < v->n_stores; r++)
        if (r == 0 || v->stores[r].device != v->stores[r - 1].device)
            fprintf(out, "%s %s", r > 0 ? "," : "", device_id(v, v->stores[r].device));
}

void cohort_variable_describe(const cohort_dependent *dependent, FILE *out)
{
    const cohort_variable *v = (const cohort_variable *)dependent;
    fprintf(out, "  variable '%s' %s[", v->name, cohort_dtype_name(v->dtype));
    for (int32_t i = 0; i < v->extents.rank; i++)
        fprintf(out, "%s%" PRId64, i > 0 ? "," : "", v->extents.shape[i]);
    fprintf(out, "] ");
    if (v->is_per_replica)
        describe_components(v, out);
    else
        describe_copies(v, out);
    fprintf(out, "\n");
}
