/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that are inside of a plugin when the program ends: errands (errand.h), and workers whose
 * device was given up while it was asked (executor/lane.h).
 *
 * exit() runs the destructors of drivers, those of C++'s static objects among them, and a thread
 * that is still inside of such a driver meets what is gone: the program, whose work is done, ends
 * by a signal. So exit() waits until these threads are back, for a second at most in all, before
 * any such destructor runs. _exit() and quick_exit() run none, and wait for nothing. */
#ifndef COHORT_PLUGIN_STRAGGLERS_H
#define COHORT_PLUGIN_STRAGGLERS_H

/* One more that is waited for, and one that is back. Threads: any. */
void cohort_stragglers_add(void);
void cohort_stragglers_remove(void);

/* Around what an errand does, on its own thread, which leaves as one that is back: an exit() in
 * between, by the driver, does not wait for it. */
void cohort_stragglers_enter(void);
void cohort_stragglers_leave(void);

/* One is left behind where it is: from now on the program may end. Threads: any. */
void cohort_stragglers_expect(void);

#endif
