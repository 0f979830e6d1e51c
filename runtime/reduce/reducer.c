/* SPDX-License-Identifier: BSD-3-Clause */
/* The reducer folds leaves along the tree of reducer.h. Where a node is combined, and in how many
 * folds, depends on where its leaves lie; in which order its elements are combined does not, so
 * that the bits are the same for every distribution of the replicas. */
#include "config.h"

#include "runtime/reduce/reducer.h"

#include "runtime/base/memory.h"
#include "runtime/operation/integers.h"
#include "runtime/operation/transfer.h"
#include "runtime/reduce/crossing.h"
#include "runtime/reduce/list_memo.h"

#include <cohort/array.h>

/* ------------------------------------------------------------------ making and scratch */

static void free_reducer(cohort_reducer *r)
{
    cohort_free(r->scratch);
    cohort_free(r->leaves);
    cohort_free(r->weights);
    cohort_free(r->nodes);
    cohort_free(r->room);
    cohort_free(r->workers);
    cohort_list_memos_free(r->lists);
    cohort_free(r);
}

/* Scratch buffers are destroyed in line with the folds that still use them. */
static void destroy_reducer(cohort_dependent *dependent)
{
    cohort_reducer *r = (cohort_reducer *)dependent;
    cohort_strategy_disown(dependent);
    for (int32_t d = 0; r->scratch != NULL && d < r->strategy->n_devices; d++) {
        for (int32_t i = 0; i < r->scratch[d].count; i++)
            cohort_buffer_destroy(r->scratch[d].buffers[i]);
        cohort_free(r->scratch[d].buffers);
    }
    free_reducer(r);
}

static void settle_reducer(cohort_dependent *dependent)
{
    const cohort_reducer *r = (const cohort_reducer *)dependent;
    for (int32_t d = 0; d < r->strategy->n_devices; d++)
        for (int32_t i = 0; i < r->scratch[d].count; i++)
            (void)cohort_buffer_settle(r->scratch[d].buffers[i]);
}

/* No device is asked, so none has to reach the memory of another one. */
static bool are_near(const cohort_strategy *s)
{
    bool are_near = s->workers == NULL && s->n_replicas <= (int32_t)COHORT_MAX_TERMS &&
                    cohort_crossing_is_shown(cohort_strategy_context(s, s->home));
    for (int32_t i = 0; i < s->n_hosts && are_near; i++)
        are_near = cohort_crossing_is_shown(cohort_strategy_context(s, i));
    return are_near;
}

/* A second device of a lane would only wait for the first. */
static void list_workers(cohort_reducer *r)
{
    const cohort_strategy *s = r->strategy;
    r->workers[r->n_workers++] = cohort_strategy_context(s, s->home);
    for (int32_t i = 0; i < s->n_hosts; i++) {
        cohort_context *o = cohort_strategy_context(s, i);
        bool is_taken = false;
        for (int32_t j = 0; j < r->n_workers; j++)
            is_taken = is_taken || r->workers[j]->lane == o->lane;
        if (!is_taken)
            r->workers[r->n_workers++] = o;
    }
}

/* A binary tree over n leaves has 2 n - 1 nodes. */
static cohort_reducer *make_reducer(cohort_strategy *strategy)
{
    size_t replicas = (size_t)strategy->n_replicas;
    cohort_reducer *r = cohort_allocate(1, sizeof *r);
    if (r == NULL)
        return NULL;
    r->strategy = strategy;
    r->call = "a reduction";
    r->dependent = (cohort_dependent){ .destroy = destroy_reducer, .settle = settle_reducer };
    r->scratch = cohort_allocate((size_t)strategy->n_devices, sizeof *r->scratch);
    r->leaves = cohort_allocate(replicas, sizeof *r->leaves);
    r->weights = cohort_allocate(replicas, sizeof *r->weights);
    r->nodes = cohort_allocate(2 * replicas - 1, sizeof *r->nodes);
    r->workers = cohort_allocate((size_t)strategy->n_devices, sizeof(cohort_context *));
    if (r->scratch != NULL && r->leaves != NULL && r->weights != NULL && r->nodes != NULL &&
        r->workers != NULL) {
        if (are_near(strategy))
            list_workers(r);
        return r;
    }
    free_reducer(r);
    return NULL;
}

/* Each strategy has one reducer, attached to it by the address of a key of this file, and destroyed
 * with it. */
