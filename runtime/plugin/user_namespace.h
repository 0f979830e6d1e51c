/* SPDX-License-Identifier: BSD-3-Clause */
/* Owners as a user namespace shows them (bubblewrap, rootless containers, builds of Nix and Bazel):
 * files of users that it does not map all seem to belong to the overflow user. */
#ifndef COHORT_PLUGIN_USER_NAMESPACE_H
#define COHORT_PLUGIN_USER_NAMESPACE_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether files of this owner are of users who are not mapped here, root outside of the namespace
 * among them. False where nothing can be read of the namespace.
 * Source  user_namespaces(7), "User and group ID mappings". */
bool cohort_user_namespace_hides(uid_t owner);

#endif
