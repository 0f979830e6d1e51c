/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort data: what is in files of data, and whether all of it can be read. */
#include "config.h"

#include "cli/cli.h"
#include "cli/look_head.h"
#include "cli/visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "usage: cohort data FILE... [OPTION...]\n"
                           "\n"
                           "Say what is in files of data: format, dtype and shape, number of rows, "
                           "names of arrays, columns and features.\n"
                           "Formats are found out from the first bytes of a file, then from its "
                           "name: npy, npz, idx (MNIST's), tfrecord, csv,\n"
                           "safetensors and text; all but npy, npz and safetensors may be gzipped. "
                           "FILE may be a pattern in "
                           "quotes, such as 'train-*.csv'.\n"
                           "\n"
                           "  --check            read everything, with all checksums, and say how "
                           "much there is, or the first error; files\n"
                           "                     of any size take little memory\n"
                           "  --head N           print the first N elements, up to 1000000: "
                           "numbers, lines, the features of a tf.Example\n"
                           "  --format NAME      what the files are: npy, npz, idx, tfrecord, csv, "
                           "text, safetensors, or records:BYTES for\n"
                           "                     records of a fixed length\n" TABLE_HELP
                           "  --json             one JSON object on stdout: schema, files\n"
                           "  --help             this text\n"
                           "\n"
                           "Exit codes: 0 fine, 1 a file is bad or not there, 2 wrong usage.\n";

enum { MOST_HEAD = 1000000, VISIBLE_BYTES = 8192 };

typedef struct inspection {
    bool wants_check, wants_json;
    int64_t head; /* -1: none */
    file_kind kind;
} inspection;

/* ------------------------------------------------------------------ for people */

static void print_visible(const char *text)
{
    visible_print(stdout, text, strlen(text));
}

/* float32 (1797, 64); what is not known is a question mark. */
static void print_spec(const cohort_spec *spec)
{
    printf("%s (", cohort_dtype_name(spec->dtype));
    for (int i = 0; i < spec->rank; i++) {
        printf("%s", i > 0 ? ", " : "");
        if (spec->shape[i] < 0)
            printf("?");
        else
            printf("%" PRId64, spec->shape[i]);
    }
    printf(spec->rank == 1 ? ",)" : ")");
}

static void print_part(const look_name *part, size_t width)
{
    char name[VISIBLE_BYTES];
    printf("  ");
    if (width > 0)
        printf("%-*s  ", (int)width, visible(part->name, name, sizeof name));
    if (part->wrong != NULL)
        print_visible(part->wrong);
    else
        print_spec(&part->spec);
    printf("\n");
}

/* A very long name gets no column of its own width; the others stay aligned. */
static size_t widest(const look_names *names)
{
    char name[VISIBLE_BYTES];
    size_t width = 0;
    for (size_t i = 0; i < names->n; i++) {
        size_t bytes = strlen(visible(names->at[i].name, name, sizeof name));
        width = bytes > width && bytes <= 32 ? bytes : width;
    }
    return width;
}

/* A feature of bytes is one string, or several. */
static void print_feature(const look_name *feature, size_t width)
{
    char name[VISIBLE_BYTES];
    const cohort_spec *spec = &feature->spec;
    printf("    %-*s  ", (int)width, visible(feature->name, name, sizeof name));
    if (spec->rank == 2)
        printf("%" PRId64 " byte strings\n", spec->shape[0]);
    else if (spec->dtype == COHORT_U8)
        printf("a byte string of %" PRId64 "\n", spec->shape[0]);
    else
        printf("%s[%" PRId64 "]\n", cohort_dtype_name(spec->dtype), spec->shape[0]);
}

/* A table may have 100,000 columns, and --json has all their names. */
static void print_columns(const look_names *columns)
{
    enum { MOST = 20 };
    char name[64];
    printf("  columns:");
    for (size_t i = 0; i < columns->n && i < MOST; i++)
        printf("%s%s", i > 0 ? ", " : " ", visible(columns->at[i].name, name, sizeof name));
    if (columns->n > MOST)
        printf(", ... %zu in all", columns->n);
    printf("\n");
}

static void print_names(const look *l)
{
    size_t width = widest(&l->parts);
    for (size_t i = 0; i < l->parts.n; i++)
        print_part(&l->parts.at[i], width);
    if (l->columns.n > 0)
        print_columns(&l->columns);
    if (l->features.n > 0)
        printf("  the first record is a tf.Example:\n");
    width = widest(&l->features);
    for (size_t i = 0; i < l->features.n; i++)
        print_feature(&l->features.at[i], width);
}

static const char *word_of_rows(const look *l)
{
    file_format format = l->kind.format;
    return format == FORMAT_TEXT                                   ? "lines"
           : format == FORMAT_TFRECORD || format == FORMAT_RECORDS ? "records"
                                                                   : "rows";
}

/* What was found is told also of a file with an error, up to where it was found. */
static void print_facts(const look *l)
{
    print_visible(l->path);
    printf(": %s%s", file_format_name(l->kind.format), l->file.is_packed ? ", gzipped" : "");
    if (l->rows >= 0)
        printf(", %" PRId64 " %s", l->rows, word_of_rows(l));
    printf(", %" PRId64 " byte%s\n", l->file.bytes, l->file.bytes == 1 ? "" : "s");
    print_names(l);
    if (l->is_checked)
        printf("  ok: all of it can be read\n");
}

static void print_text(look *l, const inspection *how)
{
    char path[VISIBLE_BYTES], error[VISIBLE_BYTES];
    if (l->kind.format != FORMAT_UNKNOWN)
        print_facts(l);
    if (how->head >= 0)
        look_head_print(l, how->head);
    if (l->error[0] != '\0')
        cli_fail(EXIT_FAILED, "%s: %s", visible(l->path, path, sizeof path),
                 visible(l->error, error, sizeof error));
}

