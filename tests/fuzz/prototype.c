/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a function: parse them, solve its bounds, size its launch, write its kernel and
 * prepare a call.
 *
 * "double cos(double x)" without a bar is the text form. Otherwise fields with bars between them
 * are the texts of a descriptor: returns|prototype|name,size,align|{ members }|..., the last two
 * once for each type. In place of a type, @global|n, 2 * k| and @local, @item, @count and @body
 * give these texts. Shapes and named bounds come from the same bytes. */
#include "config.h"

#include <cohort/function.h>

#include "runtime/base/memory.h"
#include "runtime/function/bounds.h"
#include "runtime/function/expression.h"
#include "runtime/function/geometry.h"
#include "runtime/function/items.h"
#include "runtime/function/native_call.h"
#include "runtime/function/prototype.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_TYPES = 70, N_SOLVES = 8 };

/* Numbers made of the input, over and over. */
typedef struct source {
    const uint8_t *data;
    size_t size, next;
} source;

static uint8_t take_byte(source *s)
{
    return s->size > 0 ? s->data[s->next++ % s->size] : 0;
}

static int64_t take_extent(source *s)
{
    static const int64_t limits[] = { INT64_MAX, INT64_MIN, -1, INT32_MAX, INT64_C(1) << 40, 255 };
    uint8_t byte = take_byte(s);
    return byte < 250 ? byte % 6 : limits[byte - 250];
}

static void take_bounds(source *s, const cohort_signature *signature, cohort_bounds *bounds)
{
    for (int32_t i = 0; i < signature->n_parameters; i++) {
        bounds->arrays[i].rank =
            take_byte(s) % 4 != 0 ? signature->parameters[i].rank : take_byte(s) % 11 - 1;
        for (int32_t axis = 0; axis < COHORT_MAX_RANK; axis++)
            bounds->arrays[i].shape[axis] = take_extent(s);
        bounds->is_named[i] = take_byte(s) % 4 == 0;
        bounds->values[i] = take_extent(s);
    }
}

static void check(bool is_good)
{
    if (!is_good)
        abort();
}

static void check_shapes(const cohort_signature *signature, const cohort_bounds *bounds)
{
    for (int32_t i = 0; i < signature->n_parameters; i++)
        if (signature->parameters[i].role == COHORT_ROLE_ARRAY)
            for (int32_t axis = 0; axis < bounds->arrays[i].rank; axis++)
                check(bounds->arrays[i].shape[axis] >= 0);
}

static void check_grid(const cohort_geometry *geometry, const cohort_grid *grid)
{
    const cohort_range *range = &grid->range;
    check(range->dims == (uint32_t)geometry->dims);
    for (int32_t i = 0; i < geometry->dims; i++)
        check(range->global[i] <= INT64_MAX && grid->offset[i] <= INT64_MAX - range->global[i] &&
              (!geometry->has_local ||
               (range->local[i] > 0 && range->global[i] % range->local[i] == 0)));
}

/* One launch: its shapes, its range and its number of items. */
static void use_launch(const cohort_signature *signature, const cohort_geometry *geometry,
                       source *s)
{
    cohort_bounds bounds = { 0 };
    cohort_grid grid;
    int64_t count = 0;
    take_bounds(s, signature, &bounds);
    if (cohort_bounds_solve(signature, ", replica 0 on host:0", &bounds) == COHORT_OK)
        check_shapes(signature, &bounds);
    if (cohort_geometry_evaluate(geometry, signature, "", bounds.values, &grid) == COHORT_OK)
        check_grid(geometry, &grid);
    for (int32_t i = 0; i < signature->n_indices; i++)
        (void)cohort_expression_evaluate(&signature->counts[i], bounds.values, &count);
}

static void use_call(const cohort_sig *sig)
{
    cohort_call *call = NULL;
    cohort_error error = { .struct_size = sizeof error };
    (void)cohort_call_prepare(sig, &call, &error);
    cohort_call_free(call);
}

static void use_items(const cohort_function *function, const cohort_signature *signature)
{
    char *text = NULL;
    check((cohort_items_source(function, signature, &text) == COHORT_OK) == (text != NULL));
    cohort_free(text);
    if (signature->item != NULL)
        use_call(&signature->item_sig);
}

static void use(const cohort_function *function, const cohort_signature *signature, source *s)
{
    cohort_geometry geometry;
    (void)cohort_geometry_init(
        &geometry, signature,
        &(cohort_geometry_texts){ function->global, function->local, function->offset });
    for (int i = 0; i < N_SOLVES; i++)
        use_launch(signature, &geometry, s);
    cohort_geometry_fini(&geometry);
    use_items(function, signature);
    use_call(&signature->sig);
    use_call(&signature->kernel_sig);
}

static void run(const cohort_function *function, source *s)
{
    const cohort_signature *signature = cohort_signature_create(function);
    if (signature != NULL)
        use(function, signature, s);
    else
        check(strlen(cohort_error_text()) > 0);
    cohort_signature_release(signature);
}

static void run_text(const char *text, source *s)
{
    char *returns = NULL, *name = NULL, *prototype = NULL;
    if (cohort_prototype_split(text, &returns, &name, &prototype) == COHORT_OK) {
        cohort_function function = {
            .struct_size = sizeof function, .name = name, .returns = returns, .prototype = prototype
        };
        run(&function, s);
    }
    cohort_free(returns);
}

/* The next field, terminated in place; NULL after the last. */
static char *take_field(char **rest)
{
    char *field = *rest, *bar = field != NULL ? strchr(field, '|') : NULL;
    if (bar != NULL)
        *bar = '\0';
    *rest = bar != NULL ? bar + 1 : NULL;
    return field;
}

/* "@global" and the like. */
static bool take_text(const char *name, const char *text, cohort_function *out)
{
    const struct {
        const char *name;
        const char **text;
    } texts[] = { { "@global", &out->global },
                  { "@local", &out->local },
                  { "@item", &out->item },
                  { "@count", &out->count },
                  { "@body", &out->item_body } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].text = text;
            return true;
        }
    return false;
}

static void read_type(char *name, const char *is, cohort_type *out)
{
    char *size = strchr(name, ',');
    if (size != NULL)
        *size++ = '\0';
    *out = (cohort_type){ .name = name, .is = is };
    if (size != NULL) {
        out->size = strtoul(size, &size, 10);
        out->align = *size == ',' ? strtoul(size + 1, NULL, 10) : 0;
    }
}

static void run_fields(char *rest, source *s)
{
    cohort_type types[MOST_TYPES];
    const cohort_type *list[MOST_TYPES + 1] = { NULL };
    cohort_function function = { .struct_size = sizeof function, .name = "fuzzed", .types = list };
    function.returns = take_field(&rest);
    function.prototype = take_field(&rest);
    for (int i = 0; i < MOST_TYPES;) {
        char *name = take_field(&rest), *is = take_field(&rest);
        if (is == NULL)
            break;
        if (take_text(name, is, &function))
            continue;
        read_type(name, is, &types[i]);
        list[i] = &types[i];
        i++;
    }
    run(&function, s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int64_t blocks = cohort_memory_blocks();
    source s = { .data = data, .size = size };
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    if (strchr(text, '|') == NULL)
        run_text(text, &s);
    else
        run_fields(text, &s);
    free(text);
    check(cohort_memory_blocks() == blocks);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("prototype");
}
#endif
