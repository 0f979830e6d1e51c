/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a trace, for cohort report: what is read has all forms of a report, the time of a
 * device is shared out without a rest, and half of a file that can be read is never wrong, since
 * programs are killed. */
#include "config.h"

#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_good)
{
    if (!is_good)
        abort();
}

static const char *make(const uint8_t *data, size_t size, report *out, char wrong[256])
{
    FILE *file = fmemopen((void *)(uintptr_t)data, size, "rb");
    check(file != NULL);
    const char *failed = report_make(file, "a trace", out, wrong, 256);
    (void)fclose(file);
    check(failed == NULL || wrong[0] != '\0');
    return failed;
}

static void check_shares(const report *r)
{
    const int64_t all = report_kept_before(r, r->begins[r->n_steps]);
    check(r->n_kept > 0 && all >= 0);
    for (int32_t d = 0; d < r->t.n_devices; d++) {
        int64_t sum = 0;
        for (int state = 0; state < REPORT_STATES; state++) {
            check(r->devices[d].ns[state] >= 0);
            sum += r->devices[d].ns[state];
        }
        check(sum == all);
    }
}

static void check_path(const report *r)
{
    int64_t sum = 0;
    for (int i = 0; i < r->n_parts; i++) {
        check(r->parts[i].ns > 0);
        sum += r->parts[i].ns;
    }
    check(sum == r->path_ns);
}

static void write_forms(const report *r)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    check(file != NULL);
    json out = { .file = file };
    report_json(r, &out);
    report_draw(file, &(report_pages){ r, 1 });
    check(fclose(file) == 0 && strstr(text, "</html>") != NULL);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char wrong[256] = "", half_wrong[256] = "";
    report r, half;
    if (size == 0)
        return 0;
    const bool is_good = make(data, size, &r, wrong) == NULL;
    if (is_good) {
        check_shares(&r);
        check_path(&r);
        write_forms(&r);
    }
    if (is_good && size > 1 && make(data, size / 2, &half, half_wrong) != NULL)
        check(strstr(half_wrong, "no device has done anything in it") == half_wrong);
    if (is_good && size > 1)
        report_free(&half);
    report_free(&r);
    return 0;
}

#ifndef COHORT_FUZZER
#include "tests/fuzz/replay.h"

int main(void)
{
    return replay_corpus("trace");
}
#endif
