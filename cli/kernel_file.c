/* SPDX-License-Identifier: BSD-3-Clause */
/* The declarations of a file, one after the other; bodies and initial values are passed over. What
 * is kept of one is what stands outside of attributes, which are collected by themselves. */
#include "config.h"

#include "cli/kernel_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 100000, LOCAL_BYTES = 96 };

typedef struct declaration {
    cl_list tokens, outer, inner; /* the last two of attributes, outside and inside of braces */
    bool has_body, is_over;
} declaration;

/* ---- Reading one */

static bool opens(cl_token t)
{
    return cl_is(t, "(") || cl_is(t, "[") || cl_is(t, "{");
}

static bool closes(cl_token t)
{
    return cl_is(t, ")") || cl_is(t, "]") || cl_is(t, "}");
}

static bool is_attribute(cl_token t)
{
    return cl_is(t, "__attribute__") || cl_is(t, "__attribute");
}

/* From behind an opening mark to the one that closes it; `into` may be NULL. */
static void read_balanced(kernel_file *k, cl_list *into)
{
    for (int depth = 1; depth > 0;) {
        cl_token t = cl_reader_next(&k->reader);
        if (t.kind == CL_END)
            return;
        depth += opens(t);
        depth -= closes(t);
        if (into != NULL && into->n < MOST_TOKENS)
            (void)cl_list_add(&k->pool, into, t);
    }
}

static void read_attribute(kernel_file *k, cl_list *into)
{
    if (cl_is(cl_reader_next(&k->reader), "("))
        read_balanced(k, into);
}

static bool begins_type(const cl_list *tokens)
{
    return tokens->n > 0 && cl_is(tokens->tokens[0], "typedef");
}

/* A brace begins a function's body behind its parameters, and values behind "="; else members. */
static bool is_body(const cl_list *tokens)
{
    return tokens->n > 0 && !begins_type(tokens) && cl_is(tokens->tokens[tokens->n - 1], ")");
}

static bool is_value(const cl_list *tokens)
{
    return tokens->n > 0 && cl_is(tokens->tokens[tokens->n - 1], "=");
}

/* Up to its semicolon, or the end of its body. false: the file has ended. */
static bool read_declaration(kernel_file *k, declaration *d)
{
    *d = (declaration){ .is_over = false };
    for (int braces = 0;;) {
        cl_token t = cl_reader_next(&k->reader);
        if (t.kind == CL_END)
            return false;
        if (is_attribute(t)) {
            read_attribute(k, braces > 0 ? &d->inner : &d->outer);
            continue;
        }
        if (cl_is(t, "{") && braces == 0 && (is_body(&d->tokens) || is_value(&d->tokens))) {
            d->has_body = is_body(&d->tokens);
            read_balanced(k, NULL);
            if (d->has_body)
                return true;
            continue;
        }
        braces += cl_is(t, "{");
        braces -= cl_is(t, "}");
        if (cl_is(t, ";") && braces <= 0)
            return true;
        if (d->tokens.n < MOST_TOKENS && !cl_list_add(&k->pool, &d->tokens, t))
            return false;
    }
}

/* ---- Kernels */

/* The place of the first parenthesis, before which a kernel says that it is one; 0: none. */
static int parameters_of(const cl_list *tokens)
{
    bool is_kernel = false;
    for (int i = 0; i < tokens->n; i++) {
        if (cl_is(tokens->tokens[i], "("))
            return is_kernel && i > 0 && tokens->tokens[i - 1].kind == CL_NAME ? i : 0;
        is_kernel |= cl_is(tokens->tokens[i], "kernel") || cl_is(tokens->tokens[i], "__kernel");
    }
    return 0;
}

static void keep_name(kernel_file *k, cl_token name)
{
    for (int i = 0; i < k->n_names; i++)
        if (cl_is(name, k->names[i]))
            return;
    if (k->n_names < KERNEL_FILE_MOST_NAMES)
        k->names[k->n_names] = pool_text(&k->pool, name.start, (size_t)name.length);
    k->n_names += k->n_names < KERNEL_FILE_MOST_NAMES && k->names[k->n_names] != NULL;
}

