/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as one page: style and drawings are in it, and it asks for nothing else. What is drawn
 * stretches with the page, so the words stand beside the drawings and not in them. */
#include "config.h"

#include "cli/report_lines.h"
#include "cli/report_text.h"
#include "cli/svg.h"

#include <inttypes.h>

enum { MOST_PARTS_SHOWN = 8, MOST_DRAWN = 64 };

static const char style[] =
    "<style>\n"
    ":root { color-scheme: light dark; --page: #fff; --text: #1c1e21; --quiet: #5a6169;\n"
    "  --line: #d9dde2; --code: #f4f6f8; --compute: #2a7de1; --copy: #d9730d; --reduce: #8a4fd0;\n"
    "  --other: #6e7781; --wait: #c8ced6; --input: #c62f3b; --dispatch: #b08800; "
    "--program: #1f8a5b }\n"
    "@media (prefers-color-scheme: dark) { :root { --page: #15181c; --text: #e3e6ea;\n"
    "  --quiet: #9aa3ad; --line: #343a42; --code: #1f242a; --compute: #58a6ff; --copy: #f0883e;\n"
    "  --reduce: #b98cf2; --other: #8b949e; --wait: #444c56; --input: #ff7b72; "
    "--dispatch: #e3b341;\n"
    "  --program: #56d394 } }\n"
    "* { box-sizing: border-box }\n"
    "body { margin: 0 auto; max-width: 64rem; padding: 0.5rem 1.2rem 3rem; background: "
    "var(--page);\n"
    "  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }\n"
    "h1 { font-size: 1.5rem; line-height: 1.25 } h2 { font-size: 1.2rem; margin: 1.6em 0 0.4em }\n"
    "h3 { font-size: 1rem; margin: 0.8em 0 0.2em }\n"
    ".verdict { font-size: 1.1rem; border-left: 4px solid var(--compute); padding-left: 0.8rem }\n"
    ".warning { border-left: 4px solid var(--input); padding-left: 0.8rem }\n"
    ".quiet, figcaption { color: var(--quiet) }\n"
    "article { background: var(--code); border-radius: 4px; padding: 0.4rem 0.8rem; margin: 0.6rem "
    "0 }\n"
    "article p { margin: 0.3em 0 }\n"
    "figure { margin: 0.5rem 0 } figcaption { font-size: 0.85rem }\n"
    "svg { display: block; width: 100%; height: 1.3rem; background: var(--code) }\n"
    "svg.call { height: 0.8rem }\n"
    "ul { margin: 0.2rem 0; padding: 0; list-style: none }\n"
    "ul.shares { display: flex; flex-wrap: wrap; gap: 0.1rem 0.9rem; font-size: 0.85rem }\n"
    "li { border-left: 0.7em solid var(--is); padding-left: 0.4em }\n"
    "ul.path li { margin: 0.2rem 0 }\n"
    "rect { fill: var(--is) }\n"
    ".compute { --is: var(--compute) } .copy { --is: var(--copy) } .reduce { --is: var(--reduce) "
    "}\n"
    ".other { --is: var(--other) } .wait { --is: var(--wait) } .input { --is: var(--input) }\n"
    ".dispatch { --is: var(--dispatch) } .program { --is: var(--program) }\n"
    "</style>\n";

static void write_text(FILE *file, const char *before, const char *text, const char *after)
{
    if (text[0] == '\0')
        return;
    fputs(before, file);
    svg_escape(file, text);
    fputs(after, file);
}

/* ------------------------------------------------------------------ shares */

