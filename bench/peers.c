/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench/peers.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_PEERS = 8,
    MOST_LINES = 256,
    MOST_TEXT = 1 << 16,
    MOST_LINE = 512,
    PATIENCE_MS = 300000
};

typedef struct peer {
    pid_t id;
    int in, out; /* of ours: what it is asked, what it answers; -1: it is gone */
    char command[MOST_LINE];
} peer;

static peer all[MOST_PEERS];
static int n_peers;
static bool were_started;

/* ------------------------------------------------------------------ processes */

static void leave(peer *p)
{
    if (p->in < 0)
        return;
    (void)close(p->in);
    (void)close(p->out);
    (void)waitpid(p->id, NULL, 0);
    p->in = p->out = -1;
}

static void leave_all(void)
{
    for (int i = 0; i < n_peers; i++)
        leave(&all[i]);
}

static void gone(peer *p, const char *why)
{
    fprintf(stderr, "peer left out: %s: %s\n", p->command, why);
    (void)kill(p->id, SIGTERM);
    leave(p);
}

/* mpirun gives each of its processes a core; a peer may have all that there are. */
static void take_all_cores(void)
{
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    (void)sched_setaffinity(0, sizeof all, &all);
}

static bool start(peer *p, const char *command, size_t length)
{
    int question[2], answer[2];
    if (length >= sizeof p->command || pipe(question) != 0 || pipe(answer) != 0)
        return false;
    memcpy(p->command, command, length);
    p->command[length] = '\0';
    fflush(NULL);
    p->id = fork();
    if (p->id == 0) {
        take_all_cores();
        (void)dup2(question[0], 0);
        (void)dup2(answer[1], 1);
        for (int fd = 3; fd < 256; fd++) /* another peer must see the end of its own questions */
            (void)close(fd);
        (void)execl("/bin/sh", "sh", "-c", p->command, (char *)NULL);
        _exit(127);
    }
    (void)close(question[0]);
    (void)close(answer[1]);
    p->in = question[1];
    p->out = answer[0];
    return p->id > 0;
}

static void start_all(void)
{
    const char *command = getenv("BENCH_PEERS");
    (void)signal(SIGPIPE, SIG_IGN);
    for (; command != NULL && *command != '\0' && n_peers < MOST_PEERS;) {
        size_t length = strcspn(command, "\n");
        if (length > 0 && start(&all[n_peers], command, length))
            n_peers++;
        command += length + (command[length] == '\n');
    }
    were_started = true;
    (void)atexit(leave_all);
}

/* ------------------------------------------------------------------ lines */

static bool ask(peer *p, const char *line)
{
    size_t length = strlen(line);
    return p->in >= 0 && write(p->in, line, length) == (ssize_t)length;
}

/* One line without its end. */
static bool read_line(peer *p, char line[MOST_LINE])
{
    struct pollfd wait = { .fd = p->out, .events = POLLIN };
    for (int n = 0; n < MOST_LINE; n++) {
        int ready = poll(&wait, 1, PATIENCE_MS);
        if (ready <= 0 || read(p->out, &line[n], 1) != 1) {
            gone(p, ready == 0 ? "no answer" : "it has ended");
            return false;
        }
        if (line[n] == '\n') {
            line[n] = '\0';
            return true;
        }
    }
    gone(p, "a line without an end");
    return false;
}

/* ------------------------------------------------------------------ sides */

/* Lines of all peers, cut at their tabs: the texts of the sides. */
static char texts[MOST_TEXT];

static bool keep_side(char *line, int process, peers_side *out)
{
    char *who = strchr(line, '\t');
    char *how = who != NULL ? strchr(who + 1, '\t') : NULL;
    if (how == NULL)
        return false;
    *who++ = *how++ = '\0';
    *out = (peers_side){ line, who, how, process };
    return true;
}

int peers_sides(const char *table, peers_side out[], int capacity)
{
    char line[MOST_LINE];
    size_t used = 0;
    int n = 0;
    if (!were_started)
        start_all();
    (void)snprintf(line, sizeof line, "sides %s\n", table);
    for (int i = 0; i < n_peers; i++) {
        char answer[MOST_LINE];
        bool is_heard = ask(&all[i], line);
        while (is_heard && read_line(&all[i], answer) && answer[0] != '\0') {
            size_t length = strlen(answer) + 1;
            if (n == capacity || used + length > sizeof texts)
                continue;
            n += keep_side(memcpy(texts + used, answer, length), i, &out[n]);
            used += length;
        }
    }
    return n;
}

double peers_time(const peers_side *side, double budget)
{
    char line[MOST_LINE];
    peer *p = &all[side->process];
    (void)snprintf(line, sizeof line, "time %s\t%s\t%g\n", side->row, side->who, budget);
    if (!ask(p, line) || !read_line(p, line))
        return -1;
    if (line[0] == '!') {
        fprintf(stderr, "peer left out: %s, %s: %s\n", side->row, side->who, line + 1);
        return -1;
    }
    return strtod(line, NULL);
}