cohort_reducer *cohort_reducer_of(cohort_strategy *strategy)
{
    static const char key;
    cohort_reducer *r = cohort_strategy_attached(strategy, &key);
    if (r != NULL)
        return r;
    if ((r = make_reducer(strategy)) == NULL) {
        (void)cohort_error_memory("a reduction");
        return NULL;
    }
    cohort_strategy_adopt(strategy, &r->dependent);
    cohort_strategy_attach(strategy, &key, r, NULL);
    return r;
}

/* A buffer that is handed out again may still be read by a fold that was posted before: whoever
 * writes it next waits for that by its use (operation/use.h), on the device and not here. */
void cohort_reducer_restart(cohort_reducer *reducer)
{
    reducer->call = "a reduction";
    for (int32_t d = 0; d < reducer->strategy->n_devices && reducer->n_held == 0; d++)
        reducer->scratch[d].used = 0;
}

void *cohort_reducer_room(cohort_reducer *r, size_t count, size_t size)
{
    if (count > SIZE_MAX / size ||
        !cohort_grow((void **)&r->room, &r->room_bytes, count * size, 1)) {
        (void)cohort_error_memory("a list of reductions");
        return NULL;
    }
    return r->room;
}

cohort_buffer *cohort_reducer_scratch(cohort_reducer *reducer, int32_t device, uint64_t bytes)
{
    cohort_scratch *s = &reducer->scratch[device];
    cohort_executor *executor = reducer->strategy->executor;
    if (s->used == s->count) {
        bool has_room = cohort_grow((void **)&s->buffers, &s->capacity, (size_t)s->count + 1,
                                    sizeof(cohort_buffer *));
        cohort_buffer *made =
            has_room ? cohort_buffer_create(executor, executor->contexts[device]) : NULL;
        if (made == NULL) {
            cohort_failure_raise_own(&executor->failure, cohort_error_memory("a reduction"));
            return NULL;
        }
        s->buffers[s->count++] = made;
    }
    cohort_buffer *buffer = s->buffers[s->used++];
    cohort_buffer_require(buffer, bytes);
    return buffer;
}

/* ------------------------------------------------------------------ the tree */

/* One reduction; the list of terms is that of the fold being collected. */
typedef struct combination {
    cohort_reducer *reducer;
    cohort_reduce_op op;
    cohort_dtype dtype;
    uint64_t count, bytes;
    bool has_weights, is_urgent; /* is_urgent: something is posted behind it that reads dst */
    const char *call;
} combination;

typedef struct term_list {
    cohort_fold_term terms[COHORT_MAX_TERMS];
    int32_t n;
} term_list;

/* Node [a, b) of the tree. */
typedef struct node {
    int32_t index; /* of what the reducer knows of it */
    int32_t a, b;
} node;

static combination make_combination(cohort_reducer *reducer, cohort_reduce_op op,
                                    cohort_dtype dtype, uint64_t count)
{
    return (combination){ .reducer = reducer,
                          .op = op == COHORT_MEAN ? COHORT_SUM : op,
                          .dtype = dtype,
                          .count = count,
                          .bytes = count * (uint64_t)cohort_dtype_bytes(dtype),
                          .call = reducer->call };
}

static cohort_reducer_node *known(const combination *c, node n)
{
    return &c->reducer->nodes[n.index];
}

/* Nodes are numbered in preorder: the left half with m leaves has the 2 m - 1 numbers behind its
 * parent, then the right half begins. */
static int32_t left_half(node n)
{
    return cohort_roots_split(n.b - n.a);
}

static node left_of(node n)
{
    return (node){ n.index + 1, n.a, n.a + left_half(n) };
}

static node right_of(node n)
{
    return (node){ n.index + 2 * left_half(n), n.a + left_half(n), n.b };
}

/* Are all replicas of the node on one device, which a fold on `where` does not reach? */
static bool is_remote(const combination *c, int32_t where, node n)
{
    int32_t device = known(c, n)->device;
    cohort_context *const *contexts = c->reducer->strategy->executor->contexts;
    return device >= 0 && !cohort_fold_reaches(contexts[where], contexts[device]);
}

/* A plain value lies on one device for all replicas. */
static int32_t device_of(const combination *c, int32_t replica)
{
    const cohort_buffer *leaf = c->reducer->leaves[replica];
    return leaf != NULL ? leaf->context->index : c->reducer->strategy->host[replica];
}

