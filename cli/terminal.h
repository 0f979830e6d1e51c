/* SPDX-License-Identifier: BSD-3-Clause */
/* A view that is drawn again and again on the terminal of standard output, which gets its screen
 * and its ways back however the command ends: by a key, by a signal, and while it is stopped. */
#ifndef COHORT_CLI_TERMINAL_H
#define COHORT_CLI_TERMINAL_H

#include <stdbool.h>

/* Whether standard output is a terminal that knows escapes. */
bool terminal_is_there(void);

/* Take the screen. terminal_end gives it back; between them signals that end or stop a command are
 * noticed by terminal_wait alone. */
void terminal_begin(void);
void terminal_end(void);

/* The lines of a text, cut to the size that the terminal has now. False: it is gone. */
bool terminal_draw(const char *text);

typedef enum terminal_event {
    TERMINAL_TIME, /* the time is over, or the view is to be drawn anew: its size has changed, or
                    * the command goes on after it was stopped */
    TERMINAL_QUIT, /* q or Ctrl-C; or the keyboard's end */
    TERMINAL_ENDED /* by a signal, for terminal_die */
} terminal_event;

terminal_event terminal_wait(double seconds);

/* After terminal_end: as the signal that has come would have ended the command. */
_Noreturn void terminal_die(void);

#endif
