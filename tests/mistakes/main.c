/* SPDX-License-Identifier: BSD-3-Clause */
/* No error passes without a word: a program that looks at its last call alone ends with 1 and the
 * sentence of its first error. Each program is a process of its own: this one again, with --wrong
 * NAME, or --right NAME, without its mistake.
 */
#include "config.h"

#include "tests/mistakes/mistakes.h"
#include "tests/tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const mistaken_program *const groups[] = {
    mistaken_values, mistaken_runs,     mistaken_reduces, mistaken_variables, mistaken_metrics,
    mistaken_steps,  mistaken_datasets, mistaken_inputs,  mistaken_devices
};
enum { GROUPS = sizeof groups / sizeof *groups, SECONDS = 20, TEXT = 4096 };

cohort_strategy *s, *other;

/* ---- A program. */

const char *mistaken_file(const char *name, const void *content, size_t bytes)
{
    FILE *out = fopen(name, "wb");
    if (out == NULL || fwrite(content, 1, bytes, out) != bytes || fclose(out) != 0)
        abort();
    return name;
}

static const mistaken_program *program_of(const char *name)
{
    for (size_t i = 0; i < GROUPS; i++)
        for (const mistaken_program *program = groups[i]; program->name != NULL; program++)
            if (strcmp(program->name, name) == 0)
                return program;
    return NULL;
}

static int run_program(const mistaken_program *program, bool is_wrong)
{
    (void)alarm(SECONDS); /* a hang is no error */
    cohort_status status = program->run(is_wrong);
    if (status != COHORT_OK)
        fprintf(stderr, "%s\n", cohort_error_text());
    cohort_strategy_destroy(s);
    cohort_strategy_destroy(other);
    return status == MISTAKE_CANNOT ? MISTAKE_CANNOT
           : status == COHORT_OK    ? EXIT_SUCCESS
                                    : EXIT_FAILURE;
}

/* ---- Running it. */

static char folder[] = "mistakes-XXXXXX";

static void become(const char *how, const char *name, int errors)
{
    if (dup2(errors, STDERR_FILENO) < 0 || chdir(folder) != 0)
        _exit(126);
    (void)execl("/proc/self/exe", "mistakes", how, name, (char *)NULL);
    _exit(127);
}

static void read_all(int descriptor, char text[TEXT])
{
    size_t used = 0;
    for (ssize_t n; (n = read(descriptor, text + used, TEXT - 1 - used)) > 0;)
        used += (size_t)n;
    text[used > 0 && text[used - 1] == '\n' ? used - 1 : used] = '\0';
}

/* Its exit status, or 128 and the signal; what it wrote on standard error. */
static int end_of(const char *how, const char *name, char text[TEXT])
{
    int errors[2], status = 0;
    if (pipe2(errors, O_CLOEXEC) != 0)
        abort();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        become(how, name, errors[1]);
    (void)close(errors[1]);
    read_all(errors[0], text);
    (void)close(errors[0]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void remove_folder(void)
{
    DIR *list = chdir(folder) == 0 ? opendir(".") : NULL;
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;)
        (void)unlink(entry->d_name);
    if (list != NULL)
        (void)closedir(list);
    ok(chdir("..") == 0 && rmdir(folder) == 0, "nothing is left behind");
}

/* ---- Judging it. */

static bool has_words(const char *text, const char *words)
{
    while (text != NULL && *words != '\0') {
        char part[200];
        size_t n = strcspn(words, "|");
        (void)snprintf(part, sizeof part, "%.*s", (int)n, words);
        text = strstr(text, part);
        text = text != NULL ? text + n : NULL;
        words += n + (words[n] == '|');
    }
    return text != NULL;
}

static void check_wrong(const mistaken_program *program)
{
    char text[TEXT];
    int code = end_of("--wrong", program->name, text);
    if (code == MISTAKE_CANNOT)
        skip(program->name, text);
    else if (!ok(code == EXIT_FAILURE && has_words(text, program->words), "%s", program->name))
        diag("exit status %d; wanted: %s; found: %s", code, program->words, text);
}

static void check_right(const mistaken_program *program)
{
    char text[TEXT];
    int code = end_of("--right", program->name, text);
    if (code == MISTAKE_CANNOT)
        skip(program->name, text);
    else if (!ok(code == EXIT_SUCCESS && text[0] == '\0', "%s, without the mistake", program->name))
        diag("exit status %d: %s", code, text);
}

int main(int n, char *arguments[])
{
    if (n == 3) {
        const mistaken_program *program = program_of(arguments[2]);
        return program != NULL ? run_program(program, strcmp(arguments[1], "--wrong") == 0) : 2;
    }
    if (mkdtemp(folder) == NULL)
        abort();
    for (size_t i = 0; i < GROUPS; i++)
        for (const mistaken_program *program = groups[i]; program->name != NULL; program++) {
            check_wrong(program);
            check_right(program);
        }
    remove_folder();
    return tap_done();
}
