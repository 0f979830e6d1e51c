/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of the safetensors format: 8 bytes with the length of a header, the header, a JSON object,
 * and the tensors one behind the other, without a hole and with nothing behind them. The object has
 * a member for each tensor, and __metadata__, whose members are texts.
 *
 * Every file that the format allows is taken, and nothing is allocated for another one but its
 * header, which is at most as long as the file and COHORT_LIMIT_TENSORS_BYTES. Where the format's
 * own reader takes more than its description allows, as two members of one name, it is refused.
 *
 * Checksums: a file may have CRC-32C of each tensor in its metadata, 8 hexadecimal digits, as
 * "cohort.crc32c.NAME", and of the length and the header as "cohort.crc32c", computed with 8 spaces
 * in the place of these digits. A file with a key that begins with "cohort." has both, or is
 * refused.
 *
 * Source  huggingface.co/docs/safetensors */
#ifndef COHORT_FORMAT_SAFETENSORS_H
#define COHORT_FORMAT_SAFETENSORS_H

#include "runtime/data/format/file.h"
#include "runtime/data/format/tensor_type.h"

#define COHORT_TENSORS_KEYS "cohort."
#define COHORT_TENSORS_SUM "cohort.crc32c"
#define COHORT_TENSORS_METADATA "__metadata__"

enum { COHORT_TENSORS_SUM_DIGITS = 8 };

/* Names, keys and texts are UTF-8 and end with a 0, and may be empty. */
typedef struct cohort_tensor {
    const char *name;
    const cohort_tensor_type *type;
    int32_t rank;
    const int64_t *shape;
    int64_t at, bytes; /* in the file */
    uint32_t sum;
    bool has_sum;
} cohort_tensor;

typedef struct cohort_tensors_note {
    const char *key, *text;
} cohort_tensors_note;

typedef struct cohort_safetensors {
    cohort_file file;
    char *header;               /* with the texts that the others point to */
    int64_t *extents;           /* of all shapes */
    cohort_tensor *tensors;     /* [n], as they lie in the file */
    cohort_tensor **by_name;    /* [n], by name */
    cohort_tensors_note *notes; /* [n_notes], by key */
    size_t n, n_notes;
    bool has_sums;
} cohort_safetensors;

/* COHORT_EINVAL with "path: byte N: ..." for what the format does not allow, and for a header whose
 * checksum is wrong; COHORT_ENOMEM; the errors of cohort_file_open. path is borrowed. After a
 * failure there is nothing to close. */
cohort_status cohort_safetensors_open(const char *path, cohort_safetensors *out);

/* The same of a file that is open, and is taken: closed with the tensors, or after a failure. */
cohort_status cohort_safetensors_open_file(const cohort_file *file, cohort_safetensors *out);
void cohort_safetensors_close(cohort_safetensors *tensors);

/* CRC-32C of the length and the header, as they lie in the file. */
cohort_status cohort_safetensors_header_sum(const cohort_safetensors *tensors, uint32_t *out);

/* NULL: none. */
const cohort_tensor *cohort_safetensors_find(const cohort_safetensors *tensors, const char *name);
const char *cohort_safetensors_text(const cohort_safetensors *tensors, const char *key);

/* All bytes of a tensor, as they lie in the file; COHORT_EINVAL names it where its checksum is
 * wrong. */
cohort_status cohort_safetensors_read(const cohort_safetensors *tensors,
                                      const cohort_tensor *tensor, void *into);

/* The same without memory for them: only whether they are whole. Of a tensor without a checksum
 * whether it can be read. */
cohort_status cohort_safetensors_check(const cohort_safetensors *tensors,
                                       const cohort_tensor *tensor);

#endif
