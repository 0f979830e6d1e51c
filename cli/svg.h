/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures as SVG: a document whose colours follow the reader's light or dark, and texts, which may
 * come from files. */
#ifndef COHORT_CLI_SVG_H
#define COHORT_CLI_SVG_H

#include <stdio.h>

/* Lines have the classes grid, first and second; filled shapes paper, first-fill, second-fill. */
void svg_begin(FILE *file, int width, int height, const char *title);
void svg_end(FILE *file);

/* anchor: start, middle or end of the text is at x. Characters that cannot stand in XML become
 * U+FFFD. */
void svg_text(FILE *file, double x, double y, const char *anchor, const char *text);
void svg_escape(FILE *file, const char *text);

void svg_line(FILE *file, double x1, double y1, double x2, double y2, const char *look);

#endif
