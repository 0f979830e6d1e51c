/* SPDX-License-Identifier: BSD-3-Clause */
/* A struct's members are rewritten when they are read, as are words behind a typedef: names mean
 * what they meant there. So what a kernel's declaration comes to has no name of the file left but
 * those of its structs and enums. */
#include "config.h"

#include "cli/cl_types.h"

#include "cli/cl_condition.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 32, NUMBER_BYTES_OF_TEXT = 24 };

static void read_struct(cl_types *t, const cl_token *tokens, int n, int *at, cl_words *out);

static bool add(cl_types *t, cl_list *list, cl_token token)
{
    return cl_list_add(t->reader->pool, list, token);
}

static cl_token word(const char *text, cl_token like)
{
    like.kind = CL_NAME;
    like.start = text;
    like.length = (int32_t)strlen(text);
    return like;
}

static bool is_one_of(cl_token token, const char *const words[])
{
    for (int i = 0; words[i] != NULL; i++)
        if (cl_is(token, words[i]))
            return true;
    return false;
}

static bool is_qualifier(cl_token token)
{
    static const char *const words[] = {
        "const",        "volatile",   "restrict",     "__restrict",  "__restrict__",
        "static",       "extern",     "inline",       "__inline",    "register",
        "kernel",       "__kernel",   "global",       "__global",    "local",
        "__local",      "constant",   "__constant",   "private",     "__private",
        "generic",      "__generic",  "read_only",    "__read_only", "write_only",
        "__write_only", "read_write", "__read_write", NULL
    };
    return is_one_of(token, words);
}

/* Several of these make one type. */
static bool is_arithmetic(cl_token token)
{
    static const char *const words[] = { "unsigned", "signed", "int",  "char",  "short", "long",
                                         "float",    "double", "half", "_Bool", "bool",  NULL };
    return is_one_of(token, words);
}

static bool is_tag(cl_token token)
{
    return cl_is(token, "struct") || cl_is(token, "union") || cl_is(token, "enum");
}

/* ---- Names */

/* Room for one more; NULL beyond the limit, or without memory. */
static void *new_name(cl_types *t, cl_token at, size_t bytes)
{
    if (t->n_names++ < CL_MOST_NAMES)
        return pool_take(t->reader->pool, bytes);
    cl_reader_remark(t->reader, at, "more than %d names of types and constants", CL_MOST_NAMES);
    return NULL;
}

static bool is_given(const cl_types *t, cl_token name)
{
    for (int i = 0; t->given != NULL && t->given[i] != NULL; i++)
        if (cl_is(name, t->given[i]->name))
            return true;
    return false;
}

static const cl_alias *find_alias(const cl_types *t, cl_token name)
{
    const cl_alias *a = is_given(t, name) ? NULL : t->aliases;
    while (a != NULL && !cl_same(a->name, name))
        a = a->next;
    return a;
}

static bool find_constant(const void *user, cl_token name, int64_t *out)
{
    const cl_constant *c = ((const cl_types *)user)->constants;
    while (c != NULL && !cl_same(c->name, name))
        c = c->next;
    *out = c != NULL ? c->value : 0;
    return c != NULL;
}

bool cl_types_evaluate(const cl_types *t, const cl_token *tokens, int n, int64_t *out)
{
    return cl_condition(tokens, n, find_constant, t, out) == NULL;
}

static cl_token number(cl_types *t, int64_t value, cl_token like)
{
    char text[NUMBER_BYTES_OF_TEXT];
    int length = snprintf(text, sizeof text, "%lld", (long long)value);
    const char *kept = pool_text(t->reader->pool, text, (size_t)length);
    cl_token token = word(kept != NULL ? kept : "", like);
    token.kind = CL_NUMBER;
    return token;
}

