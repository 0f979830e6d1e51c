/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of cohort checkpoint, each with the paths that follow it. out NULL: for people. All
 * return the exit code. */
#ifndef COHORT_CLI_CHECKPOINT_H
#define COHORT_CLI_CHECKPOINT_H

#include "cli/json.h"

#include <cohort/cohort.h>

/* The generations of a folder, and what each says of itself. */
int checkpoint_list(const char *folder, json *out);

/* Whether all generations of a folder, or one file, are whole. */
int checkpoint_verify(const char *path, json *out);

/* What the newest whole generation of a folder, or a file, holds. */
int checkpoint_show(const char *path, json *out);

/* In which tensors two differ. EXIT_FAILED: they do. */
int checkpoint_diff(const char *path, const char *other, json *out);

/* Write one as another file, a .npz or a .safetensors file by its name. */
int checkpoint_convert(const char *from, const char *to, json *out);

/* Remove the generations of a folder but those. */
typedef struct checkpoint_kept {
    int32_t keep;
    cohort_checkpoint_best best;
} checkpoint_kept;
int checkpoint_prune(const char *folder, const checkpoint_kept *kept, json *out);

/* ---- Shared. */

/* "float32 (3, 4)"; of a dtype that arrays have not, what the format calls it. */
void checkpoint_print_spec(const cohort_checkpoint_tensor *tensor);

/* Members dtype, type, shape and bytes of the object that is open. */
void checkpoint_json_spec(json *out, const cohort_checkpoint_tensor *tensor);

/* A generation's path; room has CHECKPOINT_PATH_BYTES. false, after a message: it is too long. */
enum { CHECKPOINT_PATH_BYTES = 4096 };
bool checkpoint_path(const char *folder, const char *file, char *room);

/* Whether a path is one of a folder. */
bool checkpoint_is_folder(const char *path);

#endif
