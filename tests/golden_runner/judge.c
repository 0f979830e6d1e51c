/* SPDX-License-Identifier: BSD-3-Clause */
/* Is what came out what the row says? */
#include "config.h"

#include "tests/golden_runner/table.h"
#include "tests/tap.h"

#include <ctype.h>

/* ---- Comparing results. */

static bool same_elements(const json_t *wanted, const json_t *found, cohort_dtype dtype)
{
    size_t i, bytes = (size_t)cohort_dtype_bytes(dtype);
    const json_t *element;
    if (json_array_size(wanted) != json_array_size(found))
        return false;
    json_array_foreach(wanted, i, element)
    {
        char a[16] = { 0 }, b[16] = { 0 };
        if (!table_encode(element, dtype, a) || !table_encode(json_array_get(found, i), dtype, b) ||
            memcmp(a, b, bytes) != 0)
            return false;
    }
    return true;
}

static bool is_tensor(const json_t *x)
{
    return json_is_array(json_object_get(x, "data")) && json_is_array(json_object_get(x, "shape"));
}

/* What has the dtype "string" there is uint8 here, with one axis more: the text, and zeros. */
static bool same_texts(const json_t *wanted, const json_t *found)
{
    size_t axis, i;
    const json_t *part, *shape = json_object_get(found, "shape"),
                        *data = json_object_get(found, "data"),
                        *texts = json_object_get(wanted, "data");
    json_array_foreach(json_object_get(wanted, "shape"), axis,
                       part) if (!json_equal(part, json_array_get(shape, axis))) return false;
    size_t bytes = (size_t)json_integer_value(json_array_get(shape, axis));
    bool are_same = json_array_size(shape) == axis + 1 && bytes > 0 &&
                    json_array_size(data) == bytes * json_array_size(texts) &&
                    strcmp(json_string_value(json_object_get(found, "dtype")), "uint8") == 0;
    for (i = 0; are_same && i < json_array_size(data); i++) {
        const char *text = json_string_value(json_array_get(texts, i / bytes));
        size_t n = text == NULL ? bytes : strlen(text), k = i % bytes;
        are_same = n < bytes && json_integer_value(json_array_get(data, i)) ==
                                    (k < n ? (unsigned char)text[k] : 0);
    }
    return are_same;
}

static bool same_tensor(const json_t *wanted, const json_t *found)
{
    cohort_dtype dtype = COHORT_F32;
    bool is_known = table_dtype(json_string_value(json_object_get(wanted, "dtype")), &dtype);
    if (is_tensor(found) && is_known && dtype == TABLE_TEXTS)
        return same_texts(wanted, found);
    return is_tensor(found) && is_known &&
           json_equal(json_object_get(wanted, "dtype"), json_object_get(found, "dtype")) &&
           json_equal(json_object_get(wanted, "shape"), json_object_get(found, "shape")) &&
           same_elements(json_object_get(wanted, "data"), json_object_get(found, "data"), dtype);
}

/* The number of {"value"}, which has no dtype and stands alone, or of a tensor of rank 0. */
static const json_t *number_of(const json_t *x)
{
    cohort_dtype dtype;
    const json_t *data = json_object_get(x, "data"),
                 *number = json_object_size(x) == 1 ? json_object_get(x, "value") : NULL;
    if (is_tensor(x) && json_array_size(json_object_get(x, "shape")) == 0 &&
        json_array_size(data) == 1 &&
        table_dtype(json_string_value(json_object_get(x, "dtype")), &dtype))
        number = json_array_get(data, 0);
    return json_is_number(number) ? number : NULL;
}

static bool same_number(const json_t *wanted, const json_t *found, cohort_dtype dtype)
{
    char a[16] = { 0 }, b[16] = { 0 };
    return table_encode(wanted, dtype, a) && table_encode(found, dtype, b) &&
           memcmp(a, b, sizeof a) == 0;
}

