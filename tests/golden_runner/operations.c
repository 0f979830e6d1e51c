/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations that are known, and how they end. */
#include "config.h"

#include "tests/golden_runner/expression.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replicas make things at the same time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void table_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

void table_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}

/* The whole of a name comes before one with words in it. */
static const char *expression_of(table_case *c)
{
    for (size_t i = 0; table_rows[i] != NULL; i++)
        for (const table_operation *row = table_rows[i]; row->name != NULL; row++)
            if (strcmp(row->name, c->op) == 0)
                return row->expression;
    for (size_t i = 0; table_rows[i] != NULL; i++)
        for (const table_operation *row = table_rows[i]; row->name != NULL; row++)
            if (table_takes_words(c, row->name))
                return row->expression;
    return NULL;
}

/* Operations of workers make a strategy for each, all in this process; elsewhere what has several
 * workers is skipped. */
json_t *table_perform(table_case *c)
{
    const char *expression = expression_of(c);
    c->has_workers = expression != NULL && strstr(expression, "workers(") != NULL;
    if (expression == NULL)
        return table_unknown(c, "operation", c->op);
    return table_open(c) ? expression_result(c, expression) : NULL;
}

void table_operations_print(void)
{
    for (size_t i = 0; table_rows[i] != NULL; i++)
        for (const table_operation *row = table_rows[i]; row->name != NULL; row++)
            (void)puts(row->name);
}

/* ---- How they end. */

json_t *table_failed(table_case *c)
{
    table_lock();
    (void)snprintf(c->failure, sizeof c->failure, "%s", cohort_error_text());
    table_unlock();
    return NULL;
}

json_t *table_skipped(table_case *c, const char *why)
{
    table_lock();
    c->skip = why;
    table_unlock();
    return NULL;
}

json_t *table_unknown(table_case *c, const char *what, const char *word)
{
    size_t bytes = strlen(what) + strlen(word) + sizeof " '' is not known";
    char *why = table_memory(c, bytes);
    (void)snprintf(why, bytes, "%s '%s' is not known", what, word);
    return table_skipped(c, why);
}

bool table_is_over(table_case *c, bool with_failures)
{
    table_lock();
    bool is_over =
        c->malformed[0] != '\0' || c->skip != NULL || (with_failures && c->failure[0] != '\0');
    table_unlock();
    return is_over;
}

json_t *table_malformed(table_case *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    table_lock();
    if (c->malformed[0] == '\0') /* the first reason is the one */
        (void)vsnprintf(c->malformed, sizeof c->malformed, format, arguments);
    table_unlock();
    va_end(arguments);
    return NULL;
}

/* ---- What lives as long as the case. */

/* Room for one more in a list, of which each has this size. */
static void *one_more(void *list, size_t n, size_t bytes)
{
    void *more = (n & (n - 1)) == 0 ? realloc(list, (n == 0 ? 1 : 2 * n) * bytes) : list;
    if (more != NULL)
        return more;
    (void)fprintf(stderr, "golden: out of memory\n");
    exit(2);
}

void *table_memory(table_case *c, size_t bytes)
{
    void *block = one_more(NULL, 0, bytes + 1);
    memset(block, 0, bytes + 1);
    table_lock();
    c->blocks = one_more(c->blocks, c->n_blocks, sizeof *c->blocks);
    c->blocks[c->n_blocks++] = block;
    table_unlock();
    return block;
}

void table_keep(table_case *c, json_t *taken)
{
    table_lock();
    c->kept = one_more(c->kept, c->n_kept, sizeof(json_t *));
    c->kept[c->n_kept++] = taken;
    table_unlock();
}

void table_free(table_case *c)
{
    for (size_t i = 0; i < c->n_kept; i++)
        json_decref(c->kept[i]);
    for (size_t i = 0; i < c->n_blocks; i++)
        free(c->blocks[i]);
    free(c->kept);
    free(c->blocks);
    json_decref(c->args);
    json_decref(c->unread);
}
