/* SPDX-License-Identifier: BSD-3-Clause */
/* Three views of one signature for plugins: sig, with the arguments as written; item_sig, the
 * host body of COHORT_ITEMS, which gets a range of items first; kernel_sig, for devices whose
 * kernels return nothing, where a result is one more array. A plugin reads them and never frees
 * them: all is in the arena of the signature. */
#include "config.h"

#include "runtime/function/plugin_sig.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"

#include <stdio.h>
#include <string.h>

typedef struct builder {
    cohort_arena *arena;
    cohort_signature *signature;
    const char *const **out_type_names;
} builder;

static uint32_t kind_of(const cohort_parameter *p)
{
    return p->image != 0                  ? p->image
           : p->is_sampler                ? (uint32_t)COHORT_ARG_SAMPLER
           : p->role == COHORT_ROLE_ARRAY ? (uint32_t)COHORT_ARG_MEM
           : p->role == COHORT_ROLE_LOCAL ? (uint32_t)COHORT_ARG_LOCAL
                                          : (uint32_t)COHORT_ARG_VALUE;
}

/* An array of vectors of 3 has these as its elements: the numbers alone would be those of 4. */
static cohort_arg describe_argument(const cohort_parameter *p, const cohort_types *types)
{
    uint32_t type = p->padded != 0 ? p->padded : p->type;
    uint32_t bytes = p->padded != 0 ? cohort_types_bytes(types, p->padded) : p->bytes;
    return (cohort_arg){ kind_of(p), type, p->direction | p->pixel, bytes };
}

static cohort_status describe_arguments(builder *b, const cohort_types *types)
{
    cohort_signature *signature = b->signature;
    size_t n = (size_t)signature->n_parameters;
    cohort_arg *args = cohort_arena_take(b->arena, n, sizeof *args);
    const char **names = cohort_arena_take(b->arena, n, sizeof *names);
    if (args == NULL || names == NULL)
        return cohort_error_memory("a signature");
    for (size_t i = 0; i < n; i++) {
        const cohort_parameter *parameter = &signature->parameters[i];
        args[i] = describe_argument(parameter, types);
        names[i] = parameter->name;
    }
    signature->sig.nargs = (uint32_t)n;
    signature->sig.args = args;
    signature->sig.names = names;
    return COHORT_OK;
}

/* Copied, since types lie on the stack of whoever makes the signature. */
static cohort_status describe_types(builder *b, const cohort_types *types)
{
    cohort_layout *layouts = cohort_arena_take(b->arena, types->n_layouts, sizeof *layouts);
    const char **names = cohort_arena_take(b->arena, types->n_layouts, sizeof *names);
    if (layouts == NULL || names == NULL)
        return cohort_error_memory("a signature");
    memcpy(layouts, types->layouts, types->n_layouts * sizeof *layouts);
    memcpy(names, types->names, types->n_layouts * sizeof *names);
    *b->out_type_names = names;
    b->signature->sig.ntypes = types->n_layouts;
    b->signature->sig.types = layouts;
    return COHORT_OK;
}

/* A copy of the sig with room for more arguments before and behind its own, which the caller
 * fills. */
static cohort_status widen(builder *b, uint32_t before, uint32_t behind, cohort_sig *out,
                           cohort_arg **out_args, const char ***out_names)
{
    const cohort_sig *sig = &b->signature->sig;
    size_t n = (size_t)before + sig->nargs + behind;
    cohort_arg *args = cohort_arena_take(b->arena, n, sizeof *args);
    const char **names = cohort_arena_take(b->arena, n, sizeof *names);
    if (args == NULL || names == NULL)
        return cohort_error_memory("a signature");
    memcpy(args + before, sig->args, sig->nargs * sizeof *args);
    memcpy(names + before, sig->names, sig->nargs * sizeof *names);
    *out = *sig;
    out->nargs = (uint32_t)n;
    out->args = *out_args = args;
    out->names = *out_names = names;
    return COHORT_OK;
}

/* The ranges of the indices, as COHORT_ITEMS and COHORT_ITEMS_2D name them. */
static const char *const range_names[] = { "cohort_begin", "cohort_end",     "cohort_begin_1",
                                           "cohort_end_1", "cohort_begin_2", "cohort_end_2" };

/* "(int64_t cohort_begin, int64_t cohort_end, " and what follows the parenthesis of the
 * prototype. */
static const char *item_text(builder *b)
{
    static const char *const heads[] = {
        "(int64_t cohort_begin, int64_t cohort_end",
        "(int64_t cohort_begin, int64_t cohort_end, int64_t cohort_begin_1, int64_t cohort_end_1",
        ("(int64_t cohort_begin, int64_t cohort_end, int64_t cohort_begin_1, int64_t cohort_end_1, "
         "int64_t cohort_begin_2, int64_t cohort_end_2"),
    };
    _Static_assert(sizeof heads / sizeof *heads == COHORT_MAX_INDICES, "one for each number");
    const char *head = heads[b->signature->n_indices - 1];
    const char *open = strchr(b->signature->prototype, '(');
    cohort_assert(open != NULL); /* the parser has read it */
    const char *rest = open + 1;
    const char *comma = b->signature->n_parameters > 0 ? ", " : ")";
    size_t bytes = strlen(head) + 1 + strlen(comma) + strlen(rest);
    char *text = cohort_arena_take(b->arena, bytes, 1);
    if (text != NULL)
        (void)snprintf(text, bytes, "%s%s%s", head, comma,
                       b->signature->n_parameters > 0 ? rest : "");
    return text;
}

static cohort_status describe_items(builder *b)
{
    static const cohort_arg range = { COHORT_ARG_VALUE, COHORT_I64, 0, sizeof(int64_t) };
    cohort_sig *sig = &b->signature->item_sig;
    if (b->signature->item == NULL)
        return COHORT_OK;
    cohort_arg *args;
    const char **arg_names;
    uint32_t n = 2 * (uint32_t)b->signature->n_indices;
    cohort_status status = widen(b, n, 0, sig, &args, &arg_names);
    if (status != COHORT_OK)
        return status;
    for (uint32_t i = 0; i < n; i++) {
        args[i] = range;
        arg_names[i] = range_names[i];
    }
    sig->text = item_text(b);
    return sig->text != NULL ? COHORT_OK : cohort_error_memory("a signature");
}

static cohort_status describe_kernel(builder *b)
{
    const cohort_signature *signature = b->signature;
    cohort_sig *sig = &b->signature->kernel_sig;
    uint32_t n = signature->sig.nargs;
    cohort_arg *args;
    const char **names;
    cohort_status status = widen(b, 0, signature->has_result, sig, &args, &names);
    if (status == COHORT_OK && signature->has_result) {
        args[n] = (cohort_arg){ COHORT_ARG_MEM, signature->result_type, COHORT_WRITE,
                                signature->result_bytes };
        names[n] = "result";
    }
    sig->ret = COHORT_VOID;
    return status;
}

/* sig is whole before the others are made of it. */
cohort_status cohort_plugin_sig_describe(cohort_arena *arena, const cohort_types *types,
                                         cohort_signature *signature,
                                         const char *const **out_type_names)
{
    builder b = { .arena = arena, .signature = signature, .out_type_names = out_type_names };
    cohort_status status = describe_arguments(&b, types);
    if (status == COHORT_OK)
        status = describe_types(&b, types);
    signature->sig.struct_size = sizeof(cohort_sig);
    signature->sig.text = signature->prototype;
    signature->sig.ret = signature->result_type;
    if (status == COHORT_OK)
        status = describe_items(&b);
    return status == COHORT_OK ? describe_kernel(&b) : status;
}
