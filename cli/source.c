/* SPDX-License-Identifier: BSD-3-Clause */
/* C sources of --source: compiled by the user's compiler into a folder that only this user can
 * open, loaded, and removed at once. */
#include "config.h"

#include "cli/source.h"

#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MOST_WORDS = 256 };

/* The compiler's argument vector; words are cut out of copies. */
typedef struct command {
    char *words[MOST_WORDS + 1], *copies[3];
    int n_words, n_copies;
} command;

static bool add_word(command *c, char *word)
{
    if (c->n_words == MOST_WORDS)
        return cli_fail(EXIT_USAGE, "more than %d words for the compiler", MOST_WORDS), false;
    c->words[c->n_words++] = word;
    return true;
}

/* The words of a text with spaces between them, such as CC="ccache gcc". No shell is asked: a file
 * name is a word of its own, whatever it contains. */
static bool add_words(command *c, const char *text)
{
    char *copy = strdup(text), *rest = NULL;
    if (copy == NULL)
        return cli_fail(EXIT_FAILED, "out of memory"), false;
    c->copies[c->n_copies++] = copy;
    for (char *word = strtok_r(copy, " \t\n", &rest); word != NULL;
         word = strtok_r(NULL, " \t\n", &rest))
        if (!add_word(c, word))
            return false;
    return true;
}

static void free_command(command *c)
{
    for (int i = 0; i < c->n_copies; i++)
        free(c->copies[i]);
}

static const char *compiler(void)
{
    const char *cc = getenv("CC");
    return cc != NULL && strspn(cc, " \t\n") < strlen(cc) ? cc : "cc";
}

/* Whether it has macros such as _GNU_SOURCE, which count before the first header only. */
static bool chooses_features(const char *file)
{
    char line[4096];
    struct stat entry;
    bool is_found = false;
    FILE *stream = stat(file, &entry) == 0 && S_ISREG(entry.st_mode) ? fopen(file, "re") : NULL;
    while (stream != NULL && !is_found && fgets(line, sizeof line, stream) != NULL)
        is_found = strstr(line, "_SOURCE") != NULL;
    if (stream != NULL)
        (void)fclose(stream);
    return is_found;
}

/* With -O3, without which gcc makes no vector code of loops over arrays, and what gives code the
 * bits of elsewhere (m4/cohort_bits.m4). <stdint.h> comes before the file, whose prototype says
 * int64_t. The user's flags come behind and may say otherwise. */
static bool fill_command(command *c, char *file, const char *flags, source *s)
{
    static char shared[] = "-shared", pic[] = "-fPIC", optimize[] = "-O3", include[] = "-include",
                integers[] = "stdint.h", output[] = "-o", math[] = "-lm";
    bool is_plain = !chooses_features(file);
    return add_words(c, compiler()) && add_word(c, optimize) && add_words(c, SAME_BITS_CFLAGS) &&
           (!is_plain || (add_word(c, include) && add_word(c, integers))) && add_word(c, pic) &&
           add_word(c, shared) && add_word(c, output) && add_word(c, s->library) &&
           add_word(c, file) && (flags == NULL || add_words(c, flags)) && add_word(c, math);
}

/* An interrupt ends the compiler, and this program goes on to remove the folder, as system() does
 * it. */
static int run_command(command *c)
{
    struct sigaction ignored = { .sa_handler = SIG_IGN }, interrupt, quit;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    pid_t child = 0;
    int status = 0;
    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGINT);
    (void)sigaddset(&defaults, SIGQUIT);
    if (posix_spawnattr_init(&attributes) != 0)
        return cli_fail(EXIT_FAILED, "out of memory");
    (void)posix_spawnattr_setsigdefault(&attributes, &defaults);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    (void)sigaction(SIGINT, &ignored, &interrupt);
    (void)sigaction(SIGQUIT, &ignored, &quit);
    int error = posix_spawnp(&child, c->words[0], NULL, &attributes, c->words, environ);
    while (error == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    (void)sigaction(SIGINT, &interrupt, NULL);
    (void)sigaction(SIGQUIT, &quit, NULL);
    (void)posix_spawnattr_destroy(&attributes);
    if (error != 0)
        return cli_fail(EXIT_FAILED, "the C compiler '%s' does not start: %s", c->words[0],
                        strerror(error));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return cli_fail(EXIT_FAILED, "the C compiler '%s' failed: its messages are above",
                        c->words[0]);
    return EXIT_OK;
}

static int make_folder(source *s)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(s->folder, sizeof s->folder, "%s/cohort-XXXXXX",
                          parent != NULL && parent[0] == '/' ? parent : "/tmp");
    if (length < 0 || (size_t)length >= sizeof s->folder || mkdtemp(s->folder) == NULL) { /* 0700 */
        cli_fail(EXIT_FAILED, "%s: %s", s->folder, strerror(errno));
        cli_fix("set TMPDIR to a folder of yours");
        s->folder[0] = '\0';
        return EXIT_FAILED;
    }
    (void)snprintf(s->library, sizeof s->library, "%s/body.so", s->folder);
    return EXIT_OK;
}

static int compile(char *file, const char *flags, source *s)
{
    command c = { .n_words = 0 };
    int code = fill_command(&c, file, flags, s) ? run_command(&c) : EXIT_USAGE;
    free_command(&c);
    return code;
}

int source_compile(const char *file, const char *flags, source *out)
{
    *out = (source){ .folder = "" };
    /* CC and PATH would choose what runs with privileges that are not the user's */
    if (getauxval(AT_SECURE) != 0)
        return cli_fail(EXIT_FAILED, "--source %s: not with raised privileges", file);
    char *path = realpath(file, NULL); /* absolute: never taken for an option */
    if (path == NULL)
        return cli_fail(EXIT_FAILED, "--source %s: %s", file, strerror(errno));
    int code = make_folder(out);
    if (code == EXIT_OK)
        code = compile(path, flags, out);
    if (code != EXIT_OK)
        source_remove(out);
    free(path);
    return code;
}

/* Called from signal handlers too: unlink and rmdir are safe there, and a second call does
 * nothing. */
void source_remove(source *s)
{
    if (s->folder[0] == '\0')
        return;
    (void)unlink(s->library);
    (void)rmdir(s->folder);
    s->folder[0] = '\0';
}
