/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress on standard error: a bar where the terminal can draw over a line, lines elsewhere. It is
 * drawn ten times in a second at most, however short a step is. */
#include "config.h"

#include "cli/progress.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { CELLS = 20, NARROW = 100 };
static const double redraw_seconds = 0.1;

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* TERM says whether it knows the escapes that end a line. */
static bool is_clever_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && *term != '\0' && strcmp(term, "dumb") != 0;
}

void progress_start(progress *p, const char *label, int64_t epochs, int64_t steps, bool wants_lines)
{
    *p = (progress){ .label = label,
                     .epochs = epochs,
                     .steps = steps,
                     .start = progress_clock(),
                     .training = { NAN, NAN },
                     .validation = { NAN, NAN } };
    p->has_bar = is_clever_terminal();
    p->has_lines = wants_lines && !p->has_bar;
    p->is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Eighths of a cell, from none to full. */
static void draw_cells(const progress *p, double share)
{
    static const char *const eighths[] = { " ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█" };
    for (int i = 0; i < CELLS; i++) {
        int filled = (int)fmin(8, fmax(0, (share * CELLS - i) * 8));
        fputs(p->is_utf8 ? eighths[filled] : filled == 8 ? "#" : " ", stderr);
    }
}

static void draw_time(double seconds)
{
    long whole = seconds >= 0 && seconds < 1e6 ? (long)seconds : 0;
    fprintf(stderr, "%02ld:%02ld", whole / 60, whole % 60);
}

/* On a narrow terminal a long line would wrap, and could not be drawn over. */
static bool is_narrow(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_col < NARROW;
}

static void draw_rest(const progress *p, int64_t step, double share)
{
    double passed = progress_clock() - p->start;
    fputs("|", stderr);
    draw_cells(p, share);
    fprintf(stderr, "| %lld/%lld [", (long long)step, (long long)p->steps);
    draw_time(passed);
    fputs("<", stderr);
    draw_time(passed / share - passed);
    fprintf(stderr, ", %.0f it/s]", (double)step / passed);
}

/* Numbers that are not known are left out. */
static void print_figures(figures f, const char *what)
{
    if (!isnan(f.loss))
        fprintf(stderr, "%s loss %.4f accuracy %.3f", what, f.loss, f.accuracy);
}

static void draw_bar(progress *p, int64_t epoch, int64_t step)
{
    double share = (double)step / (double)p->steps;
    fprintf(stderr, "\r%sepoch %lld/%lld %3.0f%%", p->label, (long long)epoch, (long long)p->epochs,
            share * 100);
    if (!is_narrow())
        draw_rest(p, step, share);
    print_figures(p->training, "");
    if (!is_narrow())
        print_figures(p->validation, ", validation");
    fputs("\033[K", stderr);
    fflush(stderr);
}

void progress_step(progress *p, int64_t epoch, int64_t step)
{
    double now = p->has_bar ? progress_clock() : 0;
    if (!p->has_bar || now - p->drawn < redraw_seconds)
        return;
    p->drawn = now;
    draw_bar(p, epoch, step);
}

void progress_epoch(progress *p, int64_t epoch, figures training, figures validation)
{
    p->training = training;
    p->validation = validation;
    if (!p->has_lines)
        return;
    fprintf(stderr, "epoch %lld/%lld", (long long)epoch, (long long)p->epochs);
    print_figures(training, "");
    print_figures(validation, ", validation");
    fputc('\n', stderr);
}

/* The bar is wiped out: what comes next begins at the start of the line. */
void progress_end(progress *p)
{
    if (p->has_bar)
        fputs("\r\033[K", stderr);
}
