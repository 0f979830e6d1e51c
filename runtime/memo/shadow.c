/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a run the memo keeps operations that differ in form from those of the plain way: sets in place
 * of records, with imports in them. So what is compared is what both are made of: executables,
 * ranges, values, which buffer each slot has, and how contents stand behind the call. An update by
 * a memo is posted by the functions of one that is bound (plain_update.c), from a binding and what
 * was prepared; so these are compared. */
#include "config.h"

#include "runtime/memo/shadow.h"

#include "runtime/base/assert.h"
#include "runtime/base/memory.h"
#include "runtime/call/prepare.h"
#include "runtime/call/sharers.h"
#include "runtime/memo/memo_parts.h"

#include <stdio.h>
#include <string.h>

/* launch: -1: all of them. */
static void claim(const cohort_memo *memo, int32_t launch, bool holds, const char *what)
{
    char text[512];
    if (holds)
        return;
    (void)snprintf(text, sizeof text,
                   "the memo of %.100s, launch %d, answers what the plain way finds now: %s; what "
                   "changed was not announced (memo/shadow.h)",
                   memo->call.signature->name, (int)launch, what);
    cohort_assert_fail(text, __FILE__, __LINE__, __func__);
}

/* ------------------------------------------------------------------ records */

static bool is_same_offset(const uint64_t a[3], const uint64_t b[3])
{
    return memcmp(a, b, sizeof(uint64_t[3])) == 0;
}

static bool is_same_range(const cohort_range *a, const cohort_range *b)
{
    bool is_same = a->dims == b->dims;
    for (uint32_t i = 0; i < a->dims && is_same; i++)
        is_same = a->global[i] == b->global[i] && a->local[i] == b->local[i];
    return is_same;
}

static bool is_same_head(const cohort_launch_op *a, const cohort_launch_op *b)
{
    return a->op.run == b->op.run && a->op.end == b->op.end && a->op.subject == b->op.subject &&
           a->op.flags == b->op.flags && a->op.replica == b->op.replica &&
           a->tag.replica == b->tag.replica && a->executable == b->executable &&
           a->first_item == b->first_item && a->counts == b->counts &&
           is_same_range(&a->range, &b->range) && is_same_offset(a->offset, b->offset);
}

/* Its memory is looked at with the arrays. */
static bool has_same_image(const cohort_executable *e, int32_t i, const cohort_launch_slot a[],
                           const cohort_launch_slot b[])
{
    cohort_image x, y;
    memcpy(&x, (const char *)a + e->image_places[i], sizeof x);
    memcpy(&y, (const char *)b + e->image_places[i], sizeof y);
    return x.channels == y.channels && x.width == y.width && x.height == y.height &&
           x.depth == y.depth;
}

/* Numbers, structs and pointers, the extents of images, and the sizes of locals; arrays are looked
 * at as they are placed. */
static bool has_same_values(const cohort_executable *e, const cohort_launch_slot a[],
                            const cohort_launch_slot b[])
{
    const cohort_signature *s = e->signature;
    bool is_same = true;
    for (int32_t i = 0; i < s->n_parameters && is_same; i++) {
        const cohort_parameter *p = &s->parameters[i];
        size_t bytes = p->role == COHORT_ROLE_LOCAL ? sizeof *a : p->bytes;
        is_same = p->image != 0 ? has_same_image(e, i, a, b)
                                : p->role == COHORT_ROLE_ARRAY ||
                                      memcmp((const char *)a + e->places[i],
                                             (const char *)b + e->places[i], bytes) == 0;
    }
    return is_same;
}

/* The record that the plain way would fill in, and the one that the memo has. */
static void compare_record(const cohort_memo *memo, const cohort_memo_launch *l,
                           const cohort_binding *b, int32_t launch, const cohort_prepared *prepared)
{
    const cohort_launch_op *plain = cohort_prepare_record(b, launch, prepared);
    claim(memo, launch, l->head->executable == prepared->executable, "which kernel runs");
    claim(memo, launch, is_same_head(l->head, plain), "the head of its record");
    claim(memo, launch, has_same_values(prepared->executable, l->slots, plain->slots),
          "the numbers that it passes");
}

static void compare_call(const cohort_memo *memo, const cohort_binding *b)
{
    claim(memo, -1, b->signature == memo->call.signature, "the signature of its function");
    claim(memo, -1, b->count == memo->n_launches, "how many launches it has");
    claim(memo, -1, b->n_borrowed == 0 && b->lead < 0, "what it borrows");
    for (int32_t i = 0; i < b->count; i++)
        claim(memo, i, !b->is_absent[i], "whether its replica has rows");
}

/* ------------------------------------------------------------------ what a run uses */

/* The array that a cell is of; NULL: it is of the result. */
static const cohort_bound_array *array_of(const cohort_binding *b, const cohort_memo_cell *c)
{
    for (int32_t i = 0; i < b->n_arrays; i++)
        if (b->arrays[i].parameter == c->argument->parameter)
            return &b->arrays[i];
    return NULL;
}

/* What the launch uses as the plain way would have it: NULL of a value that it reads and writes,
 * whose place in this call depends on which comes first. */
