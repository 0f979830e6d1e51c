/* SPDX-License-Identifier: BSD-3-Clause */
/* cohort embed: OpenCL C source as a C array, at build time. */
#include "config.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/line_directive.h"
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 20, NAME_BYTES = 256, ROW_COLUMNS = 100 };

static const char help[] =
    "usage: cohort embed FILE.cl [--name NAME] [--line-name NAME] [-o FILE.h]\n"
    "\n"
    "Print a C and C++ header with the OpenCL C source of FILE.cl as an array of characters, for "
    ".opencl of a "
    "function\n"
    "or the data of a body. Its first line is #line 1 \"FILE.cl\", with the name as given here: "
    "messages of an OpenCL\n"
    "compiler name file and line. The same file gives the same header. For a Makefile, whose "
    "folder "
    "of sources\n"
    "shall not stand in what it builds:\n"
    "\n"
    "    nn_cl.h: $(srcdir)/nn.cl\n"
    "            cohort embed $(srcdir)/nn.cl --line-name nn.cl -o $@\n"
    "\n"
    "  --name NAME       name of the array; default: the file's name, with _ for what a name in C "
    "can not have\n"
    "  --line-name NAME  what #line calls the file, instead of FILE.cl\n"
    "  --output FILE     or -o FILE: write there, not to stdout; the file is replaced as a whole, "
    "or not at all\n"
    "  --help            this text\n"
    "\n"
    "Exit codes: 0 fine, 1 failed, 2 wrong usage.\n";

typedef struct embedding {
    const char *path, *output; /* output: NULL for stdout */
    const char *line_name;     /* NULL: the path */
    char name[NAME_BYTES];
    char *source; /* `length` bytes, ended by a 0 */
    size_t length;
} embedding;

/* ------------------------------------------------------------------ the name */

/* Of C11 and C++20, without those that begin with an underscore. */
static bool is_keyword(const char *name)
{
    static const char words[] = " alignas alignof and and_eq asm auto bitand bitor bool break case "
                                "catch char char16_t char32_t "
                                "char8_t class co_await co_return co_yield compl concept const "
                                "const_cast consteval constexpr "
                                "constinit continue decltype default delete do double dynamic_cast "
                                "else enum explicit export extern "
                                "false float for friend goto if inline int long mutable namespace "
                                "new noexcept not not_eq nullptr "
                                "operator or or_eq private protected public register "
                                "reinterpret_cast requires restrict return short "
                                "signed sizeof static static_assert static_cast struct switch "
                                "template this thread_local throw true "
                                "try typedef typeid typename union unsigned using virtual void "
                                "volatile wchar_t while xor xor_eq ";
    char word[NAME_BYTES + 2];
    int length = snprintf(word, sizeof word, " %s ", name);
    return length > 0 && (size_t)length < sizeof word && strstr(words, word) != NULL;
}

/* A name that begins with an underscore may be reserved, but is what a user asked for. */
static bool is_name(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || length >= NAME_BYTES || ascii_is_digit(text[0]) || is_keyword(text))
        return false;
    for (const char *p = text; *p != '\0'; p++)
        if (!ascii_is_of_name(*p))
            return false;
    return true;
}

static bool take_name(embedding *e, const char *text)
{
    if (!is_name(text)) {
        cli_fail(EXIT_USAGE, "--name '%s': expected a name in C, of less than %d characters", text,
                 NAME_BYTES);
        return false;
    }
    strcpy(e->name, text);
    return true;
}

/* scale.cl is scale_cl, 3d.cl is _3d_cl. */
static bool derive_name(embedding *e)
{
    const char *slash = strrchr(e->path, '/'), *base = slash != NULL ? slash + 1 : e->path;
    int length =
        snprintf(e->name, sizeof e->name, "%s%s", ascii_is_digit(base[0]) ? "_" : "", base);
    for (char *p = e->name; *p != '\0'; p++)
        if (!ascii_is_of_name(*p))
            *p = '_';
    if (length >= 0 && length < NAME_BYTES && is_name(e->name))
        return true;
    cli_fail(EXIT_USAGE, "%s: no name for the array can be made of that", e->path);
    cli_fix("say it with --name NAME");
    return false;
}

/* ------------------------------------------------------------------ the source */

/* Read until it ends and not by its size, because the source may come from a pipe. */
static bool read_stream(embedding *e, FILE *file)
{
    size_t capacity = 0;
    while (!feof(file) && !ferror(file) && e->length <= MOST_BYTES) {
        if (e->length + 1 >= capacity) {
            capacity = capacity == 0 ? 65536 : 2 * capacity;
            char *larger = realloc(e->source, capacity);
            if (larger == NULL)
                return false;
            e->source = larger;
        }
        e->length += fread(&e->source[e->length], 1, capacity - e->length - 1, file);
        e->source[e->length] = '\0';
    }
    return !ferror(file);
}