/* Look at all nodes below, and then at this one, for a fold on `where`. */
static void survey(const combination *c, int32_t where, node n)
{
    cohort_reducer_node *me = known(c, n);
    if (n.b - n.a == 1) {
        *me = (cohort_reducer_node){ device_of(c, n.a), c->reducer->leaves[n.a] != NULL };
        return;
    }
    survey(c, where, left_of(n));
    survey(c, where, right_of(n));
    const cohort_reducer_node *left = known(c, left_of(n)), *right = known(c, right_of(n));
    *me = (cohort_reducer_node){ left->device == right->device ? left->device : -1,
                                 left->terms + right->terms };
    if (me->terms > 1 && is_remote(c, where, n))
        me->terms = 1;
}

static void collect(const combination *c, int32_t where, node n, term_list *list);

/* A node, combined on a device into a scratch buffer of it; a single leaf is itself. */
static cohort_buffer *materialise(const combination *c, int32_t where, node n)
{
    term_list list = { .n = 0 };
    collect(c, where, n, &list);
    if (list.n == 1)
        return list.terms[0].buffer;
    cohort_buffer *into = cohort_reducer_scratch(c->reducer, where, c->bytes);
    if (into != NULL && list.n > 0)
        cohort_fold_post(c->op, c->dtype, list.terms, list.n, into, c->count, 1);
    return into;
}

/* A list never overflows: collect cuts the tree before, at COHORT_MAX_TERMS. */
static void add_term(term_list *list, cohort_buffer *buffer, cohort_buffer *weight)
{
    if (buffer != NULL) /* else the failure is set, and nothing more is done */
        list->terms[list->n++] = (cohort_fold_term){ .buffer = buffer, .weight = weight };
}

/* A node that lies on one remote device: combined there, then brought here. */
static void collect_remote(const combination *c, int32_t where, node n, term_list *list)
{
    int32_t device = known(c, n)->device;
    survey(c, device, n);
    cohort_buffer *there = materialise(c, device, n);
    cohort_buffer *here =
        there != NULL ? cohort_reducer_scratch(c->reducer, where, c->bytes) : NULL;
    if (here != NULL)
        cohort_transfer_copy(here, there, c->bytes);
    add_term(list, here, NULL);
}

/* A child that is one term already gains nothing from being combined first. */
static int32_t collect_child(const combination *c, int32_t where, node n, bool is_too_long,
                             term_list *list)
{
    int32_t before = list->n;
    if (is_too_long && known(c, n)->terms > 1)
        add_term(list, materialise(c, where, n), NULL);
    else
        collect(c, where, n, list);
    return list->n - before;
}

/* Append the stack program of a node. Where it would be longer than a fold may be, both children
 * are combined first: the tree is cut at a node, which changes no bit. */
static void collect(const combination *c, int32_t where, node n, term_list *list)
{
    if (known(c, n)->terms == 0)
        return;
    if (is_remote(c, where, n)) {
        collect_remote(c, where, n, list);
    } else if (n.b - n.a == 1) {
        add_term(list, c->reducer->leaves[n.a], c->has_weights ? c->reducer->weights[n.a] : NULL);
    } else {
        bool is_too_long = known(c, n)->terms > (int32_t)COHORT_MAX_TERMS;
        int32_t left = collect_child(c, where, left_of(n), is_too_long, list);
        int32_t right = collect_child(c, where, right_of(n), is_too_long, list);
        if (left > 0 && right > 0)
            list->terms[list->n - 1].merges++;
    }
}

/* ------------------------------------------------------------------ across workers */

/* Subtrees of replicas that all are of this worker are the same trees in its own numbers; room for
 * what is known of their nodes is there behind those of the replicas before. */
static void form_roots(const combination *c, int32_t where, cohort_crossing *x)
{
    const cohort_strategy *s = c->reducer->strategy;
    const cohort_workers *w = s->workers;
    for (int32_t i = 0; i < w->n_roots; i++) {
        int32_t a = w->roots[i].first - s->first_replica, b = w->roots[i].end - s->first_replica;
        const node root = { 2 * a, a, b };
        if (w->roots[i].worker != w->rank)
            continue;
        survey(c, where, root);
        x->buffers[x->n++] = known(c, root)->terms > 0 ? materialise(c, where, root) : NULL;
    }
}

