/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/gunzip.h"

#include <stdbool.h>

static bool is_packed(FILE *file)
{
    const int first = getc(file), second = getc(file);
    rewind(file);
    return first == 0x1f && second == 0x8b;
}

#ifdef HAVE_ZLIB
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>
#include <zlib.h>

enum { CHUNK = 1 << 16, WITH_HEADER = 16 };

typedef struct packed {
    FILE *file;
    z_stream z;
    bool is_between; /* two members, or the last one and the end */
    unsigned char chunk[CHUNK];
} packed;

/* False: there is no more. */
static bool fill(packed *p)
{
    if (p->z.avail_in > 0)
        return true;
    p->z.next_in = p->chunk;
    p->z.avail_in = (uInt)fread(p->chunk, 1, sizeof p->chunk, p->file);
    return p->z.avail_in > 0;
}

/* Of one member. False: it is none. */
static bool unpack(packed *p)
{
    if (p->is_between && inflateReset(&p->z) != Z_OK)
        return false;
    const int said = inflate(&p->z, Z_NO_FLUSH);
    p->is_between = said == Z_STREAM_END;
    return p->is_between || said == Z_OK || said == Z_BUF_ERROR;
}

static ssize_t read_packed(void *cookie, char *out, size_t size)
{
    packed *p = cookie;
    p->z.next_out = (unsigned char *)out;
    p->z.avail_out = (uInt)(size < CHUNK ? size : CHUNK);
    const uInt room = p->z.avail_out;
    while (p->z.avail_out == room && fill(p))
        if (!unpack(p)) {
            errno = EILSEQ;
            return -1;
        }
    if (ferror(p->file))
        return -1;
    return (ssize_t)(room - p->z.avail_out);
}

static int close_packed(void *cookie)
{
    packed *p = cookie;
    (void)inflateEnd(&p->z);
    const int closed = fclose(p->file);
    free(p);
    return closed;
}

static FILE *open_packed(packed *p)
{
    static const cookie_io_functions_t functions = { .read = read_packed, .close = close_packed };
    if (inflateInit2(&p->z, MAX_WBITS + WITH_HEADER) != Z_OK)
        return NULL;
    FILE *out = fopencookie(p, "rb", functions);
    if (out == NULL)
        (void)inflateEnd(&p->z);
    return out;
}

FILE *gunzip(FILE *file, const char **out_wrong)
{
    if (!is_packed(file))
        return file;
    packed *p = calloc(1, sizeof *p);
    FILE *out = NULL;
    if (p != NULL) {
        p->file = file;
        out = open_packed(p);
    }
    if (out != NULL)
        return out;
    free(p);
    (void)fclose(file);
    *out_wrong = "out of memory";
    return NULL;
}

#else

FILE *gunzip(FILE *file, const char **out_wrong)
{
    if (!is_packed(file))
        return file;
    (void)fclose(file);
    *out_wrong = "it is gzipped, and this build has no zlib; unpack it by gunzip";
    return NULL;
}

#endif
