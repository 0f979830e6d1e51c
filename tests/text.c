/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of text files: what is refused, where lines end, and files that break in every place. */
#include "config.h"

#include "runtime/data/format/lines.h"

#include "runtime/base/limits.h"
#include "tests/bytes_again.h"
#include "tests/rows_file.h"

#include <sys/resource.h>

enum { MOST_LINES = 8 };

static const struct {
    const char *file;
    int n;
    struct {
        size_t bytes;
        const char *text;
    } lines[MOST_LINES];
} cases[] = {
#include "tests/data/rows/text_cases.h"
};
enum { N_CASES = sizeof cases / sizeof *cases };

static cohort_bytes *open_text(const char *name)
{
    cohort_bytes *bytes = NULL;
    return cohort_bytes_open(name, COHORT_PACKING_AUTO, &bytes) == COHORT_OK ? bytes : NULL;
}

/* Read all lines; the status behind them. */
static cohort_status read_all(cohort_bytes *bytes, int64_t *out_lines, size_t *out_bytes)
{
    const char *line;
    size_t n;
    cohort_status status;
    *out_lines = 0;
    *out_bytes = 0;
    while ((status = cohort_lines_next(bytes, &line, &n)) == COHORT_OK) {
        (*out_lines)++;
        *out_bytes += n;
    }
    return status;
}

static void test_not_text_files(void)
{
    cohort_bytes *bytes = NULL;
    ok(cohort_bytes_open("no/such/file.txt", COHORT_PACKING_AUTO, &bytes) == COHORT_ENOENT,
       "no file");
    has_text(cohort_error_text(), "no/such/file.txt", "and the text says which");
    (void)unlink(path);
    ok(mkdir(path, 0700) == 0 && open_text(path) == NULL, "a folder is refused");
    (void)rmdir(path);
    ok(mkfifo(path, 0600) == 0 && open_text(path) == NULL, "a FIFO is refused, without waiting");
    (void)unlink(path);
}

static int64_t most_memory(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0 ? (int64_t)used.ru_maxrss * 1024 : 0;
}

static void test_endless_line(void)
{
    const char *line;
    size_t n;
    int64_t skipped, before = most_memory();
    if (!write_sparse((int64_t)10 << 30)) {
        skip("a line of 10 GB", "no sparse file of 10 GB can be made here");
        return;
    }
    cohort_bytes *bytes = open_text(path);
    ok(bytes != NULL && cohort_lines_next(bytes, &line, &n) == COHORT_EINVAL && line == NULL,
       "a line of 10 GB");
    has_text(cohort_error_text(), "file: byte 0: a line of more than 16777216 bytes",
             "because of its length");
    has_text(cohort_error_text(), "is this a text file?", "and the text says what to look at");
    ok(cohort_lines_skip(bytes, 1, &skipped) == COHORT_EINVAL && skipped == 0,
       "nor can it be passed over");
    ok(most_memory() - before < (int64_t)256 << 20, "and that took no memory of its size");
    cohort_bytes_close(bytes);
}

/* A line of so many bytes with this end, behind another. */
static cohort_status longest(size_t bytes, const char *end, size_t *out_bytes)
{
    const char *line;
    char *text = malloc(bytes + 8);
    size_t used = bytes + 2 + strlen(end);
    if (text == NULL)
        abort();
    memset(text, 'x', bytes + 2);
    memcpy(text, "a\n", 2);
    memcpy(text + 2 + bytes, end, strlen(end));
    write_file(text, used);
    free(text);
    cohort_bytes *file = open_text(path);
    cohort_status status = cohort_lines_next(file, &line, out_bytes);
    if (status == COHORT_OK)
        status = cohort_lines_next(file, &line, out_bytes);
    cohort_bytes_close(file);
    return status;
}

static void test_limit(void)
{
    const char *const ends[] = { "", "\n", "\r\n", "\nb" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t bytes = 0;
        ok(longest(COHORT_LIMIT_LINE_BYTES, ends[i], &bytes) == COHORT_OK &&
               bytes == COHORT_LIMIT_LINE_BYTES,
           "the longest line is read, end %d", (int)i);
        ok(longest((size_t)COHORT_LIMIT_LINE_BYTES + 1, ends[i], &bytes) == COHORT_EINVAL,
           "one byte more is refused");
        has_text(cohort_error_text(), "byte 2: a line", "where the line begins");
    }
}

