/* SPDX-License-Identifier: BSD-3-Clause */
/* Which values travel together. */
#include "config.h"

#include "tests/table/table.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 256 };

/* A list of args; the number of its items, 0 after table_malformed. */
static int integers(table_case *c, const char *key, int64_t out[MOST])
{
    const json_t *list = table_arg(c, key), *item;
    size_t i;
    if (!json_is_array(list) || json_array_size(list) == 0 || json_array_size(list) > MOST)
        return table_malformed(c, "args: \"%s\" is no list of 1 to %d", key, MOST) != NULL;
    json_array_foreach(list, i, item)
    {
        if (!json_is_integer(item))
            return table_malformed(c, "args: \"%s\" has what is no integer", key) != NULL;
        out[i] = (int64_t)json_integer_value(item);
    }
    return (int)json_array_size(list);
}

/* A number of args; false after table_malformed. */
static bool integer(table_case *c, const char *key, int64_t *out)
{
    const json_t *number = table_arg(c, key);
    *out = (int64_t)json_integer_value(number);
    return json_is_integer(number) || table_malformed(c, "args: no integer \"%s\"", key) != NULL;
}

static json_t *listed(const int64_t numbers[], int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_integer((json_int_t)numbers[i]));
    return list;
}

static json_t *by_bytes(table_case *c)
{
    int64_t sizes[MOST], bytes_per_pack = 0;
    int32_t counts[MOST];
    int n = integers(c, "sizes", sizes);
    if (n == 0 || !integer(c, "bytes_per_pack", &bytes_per_pack))
        return NULL;
    int packs = cohort_packs_by_bytes(sizes, n, bytes_per_pack, counts, MOST);
    if (packs < 0)
        return table_failed(c);
    json_t *list = json_array();
    for (int pack = 0, first = 0; pack < packs; first += counts[pack++])
        json_array_append_new(list, listed(sizes + first, counts[pack]));
    return json_pack("{s:o}", "packs", list);
}

static json_t *parted(table_case *c, int64_t elements, int64_t packs)
{
    int64_t counts[MOST];
    if (packs > MOST)
        return table_malformed(c, "%lld packs", (long long)packs);
    return cohort_packs_by_number(elements, (int)packs, counts) == COHORT_OK
               ? json_pack("{s:o}", "sizes", listed(counts, (int)packs))
               : table_failed(c);
}

static json_t *by_number(table_case *c)
{
    int64_t elements, packs;
    return integer(c, "n", &elements) && integer(c, "num_packs", &packs)
               ? parted(c, elements, packs)
               : NULL;
}

static json_t *no_packs(table_case *c)
{
    return parted(c, 1, 0);
}

/* Reductions of TensorFlow are made with a number of packs: "-1)" stands behind the words. */
static json_t *reduction_in_packs(table_case *c)
{
    int packs = 0, end = 0;
    if (sscanf(c->rest, "%d)%n", &packs, &end) != 1 || end == 0 || c->rest[end] != '\0')
        return table_malformed(c, "op: '%s' is no number of packs", c->rest);
    table_rest_is_read(c);
    return parted(c, 1, packs);
}

const table_operation table_packs_operations[] = {
    { "group by size (bytes)", by_bytes },
    { "split of n elements into packs", by_number },
    { "packer with zero packs", no_packs },
    { "NcclAllReduce(num_packs=*", reduction_in_packs },
    { "HierarchicalCopyAllReduce(num_packs=*", reduction_in_packs },
    { NULL, NULL },
};
