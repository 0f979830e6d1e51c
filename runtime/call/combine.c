/* SPDX-License-Identifier: BSD-3-Clause */
/* Combining with a function of the program. The tree is that of reducer.h and is walked twice:
 * prepare_node finds where each node is formed and prepares it, then post_node launches without a
 * failure in between. Both walks must choose alike, hence choose_device.
 *
 * Across workers each walks its own roots so; then all get all roots, and every worker launches the
 * nodes above them. */
#include "config.h"

#include "runtime/call/combine.h"

#include "runtime/base/memory.h"
#include "runtime/call/binder.h"
#include "runtime/operation/build.h"
#include "runtime/operation/launch.h"
#include "runtime/reduce/crossing.h"
#include "runtime/reduce/reduce.h"

typedef struct combination {
    const char *call;
    cohort_strategy *strategy;
    const cohort_function *function;
    const cohort_signature *signature;
    cohort_binder *binder;
    cohort_reducer *reducer;
    cohort_operand x;
    cohort_contributes contributes;
    cohort_survey survey;
    cohort_bounds bounds;
    uint64_t bytes; /* of one contribution */
    int32_t above;  /* device of the nodes above the roots of workers */
} combination;

/* ------------------------------------------------------------------ the prototype */

static cohort_status check_array(const combination *c, const cohort_parameter *p,
                                 uint32_t direction)
{
    const cohort_component *x = &c->survey.like;
    if (p->image != 0)
        return cohort_error_set(COHORT_EINVAL,
                                "%s: '%s' of %s is an image; contributions are arrays", c->call,
                                p->name, c->signature->name);
    if (p->direction != direction)
        return cohort_error_set(
            COHORT_EINVAL, "%s: '%s' of %s %s; void f(int64_t n, const T in[n], T inout[n])",
            c->call, p->name, c->signature->name,
            direction == COHORT_READ ? "is the left side, and must be const"
                                     : "is the right side, and must be read and written");
    bool is_same =
        x->dtype == COHORT_RECORD ? p->type >= COHORT_STRUCT_BASE : p->type == (uint32_t)x->dtype;
    if (is_same && p->bytes == x->item_bytes)
        return COHORT_OK;
    return cohort_error_set(
        COHORT_EINVAL, "%s: '%s' of %s takes %s of %u bytes, the value is %s of %lld", c->call,
        p->name, c->signature->name, cohort_signature_type_name(c->signature, p->type), p->bytes,
        cohort_dtype_name(x->dtype), (long long)x->item_bytes);
}

/* Bounds and computed integers follow from the shape of a contribution. For any other parameter
 * nobody passes an argument. */
static cohort_status check_prototype(const combination *c)
{
    int32_t n_arrays = 0, n_others = 0;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < c->signature->n_parameters && status >= 0; i++) {
        const cohort_parameter *p = &c->signature->parameters[i];
        if (cohort_parameter_is_array(p) && n_arrays < 2)
            status = check_array(c, p, n_arrays == 0 ? COHORT_READ : COHORT_READ | COHORT_WRITE);
        n_arrays += cohort_parameter_is_array(p);
        n_others += !cohort_parameter_is_array(p) && p->role != COHORT_ROLE_BOUND &&
                    p->role != COHORT_ROLE_COMPUTED;
    }
    if (status < 0 || (n_arrays == 2 && n_others == 0 && !c->signature->has_result))
        return status;
    return cohort_error_set(
        COHORT_EINVAL,
        "%s: %s takes %d arrays%s%s; what combines is void f(int64_t n, const T in[n], T inout[n])",
        c->call, c->signature->name, n_arrays, n_others > 0 ? " and other arguments" : "",
        c->signature->has_result ? " and has a result" : "");
}

/* The survey has found all contributions to be of one shape, so one solution serves every
 * launch. */