static const cohort_content *content_of(const cohort_binding *b, const cohort_bound_array *a,
                                        int32_t launch)
{
    int32_t replica = cohort_binding_replica(b, launch);
    if (a == NULL)
        return &b->result->components[replica];
    if (a->variable != NULL)
        return NULL;
    return a->mode == COHORT_USE_WRITE ? &a->value->components[replica]
                                       : cohort_value_content(a->value, replica);
}

static cohort_extents extents_of(const cohort_binding *b, const cohort_bound_array *a,
                                 int32_t launch)
{
    return a != NULL ? b->bounds[launch].arrays[a->at] : (cohort_extents){ .rank = 0 };
}

static bool has_shape(const cohort_binding *b, const cohort_bound_array *a,
                      const cohort_content *content, int32_t launch)
{
    const cohort_signature *s = b->signature;
    cohort_extents extents = extents_of(b, a, launch);
    return content->state == COHORT_CONTENT_FILLED &&
           content->dtype ==
               cohort_parameter_array_dtype(a != NULL ? a->parameter->type : s->result_type) &&
           content->item_bytes == (a != NULL ? a->parameter->bytes : s->result_bytes) &&
           cohort_extents_is_same(&content->extents, &extents);
}

/* Before: the same cells, of the same contents, and what it reads has the shape that was solved. */
static void compare_cell(const cohort_memo *memo, const cohort_memo_launch *l,
                         const cohort_memo_cell *c, const cohort_binding *b, int32_t launch)
{
    const cohort_bound_array *a = array_of(b, c);
    const cohort_content *content = content_of(b, a, launch);
    claim(memo, launch, c->mode == (a != NULL ? a->mode : COHORT_USE_WRITE),
          "whether it reads or writes an array");
    claim(memo, launch, c->content == content, "which content it uses");
    if (content != NULL)
        claim(memo, launch, c->place == cohort_places_at(&content->places, l->device),
              "the place of a content on its device");
    if (content != NULL && a != NULL && cohort_parameter_is_read(a->parameter))
        claim(memo, launch, has_shape(b, a, content, launch), "the shape of what it reads");
}

static uint64_t epochs_of(const cohort_memo *memo, const cohort_memo_launch *l)
{
    uint64_t sum = 0;
    for (int32_t i = memo->n_inputs; i < memo->n_cells; i++)
        sum += l->cells[i].content != NULL ? l->cells[i].content->places.epoch.now : 0;
    return sum;
}

uint64_t cohort_shadow_compare_run(cohort_binder *binder, const cohort_memo *memo)
{
    const cohort_binding *b = &binder->binding;
    uint64_t sum = 0;
    compare_call(memo, b);
    for (int32_t k = 0; k < memo->n_launches; k++) {
        const cohort_memo_launch *l = &memo->launches[k];
        int32_t i = binder->order[k];
        claim(memo, i, l->replica == cohort_binding_replica(b, i), "its place in the order");
        claim(memo, i, l->device == cohort_binding_device(b, i), "its device");
        compare_record(memo, l, b, i, &binder->prepared[i]);
        for (int32_t j = 0; j < memo->n_cells; j++)
            compare_cell(memo, l, &l->cells[j], b, i);
        sum += epochs_of(memo, l);
    }
    return sum;
}

/* ------------------------------------------------------------------ what a run leaves */

static bool is_written_too(const cohort_memo *memo, const cohort_memo_launch *l,
                           const cohort_content *content)
{
    bool is_written = false;
    for (int32_t i = memo->n_inputs; i < memo->n_cells && !is_written; i++)
        is_written = l->cells[i].content == content;
    return is_written;
}

/* The buffer that the plain way finds the content in, now that it was brought there; memory of the
 * program may have become that of the buffer in the set, which writes it then. */
static void compare_read(const cohort_binder *binder, const cohort_memo *memo,
                         const cohort_memo_launch *l, const cohort_memo_cell *c, int32_t launch)
{
    cohort_content *content = c->content;
    const cohort_executor *executor = binder->strategy->executor;
    if (content == NULL) {
        const cohort_variable *v = c->argument->given.as.p;
        claim(memo, launch, c->use->buffer == cohort_variable_find_read(v, l->replica, l->device),
              "where a variable is read");
        return;
    }
    claim(memo, launch,
          c->use->mode == COHORT_USE_READ || c->use->buffer->imported == content->source,
          "how a content is read");
    if (is_written_too(memo, l, content))
        return;
    claim(memo, launch, c->use->buffer == cohort_content_find_read(content, executor, l->device),
          "where a content is read");
    claim(memo, launch,
          cohort_places_find(&content->places, executor->contexts[l->device]) == c->use->buffer,
          "whether what it reads is the newest");
}