/* ---- Its text */

static cohort_type *add_use(kernel_file *k, const cl_type *type);

static void print_tokens(kernel_file *k, FILE *out, const cl_list *list)
{
    for (int i = 0; i < list->n; i++) {
        cl_token t = list->tokens[i];
        const cl_type *type = t.kind == CL_TYPE ? t.type : NULL;
        cl_token shown = type != NULL ? type->name : t;
        bool is_close = i == 0 || cl_is(list->tokens[i - 1], "*") ||
                        cl_is(list->tokens[i - 1], "[") || cl_is(t, "]") || cl_is(t, "[") ||
                        cl_is(t, ",") || cl_is(t, ";");
        bool is_refused = type != NULL && (!type->is_defined || type->is_union);
        fprintf(out, "%s%s%.*s", is_close ? "" : " ",
                !is_refused      ? ""
                : type->is_union ? "union "
                : type->is_enum  ? "enum "
                                 : "struct ",
                (int)shown.length, shown.start);
        if (type != NULL && !is_refused)
            (void)add_use(k, type);
    }
}

/* Text that is printed into memory of the pool. */
static char *print_type(kernel_file *k, const cl_type *type)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL)
        return NULL;
    fprintf(out, type->is_enum ? "enum { " : "{ ");
    print_tokens(k, out, &type->members);
    fprintf(out, " }");
    bool is_whole = fclose(out) == 0;
    char *kept = is_whole ? pool_text(&k->pool, text, bytes) : NULL;
    free(text);
    return kept;
}

static bool is_given(const kernel_file *k, cl_token name)
{
    for (int i = 0; k->types.given != NULL && k->types.given[i] != NULL; i++)
        if (cl_is(name, k->types.given[i]->name))
            return true;
    return false;
}

/* Once, and before those that it names itself, so that one that contains itself ends here. */
static cohort_type *add_use(kernel_file *k, const cl_type *type)
{
    enum { MOST = sizeof k->uses / sizeof *k->uses - 1 };
    for (int i = 0; i < k->n_uses; i++)
        if (k->used[i] == type)
            return k->uses[i];
    cohort_type *use =
        k->n_uses < MOST && !is_given(k, type->name) ? pool_take(&k->pool, sizeof *use) : NULL;
    if (use == NULL)
        return NULL;
    use->name = pool_text(&k->pool, type->name.start, (size_t)type->name.length);
    use->is = "";
    k->used[k->n_uses] = type;
    k->uses[k->n_uses++] = use;
    use->is = print_type(k, type);
    return use;
}

/* One parameter: its words, with the star of a typedef, and the rest as it stands but for sizes. */
static void print_parameter(kernel_file *k, FILE *out, const cl_token *tokens, int n)
{
    cl_words words;
    cl_list rest = { .n = 0 };
    int at = 0;
    cl_types_read_words(&k->types, tokens, n, &at, &words);
    bool is_array = words.alias != NULL && words.alias->extents.n > 0;
    bool has_star = (words.alias != NULL && words.alias->is_pointer) ||
                    (is_array && !(at < n && cl_is(tokens[at], "*")));
    if (has_star)
        (void)cl_list_add(&k->pool, &words.words,
                          (cl_token){ .kind = CL_MARK, .start = "*", .length = 1 });
    while (at < n)
        if (cl_is(tokens[at], "["))
            cl_types_read_extents(&k->types, tokens, n, &at, &rest);
        else
            (void)cl_list_add(&k->pool, &rest, tokens[at++]);
    (void)cl_list_add_all(&k->pool, &words.words, rest.tokens, rest.n);
    print_tokens(k, out, &words.words);
}

/* Behind the comma or the parenthesis that ends a parameter, at `at`. */
static int end_of_parameter(const cl_list *tokens, int at)
{
    int depth = 0;
    for (; at < tokens->n; at++) {
        cl_token t = tokens->tokens[at];
        if (depth == 0 && (cl_is(t, ",") || cl_is(t, ")")))
            return at;
        depth += opens(t);
        depth -= closes(t);
    }
    return at;
}