static cohort_status solve_bounds(combination *c)
{
    c->bounds = (cohort_bounds){ .is_named = { false } };
    for (int32_t i = 0; i < c->signature->n_parameters; i++)
        if (cohort_parameter_is_array(&c->signature->parameters[i]))
            c->bounds.arrays[i] = c->survey.like.extents;
    return cohort_bounds_solve(c->signature, "", &c->bounds);
}

/* ------------------------------------------------------------------ where nodes are formed */

/* Checked by prepare: afterwards it cannot fail. */
static cohort_status find_body(const combination *c, int32_t device,
                               cohort_executable **out_executable, cohort_grid *out_grid)
{
    *out_grid = (cohort_grid){ .range.dims = 0 };
    cohort_status status =
        cohort_binder_find(c->binder, c->function, c->signature, device, out_executable);
    if (status < 0 || (*out_executable)->geometry.dims == 0)
        return status;
    return cohort_geometry_evaluate(&(*out_executable)->geometry, c->signature, "",
                                    c->bounds.values, out_grid);
}

/* Only COHORT_EINCOMPATIBLE sends the search on, for another device may have a body; whatever else
 * is wrong with a body is the answer. */
static cohort_status choose_device(const combination *c, int32_t left, int32_t right,
                                   int32_t *out_device)
{
    const int32_t candidates[] = { left, right, c->strategy->home };
    cohort_executable *executable;
    cohort_grid grid;
    cohort_status status = COHORT_OK;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        *out_device = candidates[i];
        status = find_body(c, candidates[i], &executable, &grid);
        if (status != COHORT_EINCOMPATIBLE)
            return status;
    }
    return status;
}

static bool counts(const combination *c, int32_t replica)
{
    cohort_component x = cohort_operand_look(&c->x, replica);
    bool is_other =
        c->contributes == COHORT_CONTRIBUTES_ONCE && c->strategy->first_replica + replica > 0;
    return cohort_survey_counts(&c->survey, &x) && !is_other;
}

/* -1: no replica of [a, b) contributes. */
static cohort_status prepare_node(const combination *c, int32_t a, int32_t b, int32_t *out_device)
{
    int32_t left, right;
    if (b - a == 1) {
        *out_device = counts(c, a) ? cohort_operand_device(&c->x, a) : -1;
        return *out_device >= 0 ? cohort_operand_prepare(&c->x, a, *out_device) : COHORT_OK;
    }
    int32_t m = a + cohort_roots_split(b - a);
    cohort_status status = prepare_node(c, a, m, &left);
    if (status >= 0)
        status = prepare_node(c, m, b, &right);
    if (status < 0)
        return status;
    *out_device = left < 0 ? right : left;
    return left < 0 || right < 0 ? COHORT_OK : choose_device(c, left, right, out_device);
}

/* ------------------------------------------------------------------ launches along the tree */

typedef struct node {
    cohort_buffer *buffer; /* NULL: nothing is contributed, or the failure is set */
    int32_t device;        /* -1: nothing is contributed */
    bool is_ours;          /* may be written */
} node;

static cohort_buffer *copy_to(const combination *c, cohort_buffer *from, int32_t device)
{
    cohort_buffer *into = cohort_reducer_scratch(c->reducer, device, c->bytes);
    if (into != NULL)
        cohort_transfer_copy(into, from, c->bytes);
    return into;
}

static void fill_values(const combination *c, char *value)
{
    for (int32_t i = 0; i < c->signature->n_parameters; i++) {
        const cohort_parameter *p = &c->signature->parameters[i];
        if (cohort_parameter_is_array(p))
            continue;
        cohort_dtype_store_integer((cohort_dtype)p->type, c->bounds.values[i], value);
        value += cohort_parameter_value_bytes(p);
    }
}

