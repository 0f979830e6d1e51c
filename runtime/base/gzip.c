/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/gzip.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

enum { WITH_HEADER = 16, MEMORY_LEVEL = 8 };

bool cohort_gzip_works(void)
{
    return true;
}

/* As fast as it goes: it is done while a program waits. */
size_t cohort_gzip_member(const void *bytes, size_t n, void *out, size_t room)
{
    z_stream z = { .next_in = (Bytef *)(size_t)bytes,
                   .avail_in = (uInt)n,
                   .next_out = out,
                   .avail_out = (uInt)room };
    if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + WITH_HEADER, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    const bool is_whole = deflate(&z, Z_FINISH) == Z_STREAM_END;
    const size_t used = (size_t)z.total_out;
    (void)deflateEnd(&z);
    return is_whole ? used : 0;
}

#else

bool cohort_gzip_works(void)
{
    return false;
}

size_t cohort_gzip_member(const void *bytes, size_t n, void *out, size_t room)
{
    (void)bytes, (void)n, (void)out, (void)room;
    return 0;
}

#endif