static void print_declaration(kernel_file *k, FILE *out, const cl_list *tokens, int parameters)
{
    cl_token name = tokens->tokens[parameters - 1];
    fprintf(out, "kernel void %.*s(", (int)name.length, name.start);
    for (int at = parameters + 1; at < tokens->n; at++) {
        int end = end_of_parameter(tokens, at);
        print_parameter(k, out, tokens->tokens + at, end - at);
        bool is_last = end >= tokens->n || cl_is(tokens->tokens[end], ")");
        fprintf(out, is_last ? ")" : ", ");
        if (is_last)
            return;
        at = end;
    }
}

/* ---- The wanted one */

/* "16, 4" of reqd_work_group_size(16, 4, 1): what is 1 from behind is left out, and the call says
 * as many sizes as it has. */
static void find_local(kernel_file *k, const cl_list *attributes)
{
    char text[LOCAL_BYTES] = "";
    int at = 0;
    while (at < attributes->n && !cl_is(attributes->tokens[at], "reqd_work_group_size") &&
           !cl_is(attributes->tokens[at], "__reqd_work_group_size__"))
        at++;
    size_t used = 0, shown = 0;
    for (at += 2; at < attributes->n && used < sizeof text;) {
        int end = end_of_parameter(attributes, at);
        int64_t size = 0;
        if (!cl_types_evaluate(&k->types, attributes->tokens + at, end - at, &size))
            return;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", used > 0 ? ", " : "",
                                 (long long)size);
        shown = shown == 0 || size != 1 ? used : shown;
        if (end >= attributes->n || cl_is(attributes->tokens[end], ")"))
            break;
        at = end + 1;
    }
    if (shown > 0 && shown < sizeof text)
        k->local = pool_text(&k->pool, text, shown);
}

static bool keep_kernel(kernel_file *k, const declaration *d, int parameters)
{
    char *text = NULL;
    size_t bytes = 0;
    cl_token name = d->tokens.tokens[parameters - 1];
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL)
        return false;
    k->n_uses = 0;
    memset(k->uses, 0, sizeof k->uses);
    print_declaration(k, out, &d->tokens, parameters);
    bool is_whole = fclose(out) == 0;
    k->prototype = is_whole ? pool_text(&k->pool, text, bytes) : NULL;
    free(text);
    (void)snprintf(k->place, sizeof k->place, "%.200s:%d", name.file, (int)name.line);
    find_local(k, &d->outer);
    k->is_found = true;
    return k->prototype != NULL;
}

/* The definition counts, which may have names that an earlier declaration leaves out. */
static bool take(kernel_file *k, const declaration *d, const char *name, bool *has_definition)
{
    int parameters = parameters_of(&d->tokens);
    if (parameters == 0 && !d->has_body)
        cl_types_declare(&k->types, d->tokens.tokens, d->tokens.n, &d->outer, &d->inner);
    if (parameters == 0)
        return true;
    cl_token found = d->tokens.tokens[parameters - 1];
    keep_name(k, found);
    if (!cl_is(found, name) || *has_definition)
        return true;
    *has_definition = d->has_body;
    return keep_kernel(k, d, parameters);
}

bool kernel_file_read(kernel_file *k, const char *path, const char *text, size_t bytes,
                      const char *name, const char *options, const char *macros,
                      const cohort_type *const given[])
{
    bool has_definition = false, is_good;
    declaration d;
    *k = (kernel_file){ .is_found = false };
    if (!cl_reader_begin(&k->reader, &k->pool, path, text, bytes))
        return false;
    cl_reader_take_options(&k->reader, macros != NULL ? macros : "");
    cl_reader_take_options(&k->reader, options != NULL ? options : "");
    k->types = (cl_types){ .reader = &k->reader, .given = given };
    do
        is_good = read_declaration(k, &d);
    while (is_good && take(k, &d, name, &has_definition));
    k->includes_beside = k->reader.includes_beside;
    return !k->pool.is_full;
}

void kernel_file_free(kernel_file *k)
{
    pool_free(&k->pool);
    *k = (kernel_file){ .is_found = false };
}
