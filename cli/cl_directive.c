/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines behind #, and the files that they bring. What is not understood leaves a remark, since the
 * device's compiler has its own word on it: an include that is not there, #error, a condition
 * without a value, which counts as false. */
#include "config.h"

#include "cli/cl_condition.h"
#include "cli/cl_reader.h"
#include "cli/regular_file.h"

#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 4096 };
_Static_assert(CL_MOST_FILES == 32, "a sentence says how many");

bool cl_reader_is_skipping(const cl_reader *reader)
{
    return reader->n_groups > 0 && !reader->groups[reader->n_groups - 1].is_read;
}

/* What is left of the current line. */
static cl_list read_line(cl_reader *reader)
{
    cl_lexer *file = &reader->files[reader->n_files - 1];
    cl_list line = { .n = 0 };
    for (;;) {
        cl_lexer before = *file;
        cl_token t = cl_lexer_next(file);
        if (t.kind == CL_END || t.is_first) {
            *file = before;
            return line;
        }
        if (!cl_list_add(reader->pool, &line, t))
            return line;
    }
}

/* ---- Conditions */

static bool no_value(const void *user, cl_token name, int64_t *out)
{
    (void)user;
    (void)name;
    *out = 0; /* C says so */
    return true;
}

/* defined X and defined(X) become 0 or 1, before macros are expanded. */
static cl_list find_defined(cl_reader *reader, const cl_token *tokens, int n)
{
    cl_list out = { .n = 0 };
    for (int i = 0; i < n; i++) {
        bool is_call = i + 3 < n && cl_is(tokens[i + 1], "(") && cl_is(tokens[i + 3], ")");
        cl_token t = tokens[i];
        if (cl_is(t, "defined") && i + 1 < n) {
            cl_token name = tokens[is_call ? i + 2 : i + 1];
            t.kind = CL_NUMBER;
            t.start = cl_macros_find(&reader->macros, name) != NULL ? "1" : "0";
            t.length = 1;
            i += is_call ? 3 : 1;
        }
        (void)cl_list_add(reader->pool, &out, t);
    }
    return out;
}

static bool is_true(cl_reader *reader, cl_token at, cl_list line)
{
    cl_list known = find_defined(reader, line.tokens, line.n), full = { .n = 0 };
    int64_t value = 0;
    cl_reader_expand(reader, known.tokens, known.n, &full);
    const char *wrong = cl_condition(full.tokens, full.n, no_value, NULL, &value);
    if (wrong != NULL)
        cl_reader_remark(reader, at, "#%.*s: %s", (int)at.length, at.start, wrong);
    return wrong == NULL && value != 0;
}

static void open_group(cl_reader *reader, cl_token at, bool is_read)
{
    bool is_inside_read = !cl_reader_is_skipping(reader);
    if (reader->n_groups == CL_MOST_CONDITIONS) {
        cl_reader_remark(reader, at, "more than %d conditions inside each other",
                         CL_MOST_CONDITIONS);
        reader->is_stopped = true;
        return;
    }
    reader->groups[reader->n_groups++] = (cl_group){ .is_read = is_inside_read && is_read,
                                                     .was_taken = is_read,
                                                     .is_inside_read = is_inside_read,
                                                     .line = at.line,
                                                     .file = at.file };
}

static void next_part(cl_reader *reader, cl_token at, cl_list line)
{
    bool is_else = cl_is(at, "else");
    cl_group *g = reader->n_groups > 0 ? &reader->groups[reader->n_groups - 1] : NULL;
    if (g == NULL || g->has_else) {
        cl_reader_remark(reader, at, "#%.*s without #if", (int)at.length, at.start);
        return;
    }
    bool may = g->is_inside_read && !g->was_taken;
    g->is_read = may && (is_else || is_true(reader, at, line));
    g->was_taken |= g->is_read;
    g->has_else = is_else;
}

