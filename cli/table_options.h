/* SPDX-License-Identifier: BSD-3-Clause */
/* How CSV files are read: the options that commands which read them share. */
#ifndef COHORT_CLI_TABLE_OPTIONS_H
#define COHORT_CLI_TABLE_OPTIONS_H

#include <cohort/files.h>

#include <getopt.h>

/* All zero: everything is found out. */
typedef struct table_options {
    bool is_given;       /* any of them */
    const char *columns; /* NULL: all */
    cohort_csv_header header;
    char separator;
    bool has_missing;
    double missing;
} table_options;

/* Rows for getopt_long's table, with values that no other option has. */
enum { TABLE_COLUMNS = 512, TABLE_HEADER, TABLE_SEPARATOR, TABLE_MISSING };
#define TABLE_OPTIONS                                                                              \
    { "columns", required_argument, NULL, TABLE_COLUMNS },                                         \
        { "header", required_argument, NULL, TABLE_HEADER },                                       \
        { "separator", required_argument, NULL, TABLE_SEPARATOR },                                 \
    {                                                                                              \
        "missing", required_argument, NULL, TABLE_MISSING                                          \
    }

/* Those whose value is one of a few words. */
#define TABLE_VALUES                                                                               \
    { "header", CLI_WORD, "yes no" },                                                              \
    {                                                                                              \
        "separator", CLI_WORD, "comma semicolon tab space"                                         \
    }

/* Their texts in --help. */
#define TABLE_HELP                                                                                 \
    "  --columns LIST     the columns of CSV files, names or numbers from 0, such as 1-4,width; "  \
    "^ leaves one out: "                                                                           \
    "^id\n"                                                                                        \
    "  --header yes|no    whether the first row of CSV files is names; default: found out\n"       \
    "  --separator C      what parts the fields of CSV files: one character, or comma, "           \
    "semicolon, tab or space, "                                                                    \
    "which\n"                                                                                      \
    "                     is any number of them; default: found out\n"                             \
    "  --missing NUMBER   what stands for an empty field, NA, N/A, nan or null of CSV files; "     \
    "default: an error\n"

bool table_options_is_one(int option);

/* One of them; false after a message. */
bool table_options_read(int option, const char *text, table_options *out);

/* The options for the library; the columns are components 0. */
typedef struct table_reading {
    cohort_csv_component component;
    cohort_csv_options options;
} table_reading;
const cohort_csv_options *table_options_csv(const table_options *table, table_reading *out);

#endif
