/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that plugins and files hand over as texts, judged and made fit to be shown: a message must
 * not be able to move the cursor of a terminal, or break a line of the log. */
#include "config.h"

#include "runtime/base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Refused, as RFC 3629 (section 4) demands: forms longer than needed, surrogates, and what is above
 * U+10FFFF. The continuation bytes are read one by one, so the 0 at the end of a text stops the
 * reading. */
static size_t decode(const unsigned char *p, uint32_t *out_code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t bytes = p[0] < 0x80       ? 1
                   : p[0] >> 5 == 6  ? 2
                   : p[0] >> 4 == 14 ? 3
                   : p[0] >> 3 == 30 ? 4
                                     : 0;
    uint32_t code = bytes < 2 ? p[0] : p[0] & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (p[i] >> 6 != 2)
            return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    *out_code = code;
    bool is_surrogate = code >> 11 == 0x1b;
    return bytes == 0 || is_surrogate || code < least[bytes] || code > 0x10ffff ? 0 : bytes;
}

size_t cohort_utf8_bytes(const char *text)
{
    uint32_t code;
    return decode((const unsigned char *)text, &code);
}

/* Bytes of the character at p; 0 when there is none, or a control character. */
static size_t character_bytes(const unsigned char *p)
{
    uint32_t code;
    size_t bytes = decode(p, &code);
    return bytes > 0 && (code < 0x20 || (code >= 0x7f && code < 0xa0)) ? 0 : bytes;
}

/* Marks, embeddings, overrides and isolates, after which a terminal may show a text in another
 * order. Source: Unicode Standard Annex 9, section 2. */
static bool turns_direction(const unsigned char *p)
{
    uint32_t code;
    return decode(p, &code) > 0 &&
           (code == 0x61c || code == 0x200e || code == 0x200f ||
            (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069));
}

bool cohort_utf8_is_printable(const char *text, size_t capacity)
{
    if (memchr(text, '\0', capacity) == NULL)
        return false;
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        size_t bytes = character_bytes(p);
        if (bytes == 0)
            return false;
        p += bytes;
    }
    return true;
}

void cohort_utf8_escape(const char *text, size_t capacity, char *out, size_t size)
{
    size_t at = 0, used = 0;
    while (at < capacity && text[at] != '\0' && used + sizeof "\\xff" <= size) {
        unsigned char c[4] = { 0 }; /* a sequence never reaches beyond the end of the text */
        memcpy(c, text + at, capacity - at < sizeof c ? capacity - at : sizeof c);
        size_t bytes = turns_direction(c) ? 0 : character_bytes(c);
        if (bytes > 0)
            memcpy(out + used, c, bytes);
        else
            (void)snprintf(out + used, sizeof "\\xff", "\\x%02x", c[0]);
        used += bytes > 0 ? bytes : 4;
        at += bytes > 0 ? bytes : 1;
    }
    out[used] = '\0';
}

/* Others are below U+10000, and are one \u each. */
static bool is_plain_in_json(const unsigned char *p)
{
    return character_bytes(p) > 0 && !turns_direction(p) && *p != '"' && *p != '\\';
}

void cohort_utf8_json(const char *text, char *out)
{
    while (*text != '\0') {
        uint32_t code;
        const size_t bytes = decode((const unsigned char *)text, &code);
        if (bytes == 0)
            *out++ = '?';
        else if (!is_plain_in_json((const unsigned char *)text))
            out += sprintf(out, "\\u%04x", (unsigned)code);
        else
            out = (char *)memcpy(out, text, bytes) + bytes;
        text += bytes > 0 ? bytes : 1;
    }
    *out = '\0';
}