/* Side by side, on 1000 units. */
static void write_bar(FILE *file, const report *r, int32_t device)
{
    double at = 0;
    fputs("<svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">", file);
    for (int state = 0; state < REPORT_STATES; state++) {
        const double width = 1000 * report_step_share(r, device, (report_state)state);
        if (width > 0)
            fprintf(file, "<rect class=\"%s\" x=\"%.1f\" width=\"%.1f\" height=\"10\"/>",
                    report_state_name((report_state)state), at, width);
        at += width;
    }
    fputs("</svg>\n", file);
}

static void write_share(FILE *file, const char *name, double share)
{
    fprintf(file, "<li class=\"%s\">%s %.1f %%</li>", name, name, 100 * share);
}

static void write_shares(FILE *file, const report *r)
{
    fputs("<h2>Where the time of a step goes</h2>\n", file);
    for (int32_t d = 0; d < r->t.n_devices && d < MOST_DRAWN; d++) {
        write_text(file, "<h3>", r->t.devices[d], "</h3>\n");
        write_bar(file, r, d);
        fputs("<ul class=\"shares\">", file);
        for (int state = 0; state < REPORT_STATES; state++)
            write_share(file, report_state_name((report_state)state),
                        report_step_share(r, d, (report_state)state));
        fputs("</ul>\n", file);
    }
    if (r->t.n_devices > MOST_DRAWN)
        fprintf(file, "<p class=\"quiet\">and %d devices more</p>\n",
                (int)r->t.n_devices - MOST_DRAWN);
}

/* ------------------------------------------------------------------ timeline */

static void write_run(const report *r, const report_run *run, FILE *file)
{
    char time[REPORT_TIME_BYTES];
    const timeline_slice *s = run->slice;
    fprintf(file, "<rect class=\"%s\" x=\"%d\" width=\"%d\" height=\"10\"><title>",
            report_state_name(report_line_state(s)), run->from, run->until - run->from);
    svg_escape(file, r->t.names[s->name]);
    if (s->replica >= 0)
        fprintf(file, ", replica %d", (int)s->replica);
    fprintf(file, ", %s</title></rect>", report_time((double)(s->end_ns - s->begin_ns), time));
}

static void write_line(const report *r, const report_line *line, FILE *file)
{
    write_text(file, "<figure><figcaption>",
               line->device >= 0 ? r->t.devices[line->device] : "calling thread",
               "</figcaption>\n");
    fprintf(file,
            "<svg%s viewBox=\"0 0 %d 10\" preserveAspectRatio=\"none\" role=\"img\" "
            "aria-label=\"timeline\">",
            line->device >= 0 ? "" : " class=\"call\"", REPORT_LINE_COLUMNS);
    for (int i = 0; i < line->n; i++)
        write_run(r, &line->runs[i], file);
    fputs("</svg></figure>\n", file);
}

static void write_timeline(FILE *file, const report *r)
{
    char time[REPORT_TIME_BYTES];
    static report_line line;
    const report_window window = report_window_of(r);
    fprintf(file, "<h2>Timeline</h2>\n<p class=\"quiet\">%s from the middle of the trace</p>\n",
            report_time((double)(window.until_ns - window.from_ns), time));
    for (int32_t d = 0; d < r->t.n_devices && d < MOST_DRAWN; d++) {
        report_draw_line(r, &window, d, &line);
        write_line(r, &line, file);
    }
    report_draw_line(r, &window, -1, &line);
    write_line(r, &line, file);
}

/* ------------------------------------------------------------------ the rest */

static void write_path(FILE *file, const report *r)
{
    char time[REPORT_TIME_BYTES], text[REPORT_TEXT_BYTES];
    fprintf(file, "<h2>Critical path of a step, %s</h2>\n<ul class=\"path\">\n",
            report_time((double)r->path_ns, time));
    for (int i = 0; i < r->n_parts && i < MOST_PARTS_SHOWN; i++) {
        const report_part *p = &r->parts[i];
        fprintf(file, "<li class=\"%s\">%.1f %%: ", report_state_name(p->state),
                100 * (double)p->ns / (double)r->path_ns);
        svg_escape(file, report_part_text(r, p, text));
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
}

static void write_cause(FILE *file, const report_cause *c)
{
    char time[REPORT_TIME_BYTES];
    fprintf(file, "<article>\n<h3>%s</h3>\n", c->id);
    write_text(file, "<p>", c->cause, "</p>\n");
    write_text(file, "<p>Evidence: ", c->evidence, "</p>\n");
    write_text(file, "<p>Change: ", c->change, "</p>\n");
    fprintf(file, "<p>Expected: %s a step</p>\n</article>\n", report_time(c->step_ns, time));
}

static void write_report(FILE *file, const report *r)
{
    char time[REPORT_TIME_BYTES], text[REPORT_TEXT_BYTES];
    write_text(file, "<section>\n<h1>", r->path, "</h1>\n");
    fprintf(file, "<p>%s a step, %" PRId64 " of them: ", report_time(report_step_ns(r), time),
            r->n_kept);
    write_text(file, "", report_unit_text(r->unit), "</p>\n");
    write_text(file, "<p class=\"verdict\">", report_verdict_text(r, text), "</p>\n");
    write_text(file, "<p class=\"warning\">", report_warning_text(r, text), "</p>\n");
    for (int i = 0; i < r->n_causes; i++)
        write_cause(file, &r->causes[i]);
    write_shares(file, r);
    write_timeline(file, r);
    write_path(file, r);
    write_text(file, "<h2>Slowest replica</h2>\n<p>", report_replicas_text(r, text), "</p>\n");
    write_text(file, "<h2>Recording</h2>\n<p>", report_recording_text(r, text), "</p>\n");
    write_text(file, "<p class=\"quiet\">", report_left_out_text(r, text), "</p>\n");
    write_text(file, "<p class=\"quiet\">", report_unusual_text(r, text), "</p>\n");
    fputs("</section>\n", file);
}

void report_draw(FILE *file, const void *what)
{
    const report_pages *all = what;
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'unsafe-inline'\">\n<title>cohort report</title>\n%s</head>\n<body>\n",
            style);
    for (int i = 0; i < all->n; i++)
        write_report(file, &all->reports[i]);
    fputs("</body>\n</html>\n", file);
}
