/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tests/input/positions.h"

#include <ctype.h>

enum { MOST_BYTES = 4096, MOST_STEPS = 100 };

static cohort_strategy *strategy;
static const char *file;

static size_t read_file(char *bytes)
{
    FILE *in = fopen(file, "rb");
    size_t n = in != NULL ? fread(bytes, 1, MOST_BYTES - 1, in) : 0;
    if (in != NULL)
        (void)fclose(in);
    bytes[n] = '\0';
    return n;
}

static void write_file(const char *bytes, size_t n)
{
    FILE *out = fopen(file, "wb");
    if (out == NULL || fwrite(bytes, 1, n, out) != n || fclose(out) != 0)
        abort();
}

/* Castagnoli's polynomial, bit by bit. */
static uint32_t crc32c(const char *bytes, size_t n)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        crc ^= (uint8_t)bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
    }
    return ~crc;
}

/* ---- An input that stands in the middle of a batch: 10 rows of 3 as two replicas of the second of
 * two pipelines. The rows are the numbers from 0 to 39, as 8 bytes each in two files. */

enum { N_ROWS = 40 };
static char sources[2][80];

static void write_sources(void)
{
    for (int64_t i = 0, row = 0; i < 2; i++) {
        (void)snprintf(sources[i], sizeof sources[i], "%s.%d", file, (int)i);
        FILE *out = fopen(sources[i], "wb");
        for (; out != NULL && row < (i + 1) * N_ROWS / 2; row++)
            (void)good(fwrite(&row, sizeof row, 1, out) == 1);
        if (out == NULL || fclose(out) != 0)
            abort();
    }
}

static cohort_input *open_input(cohort_auto_shard policy)
{
    cohort_input_options options = { .ahead = -1, .pipeline = { 2, 1, 4 } };
    cohort_dataset *d =
        cohort_dataset_records((const char *const[]){ sources[0], sources[1] }, 2, 8, 0, 0);
    d = cohort_dataset_batch(d, 6, false);
    cohort_dataset_options shared = { .auto_shard = policy };
    return cohort_distribute_dataset_with(strategy, cohort_dataset_with_options(d, &shared),
                                          &options);
}

/* Rows of the next steps, added up so that another order is another sum. */
static int64_t rest_of(cohort_input *input, int steps)
{
    cohort_value *x = cohort_value_create(strategy);
    cohort_array parts[2];
    int64_t sum = 0;
    for (int i = 0; i < steps && cohort_input_next(input, &x) == COHORT_OK; i++) {
        (void)cohort_local_results(x, parts, 2);
        for (int r = 0; r < 2; r++)
            for (int64_t k = 0; k < parts[r].shape[0]; k++)
                sum = (7 * sum + ((const int64_t *)parts[r].data)[k] + 1) % 1000000007;
    }
    cohort_value_destroy(x);
    return sum;
}

/* The file is an error, or, when it may be right, a position; the input goes on in either case. */
static bool is_survived(cohort_auto_shard policy, bool may_be_right)
{
    cohort_input *input = open_input(policy), *other = open_input(policy);
    bool is_good = good(rest_of(input, 1) == rest_of(other, 1));
    cohort_status status = cohort_input_restore(input, file);
    if (status == COHORT_OK)
        (void)rest_of(input, MOST_STEPS);
    if (status < 0)
        is_good = is_good && refused(strategy, status, status) &&
                  good(strstr(cohort_error_text(), file) != NULL ||
                       strstr(cohort_error_text(), "position")) &&
                  good(rest_of(input, MOST_STEPS) == rest_of(other, MOST_STEPS));
    cohort_input_destroy(input);
    cohort_input_destroy(other);
    return is_good && good(status < 0 || may_be_right);
}

static size_t save_position(cohort_auto_shard policy, char *bytes)
{
    cohort_input *input = open_input(policy);
    (void)rest_of(input, 4);
    (void)good(cohort_input_save(input, file) == COHORT_OK);
    cohort_input_destroy(input);
    return read_file(bytes);
}

static void test_cut(cohort_auto_shard policy, const char *bytes, size_t n)
{
    bool is_good = true;
    for (size_t i = 0; i < n && is_good; i++) {
        write_file(bytes, i);
        is_good = is_survived(policy, false);
    }
    ok(is_good, "a position that is cut at any of its %zu bytes is an error, and the input goes on",
       n);
}

