/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that a row reads: made for it, in a folder that goes with it. */
#include "config.h"

#include "tests/golden_runner/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = TABLE_TEXT + 32 };

static void path_of(const table_case *c, int file, char out[PATH])
{
    (void)snprintf(out, PATH, "%s/%03d", c->folder, file);
}

/* ---- TFRecord: length, its checksum, the bytes, their checksum; little-endian. By hand, since
 * what reads it is what is tested. */

static uint32_t crc32c(const unsigned char *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
    }
    return ~crc;
}

static bool write_little(FILE *file, uint64_t x, int bytes, unsigned char out[8])
{
    for (int i = 0; i < bytes; i++)
        out[i] = (unsigned char)(x >> 8 * i);
    return fwrite(out, (size_t)bytes, 1, file) == 1;
}

static bool write_checksum(FILE *file, const void *bytes, size_t n)
{
    unsigned char number[8];
    uint32_t crc = crc32c(bytes, n);
    return write_little(file, (crc >> 15 | crc << 17) + 0xa282ead8, 4, number);
}

static bool write_record(FILE *file, const char *text)
{
    unsigned char length[8];
    size_t n = strlen(text);
    return write_little(file, n, 8, length) && write_checksum(file, length, 8) &&
           fwrite(text, n, 1, file) == 1 && write_checksum(file, text, n);
}

static bool write_line(FILE *file, const char *text)
{
    return fprintf(file, "%s\n", text) > 0;
}

/* ---- Files and their folder. */

static bool make_folder(table_case *c)
{
    const char *where = getenv("TMPDIR");
    (void)snprintf(c->folder, sizeof c->folder, "%s/golden-XXXXXX", where != NULL ? where : "/tmp");
    if (mkdtemp(c->folder) != NULL)
        return true;
    c->folder[0] = '\0';
    return false;
}

/* Item i says which file it is in, unless there is only one. */
static bool make_file(table_case *c, int items, const char *separator,
                      bool (*write)(FILE *, const char *))
{
    char path[PATH], place[32] = "", text[64];
    path_of(c, c->n_files, path);
    FILE *file = fopen(path, "wb");
    bool is_good = file != NULL;
    if (separator != NULL)
        (void)snprintf(place, sizeof place, "%d%s", c->n_files, separator);
    for (int i = 0; i < items && is_good; i++) {
        (void)snprintf(text, sizeof text, "%s%d", place, i);
        is_good = write(file, text);
    }
    c->n_files += file != NULL;
    return file != NULL && fclose(file) == 0 && is_good;
}

/* Asked for once more, they are those that are there. */
static const char *const *make_files(table_case *c, int files, int items, const char *separator,
                                     bool (*write)(FILE *, const char *))
{
    const char **names = table_memory(c, (size_t)files * sizeof *names);
    bool is_there = c->n_files > 0 && c->n_files == files;
    bool is_good =
        files > 0 && files < 1000 && items <= TABLE_MAX_STEPS && (is_there || make_folder(c));
    for (int f = 0; f < files && is_good; f++) {
        char *name = table_memory(c, PATH);
        path_of(c, f, name);
        names[f] = name;
        is_good = is_there || make_file(c, items, separator, write);
    }
    return is_good
               ? names
               : (void *)table_malformed(c, "%d files of %d items cannot be written", files, items);
}

const char *const *table_record_files(table_case *c, int files, int records)
{
    return make_files(c, files, records, "/", write_record);
}

const char *const *table_text_files(table_case *c, int files, int lines)
{
    return make_files(c, files, lines, files == 1 ? NULL : "-", write_line);
}

const char *table_file(table_case *c)
{
    char *name = table_memory(c, PATH);
    if (!make_folder(c))
        return (void *)table_malformed(c, "no file can be written");
    path_of(c, c->n_files++, name);
    return name;
}

void table_remove_files(table_case *c)
{
    char path[PATH];
    if (c->folder[0] == '\0')
        return;
    for (int f = 0; f < c->n_files; f++) {
        path_of(c, f, path);
        (void)unlink(path);
    }
    (void)rmdir(c->folder);
}
