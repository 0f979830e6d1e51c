/* SPDX-License-Identifier: BSD-3-Clause */
/* The watch over bodies: a body that crashes, hangs or exits ends this program, and the last words
 * say which one it was and where. Handlers use nothing but memory that is ready and calls that are
 * safe in them (signal-safety(7)). */
#include "config.h"

#include "cli/watch.h"

#include "cli/cli.h"
#include "cli/visible.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { SUBJECT_BYTES = 512, LINE_BYTES = 2048, STACK_BYTES = 65536 };

/* What handlers may look at. */
static char subjects[2][SUBJECT_BYTES], limit_text[64];
static volatile sig_atomic_t subject, is_watching; /* subject: which of the two */
static source *library;
static pid_t watched; /* not what a body forks */
static atomic_flag is_told = ATOMIC_FLAG_INIT;

static const struct {
    int signal;
    const char *what;
} crashes[] = { { SIGSEGV, "crashed (SIGSEGV: a wrong address, or no stack left)" },
                { SIGBUS, "crashed (SIGBUS: a wrong address)" },
                { SIGFPE, "crashed (SIGFPE: an integer divided by 0)" },
                { SIGILL, "crashed (SIGILL: no instruction of this processor)" },
                { SIGTRAP, "crashed (SIGTRAP)" },
                { SIGSYS, "crashed (SIGSYS: a system call that is not allowed)" },
                { SIGABRT, "called abort" } };
enum { CRASHES = sizeof crashes / sizeof *crashes };

/* ------------------------------------------------------------------ in handlers */

/* stdio is not for handlers. */
static void add(char line[LINE_BYTES], const char *text)
{
    size_t used = strlen(line), length = strlen(text);
    if (used + length < LINE_BYTES - 1)
        memcpy(line + used, text, length + 1);
}

/* snprintf is no function for handlers. */
static void add_number(char line[LINE_BYTES], int number)
{
    char digits[16], *at = digits + sizeof digits - 1;
    *at = '\0';
    for (; at == digits + sizeof digits - 1 || number > 0; number /= 10)
        *--at = (char)('0' + number % 10);
    add(line, at);
}

/* The library knows which body runs on this thread; on a thread of a driver it does not, and the
 * subject has to do. */
static void add_who(char line[LINE_BYTES])
{
    cohort_running r = { .struct_size = sizeof r };
    if (cohort_running_here(&r) != COHORT_OK) {
        add(line, subjects[subject]);
        return;
    }
    add(line, r.function);
    if (r.replica >= 0) {
        add(line, ", replica ");
        add_number(line, r.replica);
    }
    add(line, " on ");
    add(line, r.device);
}

/* Only the first thread tells; others have nothing to go back to. */
static _Noreturn void end(const char *what)
{
    char line[LINE_BYTES] = "cohort: ";
    while (atomic_flag_test_and_set(&is_told))
        (void)pause();
    add_who(line);
    add(line, ": ");
    add(line, what);
    add(line, "\n");
    (void)!write(STDERR_FILENO, line, strlen(line));
    source_remove(library);
    _exit(EXIT_FAILED);
}

/* A process that a body forked is none of ours: it ends as it would have. */
static void on_crash(int number)
{
    if (getpid() != watched) {
        (void)signal(number, SIG_DFL);
        (void)raise(number); /* when this returns */
        return;
    }
    for (int i = 0; i < CRASHES; i++)
        if (crashes[i].signal == number)
            end(crashes[i].what);
}

static void on_limit(int signal)
{
    (void)signal;
    end(limit_text);
}

/* Lines that it printed before are still to be seen. */
static void on_exit_called(void)
{
    if (!is_watching || getpid() != watched)
        return;
    (void)fflush(stdout);
    end("called exit");
}

/* ------------------------------------------------------------------ */

/* On a stack of its own, because a body that has used up its stack has none left for the
 * handler. */
static void handle(int signal, void (*handler)(int signal))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(signal, &action, NULL);
}

/* Not freed: the thread has it to the end. */
void watch_stack(void)
{
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0)
        return; /* it has one */
    void *stack =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack != MAP_FAILED)
        (void)sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = STACK_BYTES }, NULL);
}

/* atexit has no way back, so that it is registered once and looks at is_watching. */
void watch_begin(source *compiled)
{
    static bool is_registered;
    library = compiled;
    watched = getpid();
    watch_stack();
    for (int i = 0; i < CRASHES; i++)
        handle(crashes[i].signal, on_crash);
    if (!is_registered)
        is_registered = atexit(on_exit_called) == 0 && at_quick_exit(on_exit_called) == 0;
    is_watching = 1;
}

void watch_end(void)
{
    watch_limit(0);
    is_watching = 0;
    for (int i = 0; i < CRASHES; i++)
        handle(crashes[i].signal, SIG_DFL);
}

/* Into the text that no handler looks at. */
void watch_subject(const char *format, ...)
{
    char text[SUBJECT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)visible(text, subjects[!subject], SUBJECT_BYTES);
    subject = !subject;
}

void watch_limit(double seconds)
{
    struct itimerval timer = { .it_value = { .tv_sec = (time_t)seconds } };
    sigset_t alarm;
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    if (seconds > 0 && timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1; /* all zero would be no limit */
    if (seconds > 0) {
        (void)snprintf(limit_text, sizeof limit_text, "not done after %g s (--timeout)", seconds);
        (void)sigemptyset(&alarm);
        (void)sigaddset(&alarm, SIGALRM);
        handle(SIGALRM, on_limit);
        (void)sigprocmask(SIG_UNBLOCK, &alarm, NULL);
    }
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}
