/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs: which values travel together. */
#include "config.h"

#include <cohort/packs.h>

#include "tests/tap.h"

#include <limits.h>

enum { MOST = 16 };

static const struct {
    const char *claim;
    int64_t bytes[MOST];
    int n;
    int64_t bytes_per_pack;
    int32_t counts[MOST];
    int packs;
} cases[] = {
    { "6 of 4 bytes, in packs of 8: a pack ends above 8", { 4, 4, 4, 4, 4, 4 }, 6, 8, { 3, 3 }, 2 },
    { "in packs of 7", { 4, 4, 4, 4, 4, 4 }, 6, 7, { 2, 2, 2 }, 3 },
    { "what is large is alone", { 100, 4, 4, 4 }, 4, 8, { 1, 3 }, 2 },
    { "as many bytes as a pack has are not more than that", { 8, 8, 8 }, 3, 8, { 2, 1 }, 2 },
    { "ten bytes in packs of 3", { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, 10, 3, { 4, 4, 2 }, 3 },
    { "0 bytes per pack are one pack", { 100, 4, 4, 4 }, 4, 0, { 4 }, 1 },
    { "so is what has a size that is not known", { 100, 4, -1, 4 }, 4, 8, { 4 }, 1 },
    { "values without bytes are packed too", { 0, 0, 9, 0, 0 }, 5, 8, { 3, 2 }, 2 },
    { "one value", { 5 }, 1, 1, { 1 }, 1 },
    { "no value has no pack", { 0 }, 0, 8, { 0 }, 0 },
    { "nor without a size of packs", { 0 }, 0, 0, { 0 }, 0 },
    { "sizes may be as large as numbers are",
      { INT64_MAX, INT64_MAX, 1, INT64_MAX },
      4,
      INT64_MAX,
      { 2, 2 },
      2 },
};

static void packs_by_bytes(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t counts[MOST] = { 0 };
        int packs = cohort_packs_by_bytes(cases[i].bytes, cases[i].n, cases[i].bytes_per_pack,
                                          counts, MOST);
        if (!ok(packs == cases[i].packs && memcmp(counts, cases[i].counts, sizeof counts) == 0,
                "%s", cases[i].claim))
            diag("%d packs, of %d, %d, %d", packs, counts[0], counts[1], counts[2]);
    }
}

static const struct {
    int64_t elements;
    int packs;
    int64_t counts[MOST];
} numbers[] = {
    { 10, 3, { 3, 3, 4 } },
    { 7, 8, { 0, 0, 0, 0, 0, 0, 0, 7 } },
    { 64, 4, { 16, 16, 16, 16 } },
    { 0, 2, { 0, 0 } },
    { INT64_MAX, 2, { INT64_MAX / 2, INT64_MAX / 2 + 1 } },
    { 3, 1, { 3 } },
};

static void packs_by_number(void)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int64_t counts[MOST] = { 0 };
        ok(cohort_packs_by_number(numbers[i].elements, numbers[i].packs, counts) == COHORT_OK &&
               memcmp(counts, numbers[i].counts, sizeof counts) == 0,
           "%lld elements in %d packs", (long long)numbers[i].elements, numbers[i].packs);
    }
}

static bool refuses(cohort_status status, const char *why)
{
    bool is_good = status == COHORT_EINVAL && strstr(cohort_error_text(), why) != NULL;
    if (!is_good)
        diag("%d, wanted '%s': %s", status, why, cohort_error_text());
    return is_good;
}

static void refuses_what_is_wrong(void)
{
    static const int64_t bytes[3] = { 4, -2, 4 };
    int32_t counts[2] = { -5, -5 };
    int64_t elements[2] = { -5, -5 };
    ok(refuses(cohort_packs_by_bytes(bytes, -1, 8, counts, 2), "-1 values") &&
           refuses(cohort_packs_by_bytes(bytes, 1, -8, counts, 2), "-8 bytes per pack") &&
           refuses(cohort_packs_by_bytes(NULL, 1, 8, counts, 2), "the list of bytes is NULL") &&
           refuses(cohort_packs_by_bytes(bytes, 1, 8, NULL, 1), "the room for packs is NULL") &&
           refuses(cohort_packs_by_bytes(bytes, 3, 8, counts, 2), "bytes[1] is -2"),
       "packs by bytes: numbers that are none, and what is not there");
    ok(refuses(cohort_packs_by_number(10, 0, elements),
               "0 packs; there is at least 1, unless nothing is packed") &&
           refuses(cohort_packs_by_number(10, INT_MIN, elements), "-2147483648 packs") &&
           refuses(cohort_packs_by_number(-1, 2, elements), "-1 elements") &&
           refuses(cohort_packs_by_number(1, 2, NULL), "the room for packs is NULL"),
       "a number of packs: the same");
    ok(counts[0] == -5 && elements[0] == -5, "and nothing is written");
    ok(cohort_packs_by_bytes((const int64_t[]){ 9, 9, 9 }, 3, 8, counts, 1) == 3 &&
           counts[0] == 1 && counts[1] == -5 &&
           cohort_packs_by_bytes((const int64_t[]){ 9, 9 }, 2, 8, NULL, 0) == 2,
       "packs without room are counted");
}

int main(void)
{
    refuses_what_is_wrong();
    packs_by_bytes();
    packs_by_number();
    return tap_done();
}
