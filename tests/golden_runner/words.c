/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that a row says is read by somebody, or the row is malformed: what is overlooked is
 * not tested. */
#include "config.h"

#include "tests/golden_runner/table.h"

#include <stdio.h>
#include <string.h>

/* ---- The words of op: a name of an operation has <key> where a word stands in op, which is an
 * argument then; args may say it once more, and say the same. <_> is any word, which makes no
 * difference. */

static json_t *value_of(const char *word, size_t n)
{
    json_t *value = json_loadb(word, n, JSON_DECODE_ANY, NULL);
    return value != NULL ? value : json_stringn(word, n);
}

static void add_word(json_t *words, const char *key, size_t key_length, const char *word, size_t n)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)key_length, key);
    json_object_set_new(words, name, value_of(word, n));
}

/* The last word may be anything, one before has no punctuation in it. */
static bool fits(const char *name, const char *op, json_t *words)
{
    for (; *name != '<'; name++, op++)
        if (*name != *op || *name == '\0')
            return *name == *op;
    const char *end = strchr(name, '>'), stops[] = { end[1], '(', ')', ',', '\'', '\0' };
    size_t n = strcspn(op, stops);
    add_word(words, name + 1, (size_t)(end - name - 1), op, n);
    return n > 0 && fits(end + 1, op + n, words);
}

bool table_takes_words(table_case *c, const char *name)
{
    json_t *words = json_object(), *word;
    const char *key;
    bool does_fit = fits(name, c->op, words);
    (void)json_object_del(words, "_");
    json_object_foreach(words, key, word)
    {
        const json_t *same = json_object_get(c->args, key);
        if (does_fit && same != NULL && !json_equal(same, word))
            (void)table_malformed(c, "args: \"%s\" is not what op says", key);
    }
    if (does_fit)
        (void)(json_object_update_missing(c->args, words), json_object_update(c->unread, words));
    json_decref(words);
    return does_fit;
}

/* ---- Arguments that are read. */

const json_t *table_arg(table_case *c, const char *key)
{
    table_lock();
    (void)json_object_del(c->unread, key);
    table_unlock();
    return json_object_get(c->args, key);
}

bool table_has_arg(const table_case *c, const char *key, size_t n)
{
    const char *other;
    json_t *value;
    json_object_foreach(c->args, other, value) if (value != NULL && strlen(other) == n &&
                                                   strncmp(other, key, n) == 0) return true;
    return false;
}

/* ---- The members of a row; a text for each but these. */

static bool is_member(const char *key, const json_t *member)
{
    static const char *const texts[] = { "id",         "group", "strategy", "op",
                                         "tf_version", "note",  "rule",     "cohort_error" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key, texts[i]) == 0)
            return json_is_string(member);
    if (strcmp(key, "cohort") == 0)
        return json_is_string(member) && strcmp(json_string_value(member), "differs") == 0;
    if (strcmp(key, "cohort_ceil") == 0)
        return json_is_string(member) && strcmp(json_string_value(member), "same") == 0;
    return strcmp(key, "replicas") == 0 || strcmp(key, "args") == 0 || strcmp(key, "result") == 0 ||
           strcmp(key, "error") == 0 || strcmp(key, "cohort_result") == 0;
}

static void check_members(table_case *c, const json_t *row)
{
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)row, key, member) if (!is_member(key, member))(void)
        table_malformed(c, "\"%s\" of a row", key);
    bool differs = json_object_get(row, "cohort") != NULL,
         has_result = json_object_get(row, "cohort_result") != NULL,
         has_error = json_object_get(row, "cohort_error") != NULL;
    if ((json_object_get(row, "result") == NULL) == (json_object_get(row, "error") == NULL))
        (void)table_malformed(c, "a row has a result or an error");
    if (has_result && has_error)
        (void)table_malformed(c, "a row has \"cohort_result\" or \"cohort_error\"");
    if (!differs && (has_result || has_error || json_object_get(row, "cohort_ceil") != NULL))
        (void)table_malformed(c, "a result of Cohort's own in a row that does not differ");
}

static void check_args(table_case *c)
{
    const char *key = json_object_iter_key(json_object_iter(c->unread));
    if (key != NULL)
        (void)table_malformed(c, "args: \"%s\" is read by nobody", key);
}

void table_read_whole(table_case *c, const json_t *row)
{
    check_members(c, row);
    if (c->skip != NULL)
        return;
    /* Whether TensorFlow traces a function makes no difference in Cohort. */
    if (!json_is_boolean(table_arg(c, "traced")) && json_object_get(c->args, "traced") != NULL)
        (void)table_malformed(c, "args: \"traced\" is true or false");
    check_args(c);
}