/* The two arrays, in the order of the prototype. */
static void list_uses(const combination *c, cohort_buffer *in, cohort_buffer *inout,
                      cohort_use out[2])
{
    for (int32_t i = 0; i < c->signature->n_parameters; i++) {
        const cohort_parameter *p = &c->signature->parameters[i];
        if (cohort_parameter_is_array(p))
            *out++ = p->direction == COHORT_READ ? (cohort_use){ COHORT_USE_READ, in, NULL }
                                                 : (cohort_use){ COHORT_USE_WRITE, inout, NULL };
    }
}

static void launch(const combination *c, int32_t device, cohort_buffer *in, cohort_buffer *inout)
{
    cohort_executor *executor = c->strategy->executor;
    cohort_executable *executable;
    cohort_grid grid;
    cohort_use uses[2];
    (void)find_body(c, device, &executable, &grid);
    cohort_executable_use(executor, executable);
    cohort_launch_op *l = cohort_launch_draft(executable, -1, &grid);
    fill_values(c, cohort_launch_values(executable, l->slots));
    list_uses(c, in, inout, uses);
    (void)cohort_launch_submit(executor, l, uses, 2);
}

static node post_leaf(const combination *c, int32_t replica)
{
    int32_t device = cohort_operand_device(&c->x, replica);
    if (!counts(c, replica))
        return (node){ NULL, -1, false };
    return (node){ cohort_operand_place_guarded(&c->x, replica, device, c->call), device, false };
}

/* Of a node that was joined, and is not what came of it. */
static void let_go(const combination *c, const node *n, const cohort_buffer *made)
{
    if (n->is_ours && n->buffer != made)
        cohort_reducer_give_back(c->reducer, n->buffer);
}

/* The function writes its right side. A result of a node below is the call's own and is written
 * where it is, if it lies on this device; a contribution belongs to a value and is copied. */
static node join(const combination *c, const node *left, const node *right)
{
    node made = { NULL, -1, true };
    (void)choose_device(c, left->device, right->device, &made.device);
    if (left->buffer == NULL || right->buffer == NULL)
        return made;
    const cohort_context *where = cohort_strategy_context(c->strategy, made.device);
    bool is_near = where->can_access[left->buffer->context->index];
    cohort_buffer *in = is_near ? left->buffer : copy_to(c, left->buffer, made.device);
    bool is_in_place = right->is_ours && right->buffer->context->index == made.device;
    made.buffer = is_in_place ? right->buffer : copy_to(c, right->buffer, made.device);
    if (in != NULL && made.buffer != NULL)
        launch(c, made.device, in, made.buffer);
    let_go(c, right, made.buffer);
    if (in != left->buffer && in != NULL)
        cohort_reducer_give_back(c->reducer, in);
    let_go(c, left, NULL);
    return made;
}

static node post_node(const combination *c, int32_t a, int32_t b)
{
    if (b - a == 1)
        return post_leaf(c, a);
    int32_t m = a + cohort_roots_split(b - a);
    node left = post_node(c, a, m), right = post_node(c, m, b);
    if (left.device < 0 || right.device < 0)
        return left.device < 0 ? right : left;
    return join(c, &left, &right);
}

/* ------------------------------------------------------------------ across workers */

/* Of all roots. */
typedef struct crossing {
    cohort_crossing mine;
    node *nodes;  /* [roots] */
    void **roots; /* [roots]: mine, and blocks for those of the others */
    bool *is_there;
} crossing;

static bool is_own(const cohort_workers *w, int32_t root)
{
    return w->roots[root].worker == w->rank;
}

/* The replicas of an own root, in this worker's numbers. */
static int32_t local_first(const combination *c, int32_t root)
{
    return c->strategy->workers->roots[root].first - c->strategy->first_replica;
}

static int32_t local_end(const combination *c, int32_t root)
{
    return c->strategy->workers->roots[root].end - c->strategy->first_replica;
}

/* What others bring is combined where plain values are made; where that device has no body, on the
 * first that hosts a replica. */