static void compare_written(const cohort_binding *b, const cohort_memo *memo,
                            const cohort_memo_launch *l, const cohort_memo_cell *c, int32_t launch)
{
    const cohort_bound_array *a = array_of(b, c);
    const cohort_value *value = a != NULL ? a->value : b->result;
    const cohort_place *place = cohort_places_at(&c->content->places, l->device);
    claim(memo, launch, value->kind == COHORT_PER_REPLICA_VALUE, "the kind of what it writes");
    claim(memo, launch, has_shape(b, a, c->content, launch), "the shape of what it writes");
    claim(memo, launch, c->use->mode == COHORT_USE_WRITE && c->use->buffer == place->buffer,
          "where a content is written");
    claim(memo, launch,
          place->epoch.now == c->content->places.epoch.now && place->result.now == place->epoch.now,
          "whether what it writes is the newest");
    claim(memo, launch,
          cohort_content_bytes(c->content) == 0 ||
              cohort_buffer_has(place->buffer, cohort_content_bytes(c->content)),
          "the memory of what it writes");
}

/* Who frees the memo waits for what uses its heads; of a lost device nothing is noted. */
static void compare_posted(const cohort_binder *binder, const cohort_memo *memo,
                           const cohort_memo_cell *c, int32_t launch)
{
    const cohort_executor *executor = binder->strategy->executor;
    bool is_noted = true;
    for (int32_t r = 0; r < executor->n_used && cohort_executor_is_whole(executor); r++)
        is_noted = is_noted && memo->posted[r].now >= c->use->buffer->fences[r].now;
    claim(memo, launch, is_noted, "what its end waits for");
}

void cohort_shadow_compare_places(const cohort_binder *binder, const cohort_memo *memo,
                                  uint64_t sum)
{
    const cohort_binding *b = &binder->binding;
    uint64_t now = 0, written = 0;
    for (int32_t k = 0; k < memo->n_launches; k++) {
        const cohort_memo_launch *l = &memo->launches[k];
        for (int32_t j = 0; j < memo->n_cells; j++) {
            const cohort_memo_cell *c = &l->cells[j];
            claim(memo, binder->order[k], *c->slot == c->use->buffer, "the slot of an array");
            if (j < memo->n_inputs) {
                compare_read(binder, memo, l, c, binder->order[k]);
            } else {
                compare_written(b, memo, l, c, binder->order[k]);
                compare_posted(binder, memo, c, binder->order[k]);
                written++;
            }
        }
        now += epochs_of(memo, l);
    }
    claim(memo, -1, now == sum + written, "how often it writes");
}

/* ------------------------------------------------------------------ updates */

static bool is_same_array(const cohort_bound_array *a, const cohort_bound_array *b)
{
    return a->at == b->at && a->parameter == b->parameter && a->mode == b->mode &&
           a->value == b->value && a->variable == b->variable;
}

static bool has_same_bounds(const cohort_binding *a, const cohort_binding *b, int32_t launch)
{
    const cohort_signature *s = b->signature;
    const cohort_bounds *x = &a->bounds[launch], *y = &b->bounds[launch];
    bool is_same = true;
    for (int32_t i = 0; i < s->n_parameters && is_same; i++)
        if (s->parameters[i].role == COHORT_ROLE_ARRAY)
            is_same = cohort_extents_is_same(&x->arrays[i], &y->arrays[i]);
        else if ((s->bounds >> i & 1) != 0)
            is_same = x->values[i] == y->values[i];
    return is_same;
}

static void compare_binding(const cohort_memo *memo, const cohort_binding *b)
{
    const cohort_binding *kept = memo->binding;
    claim(memo, -1,
          kept->updated == b->updated && kept->kind == b->kind && kept->first == b->first &&
              kept->is_of_component == b->is_of_component && kept->rows_of == b->rows_of,
          "what it updates");
    claim(memo, -1, kept->n_arrays == b->n_arrays, "how many arrays it has");
    for (int32_t i = 0; i < b->n_arrays; i++)
        claim(memo, -1, is_same_array(&kept->arrays[i], &b->arrays[i]), "what its arrays are");
    for (int32_t i = 0; i < b->count; i++)
        claim(memo, i, has_same_bounds(kept, b, i), "its bounds");
}

/* By which devices it may be shared, and how each writes. */
static void compare_prepared(const cohort_memo *memo, const cohort_binder *binder)
{
    const cohort_binding *b = &binder->binding;
    int32_t n = b->count + cohort_sharers_room(b);
    claim(memo, -1, memo->n_prepared == n, "how many devices may share it");
    for (int32_t i = 0; i < n; i++) {
        const cohort_prepared *kept = &memo->prepared[i], *plain = &binder->prepared[i];
        claim(memo, i,
              kept->executable == plain->executable &&
                  is_same_range(&kept->grid.range, &plain->grid.range) &&
                  is_same_offset(kept->grid.offset, plain->grid.offset),
              "who may do it");
        claim(memo, i, i >= b->count || kept->way == plain->way, "how it writes");
    }
}

void cohort_shadow_compare_update(cohort_binder *binder, const cohort_memo *memo)
{
    const cohort_binding *b = &binder->binding;
    compare_call(memo, b);
    compare_binding(memo, b);
    compare_prepared(memo, binder);
    for (int32_t k = 0; k < memo->n_launches; k++) {
        int32_t i = binder->order[k];
        compare_record(memo, &memo->launches[k], b, i, &binder->prepared[i]);
        compare_record(memo, &memo->launches[k], memo->binding, i, &binder->prepared[i]);
    }
}
