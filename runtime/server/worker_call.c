/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes come from outside of the process: each length is compared with what is left before it is
 * used. What the arguments mean to the function, cohort_update checks. */
#include "config.h"

#include "runtime/server/worker_call.h"

#include "runtime/base/array.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/signature.h"

#include <string.h>

cohort_status cohort_request_refuse(const char *what)
{
    return cohort_error_set(COHORT_EINVAL, "a request of another program: %s", what);
}

static cohort_status refuse(void)
{
    return cohort_request_refuse("a call that is packed in another way");
}

/* ------------------------------------------------------------------ unpacking */

typedef struct unpacking {
    const char *bytes;
    uint64_t n, at;
} unpacking;

/* The next so many bytes; NULL: there are fewer. */
static const char *take(unpacking *u, uint64_t bytes)
{
    const char *taken = u->bytes + u->at;
    if (bytes > u->n - u->at)
        return NULL;
    u->at += bytes;
    return taken;
}

static bool copy(unpacking *u, void *into, uint64_t bytes)
{
    const char *from = take(u, bytes);
    if (from != NULL)
        memcpy(into, from, bytes);
    return from != NULL;
}

static bool align(unpacking *u)
{
    uint64_t over = u->at % COHORT_CALL_ALIGNMENT;
    return over == 0 || take(u, COHORT_CALL_ALIGNMENT - over) != NULL;
}

/* A call as it is packed. */
typedef struct packed {
    cohort_server_call head;
    cohort_server_argument arguments[COHORT_MAX_ARGUMENTS];
    const char *name, *text; /* each with its end */
    unpacking contents;
} packed;

static cohort_status unpack(const char *bytes, uint64_t n, packed *out)
{
    unpacking u = { bytes, n, 0 };
    if (!copy(&u, &out->head, sizeof out->head) || out->head.n_arguments < 0 ||
        out->head.n_arguments > COHORT_MAX_ARGUMENTS ||
        !copy(&u, out->arguments, (uint64_t)out->head.n_arguments * sizeof *out->arguments) ||
        !align(&u))
        return refuse();
    uint64_t text_bytes = out->head.text_bytes;
    out->name = take(&u, text_bytes);
    if (out->name == NULL || text_bytes < 2 || out->name[text_bytes - 1] != '\0' ||
        strlen(out->name) + 1 >= text_bytes)
        return refuse();
    out->text = out->name + strlen(out->name) + 1;
    out->contents = u;
    return COHORT_OK;
}

/* ------------------------------------------------------------------ the function */

static cohort_status find_function(const packed *p, const cohort_function *const functions[],
                                   const cohort_function **out)
{
    for (; functions != NULL && *functions != NULL; functions++)
        if (strcmp((*functions)->name, p->name) == 0) {
            *out = *functions;
            return COHORT_OK;
        }
    return cohort_error_set(COHORT_ENOENT,
                            "function '%.100s' is none of those that cohort_server_run was given "
                            "(functions of cohort_server_options)",
                            p->name);
}

static cohort_status check_same(const packed *p, const cohort_signature *s)
{
    if (s->digest == p->head.digest)
        return COHORT_OK;
    size_t names = strlen(s->returns) + 1 + strlen(s->name);
    bool is_same_text = strlen(p->text) > names &&
                        strncmp(p->text, s->returns, strlen(s->returns)) == 0 &&
                        strcmp(p->text + names, s->prototype) == 0;
    if (is_same_text)
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "function '%s%.160s' has another body of COHORT_ITEMS, or other "
                                "types, here than with the worker; start the same program",
                                s->name, s->prototype);
    return cohort_error_set(COHORT_EINCOMPATIBLE,
                            "the function is '%s %s%.160s' here, and '%.160s' with the worker; "
                            "start the same program",
                            s->returns, s->name, s->prototype, p->text);
}

/* ------------------------------------------------------------------ arguments */

static cohort_status read_array(cohort_worker_call *c, const cohort_server_argument *a,
                                const char *content, cohort_argument *out)
{
    cohort_array *array = &c->arrays[c->n_arrays++];
    *array = (cohort_array){ .data = cohort_memory_own(content),
                             .dtype = (cohort_dtype)a->dtype,
                             .item_bytes = a->item_bytes,
                             .rank = a->rank };
    memcpy(array->shape, a->shape, sizeof array->shape);
    cohort_status status = cohort_array_check(array, false, "an argument");
    if (status < 0)
        return status;
    if (a->bytes != (uint64_t)(cohort_array_items(array) * cohort_array_item_bytes(array)))
        return refuse();
    out->as.p = array;
    return COHORT_OK;
}