/* A tag may be used before its braces come. */
static cl_type *type_of_tag(cl_types *t, cl_token tag)
{
    cl_type *type = t->types;
    while (type != NULL && !(tag.length > 0 && cl_same(type->tag, tag)))
        type = type->next;
    if (type != NULL)
        return type;
    type = new_name(t, tag, sizeof *type);
    if (type == NULL)
        return NULL;
    *type = (cl_type){ .name = tag, .tag = tag, .aligned = 1, .next = t->types };
    t->types = type;
    return type;
}

static cl_type *unnamed_type(cl_types *t, cl_token like)
{
    char text[NUMBER_BYTES_OF_TEXT];
    int length = snprintf(text, sizeof text, "unnamed_%d", ++t->n_unnamed);
    const char *kept = pool_text(t->reader->pool, text, (size_t)length);
    cl_type *type = kept != NULL ? type_of_tag(t, (cl_token){ .start = "" }) : NULL;
    if (type != NULL)
        type->name = word(kept, like);
    return type;
}

/* ---- Braces and brackets */

/* Behind the mark that closes the one at `at`, or n. */
static int skip_balanced(const cl_token *tokens, int n, int at)
{
    int depth = 0;
    do {
        depth += cl_is(tokens[at], "{") || cl_is(tokens[at], "(") || cl_is(tokens[at], "[");
        depth -= cl_is(tokens[at], "}") || cl_is(tokens[at], ")") || cl_is(tokens[at], "]");
        at++;
    } while (at < n && depth > 0);
    return at;
}

void cl_types_read_extents(cl_types *t, const cl_token *tokens, int n, int *at, cl_list *out)
{
    while (*at < n && cl_is(tokens[*at], "[")) {
        int from = *at + 1, behind = skip_balanced(tokens, n, *at);
        int64_t value = 0;
        (void)add(t, out, tokens[*at]);
        if (cl_types_evaluate(t, tokens + from, behind - 1 - from, &value))
            (void)add(t, out, number(t, value, tokens[from]));
        else
            (void)cl_list_add_all(t->reader->pool, out, tokens + from, behind - 1 - from);
        (void)add(t, out, tokens[behind - 1]);
        *at = behind;
    }
}

/* ---- Words */

/* "const fptr x" makes the pointer constant and not what is there, so that the word goes. */
static void drop_const(cl_list *words)
{
    int n = 0;
    for (int i = 0; i < words->n; i++)
        if (!cl_is(words->tokens[i], "const"))
            words->tokens[n++] = words->tokens[i];
    words->n = n;
}

static void take_alias(cl_types *t, const cl_alias *alias, cl_words *out)
{
    if (alias->is_pointer)
        drop_const(&out->words);
    out->alias = alias;
    (void)cl_list_add_all(t->reader->pool, &out->words, alias->words.tokens, alias->words.n);
}

void cl_types_read_words(cl_types *t, const cl_token *tokens, int n, int *at, cl_words *out)
{
    bool has_type = false;
    *out = (cl_words){ .alias = NULL };
    for (; *at < n && (tokens[*at].kind == CL_NAME || tokens[*at].kind == CL_TYPE); (*at)++) {
        cl_token token = tokens[*at];
        const cl_alias *alias = has_type ? NULL : find_alias(t, token);
        bool is_more = is_qualifier(token) || is_arithmetic(token);
        if (has_type && !is_more)
            return;
        has_type |= !is_qualifier(token);
        if (is_tag(token)) {
            read_struct(t, tokens, n, at, out);
            (*at)--;
        } else if (alias != NULL) {
            take_alias(t, alias, out);
        } else if (!(cl_is(token, "const") && out->alias != NULL && out->alias->is_pointer)) {
            (void)add(t, &out->words, token);
        }
    }
}

/* ---- Members */

