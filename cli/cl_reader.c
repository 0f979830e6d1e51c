/* SPDX-License-Identifier: BSD-3-Clause */
/* Expansion as C says it (C11, 6.10.3): arguments are expanded by themselves before they are put
 * in, unless # or ## stands beside them; what comes of that is read again with the rest of the
 * file, and a macro is not expanded inside of itself. */
#include "config.h"

#include "cli/cl_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 200 };

void cl_reader_remark(cl_reader *reader, cl_token at, const char *format, ...)
{
    char text[CL_REMARK_BYTES / 2];
    va_list arguments;
    if (reader->remark[0] != '\0')
        return;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)snprintf(reader->remark, sizeof reader->remark, "%.200s:%d: %s",
                   at.file != NULL ? at.file : "", (int)at.line, text);
}

static cl_token stop(cl_reader *reader, cl_token at, const char *why)
{
    cl_reader_remark(reader, at, "%s", why);
    reader->is_stopped = true;
    return (cl_token){ .kind = CL_END, .start = "", .file = at.file, .line = at.line };
}

/* ---- Sources */

/* false: no memory, and reading has stopped. */
static bool push(cl_reader *reader, cl_source source, cl_token at)
{
    cl_source *s = pool_take(reader->pool, sizeof *s);
    if (s == NULL)
        return stop(reader, at, "no memory for what the macros expand to"), false;
    *s = source;
    s->below = reader->sources;
    if (s->macro != NULL)
        s->macro->is_active = true;
    reader->sources = s;
    return true;
}

static void pop(cl_reader *reader)
{
    if (reader->sources->macro != NULL)
        reader->sources->macro->is_active = false;
    reader->sources = reader->sources->below;
}

/* The text is over, and what is missing may have taken all of it. */
static void check_groups(cl_reader *reader)
{
    const cl_group *g = reader->n_groups > 0 ? &reader->groups[reader->n_groups - 1] : NULL;
    if (g != NULL)
        cl_reader_remark(reader, (cl_token){ .file = g->file, .line = g->line },
                         "#if without #endif");
}

static cl_token next_of_file(cl_reader *reader)
{
    for (;;) {
        cl_lexer *file = &reader->files[reader->n_files - 1];
        cl_token t = cl_lexer_next(file);
        if (t.kind == CL_END && reader->n_files == 1)
            return check_groups(reader), t;
        if (t.kind == CL_END)
            reader->n_files--;
        else if (t.is_first && cl_is(t, "#"))
            cl_reader_direct(reader);
        else if (!cl_reader_is_skipping(reader))
            return t;
        if (reader->is_stopped)
            return (cl_token){ .kind = CL_END, .start = "" };
    }
}

cl_token cl_reader_raw(cl_reader *reader)
{
    static const cl_token end = { .kind = CL_END, .start = "" };
    if (reader->is_stopped)
        return end;
    while (reader->sources != NULL) {
        cl_source *s = reader->sources;
        if (s->at < s->n)
            return s->tokens[s->at++];
        if (s->is_barrier)
            return end;
        pop(reader);
    }
    return next_of_file(reader);
}

/* Whether a parenthesis comes next, wherever from; nothing is taken. A directive is none. */
static bool is_call(const cl_reader *reader)
{
    for (const cl_source *s = reader->sources; s != NULL; s = s->below) {
        if (s->at < s->n)
            return cl_is(s->tokens[s->at], "(");
        if (s->is_barrier)
            return false;
    }
    cl_lexer ahead = reader->files[reader->n_files - 1];
    return cl_is(cl_lexer_next(&ahead), "(");
}

/* ---- Arguments */

/* raw: as it stands; full: expanded, once it is asked for */
typedef struct argument {
    cl_list raw, full;
    bool is_expanded;
} argument;

/* As many as the macro has parameters; where it has none, the one that stands empty. */
typedef struct arguments {
    argument *list;
    int n, most;
} arguments;

static bool make_arguments(cl_reader *reader, const cl_macro *m, arguments *out)
{
    out->most = m->parameters.n > 0 ? m->parameters.n : 1;
    out->list = pool_take(reader->pool, (size_t)out->most * sizeof *out->list);
    return out->list != NULL;
}

/* Whether a comma here divides arguments: behind the last one, which "..." has, it does not. */
static bool divides(const arguments *a, cl_token t, int depth)
{
    return depth == 1 && cl_is(t, ",") && a->n < a->most;
}

/* From the opening parenthesis on to the one that closes. false: it never does. */
static bool read_arguments(cl_reader *reader, arguments *a)
{
    int depth = 0;
    a->n = 1;
    do {
        cl_token t = cl_reader_raw(reader);
        if (t.kind == CL_END)
            return false;
        depth += cl_is(t, "(");
        depth -= cl_is(t, ")");
        bool is_inside = depth > 1 || (depth == 1 && !(cl_is(t, "(")));
        if (divides(a, t, depth))
            a->n++;
        else if (is_inside && !cl_list_add(reader->pool, &a->list[a->n - 1].raw, t))
            return false;
    } while (depth > 0);
    return true;
}

void cl_reader_expand(cl_reader *reader, const cl_token *tokens, int n, cl_list *out)
{
    cl_token at = n > 0 ? tokens[0] : (cl_token){ .start = "" };
    if (reader->depth == MOST_DEPTH) {
        (void)stop(reader, at, "too many calls of macros inside each other");
        return;
    }
    if (!push(reader, (cl_source){ .tokens = tokens, .n = n, .is_barrier = true }, at))
        return;
    reader->depth++;
    cl_source *barrier = reader->sources;
    for (cl_token t = cl_reader_next(reader); t.kind != CL_END; t = cl_reader_next(reader))
        if (!cl_list_add(reader->pool, out, t))
            break;
    while (reader->sources != NULL && reader->sources != barrier)
        pop(reader);
    if (reader->sources != NULL)
        pop(reader);
    reader->depth--;
}