/* ------------------------------------------------------------------ JSON */

/* A number that is not known is null, and not -1. */
static void put_count(json *out, const char *key, int64_t n)
{
    if (n >= 0)
        json_integer(out, key, n);
    else
        json_null(out, key);
}

static void put_name(json *out, const look_name *part)
{
    json_object(out, NULL);
    json_text(out, "name", part->name[0] != '\0' ? part->name : NULL);
    json_text(out, "dtype", part->wrong == NULL ? cohort_dtype_name(part->spec.dtype) : NULL);
    if (part->wrong != NULL) {
        json_null(out, "shape");
    } else {
        json_array(out, "shape");
        for (int i = 0; i < part->spec.rank; i++)
            put_count(out, NULL, part->spec.shape[i]);
        json_array_end(out);
    }
    json_object_end(out);
}

static void put_names(json *out, const char *key, const look_names *names)
{
    json_array(out, key);
    for (size_t i = 0; i < names->n; i++)
        put_name(out, &names->at[i]);
    json_array_end(out);
}

static void put_file(json *out, look *l, const inspection *how)
{
    json_object(out, NULL);
    json_text(out, "path", l->path);
    json_text(out, "format",
              l->kind.format != FORMAT_UNKNOWN ? file_format_name(l->kind.format) : NULL);
    json_integer(out, "bytes", l->file.bytes);
    json_bool(out, "packed", l->file.is_packed);
    put_count(out, "rows", l->rows);
    put_names(out, "components", &l->parts);
    json_array(out, "columns");
    for (size_t i = 0; i < l->columns.n; i++)
        json_text(out, NULL, l->columns.at[i].name);
    json_array_end(out);
    put_names(out, "features", &l->features);
    json_bool(out, "checked", l->is_checked);
    if (how->head >= 0)
        look_head_json(l, how->head, out);
    json_text(out, "error", l->error[0] != '\0' ? l->error : NULL);
    json_object_end(out);
}

/* ------------------------------------------------------------------ files */

/* Whether nothing is wrong with it. The file is closed when it was told, so that many files need
 * the memory of one. */
static bool tell(look *l, const inspection *how, json *out)
{
    if (out != NULL)
        put_file(out, l, how);
    else
        print_text(l, how);
    look_close(l);
    return l->error[0] == '\0';
}

static bool inspect(const char *path, const inspection *how, json *out)
{
    static look l;
    look_open(&l, path, &how->kind);
    if (how->wants_check)
        look_check(&l);
    return tell(&l, how, out);
}

/* A name of which there is no file is a bad file, too. The error text is that of the list of files
 * which failed just before. */
static bool tell_missing(const char *name, const inspection *how, json *out)
{
    static look l;
    l = (look){ .path = name, .rows = -1 };
    (void)look_fail(&l);
    return tell(&l, how, out);
}

/* A bad file does not keep the others from being told; the exit code remembers it. */
static bool inspect_all(const char *name, const inspection *how, json *out)
{
    bool is_good = true;
    char **list = file_format_list(&name, 1);
    for (char **path = list; path != NULL && *path != NULL; path++)
        is_good = inspect(*path, how, out) && is_good;
    file_format_list_free(list);
    return list != NULL ? is_good : tell_missing(name, how, out);
}

enum { CHECK = 1, HEAD, FORMAT, JSON };

static bool take_option(inspection *how, int option, const char *text)
{
    uint64_t number;
    if (table_options_is_one(option))
        return table_options_read(option, text, &how->kind.table);
    if (option == FORMAT)
        return file_format_read(text, &how->kind);
    if (option == HEAD) {
        if (!cli_integer("--head", text, 0, MOST_HEAD, &number))
            return false;
        how->head = (int64_t)number;
    }
    how->wants_check = how->wants_check || option == CHECK;
    how->wants_json = how->wants_json || option == JSON;
    return true;
}

static const struct option options[] = { { "check", no_argument, NULL, CHECK },
                                         { "head", required_argument, NULL, HEAD },
                                         { "format", required_argument, NULL, FORMAT },
                                         { "json", no_argument, NULL, JSON },
                                         TABLE_OPTIONS,
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

/* The exit code, or -1 to go on. */
static int read_options(inspection *how, const cli_command *self, int argc, char **argv)
{
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (!take_option(how, option, optarg))
            return EXIT_USAGE;
    }
    if (optind < argc)
        return -1;
    cli_fail(EXIT_USAGE, "data: which file?");
    cli_fix("cohort data FILE..., such as cohort data train.npz");
    return EXIT_USAGE;
}

static int run(const cli_command *self, int argc, char **argv)
{
    inspection how = { .head = -1 };
    json out = { .file = stdout };
    bool is_good = true;
    int code = read_options(&how, self, argc, argv);
    if (code >= 0)
        return code;
    if (how.wants_json) {
        json_object(&out, NULL);
        json_integer(&out, "schema", 1);
        json_array(&out, "files");
    }
    for (int i = optind; i < argc; i++)
        is_good = inspect_all(argv[i], &how, how.wants_json ? &out : NULL) && is_good;
    if (how.wants_json) {
        json_array_end(&out);
        json_object_end(&out);
    }
    return is_good ? EXIT_OK : EXIT_FAILED;
}

static const cli_value values[] = { { "format", CLI_WORD, "npy npz idx tfrecord csv safetensors" },
                                    TABLE_VALUES,
                                    { NULL, CLI_FILE, NULL },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_data = { "data",  "what is in files of data, and whether all can be read",
                               help,    run,
                               options, values };