static void test_bent(cohort_auto_shard policy, const char *bytes, size_t n)
{
    char bent[MOST_BYTES];
    bool is_good = true;
    for (size_t i = 0; i < 8 * n && is_good; i++) {
        memcpy(bent, bytes, n);
        bent[i / 8] = (char)(bent[i / 8] ^ 1 << i % 8);
        write_file(bent, n);
        is_good = is_survived(policy, false);
    }
    memcpy(bent, bytes, n);
    bent[n] = '\n';
    write_file(bent, n + 1);
    ok(is_good && is_survived(policy, false),
       "so is one with any bit the other way, or more behind it");
}

/* One number of the text is another, and the checksum is right. */
static void write_lie(const char *bytes, size_t at, size_t length, const char *number)
{
    char lie[MOST_BYTES];
    const char *last = strstr(bytes, "end ");
    int n = snprintf(lie, sizeof lie, "%.*s%s%.*s", (int)at, bytes, number,
                     (int)(last - (bytes + at + length)), bytes + at + length);
    (void)snprintf(lie + n, sizeof lie - (size_t)n, "end %08x\n", (unsigned)crc32c(lie, (size_t)n));
    write_file(lie, strlen(lie));
}

static void test_lies(cohort_auto_shard policy, const char *bytes)
{
    static const char *const numbers[] = { "0",
                                           "1",
                                           "2",
                                           "3",
                                           "7",
                                           "40",
                                           "41",
                                           "255",
                                           "65536",
                                           "65537",
                                           "2147483647",
                                           "2147483648",
                                           "4294967296",
                                           "999999999999999999",
                                           "9223372036854775807",
                                           "9223372036854775808",
                                           "99999999999999999999999999",
                                           "-1",
                                           "-2147483648",
                                           "-9223372036854775808",
                                           "",
                                           "-",
                                           "+1",
                                           "0x1",
                                           "1e3",
                                           " 1",
                                           "1 ",
                                           "nan" };
    bool is_good = true;
    int lies = 0;
    for (size_t at = 0; strncmp(bytes + at, "end ", 4) != 0 && is_good; at++) {
        size_t length = strspn(bytes + at, "-0123456789");
        if (length == 0 || at == 0 || bytes[at - 1] != ' ')
            continue;
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers && is_good; i++, lies++) {
            write_lie(bytes, at, length, numbers[i]);
            is_good = is_survived(policy, true);
            if (!is_good)
                diag("%s for %.*s", numbers[i], (int)strcspn(bytes + at, "\n"), bytes + at);
        }
    }
    ok(is_good, "%d positions that lie, with a right checksum, are errors or positions", lies);
}

/* Replicas of two pipelines, four together, that are listed only where they are not equal. */
static void test_uneven(cohort_auto_shard policy, const char *bytes)
{
    static const char *const lists[] = { "uneven 2 2\n",     "uneven 1 2\n",  "uneven 0 4\n",
                                         "uneven 4\n",       "uneven\n",      "uneven 1 3 0\n",
                                         "uneven -1 5\n",    "uneven 5 -1\n", "uneven  1 3\n",
                                         "uneven 1 65537\n", "uneven 1 3 \n", "uneven 1 3",
                                         "uneven 1\n3\n",    "unequal 1 3\n" };
    const char *line = strstr(bytes, "iteration ");
    bool is_good = line != NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && is_good; i++) {
        write_lie(bytes, (size_t)(line - bytes), 0, lists[i]);
        is_good = is_survived(policy, i == 12);
        if (!is_good)
            diag("%s", lists[i]);
    }
    ok(is_good, "so is a list of replicas that no workers have");
    write_lie(bytes, (size_t)(line - bytes), 0, "uneven 1 3\n");
    cohort_input *input = open_input(policy);
    ok(cohort_input_restore(input, file) == COHORT_OK, "one that they have is a position");
    cohort_input_destroy(input);
}

void test_damaged_positions(cohort_strategy *s, const char *path)
{
    static const cohort_auto_shard policies[] = { COHORT_SHARD_DATA, COHORT_SHARD_OFF };
    char bytes[MOST_BYTES];
    strategy = s;
    file = path;
    write_sources();
    for (int i = 0; i < 2; i++) {
        size_t n = save_position(policies[i], bytes);
        ok(n > 0 && is_survived(policies[i], true), "a position of %s", i == 0 ? "DATA" : "OFF");
        test_cut(policies[i], bytes, n);
        test_bent(policies[i], bytes, n);
        test_lies(policies[i], bytes);
        test_uneven(policies[i], bytes);
    }
    for (int i = 0; i < 2; i++)
        (void)remove(sources[i]);
}