/* <...> is an object of Python's: any will do; a long text is recorded with dots for its end. */
static bool same_text(const json_t *wanted, const json_t *found)
{
    const char *text = json_string_value(wanted), *other = json_string_value(found);
    size_t n = strlen(text);
    if (other != NULL && n > 100 && strcmp(text + n - 3, "...") == 0)
        return strncmp(text, other, n - 3) == 0;
    return json_equal(wanted, found) ||
           (other != NULL && n > 1 && text[0] == '<' && text[n - 1] == '>');
}

/* What the row does not name may be there too. A tuple is a list; of an error it is enough that it
 * is one. */
static bool same_members(const json_t *wanted, const json_t *found, cohort_dtype dtype)
{
    const char *key;
    json_t *member;
    (void)table_dtype(json_string_value(json_object_get(wanted, "dtype")), &dtype);
    json_object_foreach((json_t *)wanted, key, member)
    {
        const json_t *other = json_object_get(found, key);
        if (other == NULL && strcmp(key, "tuple") == 0)
            other = json_object_get(found, "list");
        if (other == NULL || (strcmp(key, "error") != 0 && !table_same(member, other, dtype)))
            return false;
    }
    return true;
}

/* TensorFlow's class of a variable that has one copy is a container of it. */
static bool same_container(const json_t *wanted, const json_t *found, cohort_dtype dtype)
{
    const json_t *values = json_object_get(wanted, "values");
    if (json_object_get(found, "container") != NULL)
        return same_members(wanted, found, dtype);
    return strcmp(json_string_value(json_object_get(wanted, "container")), "AggregatingVariable") ==
               0 &&
           json_array_size(values) == 1 && table_same(json_array_get(values, 0), found, dtype);
}

bool table_same(const json_t *wanted, const json_t *found, cohort_dtype dtype)
{
    size_t i;
    const json_t *part;
    if (number_of(wanted) != NULL && number_of(found) != NULL &&
        !(is_tensor(wanted) && is_tensor(found)))
        return same_number(number_of(wanted), number_of(found), COHORT_F64);
    if (is_tensor(wanted))
        return same_tensor(wanted, found);
    if (json_is_string(json_object_get(wanted, "container")))
        return same_container(wanted, found, dtype);
    if (json_is_object(wanted))
        return json_is_object(found) && same_members(wanted, found, dtype);
    if (json_is_string(wanted) && !json_is_number(found))
        return same_text(wanted, found);
    if (json_is_number(wanted) || json_is_string(wanted))
        return same_number(wanted, found, dtype);
    if (!json_is_array(wanted))
        return json_equal(wanted, found);
    if (!json_is_array(found) || json_array_size(wanted) != json_array_size(found))
        return false;
    json_array_foreach(wanted, i,
                       part) if (!table_same(part, json_array_get(found, i), dtype)) return false;
    return true;
}

/* ---- Errors: "no elements" is a part of the message, "names the variable and the value" what it
 * has to name. */

static bool contains(const char *text, const char *part, size_t n)
{
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (i < n && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (i == n)
            return true;
    }
    return n == 0;
}

static bool has(const char *text, const char *part)
{
    return contains(text, part, strlen(part));
}

/* The number of args. */
static bool has_number(const table_case *c, const char *key)
{
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%lld",
                   (long long)json_integer_value(json_object_get(c->args, key)));
    return json_is_integer(json_object_get(c->args, key)) && has(c->failure, digits);
}

static bool is_it(const char *thing, size_t n, const char *text)
{
    return n == strlen(text) && memcmp(thing, text, n) == 0;
}

/* A thing by its name here; what has none stands in the message as the row has it. */
static bool names(const table_case *c, const char *thing, size_t n)
{
    const char *dtype = json_string_value(json_object_get(c->args, "dtype"));
    bool has_named = c->named != NULL && c->named[0] != '\0' && has(c->failure, c->named);
    if (is_it(thing, n, "the variable"))
        return has(c->failure, TABLE_VARIABLE);
    if (is_it(thing, n, "the value"))
        return has(c->failure, "per-replica") || has(c->failure, "per replica");
    if (is_it(thing, n, "the destination") || is_it(thing, n, "the device"))
        return has(c->failure, "destination") || has_named;
    if (is_it(thing, n, "the dtype"))
        return dtype != NULL && has(c->failure, dtype);
    if (is_it(thing, n, "both components"))
        return has(c->failure, "component 0") && has(c->failure, "component 1");
    if (is_it(thing, n, "the numbers of files"))
        return has(c->failure, "file") && has_named;
    if (is_it(thing, n, "workers"))
        return has_number(c, "workers") &&
               (has(c->failure, "worker") || has(c->failure, "pipeline"));
    return contains(c->failure, thing, n);
}

