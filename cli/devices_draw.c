/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine as boxes, one in the other, as lstopo draws it: devices that are CPUs lie in one box,
 * for they share the machine's cores and memory; each other device has a box of its own. The text
 * depends on the devices alone. */
#include "config.h"

#include "cli/devices.h"
#include "cli/svg.h"
#include "cli/visible.h"

#include <inttypes.h>

/* Lengths in pixels. SQUARES: of compute units in a line; LINES: more of them are only told. */
enum {
    WIDTH = 760,
    MARGIN = 16,
    HEAD = 40,
    LINE = 20,
    SQUARE = 14,
    GAP = 4,
    SQUARES = 36,
    LINES = 4,
    MOST_LETTERS = 100
};

typedef struct picture {
    FILE *file; /* NULL: only the height is looked for */
    double y;
} picture;

/* ------------------------------------------------------------------ parts */

static void write_box(const picture *p, double x, double y, double height, const char *look)
{
    if (p->file != NULL)
        fprintf(p->file,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\" class=\"%s\" "
                "fill=\"none\"/>\n",
                x, y, WIDTH - 2 * x, height, look);
}

/* Names and reasons come from drivers and files. */
static void write_line(picture *p, double x, const char *text)
{
    char shown[4 * MOST_LETTERS];
    p->y += LINE;
    if (p->file != NULL)
        svg_text(p->file, x, p->y - 6, "start", visible(text, shown, MOST_LETTERS));
}

static int64_t lines_of(int64_t units)
{
    return units <= SQUARES * LINES ? (units + SQUARES - 1) / SQUARES : 0;
}

static void write_units(picture *p, double x, int64_t units)
{
    int64_t lines = lines_of(units);
    for (int64_t i = 0; i < units && lines > 0 && p->file != NULL; i++)
        fprintf(p->file,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" class=\"first-fill\"/>\n",
                x + (double)(i % SQUARES) * (SQUARE + GAP),
                p->y + (double)(i / SQUARES) * (SQUARE + GAP), SQUARE, SQUARE);
    p->y += (double)lines * (SQUARE + GAP);
}

static void write_device(picture *p, double x, const cohort_device *device)
{
    char text[512];
    double top = p->y;
    int64_t units = devices_number(device, "compute_units"),
            parts = devices_number(device, "max_parts");
    p->y += GAP;
    (void)snprintf(text, sizeof text, "%s: %s", cohort_device_id(device),
                   devices_property(device, "name"));
    write_line(p, x + MARGIN, text);
    (void)snprintf(text, sizeof text,
                   "plugin %s, %" PRId64 " compute unit%s, %.1f GiB, up to %" PRId64 " part%s, %s",
                   devices_property(device, "plugin"), units, units == 1 ? "" : "s",
                   (double)devices_number(device, "memory_bytes") / (1 << 30), parts,
                   parts == 1 ? "" : "s", devices_choice(device));
    write_line(p, x + MARGIN, text);
    write_units(p, x + MARGIN, units);
    p->y += GAP;
    write_box(p, x, top, p->y - top, "first");
    p->y += MARGIN;
}

/* ------------------------------------------------------------------ the machine */

static int count_cpus(void)
{
    int n = 0;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        n += devices_is_cpu(d);
    return n;
}

static void write_cpus(picture *p)
{
    double top = p->y;
    int n = count_cpus();
    if (n == 0)
        return;
    p->y += GAP;
    write_line(p, 2 * MARGIN + MARGIN,
               n > 1 ? "cores and memory of this machine, which these devices share"
                     : "cores and memory of this machine");
    p->y += GAP;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (devices_is_cpu(d))
            write_device(p, 3 * MARGIN, d);
    write_box(p, 2 * MARGIN, top, p->y - top, "grid");
    p->y += MARGIN;
}

static void write_others(picture *p)
{
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (!devices_is_cpu(d))
            write_device(p, 2 * MARGIN, d);
}

static void write_unused(picture *p)
{
    char text[1024];
    for (const cohort_unused *u = cohort_unused_next(NULL); u != NULL; u = cohort_unused_next(u)) {
        (void)snprintf(text, sizeof text, "not used: %s: %s", cohort_unused_candidate(u),
                       cohort_unused_reason(u));
        write_line(p, MARGIN, text);
    }
}

static double write_machine(FILE *file)
{
    picture p = { file, HEAD + MARGIN };
    write_cpus(&p);
    write_others(&p);
    write_box(&p, MARGIN, HEAD, p.y - HEAD, "grid");
    write_unused(&p);
    return p.y + MARGIN;
}

void devices_draw(FILE *file, const void *what)
{
    const char *machine = what;
    svg_begin(file, WIDTH, (int)write_machine(NULL), "Devices of this machine");
    svg_text(file, MARGIN, HEAD - 14, "start", machine);
    (void)write_machine(file);
    svg_end(file);
}
