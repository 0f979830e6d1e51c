/* SPDX-License-Identifier: BSD-3-Clause */
/* Options for tables, alike for cohort data and cohort demo, and passed on to the library's CSV
 * reader. */
#include "config.h"

#include "cli/table_options.h"

#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool table_options_is_one(int option)
{
    return option >= TABLE_COLUMNS && option <= TABLE_MISSING;
}

static bool read_columns(const char *text, table_options *out)
{
    out->columns = text;
    return *text != '\0' ||
           (cli_fail(EXIT_USAGE, "--columns: which? expected names or numbers from 0, or ^ and one "
                                 "that is left out, separated by commas"),
            false);
}

static bool read_header(const char *text, table_options *out)
{
    if (strcmp(text, "yes") == 0)
        out->header = COHORT_CSV_HEADER_FIRST_ROW;
    else if (strcmp(text, "no") == 0)
        out->header = COHORT_CSV_HEADER_NONE;
    else
        return cli_fail(EXIT_USAGE, "--header %s: expected yes or no", text), false;
    return true;
}

/* One that may stand in a number or around a field parts nothing. */
static bool is_separator(char c)
{
    return (unsigned char)c > ' '
               ? strchr("0123456789.+-\"", c) == NULL && !((c | 32) >= 'a' && (c | 32) <= 'z')
               : c == ' ' || c == '\t';
}

static bool read_separator(const char *text, table_options *out)
{
    static const struct {
        const char *name;
        char separator;
    } named[] = {
        { "comma", ',' }, { "semicolon", ';' }, { "tab", '\t' }, { "\\t", '\t' }, { "space", ' ' }
    };
    out->separator = text[0];
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(text, named[i].name) == 0) {
            out->separator = named[i].separator;
            return true;
        }
    if (text[0] != '\0' && text[1] == '\0' && is_separator(text[0]))
        return true;
    return cli_fail(EXIT_USAGE,
                    "--separator %s: expected comma, semicolon, tab, space, or one character that "
                    "is in no number",
                    text),
           false;
}

/* Finite, because the number takes part in the training. */
static bool read_missing(const char *text, table_options *out)
{
    char *end;
    out->has_missing = true;
    out->missing = strtod(text, &end);
    if (end != text && *end == '\0' && isfinite(out->missing))
        return true;
    return cli_fail(EXIT_USAGE, "--missing %s: expected a number, such as 0", text), false;
}

bool table_options_read(int option, const char *text, table_options *out)
{
    out->is_given = true;
    switch (option) {
    case TABLE_COLUMNS:
        return read_columns(text, out);
    case TABLE_HEADER:
        return read_header(text, out);
    case TABLE_SEPARATOR:
        return read_separator(text, out);
    default:
        return read_missing(text, out);
    }
}

const cohort_csv_options *table_options_csv(const table_options *table, table_reading *out)
{
    out->component = (cohort_csv_component){ .columns = table->columns, .dtype = COHORT_F32 };
    out->options =
        (cohort_csv_options){ .components = table->columns != NULL ? &out->component : NULL,
                              .n_components = table->columns != NULL,
                              .header = table->header,
                              .separator = table->separator,
                              .has_missing = table->has_missing,
                              .missing = table->missing };
    return &out->options;
}
