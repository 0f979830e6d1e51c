/* SPDX-License-Identifier: BSD-3-Clause */
/* A program may choose any locale: no word and no number that the library reads changes with it.
 * The locales are made here, so that they need not be installed: Turkish has another small letter
 * for I, German a decimal comma. */
#include "config.h"

#include "cohort/cohort.h"
#include "runtime/base/settings.h"
#include "runtime/data/format/csv.h"
#include "tests/rows_file.h"

#include <locale.h>
#include <math.h>

static void check_words(const char *locale)
{
    ok(cohort_reduce_op_parse("min") == COHORT_MIN && cohort_reduce_op_parse("MIN") == COHORT_MIN,
       "%s: MIN is min", locale);
    ok((int)cohort_reduce_op_parse("m\304\261n") == 0, "%s: with another letter it is none",
       locale);
}

static void check_settings(const char *locale)
{
    (void)setenv("COHORT_TIMEOUT_COPY", "0.25", 1);
    ok(cohort_setting_ns(COHORT_SETTING_TIMEOUT_COPY) == 250000000,
       "%s: a quarter of a second is one", locale);
    (void)unsetenv("COHORT_TIMEOUT_COPY");
}

static void check_csv(const char *locale)
{
    float x[3] = { 0, 0, 0 };
    int64_t rows = 0;
    bool can_go_on;
    cohort_csv *csv = NULL;
    write_text("1.5,2.00000000000000000000000001,-INFINITY\n");
    cohort_status st =
        cohort_csv_open(path, &(cohort_csv_options){ .header = COHORT_CSV_HEADER_NONE }, &csv);
    if (st == COHORT_OK)
        st = cohort_csv_rows(csv, 1, (void *[]){ x }, &rows, &can_go_on);
    if (!ok(st == COHORT_OK && x[0] == 1.5F && x[1] == 2 && isinf(x[2]),
            "%s: a point is a point, and INFINITY one", locale))
        diag("%s", cohort_error_text());
    cohort_csv_close(csv);
}

static bool make_locale(const char *source, const char *name)
{
    char command[1024];
    (void)snprintf(command, sizeof command, "localedef -i %s -f UTF-8 '%s/%s' >'%s.log' 2>&1",
                   source, folder, name, path);
    return system(command) == 0 && setlocale(LC_ALL, name) != NULL;
}

static void check(const char *source, const char *name)
{
    if (!make_locale(source, name)) {
        skip(name, "localedef does not make it (Debian's package locales)");
        return;
    }
    check_words(name);
    check_settings(name);
    check_csv(name);
}

int main(void)
{
    char command[1024];
    if (!make_folder())
        return skip_all("no folder can be made");
    (void)setenv("LOCPATH", folder, 1);
    check("tr_TR", "tr_TR.UTF-8");
    check("de_DE", "de_DE.UTF-8");
    (void)setlocale(LC_ALL, "C");
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? tap_done() : 1;
}
