/* SPDX-License-Identifier: BSD-3-Clause */
/* Built kernels on disk, so that the next process need not build them again.
 *
 * Folder: $COHORT_CACHE ("off": none), else $XDG_CACHE_HOME/cohort, else $HOME/.cache/cohort; made
 * with mode 0700. It is used only when it is a folder of ours that nobody else may write to, opened
 * without following a link. A file is written under another name and renamed, so any number of
 * processes may share the folder; it holds its whole key, which is compared, and a digest of its
 * content. Anything else is as if it were not there. Under AT_SECURE there is no cache. Threads:
 * any. */
#ifndef COHORT_OPERATION_KERNEL_CACHE_H
#define COHORT_OPERATION_KERNEL_CACHE_H

#include <cohort/status.h>

#include <stddef.h>
#include <stdint.h>

typedef struct cohort_kernel_cache_part {
    const void *data;
    size_t bytes;
} cohort_kernel_cache_part;

/* Find the entry with these parts (source, options, driver, device ...), together at most 16 MiB.
 * COHORT_ENOENT, without a text, when there is nothing; COHORT_ENOMEM. *out_block: the caller's,
 * cohort_free. */
cohort_status cohort_kernel_cache_load(const cohort_kernel_cache_part key[], int n_parts,
                                       void **out_block, uint64_t *out_bytes);

/* Keep it, at most 64 MiB. A failure (no space, no permission) is said once in the log, with the
 * fix, and changes nothing else. */
void cohort_kernel_cache_store(const cohort_kernel_cache_part key[], int n_parts, const void *block,
                               uint64_t bytes);

/* Forget what is kept under the key, which was of no use. */
void cohort_kernel_cache_drop(const cohort_kernel_cache_part key[], int n_parts);

#endif
