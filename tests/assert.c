/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims of the library about itself: looked at in builds with assertions, compiled in all. */
#include "config.h"

#include "runtime/base/assert.h"

#include "tests/tap.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int looks;

static bool look(bool answer)
{
    looks++;
    return answer;
}

#ifdef COHORT_ASSERTIONS
static void break_a_claim(int output)
{
    static const struct rlimit none = { 0, 0 };
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)dup2(output, STDERR_FILENO);
    int two = 2;
    cohort_assert(two == 1 + 1 + 1);
    _exit(0);
}

/* What a child that breaks a claim says, and how it ends. */
static int run_child(char *out_text, size_t size)
{
    int pair[2], status = 0;
    if (pipe(pair) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0)
        break_a_claim(pair[1]);
    (void)close(pair[1]);
    ssize_t bytes = read(pair[0], out_text, size - 1);
    out_text[bytes > 0 ? bytes : 0] = '\0';
    (void)close(pair[0]);
    (void)waitpid(child, &status, 0);
    return status;
}

static void test_claims(void)
{
    char said[1024];
    cohort_assert(look(true));
    ok(looks == 1, "a claim that holds is looked at once, and nothing happens");
    int status = run_child(said, sizeof said);
    ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "one that does not hold aborts");
    has_text(said, "two == 1 + 1 + 1", "it says the expression");
    has_text(said, "tests/assert.c:", "the file and the line");
    has_text(said, "break_a_claim", "and the function");
}
#else
static void test_claims(void)
{
    cohort_assert(look(false));
    ok(looks == 0, "configured without assertions, a claim is not evaluated");
}
#endif

int main(void)
{
    test_claims();
    return tap_done();
}