/* The array is read as a C string, so that a zero byte would cut the source off unseen. */
static int check_source(const embedding *e)
{
    size_t first_zero = strlen(e->source);
    if (e->length > MOST_BYTES)
        return cli_fail(EXIT_FAILED, "%s: larger than %d MiB", e->path, MOST_BYTES >> 20);
    if (first_zero == e->length)
        return -1;
    cli_fail(EXIT_FAILED, "%s: byte %zu is 0, where a C string would end", e->path, first_zero);
    cli_fix("embed takes OpenCL C source; a program binary is data of a body with its size");
    return EXIT_FAILED;
}

static int read_source(embedding *e)
{
    errno = 0;
    FILE *file = fopen(e->path, "rbe");
    bool is_read = file != NULL && read_stream(e, file);
    int error = errno;
    if (file != NULL)
        fclose(file);
    if (!is_read)
        return cli_fail(EXIT_FAILED, "%s: %s", e->path, strerror(error));
    return check_source(e);
}

/* ------------------------------------------------------------------ the header */

typedef struct rows {
    FILE *file;
    int column;
} rows;

static int print_character(FILE *file, char c)
{
    if (c == '\n')
        return fprintf(file, "'\\n',");
    if (c == '\'' || c == '\\')
        return fprintf(file, "'\\%c',", c);
    if (c >= ' ' && c <= '~')
        return fprintf(file, "'%c',", c);
    return fprintf(file, "'\\%03o',",
                   (unsigned)(unsigned char)c); /* in C++ a number above 127 is no char */
}

/* A row for each line of the source, so that a change of one is a change of the other. */
static void write_characters(rows *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p++) {
        out->column += print_character(out->file, *p);
        if (*p == '\n' || out->column >= ROW_COLUMNS) {
            fputc('\n', out->file);
            out->column = 0;
        }
    }
}

static void write_header(FILE *file, const embedding *e, const char *first_line)
{
    rows out = { .file = file };
    fprintf(file, "/* Made by cohort embed: OpenCL C source. */\nstatic const char %s[] = {\n",
            e->name);
    write_characters(&out, first_line);
    write_characters(&out, e->source);
    fprintf(file, "'\\0'\n};\n");
}

/* The whole header is made in memory: out of memory leaves no half of one behind. */
static int write_output(const embedding *e)
{
    char *text = NULL, *first_line = line_directive(e->line_name != NULL ? e->line_name : e->path);
    size_t length = 0;
    FILE *memory = first_line != NULL ? open_memstream(&text, &length) : NULL;
    if (memory == NULL) {
        free(first_line);
        return cli_fail(EXIT_FAILED, "out of memory");
    }
    write_header(memory, e, first_line);
    free(first_line);
    int code = EXIT_OK;
    if (!output_close_memory(memory))
        code = cli_fail(EXIT_FAILED, "out of memory");
    else if (e->output == NULL)
        fwrite(text, 1, length, stdout);
    else
        code = output_replace(e->output, text, length) ? EXIT_OK : EXIT_FAILED;
    free(text);
    return code;
}

/* ------------------------------------------------------------------ */

enum { NAME = 1, LINE_NAME, OUTPUT = 'o' };
static const struct option options[] = { { "name", required_argument, NULL, NAME },
                                         { "line-name", required_argument, NULL, LINE_NAME },
                                         { "output", required_argument, NULL, OUTPUT },
                                         { "help", no_argument, NULL, CLI_HELP },
                                         { 0 } };

/* The exit code, or -1 to go on. */
static int read_options(embedding *e, const cli_command *self, int argc, char **argv)
{
    for (int option, code; (option = cli_option(self, argc, argv, options, &code)) != -1;) {
        if (option == CLI_STOP)
            return code;
        if (option == OUTPUT)
            e->output = optarg;
        else if (option == LINE_NAME)
            e->line_name = optarg;
        else if (!take_name(e, optarg))
            return EXIT_USAGE;
    }
    if (optind < argc) {
        e->path = argv[optind++];
        return cli_no_words(self, argc, argv) ? -1 : EXIT_USAGE;
    }
    cli_fail(EXIT_USAGE, "embed: the FILE.cl is missing");
    cli_fix("cohort embed --help");
    return EXIT_USAGE;
}

static int run(const cli_command *self, int argc, char **argv)
{
    embedding e = { 0 };
    int code = read_options(&e, self, argc, argv);
    if (code < 0 && e.name[0] == '\0' && !derive_name(&e))
        code = EXIT_USAGE;
    if (code < 0)
        code = read_source(&e);
    if (code < 0)
        code = write_output(&e);
    free(e.source);
    return code;
}

static const cli_value values[] = { { "output", CLI_FILE, NULL },
                                    { NULL, CLI_FILE, NULL },
                                    { NULL, CLI_ANY, NULL } };

const cli_command cli_embed = { "embed", "OpenCL C source as a C array, for builds",
                                help,    run,
                                options, values };
