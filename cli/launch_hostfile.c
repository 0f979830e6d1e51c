/* SPDX-License-Identifier: BSD-3-Clause */
/* The machines of --hostfile, in the forms that both MPIs have: "a", "a:2" and "a slots=2". */
#include "config.h"

#include "cli/address.h"
#include "cli/launch.h"
#include "cli/visible.h"

#include <stdlib.h>
#include <string.h>

typedef struct host_lines {
    const char *path;
    int line;     /* the one that is read, from 1 on */
    int64_t left; /* processes that have no machine yet; -1: all of the file are started */
    int64_t n;    /* that have one */
    FILE *out;
} host_lines;

static int refuse(const host_lines *h, const char *what, const char *why)
{
    char shown[256];
    int code = cli_fail(EXIT_FAILED, "%s: line %d: '%s': %s", h->path, h->line,
                        visible(what, shown, sizeof shown), why);
    cli_fix("a line is NAME, NAME:PROCESSES or NAME slots=PROCESSES; # begins a comment");
    return code;
}

/* Processes of a machine whose line says how many, in either form. 0: it says something else. */
static uint64_t processes_of(const char *behind_colon, const char *second)
{
    if (second != NULL && (behind_colon != NULL || strncmp(second, "slots=", 6) != 0))
        return 0;
    const char *number = second != NULL ? second + 6 : behind_colon;
    if (number == NULL)
        return 1;
    size_t digits = strspn(number, "0123456789");
    unsigned long n = digits > 0 && digits < 6 ? strtoul(number, NULL, 10) : 0;
    return number[digits] == '\0' && n <= LAUNCH_MOST ? n : 0;
}

static void take_host(host_lines *h, const char *host, uint64_t processes)
{
    int64_t taken = h->left >= 0 && (int64_t)processes > h->left ? h->left : (int64_t)processes;
    if (taken == 0)
        return;
    fprintf(h->out, "%s%s:%d", h->n > 0 ? "," : "", host, (int)taken);
    h->n += taken;
    h->left -= h->left >= 0 ? taken : 0;
}

static int read_host(host_lines *h, char *host, const char *second)
{
    char *rest = host, *name = host[0] == '[' ? host : strsep(&rest, ":");
    const char *why = "mpirun takes no addresses of IPv6";
    if (host[0] == '[' || address_host(name, &why) == 0)
        return refuse(h, host, why);
    uint64_t processes = processes_of(rest, second);
    if (processes == 0)
        return refuse(h, second != NULL ? second : rest, "expected 1 to 65536 processes");
    take_host(h, name, processes);
    return -1;
}

/* -1, or the exit code. */
static int read_line(host_lines *h, char *line)
{
    char *rest = line, *words[2] = { NULL }, *word;
    int n = 0;
    line[strcspn(line, "#")] = '\0';
    while ((word = strsep(&rest, " \t\r")) != NULL) {
        if (*word == '\0')
            continue;
        if (n == 2)
            return refuse(h, word, "there is a word too many");
        words[n++] = word;
    }
    return n > 0 ? read_host(h, words[0], words[1]) : -1;
}

static int check_number(const host_lines *h)
{
    if (h->n == 0)
        return cli_fail(EXIT_FAILED, "%s: it names no machine", h->path);
    if (h->left > 0)
        return cli_fail(EXIT_FAILED, "%s: its machines take %d processes, and %d are to be started",
                        h->path, (int)h->n, (int)(h->n + h->left));
    if (h->n > LAUNCH_MOST)
        return cli_fail(EXIT_FAILED, "%s: more than %d processes", h->path, LAUNCH_MOST);
    return -1;
}

static int read_lines(host_lines *h, char *text)
{
    int code = -1;
    for (char *rest = text, *line; code < 0 && (line = strsep(&rest, "\n")) != NULL;) {
        h->line++;
        code = read_line(h, line);
    }
    return code < 0 ? check_number(h) : code;
}

int launch_read_hosts(launch *l)
{
    host_lines h = { .path = l->host_file, .left = l->n > 0 ? l->n : -1 };
    size_t length;
    char *text = launch_read_text(l->host_file);
    if (text == NULL)
        return EXIT_FAILED;
    h.out = open_memstream(&l->hosts, &length);
    int code = h.out != NULL ? read_lines(&h, text) : EXIT_FAILED;
    if (h.out == NULL || fclose(h.out) != 0)
        code = cli_fail(EXIT_FAILED, "%s: out of memory", l->host_file);
    l->n = code < 0 ? (int)h.n : l->n;
    free(text);
    return code;
}