static cohort_status read_variable(cohort_worker_call *c, const cohort_server_argument *a,
                                   const cohort_parameter *p)
{
    if (a->bytes != 0 || a->word > INT32_MAX)
        return refuse();
    c->variables[c->n_variables++] = (cohort_called_variable){
        .argument = c->n_arguments,
        .number = (int32_t)a->word,
        .is_written = cohort_parameter_is_written(p),
    };
    return COHORT_OK;
}

static cohort_status read_content(const cohort_server_argument *a, uint64_t bytes,
                                  const char *content, cohort_argument *out)
{
    if (a->bytes != bytes)
        return refuse();
    out->bytes = a->kind == COHORT_ARGUMENT_BYTES ? (uint32_t)bytes : 0;
    out->as.p = content;
    return COHORT_OK;
}

static cohort_status read_argument(cohort_worker_call *c, const cohort_server_argument *a,
                                   const cohort_parameter *p, const char *content)
{
    cohort_argument *out = &c->arguments[c->n_arguments];
    *out = cohort_argument_make_((cohort_argument_kind)a->kind, NULL);
    switch (a->kind) {
    case COHORT_ARGUMENT_INT:
    case COHORT_ARGUMENT_UINT:
    case COHORT_ARGUMENT_REAL:
        out->as.u = a->word;
        return a->bytes == 0 ? COHORT_OK : refuse();
    case COHORT_ARGUMENT_LONG_DOUBLE:
        return read_content(a, sizeof(long double), content, out);
    case COHORT_ARGUMENT_COMPLEX:
        return read_content(a, 2 * sizeof(long double), content, out);
    case COHORT_ARGUMENT_BYTES:
        return read_content(a, p->bytes, content, out);
    case COHORT_ARGUMENT_ARRAY:
        return read_array(c, a, content, out);
    case COHORT_ARGUMENT_VARIABLE:
        return read_variable(c, a, p);
    default:
        return refuse();
    }
}

/* Bounds and scratch are passed by name, behind those that are passed by their place. */
static bool is_named(const cohort_parameter *p)
{
    return p->role == COHORT_ROLE_BOUND || p->role == COHORT_ROLE_LOCAL;
}

/* Those that are named, or the others; each pass takes the contents of all, in their order. */
static cohort_status read_arguments(cohort_worker_call *c, const packed *p,
                                    const cohort_signature *s, bool are_named)
{
    unpacking u = p->contents;
    int32_t before = -1;
    for (int32_t i = 0; i < (int32_t)p->head.n_arguments; i++) {
        const cohort_server_argument *a = &p->arguments[i];
        bool is_right = a->parameter > before && a->parameter < s->n_parameters && align(&u);
        const char *content = is_right ? take(&u, a->bytes) : NULL;
        if (content == NULL)
            return refuse();
        before = a->parameter;
        const cohort_parameter *parameter = &s->parameters[a->parameter];
        if (is_named(parameter) != are_named)
            continue;
        cohort_status status = read_argument(c, a, parameter, content);
        if (status < 0)
            return status;
        c->arguments[c->n_arguments++].name = are_named ? parameter->name : NULL;
    }
    return COHORT_OK;
}

cohort_status cohort_worker_call_read(cohort_worker_call *out,
                                      const cohort_function *const functions[], const char *bytes,
                                      uint64_t n)
{
    packed p;
    cohort_status status = unpack(bytes, n, &p);
    out->n_arguments = out->n_arrays = out->n_variables = 0;
    if (status >= 0)
        status = find_function(&p, functions, &out->function);
    if (status < 0)
        return status;
    const cohort_signature *s = cohort_signature_of(out->function);
    status = s != NULL ? check_same(&p, s) : cohort_error_status();
    if (status >= 0)
        status = read_arguments(out, &p, s, false);
    if (status >= 0 && s->has_result)
        out->arguments[out->n_arguments++] = COHORT_DROP;
    if (status >= 0)
        status = read_arguments(out, &p, s, true);
    out->arguments[out->n_arguments] = cohort_argument_make_(COHORT_ARGUMENT_END, NULL);
    return status;
}
