/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an expression, and does what it says on the way. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const call *const groups[] = { value_calls,   variable_calls, replica_calls,  result_calls,
                                      dataset_calls, input_calls,    strategy_calls, worker_calls,
                                      cluster_calls, topology_calls };

/* ---- Ends. */

bool frame_is_over(frame *f)
{
    if (f->status == COHORT_OK && table_is_over(f->c, f->me == NULL))
        f->status = COHORT_EINTERNAL;
    return f->status != COHORT_OK;
}

thing frame_stop(frame *f, cohort_status status)
{
    f->status = status;
    if (f->me == NULL && status != COHORT_END)
        (void)table_failed(f->c);
    return nothing;
}

thing frame_done(frame *f, cohort_status status, thing x)
{
    return status == COHORT_OK ? x : frame_stop(f, status);
}

thing frame_malformed(frame *f, const char *format, ...)
{
    char text[TABLE_TEXT];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)table_malformed(f->c, "%s", text);
    f->status = COHORT_EINTERNAL;
    return nothing;
}

thing frame_unknown(frame *f, const char *what, const char *word)
{
    (void)table_unknown(f->c, what, word);
    f->status = COHORT_EINTERNAL;
    return nothing;
}

thing frame_skip(frame *f, const char *why)
{
    (void)table_skipped(f->c, why);
    f->status = COHORT_EINTERNAL;
    return nothing;
}

/* ---- Text. */

static void pass_spaces(frame *f)
{
    f->at += strspn(f->at, " \n");
}

static bool take(frame *f, char x)
{
    pass_spaces(f);
    bool is_there = *f->at == x;
    f->at += is_there;
    return is_there;
}

static bool expect(frame *f, char x)
{
    if (take(f, x))
        return true;
    if (!frame_is_over(f))
        (void)frame_malformed(f, "'%c' is missing before \"%.40s\"", x, f->at);
    return false;
}

static size_t word_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
    return isdigit((unsigned char)at[0]) ? 0 : n;
}

/* Behind what is in parentheses or braces, of which the first was read. */
static void pass_block(frame *f)
{
    int depth = 1;
    for (; *f->at != '\0' && depth > 0; f->at++) {
        if (*f->at == '\'')
            f->at += strcspn(f->at + 1, "'") + 1;
        depth += (*f->at == '{') - (*f->at == '}');
    }
}

/* ---- Names. */

void frame_name(frame *f, const char *name, thing x)
{
    int k = 0;
    size_t n = word_length(name);
    while (k < f->n_names && (f->names[k].n != n || strncmp(f->names[k].text, name, n) != 0))
        k++;
    if (k == FRAME_NAMES) {
        (void)frame_malformed(f, "more than %d names", FRAME_NAMES);
        return;
    }
    f->names[k].text = name;
    f->names[k].n = n;
    f->names[k].x = x;
    f->n_names += k == f->n_names;
}

static const thing *named(const frame *f, const char *name, size_t n)
{
    for (int k = 0; k < f->n_names; k++)
        if (f->names[k].n == n && strncmp(f->names[k].text, name, n) == 0)
            return &f->names[k].x;
    return NULL;
}

static const call *call_of(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        for (const call *one = groups[i]; one->name != NULL; one++)
            if (strlen(one->name) == n && strncmp(one->name, name, n) == 0)
                return one;
    return NULL;
}

/* ---- Expressions. */

static thing evaluate(frame *f);
static thing program(frame *f);

/* Behind an item of what `end` ends, or before the first, where no comma is: does one come? */
static bool comes(frame *f, char end, bool is_first)
{
    return !frame_is_over(f) && !take(f, end) && (is_first || expect(f, ','));
}

/* Of the list that `end` ends. */
static int arguments(frame *f, char end, thing x[CALL_MOST], int n)
{
    for (bool is_first = true; comes(f, end, is_first); is_first = false) {
        if (n == CALL_MOST)
            return (void)frame_malformed(f, "more than %d in a list", CALL_MOST), n;
        x[n++] = evaluate(f);
    }
    return n;
}

static bool take_arguments(frame *f, const call *one, thing x[CALL_MOST], int n)
{
    bool may_miss = false;
    int k = 0;
    for (const char *wanted = one->takes; *wanted != '\0' && !frame_is_over(f); wanted++) {
        if (*wanted == '?') {
            may_miss = true;
        } else if (*wanted == '*') {
            thing rest = thing_list(f, n > k ? n - k : 0);
            for (int i = 0; i < rest.n; i++)
                rest.as.list[i] = x[k + i];
            x[k++] = rest;
            n = k;
        } else if (*wanted == '{') {
            if (expect(f, '{'))
                x[k++] = (thing){ .kind = THING_TEXT, .as.text = f->at };
            n++;
            pass_block(f);
        } else if (k < n && (x[k].kind != THING_NOTHING || !may_miss)) {
            if (!thing_convert(f, *wanted, &x[k++]) && !frame_is_over(f))
                (void)frame_malformed(f, "%s: argument %d is none", one->name, k);
        } else if (may_miss && k < CALL_MOST) {
            n += k == n;
            x[k++] = nothing;
        } else
            (void)frame_malformed(f, "%s: %d arguments are too few", one->name, n);
    }
    if (n > k && !frame_is_over(f))
        (void)frame_malformed(f, "%s: %d arguments are too many", one->name, n);
    return !frame_is_over(f);
}