static cohort_status prepare_roots(combination *c)
{
    const cohort_workers *w = c->strategy->workers;
    int32_t device;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < w->n_roots && status >= 0; i++)
        if (is_own(w, i))
            status = prepare_node(c, local_first(c, i), local_end(c, i), &device);
    c->above = c->strategy->home;
    if (status < 0 || c->survey.n_contributing < 2)
        return status;
    return choose_device(c, c->strategy->home, c->strategy->host[0], &c->above);
}

/* All that the exchange takes, before it. What was taken is in the list also where some was not. */
static cohort_status make_room(const combination *c, crossing *x)
{
    const cohort_workers *w = c->strategy->workers;
    size_t n = (size_t)w->n_roots;
    *x = (crossing){ .nodes = cohort_allocate(n, sizeof *x->nodes),
                     .roots = cohort_allocate(n, sizeof *x->roots),
                     .is_there = cohort_allocate(n, sizeof *x->is_there) };
    bool is_whole = x->nodes != NULL && x->roots != NULL && x->is_there != NULL;
    for (int32_t i = 0; i < w->n_roots && is_whole; i++) {
        if (is_own(w, i))
            continue;
        x->roots[i] = cohort_staging_take(&c->strategy->executor->staging, c->bytes);
        is_whole = x->roots[i] != NULL;
    }
    return is_whole ? COHORT_OK : cohort_error_memory("a reduction over workers");
}

static void free_room(const combination *c, crossing *x)
{
    const cohort_workers *w = c->strategy->workers;
    cohort_crossing_end(&x->mine, c->strategy);
    for (int32_t i = 0; i < w->n_roots && x->roots != NULL; i++)
        if (!is_own(w, i))
            cohort_messages_give(&w->messages, x->roots[i], cohort_staging_give);
    cohort_free(x->nodes);
    cohort_free(x->roots);
    cohort_free(x->is_there);
}

/* Launches the own nodes, and waits for them. */
static void form_roots(const combination *c, crossing *x)
{
    const cohort_workers *w = c->strategy->workers;
    for (int32_t i = 0; i < w->n_roots; i++)
        if (is_own(w, i)) {
            x->nodes[i] = post_node(c, local_first(c, i), local_end(c, i));
            x->mine.buffers[x->mine.n++] = x->nodes[i].buffer;
        }
    cohort_crossing_show(&x->mine, c->bytes);
    for (int32_t i = 0; i < w->n_roots; i++)
        if (is_own(w, i))
            x->roots[i] = cohort_memory_own(x->mine.roots[cohort_roots_place(w->roots, i)]);
}

static cohort_status share_roots(const combination *c, const crossing *x)
{
    const cohort_workers_whole whole = { .name = c->signature->name,
                                         .digest = c->signature->digest,
                                         .bytes = c->bytes,
                                         .roots = x->roots,
                                         .is_there = x->is_there };
    return cohort_workers_share(c->strategy->workers, c->call, &whole);
}

/* The roots of others, each in a buffer of its own, which takes the block. */
static void take_roots(const combination *c, crossing *x)
{
    const cohort_workers *w = c->strategy->workers;
    for (int32_t i = 0; i < w->n_roots; i++) {
        if (is_own(w, i))
            continue;
        x->nodes[i] = (node){ NULL, x->is_there[i] ? c->above : -1, true };
        if (!x->is_there[i])
            continue;
        x->nodes[i].buffer = cohort_reducer_scratch(c->reducer, c->above, c->bytes);
        if (x->nodes[i].buffer == NULL)
            continue;
        cohort_transfer_upload_taken(x->nodes[i].buffer, 0, x->roots[i], c->bytes);
        x->roots[i] = NULL;
    }
}

