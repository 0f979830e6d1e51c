/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 512, MOST_CALLS = 1 << 24 };

static void tell_sides(const serve_side sides[], int n, const char *table)
{
    for (int i = 0; i < n; i++)
        if (strcmp(sides[i].table, table) == 0)
            printf("%s\t%s\t%s\n", sides[i].row, sides[i].who, sides[i].how);
    putchar('\n');
}

/* Calls are doubled until they take an eighth of the budget, which warms up too. */
static double time_within(const serve_side *side, double budget)
{
    long calls = 1;
    double seconds = side->time(side->size, calls);
    while (seconds >= 0 && seconds < budget / 8 && calls < MOST_CALLS) {
        calls *= 2;
        seconds = side->time(side->size, calls);
    }
    if (seconds < 0 || budget <= 0)
        return seconds;
    double wanted = seconds > 0 ? (double)calls * budget / seconds : (double)calls;
    calls = wanted < 1 ? 1 : (long)wanted;
    seconds = side->time(side->size, calls);
    return seconds < 0 ? seconds : seconds / (double)calls;
}

static void tell_time(const serve_side sides[], int n, char *question)
{
    char *who = strchr(question, '\t');
    char *budget = who != NULL ? strchr(who + 1, '\t') : NULL;
    if (budget == NULL) {
        puts("! not a question");
        return;
    }
    *who++ = *budget++ = '\0';
    for (int i = 0; i < n; i++)
        if (strcmp(sides[i].row, question) == 0 && strcmp(sides[i].who, who) == 0) {
            double seconds = time_within(&sides[i], strtod(budget, NULL));
            if (seconds < 0)
                puts("! it failed");
            else
                printf("%.12g\n", seconds);
            return;
        }
    puts("! no such row");
}

int serve(const serve_side sides[], int n)
{
    char line[MOST_LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "sides ", 6) == 0)
            tell_sides(sides, n, line + 6);
        else if (strncmp(line, "time ", 5) == 0)
            tell_time(sides, n, line + 5);
        else
            puts("! not a question");
        fflush(stdout);
    }
    return 0;
}