cohort_status cohort_reducer_offer(cohort_reducer *reducer, cohort_reduce_op op,
                                   const cohort_workers_sum *offer, bool *out_is_taken)
{
    const cohort_strategy *s = reducer->strategy;
    cohort_crossing x = { .n = 0 };
    const combination c = make_combination(reducer, op, (cohort_dtype)offer->dtype, offer->count);
    cohort_workers_sum sum = *offer;
    cohort_status status = COHORT_OK;
    *out_is_taken = false;
    form_roots(&c, s->home, &x);
    cohort_crossing_show(&x, c.bytes);
    sum.roots = x.roots;
    if (!cohort_failure_is_set(&s->executor->failure))
        status = cohort_workers_offer(s->workers, &sum, out_is_taken);
    cohort_crossing_end(&x, s);
    return status;
}

typedef struct cohort_held {
    combination combination;
    cohort_crossing crossing;
    uint64_t divisor;
    cohort_buffer *dst;
    void *into; /* memory for what dst is to hold; NULL: there is none */
} cohort_held;

static bool take_rooms(cohort_held held[], int32_t n)
{
    bool has_all = true;
    for (int32_t i = 0; i < n && has_all; i++) {
        held[i].into = cohort_crossing_room(held[i].dst, held[i].combination.bytes);
        has_all = held[i].into != NULL;
    }
    return has_all;
}

/* What is in a room becomes the result; after a failure it is nothing. */
static void use_room(const cohort_held *h, cohort_workers *workers, cohort_status status)
{
    if (status >= 0)
        cohort_crossing_fill(h->dst, h->into, h->combination.bytes);
    else if (h->into != h->dst->host)
        cohort_messages_give(&workers->messages, h->into, cohort_staging_give);
}

static cohort_workers_sum sum_of(const cohort_held *h)
{
    return (cohort_workers_sum){ .call = h->combination.call,
                                 .op = h->combination.op,
                                 .dtype = h->combination.dtype,
                                 .count = h->combination.count,
                                 .divisor = h->divisor,
                                 .roots = h->crossing.roots,
                                 .into = h->into };
}

static cohort_status cross(cohort_held held[], int32_t n, cohort_workers *workers)
{
    cohort_workers_sum sums[COHORT_WORKERS_SUMS] = { 0 };
    cohort_status status = take_rooms(held, n) ? COHORT_OK : cohort_error_memory("a reduction");
    for (int32_t i = 0; i < n; i++)
        sums[i] = sum_of(&held[i]);
    if (status >= 0)
        status = cohort_workers_combine(workers, sums, n);
    for (int32_t i = 0; i < n; i++)
        use_room(&held[i], workers, status);
    return status;
}

/* Sums whose roots are posted: they are waited for, cross, and fill what they are for. */
static void cross_all(cohort_held held[], int32_t n)
{
    cohort_strategy *s = held->combination.reducer->strategy;
    cohort_failure *failure = &s->executor->failure;
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; i < n; i++)
        cohort_crossing_show(&held[i].crossing, held[i].combination.bytes);
    if (!cohort_failure_is_set(failure))
        status = cross(held, n, s->workers);
    if (status < 0)
        cohort_failure_raise_own(failure, status);
    for (int32_t i = 0; i < n; i++) {
        if (cohort_failure_is_set(failure))
            cohort_transfer_fail(held[i].dst, "a reduction");
        cohort_crossing_end(&held[i].crossing, s);
    }
}

static void cross_held(cohort_reducer *r)
{
    if (r->n_held > 0)
        cross_all(r->held, r->n_held);
    r->n_held = 0;
    r->held_bytes = 0;
}

cohort_status cohort_reducer_hold(cohort_reducer *r, int64_t n)
{
    int32_t most = n < COHORT_WORKERS_SUMS ? (int32_t)n : COHORT_WORKERS_SUMS;
    if (r->strategy->workers == NULL || r->strategy->is_trial)
        return COHORT_OK;
    r->held = cohort_allocate((size_t)most, sizeof *r->held);
    r->held_most = most;
    return r->held != NULL ? COHORT_OK : cohort_error_memory("a list of reductions");
}

void cohort_reducer_cross(cohort_reducer *r)
{
    cross_held(r);
    cohort_free(r->held);
    r->held = NULL;
}

/* Which sums cross together depends on what all workers know of them, so that all have the same
 * together. One that crosses alone lets the others go first: what is held keeps its scratch. */