/* Whether the line is about conditions, which count in parts that are skipped, too. */
static bool direct_condition(cl_reader *reader, cl_token name, cl_list line)
{
    bool is_read = !cl_reader_is_skipping(reader);
    bool is_defined = line.n > 0 && cl_macros_find(&reader->macros, line.tokens[0]) != NULL;
    if (cl_is(name, "if"))
        open_group(reader, name, is_read && is_true(reader, name, line));
    else if (cl_is(name, "ifdef"))
        open_group(reader, name, is_defined);
    else if (cl_is(name, "ifndef"))
        open_group(reader, name, !is_defined);
    else if (cl_is(name, "elif") || cl_is(name, "else"))
        next_part(reader, name, line);
    else if (!cl_is(name, "endif"))
        return false;
    else if (reader->n_groups == 0)
        cl_reader_remark(reader, name, "#endif without #if");
    else
        reader->n_groups--;
    return true;
}

/* ---- Files */

/* Its folder, with the slash; "" for one in the current folder. */
static const char *folder_of(pool *p, const char *path)
{
    const char *slash = strrchr(path, '/');
    return pool_text(p, path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
}

static bool open_file(cl_reader *reader, const char *name, const char *text, size_t bytes)
{
    const char *end = NULL, *whole = cl_splice(reader->pool, text, bytes, &end);
    const char *folder = folder_of(reader->pool, name);
    if (whole == NULL || folder == NULL)
        return false;
    reader->folders[reader->n_files] = folder;
    reader->files[reader->n_files++] =
        (cl_lexer){ .at = whole, .end = end, .file = name, .line = 1, .is_fresh = true };
    return true;
}

bool cl_reader_begin(cl_reader *reader, pool *p, const char *name, const char *text, size_t bytes)
{
    *reader = (cl_reader){ .pool = p };
    return open_file(reader, name, text, bytes);
}

/* FOLDER/NAME, where there is such a file. */
static bool try_file(cl_reader *reader, const char *folder, const char *name, cl_token at)
{
    char path[PATH_BYTES];
    size_t n = strlen(folder);
    const char *slash = n > 0 && folder[n - 1] != '/' ? "/" : "";
    char *text = NULL;
    size_t bytes = 0;
    int length = snprintf(path, sizeof path, "%s%s%s", folder, slash, name);
    if (length < 0 || (size_t)length >= sizeof path ||
        regular_file_read(path, &text, &bytes) != NULL)
        return false;
    const char *kept = pool_text(reader->pool, path, (size_t)length);
    bool is_deep = reader->n_files == CL_MOST_FILES;
    if (is_deep || kept == NULL || !open_file(reader, kept, text, bytes)) {
        cl_reader_remark(reader, at, "#include %s: %s", name,
                         is_deep ? "more than 32 files inside each other" : "no memory");
        reader->is_stopped = true;
    }
    regular_file_free(text);
    return true;
}

/* "NAME" beside the file and <NAME> are looked for as compilers do it, with one difference: the
 * text of a kernel that is built has no folder, so that what lies beside it needs -I. */
static void include(cl_reader *reader, cl_token at, bool is_quoted, const char *name)
{
    const char *beside = reader->folders[reader->n_files - 1];
    bool is_outermost = reader->n_files == 1;
    for (int i = 0; i < reader->n_searched; i++)
        if (try_file(reader, reader->searched[i], name, at))
            return;
    if (is_quoted && try_file(reader, beside, name, at)) {
        reader->includes_beside |= is_outermost;
        return;
    }
    cl_reader_remark(reader, at,
                     "#include %s: no such file; folders are given with --build-options "
                     "'-I FOLDER'",
                     name);
}

/* "x.h" is one token, <x.h> the text of many. */
static const char *included(cl_reader *reader, cl_token first)
{
    bool is_quoted = first.kind == CL_TEXT && first.length > 2;
    int length = is_quoted           ? first.length - 2
                 : cl_is(first, "<") ? (int)strcspn(first.start + 1, ">\n")
                                     : 0;
    return length > 0 ? pool_text(reader->pool, first.start + 1, (size_t)length) : NULL;
}

static void direct_include(cl_reader *reader, cl_token at, cl_list line)
{
    cl_list full = { .n = 0 };
    bool is_plain = line.n > 0 && (line.tokens[0].kind == CL_TEXT || cl_is(line.tokens[0], "<"));
    if (!is_plain) /* the name is a macro's */
        cl_reader_expand(reader, line.tokens, line.n, &full);
    const cl_list *from = is_plain ? &line : &full;
    const char *name = from->n > 0 ? included(reader, from->tokens[0]) : NULL;
    if (name != NULL)
        include(reader, at, from->tokens[0].kind == CL_TEXT, name);
    else
        cl_reader_remark(reader, at, "#include wants \"FILE\" or <FILE>");
}

/* ---- The others */

static void direct_error(cl_reader *reader, cl_token at, cl_list line)
{
    const char *from = line.n > 0 ? line.tokens[0].start : "";
    cl_reader_remark(reader, at, "#error %.*s", (int)strcspn(from, "\n"), from);
}

static void direct_define(cl_reader *reader, cl_token at, cl_list line)
{
    const char *wrong = cl_macros_define(&reader->macros, reader->pool, line.tokens, line.n);
    if (wrong != NULL)
        cl_reader_remark(reader, at, "%s", wrong);
}

/* #pragma, #line and those of compilers change no declaration. */
void cl_reader_direct(cl_reader *reader)
{
    cl_list line = read_line(reader);
    cl_token name = line.n > 0 ? line.tokens[0] : (cl_token){ .start = "" };
    cl_list rest = { .tokens = line.n > 0 ? line.tokens + 1 : NULL,
                     .n = line.n > 0 ? line.n - 1 : 0 };
    if (direct_condition(reader, name, rest) || cl_reader_is_skipping(reader))
        return;
    if (cl_is(name, "define"))
        direct_define(reader, name, rest);
    else if (cl_is(name, "undef") && rest.n > 0)
        cl_macros_undefine(&reader->macros, rest.tokens[0]);
    else if (cl_is(name, "include"))
        direct_include(reader, name, rest);
    else if (cl_is(name, "error"))
        direct_error(reader, name, rest);
}

/* ---- Options */

/* A word of options with its quotes taken away; NULL at the end. */
static char *next_word(pool *p, const char **at)
{
    *at += strspn(*at, " \t\n");
    char *word = **at != '\0' ? pool_take(p, strlen(*at) + 1) : NULL, *to = word;
    char quote = '\0';
    for (; word != NULL && **at != '\0' && (quote != '\0' || strchr(" \t\n", **at) == NULL);
         (*at)++)
        if (quote == '\0' && (**at == '"' || **at == '\''))
            quote = **at;
        else if (quote != '\0' && **at == quote)
            quote = '\0';
        else
            *to++ = **at;
    return word;
}

static void take_option(cl_reader *reader, char kind, const char *value)
{
    cl_token at = { .file = "--build-options",
                    .line = 1,
                    .start = value,
                    .length = (int32_t)strlen(value),
                    .kind = CL_NAME };
    const char *wrong = NULL;
    if (kind == 'D')
        wrong = cl_macros_define_option(&reader->macros, reader->pool, value);
    else if (kind == 'U')
        cl_macros_undefine(&reader->macros, at);
    else if (reader->n_searched < CL_MOST_FOLDERS)
        reader->searched[reader->n_searched++] = value;
    else
        wrong = "too many -I";
    if (wrong != NULL)
        cl_reader_remark(reader, at, "%s", wrong);
}

void cl_reader_take_options(cl_reader *reader, const char *options)
{
    for (char *word = next_word(reader->pool, &options); word != NULL;
         word = next_word(reader->pool, &options)) {
        if (word[0] != '-' || word[1] == '\0' || strchr("DUI", word[1]) == NULL)
            continue;
        char kind = word[1];
        char *value = word[2] != '\0' ? word + 2 : next_word(reader->pool, &options);
        if (value != NULL)
            take_option(reader, kind, value);
    }
}