/* "* restrict name [4] : 3", up to a comma or a semicolon. */
static void read_declarator(cl_types *t, const cl_token *tokens, int n, int *at,
                            const cl_words *words, cl_list *out)
{
    if (words->alias != NULL && words->alias->is_pointer)
        (void)add(t, out, (cl_token){ .kind = CL_MARK, .start = "*", .length = 1 });
    while (*at < n && !cl_is(tokens[*at], ",") && !cl_is(tokens[*at], ";"))
        if (cl_is(tokens[*at], "["))
            cl_types_read_extents(t, tokens, n, at, out);
        else
            (void)add(t, out, tokens[(*at)++]);
    if (words->alias != NULL)
        (void)cl_list_add_all(t->reader->pool, out, words->alias->extents.tokens,
                              words->alias->extents.n);
}

static void read_members(cl_types *t, const cl_token *tokens, int n, cl_list *out)
{
    for (int at = 0; at < n;) {
        cl_words words;
        int first = at;
        cl_types_read_words(t, tokens, n, &at, &words);
        (void)cl_list_add_all(t->reader->pool, out, words.words.tokens, words.words.n);
        while (at < n) {
            read_declarator(t, tokens, n, &at, &words, out);
            bool has_more = at < n && cl_is(tokens[at], ",");
            if (at < n)
                (void)add(t, out, tokens[at++]);
            if (!has_more)
                break;
        }
        if (at == first) /* what begins no member is left to the error of the library */
            (void)add(t, out, tokens[at++]);
    }
}

static void keep_constant(cl_types *t, cl_token name, int64_t value)
{
    cl_constant *c = new_name(t, name, sizeof *c);
    if (c == NULL)
        return;
    *c = (cl_constant){ .name = name, .value = value, .next = t->constants };
    t->constants = c;
}

/* A, B = 5, C: each with its value. */
static void read_constants(cl_types *t, const cl_token *tokens, int n, cl_list *out)
{
    int64_t value = 0;
    for (int at = 0; at < n;) {
        int end = at;
        cl_token name = tokens[at];
        while (end < n && !cl_is(tokens[end], ","))
            end = cl_is(tokens[end], "(") ? skip_balanced(tokens, n, end) : end + 1;
        if (end > at + 2 && !cl_types_evaluate(t, tokens + at + 2, end - at - 2, &value))
            cl_reader_remark(t->reader, name, "%.*s: a value that is no constant", (int)name.length,
                             name.start);
        keep_constant(t, name, value);
        if (at > 0)
            (void)add(t, out, (cl_token){ .kind = CL_MARK, .start = ",", .length = 1 });
        (void)add(t, out, name);
        (void)add(t, out, (cl_token){ .kind = CL_MARK, .start = "=", .length = 1 });
        (void)add(t, out, number(t, value, name));
        value = (int64_t)((uint64_t)value + 1); /* behind the largest number too */
        at = end + 1;
    }
}

/* ---- Structs */

static void read_braces(cl_types *t, const cl_token *tokens, int n, int *at, cl_type *type)
{
    int from = *at + 1, behind = skip_balanced(tokens, n, *at);
    *at = behind;
    if (type->is_defined || t->depth == DEEPEST)
        return;
    t->depth++;
    if (type->is_enum)
        read_constants(t, tokens + from, behind - 1 - from, &type->members);
    else
        read_members(t, tokens + from, behind - 1 - from, &type->members);
    t->depth--;
    type->is_defined = true;
}

/* struct TAG, struct TAG { ... } or struct { ... }; what comes of it is one word. */
static void read_struct(cl_types *t, const cl_token *tokens, int n, int *at, cl_words *out)
{
    cl_token kind = tokens[(*at)++];
    bool has_tag = *at < n && tokens[*at].kind == CL_NAME;
    cl_type *type = has_tag ? type_of_tag(t, tokens[*at]) : unnamed_type(t, kind);
    *at += has_tag;
    if (type == NULL)
        return;
    type->is_enum = cl_is(kind, "enum");
    type->is_union = cl_is(kind, "union");
    if (*at < n && cl_is(tokens[*at], "{")) {
        read_braces(t, tokens, n, at, type);
        out->defined = type;
    }
    cl_token name = word("", kind);
    name.kind = CL_TYPE;
    name.type = type;
    (void)add(t, &out->words, name);
}