static const cl_list *full_argument(cl_reader *reader, argument *a)
{
    if (!a->is_expanded)
        cl_reader_expand(reader, a->raw.tokens, a->raw.n, &a->full);
    a->is_expanded = true;
    return &a->full;
}

/* ---- Putting in */

/* -1: no parameter */
static int parameter_of(const cl_macro *m, cl_token t)
{
    for (int i = 0; t.kind == CL_NAME && i < m->parameters.n; i++)
        if (cl_same(m->parameters.tokens[i], t))
            return i;
    return -1;
}

/* The argument as a text: in a declaration it matters that it is one, and not what it says. */
static cl_token text_of(cl_token at)
{
    at.kind = CL_TEXT;
    at.start = "\"\"";
    at.length = 2;
    return at;
}

/* a ## b: one token of both texts. */
static bool paste(cl_reader *reader, cl_list *out, cl_token b)
{
    if (out->n == 0)
        return cl_list_add(reader->pool, out, b);
    cl_token *a = &out->tokens[out->n - 1];
    char *both = pool_take(reader->pool, (size_t)a->length + (size_t)b.length + 1);
    if (both == NULL)
        return false;
    memcpy(both, a->start, (size_t)a->length);
    memcpy(both + a->length, b.start, (size_t)b.length);
    a->kind = a->length > 0 ? a->kind : b.kind;
    a->start = both;
    a->length += b.length;
    a->is_painted = false;
    return true;
}

/* A list behind ##, whose first token joins the one before. */
static bool paste_all(cl_reader *reader, cl_list *out, const cl_list *list)
{
    if (list->n == 0)
        return true;
    return paste(reader, out, list->tokens[0]) &&
           cl_list_add_all(reader->pool, out, list->tokens + 1, list->n - 1);
}

static bool is_paste(const cl_macro *m, int i)
{
    return i >= 0 && i < m->body.n && cl_is(m->body.tokens[i], "##");
}

/* The place of an argument that is empty beside ##, so that the other side stays as it is. */
static const cl_token nothing = { .kind = CL_MARK, .start = "" };

static bool add_argument(cl_reader *reader, const cl_macro *m, argument *a, int i, cl_list *out)
{
    bool is_behind = is_paste(m, i - 1), is_before = is_paste(m, i + 1);
    const cl_list *list = is_behind || is_before ? &a->raw : full_argument(reader, a);
    if (is_behind)
        return paste_all(reader, out, list);
    if (is_before && list->n == 0)
        return cl_list_add(reader->pool, out, nothing);
    return cl_list_add_all(reader->pool, out, list->tokens, list->n);
}

static bool add_token(cl_reader *reader, const cl_macro *m, int i, cl_list *out)
{
    return is_paste(m, i - 1) ? paste(reader, out, m->body.tokens[i])
                              : cl_list_add(reader->pool, out, m->body.tokens[i]);
}

/* The body with arguments in the places of parameters. */
static bool put_in(cl_reader *reader, const cl_macro *m, const arguments *a, cl_list *out)
{
    bool is_good = true;
    for (int i = 0; is_good && i < m->body.n; i++) {
        cl_token t = m->body.tokens[i];
        int parameter = parameter_of(m, t);
        int texted = m->is_function && cl_is(t, "#") && i + 1 < m->body.n
                         ? parameter_of(m, m->body.tokens[i + 1])
                         : -1;
        if (cl_is(t, "##"))
            continue;
        if (texted >= 0)
            is_good = cl_list_add(reader->pool, out, text_of(t)), i++;
        else if (parameter >= 0)
            is_good = add_argument(reader, m, &a->list[parameter], i, out);
        else
            is_good = add_token(reader, m, i, out);
    }
    return is_good;
}

/* Empty places go, and all have the line of the call, which is where a reader looks. */
static void settle(cl_list *list, cl_token call)
{
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        cl_token t = list->tokens[i];
        t.line = call.line;
        t.file = call.file;
        t.is_first = false;
        if (t.length > 0)
            list->tokens[n++] = t;
    }
    list->n = n;
}

/* false: it is no call after all, or reading has stopped. */
static bool expand(cl_reader *reader, cl_macro *m, cl_token call)
{
    cl_list out = { .n = 0 };
    arguments a = { .n = 0 };
    if (m->is_function && !make_arguments(reader, m, &a))
        return (void)stop(reader, call, "no memory for what the macros expand to"), false;
    if (m->is_function && !read_arguments(reader, &a))
        return (void)stop(reader, call, "the call of a macro is never closed"), false;
    if (!put_in(reader, m, &a, &out))
        return (void)stop(reader, call, "no memory for what the macros expand to"), false;
    settle(&out, call);
    return push(reader, (cl_source){ .tokens = out.tokens, .n = out.n, .macro = m }, call);
}

cl_token cl_reader_next(cl_reader *reader)
{
    for (;;) {
        cl_token t = cl_reader_raw(reader);
        cl_macro *m =
            t.kind == CL_NAME && !t.is_painted ? cl_macros_find(&reader->macros, t) : NULL;
        t.is_painted |= m != NULL && m->is_active;
        if (m == NULL || t.is_painted || (m->is_function && !is_call(reader)))
            return t;
        if (!expand(reader, m, t))
            return (cl_token){ .kind = CL_END, .start = "" };
    }
}
