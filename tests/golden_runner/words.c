/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that a row says is read by somebody, or the row is malformed: what is overlooked is
 * not tested. */
#include "config.h"

#include "tests/table/table.h"

#include <string.h>

const json_t *table_arg(table_case *c, const char *key)
{
    if (c->unread == NULL)
        c->unread = json_copy((json_t *)c->args);
    (void)json_object_del(c->unread, key);
    return json_object_get(c->args, key);
}

void table_no_matter(table_case *c, const char *key)
{
    (void)table_arg(c, key);
}

void table_rest_is_read(table_case *c)
{
    c->rest_is_read = true;
}

bool table_rest_is(table_case *c, const char *text)
{
    bool is_it = strcmp(c->rest, text) == 0;
    c->rest_is_read = c->rest_is_read || is_it;
    return is_it;
}

bool table_rest_repeats(table_case *c, const char *before, const char *key, const char *after)
{
    const char *text = table_text(c, key, NULL);
    size_t n = text == NULL ? 0 : strlen(text), n_before = strlen(before);
    bool is_it = text != NULL && strncmp(c->rest, before, n_before) == 0 &&
                 strncmp(c->rest + n_before, text, n) == 0 &&
                 strcmp(c->rest + n_before + n, after) == 0;
    c->rest_is_read = c->rest_is_read || is_it;
    return is_it;
}

bool table_repeats_replicas(table_case *c, const char *key)
{
    return json_integer_value(table_arg(c, key)) == c->replicas ||
           table_malformed(c, "args: \"%s\" is not \"replicas\"", key) != NULL;
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

/* Whether TensorFlow traces a function makes no difference in Cohort. */
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
    if (!json_is_boolean(table_arg(c, "traced")) && json_object_get(c->args, "traced") != NULL)
        (void)table_malformed(c, "args: \"traced\" is true or false");
    check_args(c);
    if (c->rest[0] != '\0' && !c->rest_is_read)
        (void)table_malformed(c, "op: \"%s\" is read by nobody", c->rest);
}