/* ---- Declarations */

static bool has_word(const cl_list *list, const char *a, const char *b)
{
    for (int i = 0; i < list->n; i++)
        if (cl_is(list->tokens[i], a) || cl_is(list->tokens[i], b))
            return true;
    return false;
}

static void keep_alias(cl_types *t, cl_alias alias)
{
    cl_alias *kept = new_name(t, alias.name, sizeof *kept);
    if (kept == NULL)
        return;
    alias.next = t->aliases;
    *kept = alias;
    t->aliases = kept;
}

/* A struct is called by the first name that a typedef gives it, which is what programs write. */
static void name_type(const cl_words *words, cl_token name, bool is_plain)
{
    if (words->defined == NULL || words->defined->is_named || !is_plain)
        return;
    words->defined->name = name;
    words->defined->is_named = true;
}

/* "* name [4]" of a typedef: what comes behind a parenthesis, a pointer to a function, is no type
 * of a parameter. */
static void read_alias(cl_types *t, const cl_token *tokens, int n, int *at, const cl_words *words)
{
    cl_alias alias = { .words = words->words };
    if (words->alias != NULL) {
        alias.is_pointer = words->alias->is_pointer;
        alias.extents = words->alias->extents;
    }
    for (; *at < n && (cl_is(tokens[*at], "*") || is_qualifier(tokens[*at])); (*at)++)
        alias.is_pointer |= cl_is(tokens[*at], "*");
    if (*at < n && tokens[*at].kind == CL_NAME)
        alias.name = tokens[(*at)++];
    cl_list own = { .n = 0 };
    cl_types_read_extents(t, tokens, n, at, &own);
    (void)cl_list_add_all(t->reader->pool, &own, alias.extents.tokens, alias.extents.n);
    alias.extents = own;
    bool is_plain = !alias.is_pointer && own.n == 0;
    if (alias.name.length == 0)
        return;
    name_type(words, alias.name, is_plain);
    keep_alias(t, alias);
}

static bool is_packed(const cl_list *attributes)
{
    return has_word(attributes, "packed", "__packed__");
}

static bool is_aligned(const cl_list *attributes)
{
    return has_word(attributes, "aligned", "__aligned__");
}

/* The 16 of aligned(16); 0: no number, as of aligned alone, which is the most that the device
 * has. */
static int64_t alignment_of(const cl_types *t, const cl_list *attributes)
{
    int64_t bytes = 0;
    int at = 0;
    while (!cl_is(attributes->tokens[at], "aligned") &&
           !cl_is(attributes->tokens[at], "__aligned__"))
        at++;
    if (++at >= attributes->n || !cl_is(attributes->tokens[at], "("))
        return 0;
    int end = skip_balanced(attributes->tokens, attributes->n, at);
    return cl_types_evaluate(t, attributes->tokens + at, end - at, &bytes) ? bytes : 0;
}

void cl_types_declare(cl_types *t, const cl_token *tokens, int n, const cl_list *outer,
                      const cl_list *inner)
{
    bool is_typedef = n > 0 && cl_is(tokens[0], "typedef");
    int at = is_typedef ? 1 : 0;
    cl_words words;
    cl_types_read_words(t, tokens, n, &at, &words);
    if (words.defined != NULL) {
        words.defined->is_packed |= is_packed(outer);
        words.defined->aligned = is_aligned(outer) ? alignment_of(t, outer) : 1;
        words.defined->has_odd_members |= is_packed(inner) || is_aligned(inner);
    }
    while (is_typedef && at < n && !cl_is(tokens[at], ";") && !cl_is(tokens[at], "(")) {
        int first = at;
        read_alias(t, tokens, n, &at, &words);
        at += at < n && cl_is(tokens[at], ",");
        if (at == first)
            break;
    }
}
