/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets as texts say: chains of calls, "range(n).batch(4).concatenate(range(8).batch(4))". */
#include "config.h"

#include "tests/table/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8 };

typedef struct parser {
    table_case *c;
    const char *at;
    int depth;
} parser;

/* ---- Reading the text. */

static cohort_dataset *parse_chain(parser *p);

static bool is_in(char x, const char *set)
{
    return x != '\0' && strchr(set, x) != NULL;
}

static void read_word(parser *p, char out[PIPELINE_WORD])
{
    size_t n = strspn(p->at, "abcdefghijklmnopqrstuvwxyz_GR");
    (void)snprintf(out, PIPELINE_WORD, "%.*s", (int)n, p->at);
    p->at += n;
}

static bool read_name(parser *p, const char *name, int64_t *out)
{
    const json_t *number = table_arg(p->c, name);
    *out = strcmp(name, "drop") == 0 || json_is_true(number) ? 1
           : strcmp(name, "R") == 0                          ? p->c->replicas
                                                             : (int64_t)json_integer_value(number);
    bool is_known = *out != 0 || json_is_integer(number) || json_is_false(number);
    if (!is_known)
        (void)table_malformed(p->c, "args: \"%s\" is no number", name);
    return is_known;
}

/* A number, the name of one, or a chain; false after table_malformed. */
static bool parse_argument(parser *p, pipeline_call *x)
{
    char name[PIPELINE_WORD], *end;
    const char *start = p->at;
    int64_t number = strtoll(start, &end, 10);
    if (end == start) {
        read_word(p, name);
        if (*p->at == '(' && x->n_datasets < PIPELINE_CHAINS) {
            p->at = start;
            x->datasets[x->n_datasets++] = parse_chain(p);
            return p->c->malformed[0] == '\0';
        }
        if (!read_name(p, name, &number))
            return false;
        end = (char *)p->at;
    }
    p->at = end;
    if (x->n_numbers == PIPELINE_NUMBERS)
        return table_malformed(p->c, "more than %d numbers in a call", PIPELINE_NUMBERS) != NULL;
    x->numbers[x->n_numbers++] = number;
    return true;
}

static bool parse_call(parser *p, pipeline_call *x)
{
    read_word(p, x->word);
    if (*p->at != '(')
        return x->word[0] != '\0' || table_malformed(p->c, "no call in \"%s\"", p->at) != NULL;
    for (p->at++; *p->at != '\0' && *p->at != ')'; p->at += strspn(p->at, " ,"))
        if (!parse_argument(p, x) || !is_in(*p->at, ",)"))
            return p->c->malformed[0] == '\0'
                       ? table_malformed(p->c, "\"%s\" in a call", p->at) != NULL
                       : false;
    p->at += *p->at == ')';
    return true;
}

static cohort_dataset *parse_chain(parser *p)
{
    pipeline_call first = { .n_numbers = 0 };
    if (p->depth++ == DEPTH)
        return (void *)table_malformed(p->c, "chains within chains");
    cohort_dataset *d =
        parse_call(p, &first) ? pipeline_source(p->c, &first) : pipeline_give_up(NULL, &first);
    while (p->c->malformed[0] == '\0' && *p->at == '.') {
        pipeline_call next = { .n_numbers = 0 };
        p->at++;
        d = parse_call(p, &next) ? pipeline_transform(p->c, d, &next) : pipeline_give_up(d, &next);
    }
    p->depth--;
    return d;
}

cohort_dataset *table_dataset(table_case *c, const char *chain)
{
    parser p = { .c = c, .at = chain };
    cohort_dataset *d = parse_chain(&p);
    if (*p.at != '\0' && *p.at != ',')
        (void)table_malformed(c, "\"%s\" behind a chain", p.at);
    if (d == NULL && c->malformed[0] == '\0')
        (void)table_failed(c);
    if (c->malformed[0] == '\0')
        return d;
    cohort_dataset_destroy(d);
    return NULL;
}