static const definition *definition_of(const char *name, size_t n)
{
    for (const definition *one = definitions; one->name != NULL; one++)
        if (strlen(one->name) == n && strncmp(one->name, name, n) == 0)
            return one;
    return NULL;
}

static thing block_here(frame *f)
{
    thing block = { .kind = THING_TEXT, .as.text = f->at + strlen(" {") };
    if (strncmp(f->at, " {", 2) != 0)
        return nothing;
    f->at += strlen(" {");
    pass_block(f);
    return block;
}

static thing perform_definition(frame *f, const definition *one, const thing x[], int n)
{
    frame own = *f;
    const char *name = one->parameters;
    int k = 0;
    frame_name(&own, "block", block_here(f));
    for (; word_length(name) > 0; name += strspn(name, ", ")) {
        frame_name(&own, name, k < n ? x[k] : nothing);
        name += word_length(name);
        k++;
    }
    own.at = one->expression;
    thing found = n <= k ? program(&own) : frame_malformed(f, "%s: %d arguments", one->name, n);
    f->status = own.status;
    return found;
}

/* first: as of perform. A dataset is taken by what comes behind it, which is nobody here. */
static thing unknown_name(frame *f, const char *name, size_t length, const thing *first)
{
    char word[64];
    if (first != NULL && first->kind == THING_DATASET)
        cohort_dataset_destroy(first->as.dataset);
    (void)snprintf(word, sizeof word, "%.*s", (int)length, name);
    return frame_unknown(f, "name", word);
}

/* first: what stands before the dot. */
static thing perform(frame *f, const char *name, size_t length, const thing *first)
{
    thing x[CALL_MOST + 1];
    int n = first != NULL;
    const call *one = call_of(name, length);
    const definition *other = definition_of(name, length);
    if (one == NULL && other == NULL)
        return unknown_name(f, name, length, first);
    if (first != NULL)
        x[0] = *first;
    if (*f->at == '(') {
        f->at++;
        n = arguments(f, ')', x, n);
    }
    if (other != NULL)
        return perform_definition(f, other, x, n);
    bool are_taken = take_arguments(f, one, x, n);
    const char *behind = f->at;
    thing found = are_taken ? one->perform(f, x) : nothing;
    f->at = behind; /* a block was read meanwhile */
    return frame_is_over(f) ? nothing : found;
}

/* Lent by the row, which is there as long as the frame: replicas that ran at once would count its
 * owners at once. */
static thing argument_of_row(frame *f, const char *name, size_t n, bool may_miss)
{
    char key[64];
    (void)snprintf(key, sizeof key, "%.*s", (int)n, name);
    const json_t *found = table_arg(f->c, key);
    if (found == NULL && !may_miss)
        return frame_malformed(f, "args: no \"%s\"", key);
    return found == NULL || json_is_null(found)
               ? nothing
               : (thing){ .kind = THING_JSON, .as.json = (json_t *)found };
}

/* name, name(...), name {...}, name?, name?default */
static thing word(frame *f)
{
    const char *name = f->at;
    size_t n = word_length(name);
    const thing *own = named(f, name, n);
    f->at += n;
    bool is_call = *f->at == '(' || strncmp(f->at, " {", 2) == 0;
    if (!is_call && own != NULL && *f->at != '?')
        return *own;
    if (*f->at == '?') {
        thing otherwise = nothing;
        if (strchr(",);]} ", *++f->at) == NULL)
            otherwise = evaluate(f);
        thing found = own != NULL ? *own : argument_of_row(f, name, n, true);
        return found.kind == THING_NOTHING ? otherwise : found;
    }
    bool is_known = call_of(name, n) != NULL || definition_of(name, n) != NULL;
    if (is_call || (is_known && !table_has_arg(f->c, name, n)))
        return perform(f, name, n, NULL);
    return argument_of_row(f, name, n, false);
}

static thing number(frame *f)
{
    char *end;
    double x = strtod(f->at, &end);
    bool is_real = memchr(f->at, '.', (size_t)(end - f->at)) != NULL;
    if (is_real && end[-1] == '.') /* a call of a number: "2.batch" */
        is_real = false, end--;
    f->at = end;
    return is_real ? thing_json(f, json_real(x)) : thing_number(f, x);
}

static thing quoted(frame *f)
{
    size_t n = strcspn(++f->at, "'");
    thing x = thing_json(f, json_stringn(f->at, n));
    f->at += n + (f->at[n] == '\'');
    return x;
}

