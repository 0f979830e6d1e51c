/* SPDX-License-Identifier: BSD-3-Clause */
/* One table for all words, walked from the front, so those that most prototypes have come first.
 * Prototypes are parsed once, hence no hash. */
#include "config.h"

#include "runtime/function/word.h"

#include <cohort/array.h>
#include <cohort/plugin.h>

#include <string.h>
#include <sys/types.h>

enum { REASON_DEPTH, REASON_PIPE, REASON_INSIDE, REASON_GENERIC };
static const char *const reasons[] = {
    [REASON_DEPTH] = "images of depths, and of several samples, are not passed: use image2d_t",
    [REASON_PIPE] = "pipes are not passed: use a buffer",
    [REASON_INSIDE] = "this type exists only inside kernels",
    [REASON_GENERIC] = "a kernel takes pointers to global, constant and local memory only",
};

#define WORD(text, kind, value)                                                                    \
    {                                                                                              \
        text, sizeof(text) - 1, kind, false, value                                                 \
    }
#define SOFT(text, kind, value)                                                                    \
    {                                                                                              \
        text, sizeof(text) - 1, kind, true, value                                                  \
    }
#define ARITHMETIC(text, unit) WORD(text, COHORT_WORD_ARITHMETIC, unit)
#define SPACE(text, space)                                                                         \
    WORD("__" text, COHORT_WORD_SPACE, COHORT_SPACE_##space),                                      \
        SOFT(text, COHORT_WORD_SPACE, COHORT_SPACE_##space)
#define OPENCL_SCALAR(text, dtype) SOFT(text, COHORT_WORD_SCALAR, COHORT_##dtype)
#define VECTOR(text, dtype, lanes)                                                                 \
    SOFT(text #lanes, COHORT_WORD_VECTOR, COHORT_##dtype | (lanes) << 16)
#define VECTORS(text, dtype)                                                                       \
    VECTOR(text, dtype, 2), VECTOR(text, dtype, 3), VECTOR(text, dtype, 4),                        \
        VECTOR(text, dtype, 8), VECTOR(text, dtype, 16)
#define ACCESS(text, direction)                                                                    \
    WORD("__" text, COHORT_WORD_ACCESS, direction), SOFT(text, COHORT_WORD_ACCESS, direction)
#define REFUSED(text, reason) SOFT(text, COHORT_WORD_REFUSED, REASON_##reason)
#define SCALAR(type) SOFT(#type, COHORT_WORD_SCALAR, COHORT_DTYPE_OF_((type)0))
static const cohort_word words[] = {
    WORD("const", COHORT_WORD_CONST, 0),
    ARITHMETIC("float", COHORT_UNIT_FLOAT),
    ARITHMETIC("double", COHORT_UNIT_DOUBLE),
    ARITHMETIC("int", COHORT_UNIT_INT),
    SCALAR(int64_t),
    SCALAR(int32_t),
    WORD("COHORT_OUT", COHORT_WORD_OUT, 0),
    ARITHMETIC("long", COHORT_UNIT_LONG),
    ARITHMETIC("unsigned", COHORT_UNIT_UNSIGNED),
    ARITHMETIC("char", COHORT_UNIT_CHAR),
    ARITHMETIC("short", COHORT_UNIT_SHORT),
    ARITHMETIC("void", COHORT_UNIT_VOID),
    ARITHMETIC("signed", COHORT_UNIT_SIGNED),
    ARITHMETIC("__signed__", COHORT_UNIT_SIGNED),
    ARITHMETIC("_Bool", COHORT_UNIT_BOOL),
    SOFT("bool", COHORT_WORD_ARITHMETIC, COHORT_UNIT_BOOL),
    ARITHMETIC("_Complex", COHORT_UNIT_COMPLEX),
    ARITHMETIC("__complex__", COHORT_UNIT_COMPLEX),
    SOFT("complex", COHORT_WORD_ARITHMETIC, COHORT_UNIT_COMPLEX),
    ARITHMETIC("_Float16", COHORT_UNIT_HALF),
    SOFT("half", COHORT_WORD_ARITHMETIC, COHORT_UNIT_HALF),
    ARITHMETIC("__bf16", COHORT_UNIT_BFLOAT),
    SOFT("bfloat16", COHORT_WORD_ARITHMETIC, COHORT_UNIT_BFLOAT),
    WORD("cohort_float8_e4m3fn", COHORT_WORD_SCALAR, COHORT_F8_E4M3),
    WORD("cohort_float8_e5m2", COHORT_WORD_SCALAR, COHORT_F8_E5M2),
    SCALAR(int8_t),
    SCALAR(uint8_t),
    SCALAR(int16_t),
    SCALAR(uint16_t),
    SCALAR(uint32_t),
    SCALAR(uint64_t),
    SCALAR(size_t),
    SCALAR(ssize_t),
    SCALAR(ptrdiff_t),
    SCALAR(intptr_t),
    SCALAR(uintptr_t),
    SCALAR(intmax_t),
    SCALAR(uintmax_t),
    SCALAR(cohort_status),
    WORD("volatile", COHORT_WORD_QUALIFIER, 0),
    WORD("restrict", COHORT_WORD_QUALIFIER, 0),
    WORD("register", COHORT_WORD_QUALIFIER, 0),
    WORD("extern", COHORT_WORD_QUALIFIER, 0),
    WORD("static", COHORT_WORD_QUALIFIER, 0),
    WORD("inline", COHORT_WORD_QUALIFIER, 0),
    WORD("__restrict", COHORT_WORD_QUALIFIER, 0),
    WORD("__restrict__", COHORT_WORD_QUALIFIER, 0),
    WORD("__const", COHORT_WORD_CONST, 0),
    WORD("__volatile__", COHORT_WORD_QUALIFIER, 0),
    WORD("__inline", COHORT_WORD_QUALIFIER, 0),
    SOFT("out", COHORT_WORD_OUT, 0),
    SPACE("global", GLOBAL),
    SPACE("constant", CONSTANT),
    SPACE("local", LOCAL),
    SPACE("private", PRIVATE),
    WORD("COHORT_LOCAL", COHORT_WORD_SPACE, COHORT_SPACE_LOCAL),
    SOFT("kernel", COHORT_WORD_KERNEL, 0),
    WORD("__kernel", COHORT_WORD_KERNEL, 0),
    WORD("__attribute__", COHORT_WORD_ATTRIBUTE, 0),
    WORD("__attribute", COHORT_WORD_ATTRIBUTE, 0),
    OPENCL_SCALAR("uchar", U8),
    OPENCL_SCALAR("ushort", U16),
    OPENCL_SCALAR("uint", U32),
    OPENCL_SCALAR("ulong", U64),
    VECTORS("float", F32),
    VECTORS("int", I32),
    VECTORS("uint", U32),
    VECTORS("double", F64),
    VECTORS("char", I8),
    VECTORS("uchar", U8),
    VECTORS("short", I16),
    VECTORS("ushort", U16),
    VECTORS("long", I64),
    VECTORS("ulong", U64),
    VECTORS("half", F16),
    ACCESS("read_only", COHORT_READ),
    ACCESS("write_only", COHORT_WRITE),
    ACCESS("read_write", COHORT_READ | COHORT_WRITE),
    SOFT("norm", COHORT_WORD_PIXEL, COHORT_PIXEL_NORM),
    SOFT("bgra", COHORT_WORD_PIXEL, COHORT_PIXEL_BGRA),
    SOFT("image1d_t", COHORT_WORD_IMAGE, COHORT_ARG_IMAGE_1D),
    SOFT("image1d_array_t", COHORT_WORD_IMAGE, COHORT_ARG_IMAGE_1D_ARRAY),
    SOFT("image1d_buffer_t", COHORT_WORD_IMAGE, COHORT_ARG_IMAGE_1D_BUFFER),
    SOFT("image2d_t", COHORT_WORD_IMAGE, COHORT_ARG_IMAGE_2D),
    SOFT("image2d_array_t", COHORT_WORD_IMAGE, COHORT_ARG_IMAGE_2D_ARRAY),
    SOFT("image3d_t", COHORT_WORD_IMAGE, COHORT_ARG_IMAGE_3D),
    SOFT("sampler_t", COHORT_WORD_SAMPLER, 0),
    REFUSED("image2d_depth_t", DEPTH),
    REFUSED("image2d_array_depth_t", DEPTH),
    REFUSED("image2d_msaa_t", DEPTH),
    REFUSED("image2d_array_msaa_t", DEPTH),
    REFUSED("image2d_msaa_depth_t", DEPTH),
    REFUSED("image2d_array_msaa_depth_t", DEPTH),
    REFUSED("pipe", PIPE),
    REFUSED("event_t", INSIDE),
    REFUSED("queue_t", INSIDE),
    REFUSED("__generic", GENERIC),
    REFUSED("generic", GENERIC),
    WORD("struct", COHORT_WORD_TAG, 0),
    WORD("union", COHORT_WORD_TAG, 0),
    WORD("enum", COHORT_WORD_TAG, 0),
};
enum { N_WORDS = sizeof words / sizeof *words };

const cohort_word *cohort_word_find(cohort_token token)
{
    for (const cohort_word *w = words; token.kind == COHORT_TOKEN_NAME && w < words + N_WORDS; w++)
        if (w->length == token.length && *w->text == *token.start &&
            memcmp(w->text, token.start, w->length) == 0)
            return w;
    return NULL;
}

const char *cohort_word_reason(const cohort_word *word)
{
    return reasons[word->value];
}

void cohort_word_consider_types(cohort_guess *guess)
{
    for (const cohort_word *w = words; w < words + N_WORDS; w++)
        if (w->kind <= COHORT_WORD_VECTOR || w->kind == COHORT_WORD_IMAGE ||
            w->kind == COHORT_WORD_SAMPLER)
            cohort_guess_consider(guess, w->text);
}
