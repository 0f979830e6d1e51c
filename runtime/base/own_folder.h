/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder whose files nobody but this user has written. */
#ifndef COHORT_BASE_OWN_FOLDER_H
#define COHORT_BASE_OWN_FOLDER_H

/* A descriptor of it, the caller's to close, for calls such as openat: what is found out about the
 * folder holds for what is opened in it. -1: it may not be used, *out_why says why ("belongs to
 * another user") and *out_fix what to do about it ("remove it"); the first is lent until the next
 * call of strerror. A symbolic link is none. Sets no error text. */
int cohort_own_folder_open(const char *path, const char **out_why, const char **out_fix);

#endif