static thing list(frame *f)
{
    thing x[CALL_MOST + 1];
    int n = arguments(f, ']', x, 0);
    thing all = thing_list(f, n);
    for (int k = 0; k < n; k++)
        all.as.list[k] = x[k];
    return all;
}

static thing object(frame *f)
{
    json_t *members = json_object();
    thing all = thing_json(f, members);
    for (bool is_first = true; comes(f, '}', is_first); is_first = false) {
        char key[64];
        pass_spaces(f);
        size_t n = word_length(f->at);
        (void)snprintf(key, sizeof key, "%.*s", (int)n, f->at);
        f->at += n;
        if (!expect(f, ':'))
            break;
        thing x = evaluate(f);
        if (!frame_is_over(f))
            json_object_set(members, key, json_of(f, &x));
    }
    return all;
}

static thing primary(frame *f)
{
    pass_spaces(f);
    if (isdigit((unsigned char)*f->at) || (*f->at == '-' && isdigit((unsigned char)f->at[1])))
        return number(f);
    if (*f->at == '\'')
        return quoted(f);
    if (take(f, '['))
        return list(f);
    if (take(f, '{'))
        return object(f);
    if (take(f, '(')) {
        thing x = evaluate(f);
        return expect(f, ')') ? x : nothing;
    }
    return word_length(f->at) > 0 ? word(f) : frame_malformed(f, "no expression: \"%.40s\"", f->at);
}

static thing chain(frame *f)
{
    thing x = primary(f);
    while (!frame_is_over(f) && *f->at == '.' && word_length(f->at + 1) > 0) {
        const char *name = ++f->at;
        size_t n = word_length(name);
        f->at += n;
        x = perform(f, name, n, &x);
    }
    return x;
}

static thing combined(frame *f, thing a, char how, thing b)
{
    if (frame_is_over(f))
        return nothing;
    if (a.kind != THING_JSON || b.kind != THING_JSON)
        return frame_malformed(f, "%c of what is no number", how);
    double x = number_of(&a), y = number_of(&b);
    double found = how == '*' ? x * y : how == '/' ? x / y : how == '+' ? x + y : x - y;
    bool is_real = how == '/' || json_is_real(a.as.json) || json_is_real(b.as.json);
    return is_real ? thing_json(f, json_real(found)) : thing_number(f, found);
}

static thing product(frame *f)
{
    thing x = chain(f);
    for (pass_spaces(f); !frame_is_over(f) && (*f->at == '*' || *f->at == '/'); pass_spaces(f)) {
        char how = *f->at++;
        x = combined(f, x, how, chain(f));
    }
    return x;
}

static thing evaluate(frame *f)
{
    thing x = product(f);
    for (pass_spaces(f); !frame_is_over(f) && (*f->at == '+' || *f->at == '-'); pass_spaces(f)) {
        char how = *f->at++;
        x = combined(f, x, how, product(f));
    }
    return x;
}

/* name = ..., or an expression */
static thing statement(frame *f)
{
    pass_spaces(f);
    const char *name = f->at;
    size_t n = word_length(name), spaces = strspn(name + n, " ");
    bool is_name = n > 0 && name[n + spaces] == '=';
    if (is_name)
        f->at += n + spaces + 1;
    thing x = evaluate(f);
    if (is_name && !frame_is_over(f))
        frame_name(f, name, x);
    return x;
}

static thing program(frame *f)
{
    thing x = statement(f);
    while (!frame_is_over(f) && take(f, ';'))
        x = statement(f);
    pass_spaces(f);
    if (!frame_is_over(f) && strchr("},", *f->at) == NULL)
        return frame_malformed(f, "\"%.40s\" behind an expression", f->at);
    return frame_is_over(f) ? nothing : x;
}

thing expression_block(frame *f, const thing *block, const char *name, thing x)
{
    f->at = block->as.text;
    if (f->replica >= 0)
        frame_name(f, "i", thing_number(f, f->replica));
    if (name != NULL)
        frame_name(f, name, x);
    return program(f);
}

thing expression_pairs(frame *f, const char *text)
{
    thing all = thing_list(f, CALL_MOST);
    int n = 0;
    f->at = text;
    bool is_good = expect(f, '{');
    for (bool is_first = true; is_good && comes(f, '}', is_first); is_first = false) {
        thing pair = thing_list(f, 2);
        pair.as.list[0] = evaluate(f);
        is_good = n < CALL_MOST && expect(f, ':');
        pair.as.list[1] = is_good ? evaluate(f) : nothing;
        if (is_good)
            all.as.list[n++] = pair;
    }
    all.n = n;
    return is_good && *f->at == '\0' ? all : frame_malformed(f, "pairs: \"%s\"", text);
}

json_t *expression_result(table_case *c, const char *text)
{
    frame f = { .c = c, .s = c->s, .replica = -1, .at = text };
    thing x = program(&f);
    return frame_is_over(&f) ? NULL : json_incref(json_of(&f, &x));
}