static void test_shrinks(void)
{
    static char text[1 << 20];
    int64_t lines;
    size_t n;
    const char *line;
    memset(text, 'x', sizeof text);
    for (size_t i = 99; i < sizeof text; i += 100)
        text[i] = '\n';
    write_file(text, sizeof text);
    cohort_bytes *bytes = open_text(path);
    ok(cohort_lines_next(bytes, &line, &n) == COHORT_OK && n == 99, "a file is read");
    ok(truncate(path, 1000) == 0 && read_all(bytes, &lines, &n) == COHORT_EINVAL,
       "that becomes shorter meanwhile");
    has_text(cohort_error_text(), "when it was opened", "and the text says so");
    cohort_bytes_close(bytes);
}

static bool is_case(int which, cohort_bytes *bytes)
{
    bool is_same = true;
    const char *line;
    size_t n;
    for (int i = 0; i < cases[which].n && is_same; i++)
        is_same = cohort_lines_next(bytes, &line, &n) == COHORT_OK &&
                  n == cases[which].lines[i].bytes &&
                  memcmp(line, cases[which].lines[i].text, n) == 0;
    return is_same && cohort_lines_next(bytes, &line, &n) == COHORT_END && line == NULL && n == 0 &&
           cohort_lines_next(bytes, &line, &n) == COHORT_END;
}

static void test_cases(void)
{
    for (int i = 0; i < N_CASES; i++) {
        cohort_bytes *bytes = open_text(data_file("rows", cases[i].file));
        if (bytes == NULL && strstr(cohort_error_text(), "zlib") != NULL) {
            skip(cases[i].file, "no zlib");
            continue;
        }
        ok(bytes != NULL && is_case(i, bytes), "%s has the lines that were put there",
           cases[i].file);
        ok(bytes_again(&bytes) == COHORT_OK && is_case(i, bytes), "and has them again");
        cohort_bytes_close(bytes);
    }
}

static void test_skip(void)
{
    int64_t skipped;
    const char *line;
    size_t n;
    write_text("\xef\xbb\xbf"
               "a\nb\r\n\nd");
    cohort_bytes *bytes = open_text(path);
    ok(cohort_lines_skip(bytes, 0, &skipped) == COHORT_OK && skipped == 0,
       "no line is passed over");
    ok(cohort_lines_skip(bytes, 1, &skipped) == COHORT_OK && skipped == 1, "one is");
    ok(cohort_lines_next(bytes, &line, &n) == COHORT_OK && n == 1 && *line == 'b',
       "and the next is the second");
    ok(cohort_lines_skip(bytes, 7, &skipped) == COHORT_OK && skipped == 2,
       "no more than there are");
    ok(cohort_lines_next(bytes, &line, &n) == COHORT_END, "and nothing is behind them");
    cohort_bytes_close(bytes);
}

/* A cut file is text, or packed data that ends early; no bit of it does harm. */
static void test_cut_and_flipped(void)
{
    static unsigned char whole[MOST_BYTES];
    const char *const files[] = { "mark.txt", "crlf.txt", "lf.txt.gz" };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t count = read_file(data_file("rows", files[i]), whole), bytes = 0, good = 0,
               flips = 0;
        int64_t lines;
        for (size_t cut = 0; cut < count; cut++) {
            write_file(whole, cut);
            cohort_bytes *text = open_text(path);
            cohort_status status = text != NULL ? read_all(text, &lines, &bytes) : COHORT_EINVAL;
            bool is_packed = strstr(files[i], ".gz") != NULL && cut >= 4;
            good += is_packed ? status < 0 : status == COHORT_END && bytes <= cut;
            cohort_bytes_close(text);
        }
        for (size_t bit = 0; bit < 8 * count; bit++) {
            whole[bit / 8] ^= (unsigned char)(1u << bit % 8);
            write_file(whole, count);
            cohort_bytes *text = open_text(path);
            cohort_status status = text != NULL ? read_all(text, &lines, &bytes) : COHORT_EINVAL;
            flips += status == COHORT_END || cohort_error_text()[0] != '\0';
            cohort_bytes_close(text);
            whole[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        ok(count > 0 && good == count, "%s, cut at each of its %d bytes", files[i], (int)count);
        ok(flips == 8 * count, "%s with each of its bits flipped", files[i]);
    }
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    int files = descriptors();
    if (!make_folder())
        return skip_all("no folder can be made here");
    test_not_text_files();
    test_endless_line();
    test_limit();
    test_shrinks();
    test_cases();
    test_skip();
    test_cut_and_flipped();
    nothing_is_left(blocks, files);
    return tap_done();
}
