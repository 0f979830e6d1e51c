/* SPDX-License-Identifier: BSD-3-Clause */
/* SVG by hand: a picture is a few hundred lines of text, and takes no library. */
#include "config.h"

#include "cli/svg.h"

#include "cli/utf8.h"

#include <stdbool.h>
#include <string.h>

/* Classes and no variables of CSS, which not every viewer knows. */
static const char style[] =
    "<style>\n"
    "text { font: 13px sans-serif; fill: #24292f }\n"
    ".paper { fill: #fff } .grid { stroke: #d0d7de } polyline { fill: none }\n"
    "polyline, .key { stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }\n"
    ".first { stroke: #0a69da } .second { stroke: #bc4c00; stroke-dasharray: 6 4 }\n"
    ".first-fill { fill: #0a69da } .second-fill { fill: #bc4c00 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "text { fill: #e6edf3 } .paper { fill: #0d1117 } .grid { stroke: #30363d }\n"
    ".first { stroke: #58a6ff } .second { stroke: #f0883e }\n"
    ".first-fill { fill: #58a6ff } .second-fill { fill: #f0883e }\n"
    "}\n"
    "</style>\n";

void svg_begin(FILE *file, int width, int height, const char *title)
{
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n<title>",
            width, height, width, height);
    svg_escape(file, title);
    fprintf(file, "</title>\n%s<rect width=\"100%%\" height=\"100%%\" class=\"paper\"/>\n", style);
}

void svg_end(FILE *file)
{
    fputs("</svg>\n", file);
}

/* XML has no control characters, not even escaped, nor the two that are no characters (XML 1.0,
 * section 2.2). */
static bool is_xml(unsigned character)
{
    return character >= ' ' && character != 0x7f && character != 0xfffe && character != 0xffff;
}

static void escape_character(FILE *file, const unsigned char *p, size_t length)
{
    switch (utf8_character(p, length)) {
    case '&':
        fputs("&amp;", file);
        break;
    case '<':
        fputs("&lt;", file);
        break;
    case '>':
        fputs("&gt;", file);
        break;
    case '"':
        fputs("&quot;", file);
        break;
    default:
        fwrite(p, 1, length, file);
    }
}

void svg_escape(FILE *file, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    for (size_t left = strlen(text), length; left > 0; p += length, left -= length) {
        length = utf8_length(p, left);
        if (length > 0 && is_xml(utf8_character(p, length)))
            escape_character(file, p, length);
        else
            fputs("\xef\xbf\xbd", file);
        length += length == 0;
    }
}

void svg_text(FILE *file, double x, double y, const char *anchor, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    svg_escape(file, text);
    fputs("</text>\n", file);
}

void svg_line(FILE *file, double x1, double y1, double x2, double y2, const char *look)
{
    fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1,
            x2, y2, look);
}