/* As post_node, of roots first .. end - 1. */
static node post_above(const combination *c, const crossing *x, int32_t first, int32_t end)
{
    if (end - first == 1)
        return x->nodes[first];
    int32_t middle = cohort_roots_middle(c->strategy->workers->roots, first, end);
    node left = post_above(c, x, first, middle), right = post_above(c, x, middle, end);
    if (left.device < 0 || right.device < 0)
        return left.device < 0 ? right : left;
    left.device = right.device = c->above;
    return join(c, &left, &right);
}

static node post_across(const combination *c)
{
    crossing x;
    node root = { NULL, -1, true };
    cohort_failure *failure = &c->strategy->executor->failure;
    cohort_status status = make_room(c, &x);
    if (status >= 0)
        form_roots(c, &x);
    if (status >= 0 && !cohort_failure_is_set(failure))
        status = share_roots(c, &x);
    if (status < 0) {
        cohort_failure_raise_own(failure, status);
    } else if (!cohort_failure_is_set(failure)) {
        take_roots(c, &x);
        root = post_above(c, &x, 0, c->strategy->workers->n_roots);
    }
    free_room(c, &x);
    return root;
}

/* ------------------------------------------------------------------ one call */

static void post(const combination *c, cohort_value *into)
{
    cohort_strategy *s = c->strategy;
    cohort_content *plain = &into->plain;
    cohort_content_take_shape(plain, c->survey.like.dtype, c->survey.like.item_bytes,
                              &c->survey.like.extents);
    cohort_buffer *dst = cohort_value_start_home(into);
    if (c->bytes == 0 || dst == NULL)
        return;
    cohort_reducer_restart(c->reducer);
    node root = s->workers != NULL ? post_across(c) : post_node(c, 0, s->n_replicas);
    /* then a node may have no buffer */
    if (root.buffer == NULL || cohort_failure_is_set(&s->executor->failure))
        cohort_transfer_fail(dst, "a reduction");
    else
        cohort_transfer_copy(dst, root.buffer, c->bytes);
}

static cohort_status prepare(combination *c, cohort_value *into)
{
    cohort_strategy *s = c->strategy;
    int32_t root;
    c->binder = cohort_binder_of(s);
    c->reducer = cohort_reducer_of(s);
    cohort_status status = c->binder != NULL && c->reducer != NULL ? COHORT_OK : COHORT_ENOMEM;
    if (status >= 0)
        status = cohort_value_prepare_home(into);
    if (status < 0)
        return status;
    return s->workers != NULL ? prepare_roots(c) : prepare_node(c, 0, s->n_replicas, &root);
}

static cohort_status combine(combination *c, cohort_value *into)
{
    cohort_status status = cohort_survey_make(c->call, c->strategy, &c->x, NULL, 0, &c->survey);
    if (status >= 0)
        status = cohort_reduce_check_contribution(c->call, 0, c->contributes, &c->x, false);
    if (status >= 0)
        status = check_prototype(c);
    c->bytes = (uint64_t)(cohort_component_items(&c->survey.like) * c->survey.like.item_bytes);
    if (status >= 0 && c->bytes > 0 && c->survey.n_contributing == 0)
        status = cohort_error_set(COHORT_EINVAL, "%s: no elements: no replica contributes anything",
                                  c->call);
    if (status >= 0)
        status = solve_bounds(c);
    if (status >= 0)
        status = prepare(c, into);
    if (status >= 0)
        post(c, into);
    return status;
}

cohort_status cohort_combine_into(const char *call, const cohort_function *function,
                                  const cohort_argument *x, cohort_contributes contributes,
                                  cohort_value *into)
{
    combination c = {
        .call = call, .strategy = into->strategy, .function = function, .contributes = contributes
    };
    c.signature = cohort_signature_of(function);
    cohort_status status =
        c.signature != NULL ? cohort_reduce_check_into(x, into, call) : COHORT_EINVAL;
    if (status >= 0)
        status = cohort_operand_begin(&c.x, c.strategy, x, call);
    if (status < 0)
        return status;
    status = combine(&c, into);
    cohort_operand_end(&c.x);
    return status;
}