static void combine_across(const combination *c, uint64_t divisor, cohort_buffer *dst)
{
    cohort_reducer *r = c->reducer;
    cohort_held one, *held = &one;
    bool is_alone = r->held == NULL || c->is_urgent || c->bytes > COHORT_REDUCER_HELD;
    if (is_alone || r->n_held == r->held_most || r->held_bytes + c->bytes > COHORT_REDUCER_HELD)
        cross_held(r);
    if (!is_alone) {
        held = &r->held[r->n_held++];
        r->held_bytes += c->bytes;
    }
    *held = (cohort_held){ .combination = *c, .divisor = divisor, .dst = dst };
    form_roots(c, dst->context->index, &held->crossing);
    if (is_alone)
        cross_all(held, 1);
}

/* ------------------------------------------------------------------ all of it */

static void combine(const combination *c, uint64_t divisor, cohort_buffer *dst)
{
    term_list list = { .n = 0 };
    if (c->count == 0)
        return;
    if (c->reducer->strategy->workers != NULL) {
        combine_across(c, divisor, dst);
        return;
    }
    /* MEAN is the SUM, which the last fold divides; the folds below know nothing of it */
    const node root = { 0, 0, c->reducer->strategy->n_replicas };
    survey(c, dst->context->index, root);
    collect(c, dst->context->index, root, &list);
    if (cohort_failure_is_set(&dst->executor->failure))
        cohort_transfer_fail(
            dst, "a reduction"); /* a term may be missing; whatever failed first is kept */
    else if (list.n > 0)
        cohort_fold_post(c->op, c->dtype, list.terms, list.n, dst, c->count, divisor);
}

void cohort_reducer_combine(cohort_reducer *reducer, cohort_reduce_op op, cohort_dtype dtype,
                            uint64_t count, uint64_t divisor, cohort_buffer *dst)
{
    const combination c = make_combination(reducer, op, dtype, count);
    combine(&c, divisor, dst);
}

void cohort_reducer_combine_weighed(cohort_reducer *reducer, cohort_reduce_op op,
                                    cohort_dtype dtype, uint64_t count, cohort_buffer *dst)
{
    combination c = make_combination(reducer, op, dtype, count);
    c.has_weights = true;
    combine(&c, 1, dst);
}

/* A tree with a single leaf combines nothing. */
void cohort_reducer_take_first(cohort_reducer *reducer, cohort_buffer *first, uint64_t bytes,
                               cohort_buffer *dst)
{
    const cohort_strategy *s = reducer->strategy;
    for (int32_t r = 0; r < s->n_replicas; r++)
        reducer->leaves[r] = s->first_replica + r == 0 ? first : NULL;
    cohort_reducer_combine(reducer, COHORT_MAX, COHORT_U8, bytes, 1, dst);
}

static bool can_see(const cohort_buffer *dst, const cohort_buffer *buffer)
{
    return dst->context->can_access[buffer->context->index] &&
           cohort_context_has(buffer->context, COHORT_CAP_HOST_VISIBLE);
}

bool cohort_reducer_can_weigh(const cohort_reducer *r, const cohort_buffer *dst)
{
    bool can = r->strategy->workers == NULL && can_see(dst, dst) &&
               r->strategy->n_replicas <= (int32_t)COHORT_MAX_TERMS;
    for (int32_t i = 0; i < r->strategy->n_replicas && can; i++)
        can = r->leaves[i] == NULL || (can_see(dst, r->leaves[i]) && can_see(dst, r->weights[i]));
    return can;
}

/* Limbs add up like any other int64 (operation/integers.h), so that the tree over them is as every
 * tree; the quotient joins them. */
void cohort_reducer_divide_integers(cohort_reducer *reducer, cohort_dtype dtype, uint64_t count,
                                    uint64_t divisor, cohort_buffer *dst)
{
    uint64_t limbs = count * cohort_integers_limbs(dtype);
    cohort_buffer *sums =
        cohort_reducer_scratch(reducer, dst->context->index, limbs * sizeof(int64_t));
    if (sums == NULL) {
        cohort_transfer_fail(dst, "a reduction");
        return;
    }
    combination c = make_combination(reducer, COHORT_SUM, COHORT_I64, limbs);
    c.is_urgent = true;
    combine(&c, 1, sums);
    cohort_integers_post_quotient(dtype, sums, count, divisor, dst);
}
