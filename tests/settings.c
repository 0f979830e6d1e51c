/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of environment variables, and numbers in them. */
#include "config.h"

#include "runtime/base/settings.h"

#include "tests/tap.h"

#include <locale.h>
#include <unistd.h>

static int lines;

static void count_line(void *user, int level, const char *line)
{
    (void)user;
    lines += level == COHORT_LOG_WARNING && strstr(line, "is not a number of seconds") != NULL;
}

static int64_t seconds(const char *text)
{
    (void)setenv("COHORT_TIMEOUT_OPEN", text, 1);
    return cohort_setting_ns(COHORT_SETTING_TIMEOUT_OPEN);
}

static void check_bad_numbers(void)
{
    static const char *const texts[] = {
        "-1",      "+1",    " 1",  "1 ",  "1s",  "1e3",        "0x10",
        ".",       "1.2.3", "1,5", "nan", "inf", "1000000001", "99999999999999999999",
        "\xd9\xa1"
    };
    const int64_t fallback = 60 * INT64_C(1000000000);
    cohort_log_set(count_line, NULL, COHORT_LOG_WARNING);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ok(seconds(texts[i]) == fallback, "'%s' is the default", texts[i]);
    ok(lines == 1, "which is said once");
    cohort_log_set(NULL, NULL, 0);
}

static void check_numbers(void)
{
    ok(seconds("") == 60 * INT64_C(1000000000), "empty is unset");
    ok(seconds("0") == 0, "0 s");
    ok(seconds("7") == INT64_C(7000000000), "7 s");
    ok(seconds("0.25") == 250000000, "0.25 s");
    ok(seconds(".5") == 500000000 && seconds("5.") == INT64_C(5000000000),
       "digits on one side of the point are enough");
    ok(seconds("0.0000000019") == 1, "digits past the ninth are dropped");
    ok(seconds("1000000000") == INT64_C(1000000000) * 1000000000, "the largest");
    ok(seconds("0000000000000000000001") == 1000000000, "leading zeros");
    (void)setenv("COHORT_SPIN", "2.5", 1);
    ok(cohort_setting_ns(COHORT_SETTING_SPIN) == 2500, "microseconds");
    (void)unsetenv("COHORT_SPIN");
    ok(cohort_setting_ns(COHORT_SETTING_SPIN) == 100000, "and their default");
}

static int told; /* lines that name the words */

static void count_words(void *user, int level, const char *line)
{
    (void)user;
    told += level == COHORT_LOG_WARNING &&
            strcmp(line, "COHORT_REPEAT=never is none of off, memo, steps; using steps") == 0;
}

static int word(const char *text)
{
    static const char *const words[] = { "off", "memo", "steps" };
    (void)setenv("COHORT_REPEAT", text, 1);
    return cohort_setting_word(COHORT_SETTING_REPEAT, words, 3);
}

static void check_words(void)
{
    cohort_log_set(count_words, NULL, COHORT_LOG_WARNING);
    ok(word("never") == 2 && word("never") == 2 && told == 1,
       "what is no word of a setting is its default, which is said once");
    ok(word("of") == 2 && word("OFF") == 2 && word("steps ") == 2,
       "and so is what only begins like one");
    cohort_log_set(NULL, NULL, 0);
    ok(word("off") == 0 && word("memo") == 1 && word("steps") == 2, "words are known");
    ok(word("") == 2, "empty is unset");
    (void)unsetenv("COHORT_REPEAT");
}

static void check_locale(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "ru_RU.UTF-8",
                                         "es_ES.UTF-8" };
    bool has_comma = false;
    for (size_t i = 0; !has_comma && i < sizeof names / sizeof *names; i++)
        has_comma =
            setlocale(LC_ALL, names[i]) != NULL && strcmp(localeconv()->decimal_point, ",") == 0;
    if (has_comma)
        ok(seconds("0.25") == 250000000, "a locale with a decimal comma changes nothing");
    else
        skip("a locale with a decimal comma changes nothing", "no such locale is installed");
    (void)setlocale(LC_ALL, "C");
}

/* Ours, or one of a system that starts processes. */
static bool is_name(const char *name)
{
    static const char *const beginnings[] = {
        "COHORT_",  "TF_CONFIG", "SLURM_", "SLURMD_",    "OMPI_",
        "PMI_",     "PMIX_",     "MPI_",   "WORLD_SIZE", "JOB_COMPLETION_INDEX",
        "HOSTNAME", "SM_"
    };
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static void check_table(void)
{
    int rows = 0, documented = 0;
    for (const cohort_setting *s = cohort_setting_next(NULL); s != NULL;
         s = cohort_setting_next(s), rows++) {
        documented += is_name(cohort_setting_name(s)) && cohort_setting_type(s)[0] != '\0' &&
                      cohort_setting_documentation(s)[0] != '\0' &&
                      cohort_setting_default(s) != NULL &&
                      cohort_setting_find(cohort_setting_name(s)) == s;
    }
    ok(rows == COHORT_SETTING_COUNT && documented == rows,
       "each variable has a name, a type and one line of documentation");
    ok(cohort_setting_find("HOME") == NULL && cohort_setting_find(NULL) == NULL,
       "other variables are none of ours");
    ok(cohort_setting_name(NULL)[0] == '\0' && cohort_setting_value(NULL) == NULL,
       "NULL is no setting");
    (void)setenv("COHORT_DEVICES", "toy:1", 1);
    is_text(cohort_setting_value(cohort_setting_find("COHORT_DEVICES")), "toy:1",
            "the value is the environment's");
    is_text(cohort_setting_text(COHORT_SETTING_DEVICES), "toy:1", "inside too");
    (void)setenv("COHORT_DEVICES", "", 1);
    ok(cohort_setting_text(COHORT_SETTING_DEVICES) == NULL, "empty is unset");
}

int main(void)
{
    if (cohort_setting_is_secure())
        return skip_all("runs with raised privileges");
    check_bad_numbers();
    check_numbers();
    check_words();
    check_locale();
    check_table();
    ok(cohort_memory_blocks() == 0, "nothing is held");
    return tap_done();
}