static bool says(const table_case *c, const char *wanted)
{
    static const char *const separators[] = { ", ", " and " };
    if (strncmp(wanted, "names ", 6) != 0)
        return has(c->failure, wanted);
    for (wanted += 6; *wanted != '\0';) {
        size_t n = strlen(wanted), skip = 0;
        for (size_t i = 0; i < 2; i++) {
            const char *end = strstr(wanted, separators[i]);
            if (end != NULL && (size_t)(end - wanted) < n)
                n = (size_t)(end - wanted), skip = strlen(separators[i]);
        }
        if (!names(c, wanted, n))
            return false;
        wanted += n + skip;
    }
    return true;
}

/* ---- The verdict. */

static void show(const char *what, const json_t *x)
{
    char *text = json_dumps(x, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    diag("%s %.600s", what, text == NULL ? "?" : text);
    free(text);
}

static void judge_error(table_case *c, const char *wanted, const json_t *found)
{
    bool is_named = found == NULL && c->failure[0] != '\0' && says(c, wanted);
    char why[TABLE_TEXT];
    (void)snprintf(why, sizeof why, "%s", c->failure);
    bool recovers = table_recovers(c);
    if (ok(is_named && recovers, "%s", c->id))
        return;
    if (found != NULL)
        show("an error is wanted, found", found);
    else
        diag("%s: %s",
             is_named ? "it does not recover" : "the message has to say what the row wants", why);
    diag("wanted %s; latest error: %s", wanted, cohort_error_text());
}

/* Of {"workers": [...]} what is of this one; a process has found that alone. */
static const json_t *of_this_worker(const table_case *c, const json_t *result, size_t worker)
{
    const json_t *workers = json_object_get(result, "workers");
    return c->workers == NULL || workers == NULL ? result : json_array_get(workers, worker);
}

static void judge_result(table_case *c, const json_t *wanted, const json_t *found)
{
    if (c->workers != NULL)
        wanted = of_this_worker(c, wanted, (size_t)cohort_resolver_task_id(c->workers)),
        found = of_this_worker(c, found, 0);
    const char *how = c->split == COHORT_SPLIT_CEIL ? ", split ceil" : "";
    if (ok(found != NULL && table_same(wanted, found, COHORT_F32), "%s%s", c->id, how))
        return;
    show("wanted", wanted);
    if (found != NULL)
        show("found ", found);
    else
        diag("failed: %s", c->failure[0] != '\0' ? c->failure : "without an error text");
}

static void judge(table_case *c, const json_t *row, const json_t *found)
{
    const json_t *error = json_object_get(row, "cohort_error"),
                 *result = json_object_get(row, "cohort_result");
    bool differs = json_object_get(row, "cohort") != NULL && c->split != COHORT_SPLIT_CEIL;
    if (differs && json_is_string(error))
        judge_error(c, json_string_value(error), found);
    else if (differs && result != NULL)
        judge_result(c, result, found);
    else if (differs)
        skip(c->id, json_is_string(json_object_get(row, "rule"))
                        ? json_string_value(json_object_get(row, "rule"))
                        : "no counterpart");
    else if (json_object_get(row, "error") != NULL)
        judge_error(c, "", found);
    else
        judge_result(c, json_object_get(row, "result"), found);
}

void table_judge(table_case *c, const json_t *row, json_t *found)
{
    if (c->skip != NULL)
        skip(c->id, c->skip);
    else if (c->malformed[0] != '\0') {
        ok(false, "%s", c->id);
        diag("the case itself: %s", c->malformed);
    } else
        judge(c, row, found);
    json_decref(found);
}
