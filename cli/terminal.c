/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals are blocked but for the time of a wait, so that none is lost between a look and the wait
 * for it, and handlers only note that they have come. */
#include "config.h"

#include "cli/terminal.h"

#include "cli/utf8.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int endings[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { ENDINGS = sizeof endings / sizeof *endings, USUAL_ROWS = 24, USUAL_COLUMNS = 80 };

static volatile sig_atomic_t ending, should_stop, goes_on;
static struct termios before; /* of standard input */
static bool has_keys;         /* it is a terminal */
static sigset_t blocked_before;

bool terminal_is_there(void)
{
    const char *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

/* ------------------------------------------------------------------ the screen */

/* Each key at once, and none of them shown. */
static void take_keys(void)
{
    struct termios now = before;
    if (!has_keys)
        return;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

/* The second screen, without a cursor. */
static void take_screen(void)
{
    take_keys();
    fputs("\033[?1049h\033[?25l", stdout);
    (void)fflush(stdout);
}

static void give_back_screen(void)
{
    if (has_keys)
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    fputs("\033[?25h\033[?1049l", stdout);
    (void)fflush(stdout);
}

/* ------------------------------------------------------------------ signals */

static void note_end(int number)
{
    ending = number;
}

static void note_stop(int number)
{
    (void)number;
    should_stop = 1;
}

static void note_going_on(int number)
{
    (void)number;
    goes_on = 1;
}

/* SIGWINCH only ends a wait. */
static void note_nothing(int number)
{
    (void)number;
}

static void handle(int number, void (*handler)(int number))
{
    struct sigaction action = { .sa_handler = handler };
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
}

/* What was ignored before, as nohup does with SIGHUP, stays so. */
static void handle_unless_ignored(int number, void (*handler)(int number))
{
    struct sigaction was;
    if (sigaction(number, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
        handle(number, handler);
}

static void block(void)
{
    sigset_t all;
    (void)sigemptyset(&all);
    for (int i = 0; i < ENDINGS; i++)
        (void)sigaddset(&all, endings[i]);
    (void)sigaddset(&all, SIGTSTP);
    (void)sigaddset(&all, SIGWINCH);
    (void)sigaddset(&all, SIGCONT);
    (void)sigprocmask(SIG_BLOCK, &all, &blocked_before);
}

/* As if nobody had caught it: the shell sees a command that stands. */
static void stop(void)
{
    sigset_t one;
    should_stop = 0;
    give_back_screen();
    (void)sigemptyset(&one);
    (void)sigaddset(&one, SIGTSTP);
    (void)sigaddset(&one, SIGCONT);
    handle(SIGTSTP, SIG_DFL);
    (void)raise(SIGTSTP);
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL); /* here it stands */
    (void)sigprocmask(SIG_BLOCK, &one, NULL);
    handle(SIGTSTP, note_stop);
    goes_on = 0;
    take_screen();
}

/* Behind a SIGSTOP, which nobody is told of: the shell has had the terminal meanwhile. */
static void go_on(void)
{
    goes_on = 0;
    take_screen();
}

/* ------------------------------------------------------------------ begin and end */

void terminal_begin(void)
{
    has_keys = tcgetattr(STDIN_FILENO, &before) == 0;
    block();
    for (int i = 0; i < ENDINGS; i++)
        handle_unless_ignored(endings[i], note_end);
    handle_unless_ignored(SIGTSTP, note_stop);
    handle(SIGWINCH, note_nothing);
    handle(SIGCONT, note_going_on);
    take_screen();
}

void terminal_end(void)
{
    give_back_screen();
    for (int i = 0; i < ENDINGS; i++)
        if (ending != endings[i])
            handle_unless_ignored(endings[i], SIG_DFL);
    handle_unless_ignored(SIGTSTP, SIG_DFL);
    handle(SIGWINCH, SIG_DFL);
    handle(SIGCONT, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &blocked_before, NULL);
}

_Noreturn void terminal_die(void)
{
    handle(ending, SIG_DFL);
    (void)raise(ending);
    _exit(128 + ending); /* where it was blocked when the command began */
}

/* ------------------------------------------------------------------ waiting */

static terminal_event read_key(void)
{
    char key;
    ssize_t n = read(STDIN_FILENO, &key, 1);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
        return TERMINAL_QUIT;
    return n == 1 && (key == 'q' || key == 'Q' || key == 3) ? TERMINAL_QUIT : TERMINAL_TIME;
}

terminal_event terminal_wait(double seconds)
{
    struct pollfd keys = { .fd = has_keys ? STDIN_FILENO : -1, .events = POLLIN };
    const struct timespec time = { .tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9) };
    sigset_t open = blocked_before;
    for (int i = 0; i < ENDINGS; i++)
        (void)sigdelset(&open, endings[i]);
    (void)sigdelset(&open, SIGTSTP);
    (void)sigdelset(&open, SIGCONT);
    int n = ppoll(&keys, 1, &time, &open);
    if (ending != 0)
        return ending == SIGINT ? TERMINAL_QUIT : TERMINAL_ENDED;
    if (should_stop)
        stop();
    else if (goes_on)
        go_on();
    return n > 0 ? read_key() : TERMINAL_TIME;
}

/* ------------------------------------------------------------------ drawing */

typedef struct extent {
    int rows, columns;
} extent;

static extent find_extent(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return (extent){ USUAL_ROWS, USUAL_COLUMNS };
    return (extent){ size.ws_row, size.ws_col };
}

/* The bytes of so many characters of a line. */
static size_t cut(const char *line, size_t bytes, int columns)
{
    size_t at = 0;
    for (int i = 0; i < columns && at < bytes; i++) {
        size_t length = utf8_length((const unsigned char *)line + at, bytes - at);
        at += length > 0 ? length : 1;
    }
    return at;
}

/* Each line wipes out what is behind it, and the last what is below: nothing flickers. */
bool terminal_draw(const char *text)
{
    const extent e = find_extent();
    fputs("\033[H", stdout);
    for (int row = 0; row < e.rows && *text != '\0'; row++) {
        size_t bytes = strcspn(text, "\n");
        printf("%s%.*s\033[K", row > 0 ? "\r\n" : "", (int)cut(text, bytes, e.columns), text);
        text += bytes + (text[bytes] == '\n');
    }
    fputs("\033[J", stdout);
    return fflush(stdout) == 0;
}
