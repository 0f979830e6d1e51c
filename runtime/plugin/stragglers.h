/* SPDX-License-Identifier: BSD-3-Clause */
/* Errands that are under way when the program ends (errand.h).
 *
 * exit() runs the destructors of drivers, those of C++'s static objects among them, and a thread that
 * is still inside of such a driver meets what is gone: the program, whose work is done, ends by a
 * signal. So exit() waits until errands are back, for a second at most in all, before any such
 * destructor runs. _exit() and quick_exit() run none, and wait for nothing. */
#ifndef COHORT_PLUGIN_STRAGGLERS_H
#define COHORT_PLUGIN_STRAGGLERS_H

/* An errand begins, or could not be begun. Threads: the asker's. */
void cohort_stragglers_add(void);
void cohort_stragglers_remove(void);

/* Around an errand, on its own thread: an exit() in between, by the driver, does not wait for it. */
void cohort_stragglers_enter(void);
void cohort_stragglers_leave(void);

/* An errand that was begun is left behind by its asker. Threads: the asker's. */
void cohort_stragglers_expect(void);

#endif
