/* SPDX-License-Identifier: BSD-3-Clause */
/* A signature: what a prototype says, parsed once.
 *
 * It names every parameter with its role, the expressions of array extents, the structs that are
 * passed by value, and carries the cohort_sig that device plugins see. Immutable after creation;
 * counted. */
#ifndef COHORT_FUNCTION_SIGNATURE_H
#define COHORT_FUNCTION_SIGNATURE_H

#include "runtime/base/dtype.h"

#include <cohort/argument.h>
#include <cohort/function.h>
#include <cohort/plugin.h>

#include "runtime/function/parameter.h"

#include <stdbool.h>

enum { COHORT_MAX_INDICES = 3 }; /* of an item */

typedef struct cohort_signature {
    const char *name;      /* of the function */
    const char *returns;   /* "void" */
    const char *prototype; /* "(int64_t n, float a, ...)" as written, whitespace included */
    const char *file;      /* where it was declared, "" for text */
    int32_t line;
    int32_t n_parameters;
    cohort_parameter parameters[COHORT_MAX_ARGUMENTS];
    uint64_t bounds; /* a bit for each parameter that is a bound */
    /* parameters that a call passes by position: numbers, structs, arrays, pointers */
    int32_t n_passed;
    bool has_result;     /* the result is one more output after the last argument */
    bool returns_status; /* the result is a cohort_status: the body's verdict, no output */
    /* as type and bytes of a parameter; COHORT_VOID and 0 for void */
    uint32_t result_type, result_bytes;
    const char *item; /* COHORT_ITEMS: its indices as written, "i" or "i, j"; else NULL */
    const char *body; /* COHORT_ITEMS: the body as a kernel has it, with names of C; else "" */
    /* what the body uses of the program, each behind those that it uses itself (items_helper.h) */
    const struct cohort_items_helper *helpers;
    int32_t n_helpers;
    /* of each index, the outermost first: its name, and how many there are, of any integer
     * parameters */
    int32_t n_indices;
    const char *indices[COHORT_MAX_INDICES];
    cohort_expression counts[COHORT_MAX_INDICES];
    /* COHORT_ITEMS: of each array the number of indices, the first ones, by which an item touches
     * one place of it alone (items_own.h), its own; 0: it touches others, or may, as `apart` says:
     * "'w' is used at another element, too, 'w[i + 1]'" */
    uint8_t own_axes[COHORT_MAX_ARGUMENTS];
    const char *apart[COHORT_MAX_ARGUMENTS];
    /* room for all parameters that are no arrays, each rounded up to 16 */
    uint32_t value_bytes;
    /* for plugins: args in prototype order, bounds and computed ones as VALUE */
    cohort_sig sig;
    /* the host body of COHORT_ITEMS: of each index int64 cohort_begin, cohort_end, then sig; else
     * all 0 */
    cohort_sig item_sig;
    /* for devices whose kernels return nothing: sig, and the result as one more MEM argument named
     * "result", written; ret VOID */
    cohort_sig kernel_sig;
    uint64_t uid; /* different for every signature of this process, never 0 */
    /* of all texts, the types that they name and the body of COHORT_ITEMS: the same in processes
     * of one program, whatever `file` and `line` */
    uint64_t digest;
} cohort_signature;

/* Parse a descriptor.
 *
 * NULL with a text of up to three lines on failure: what is wrong, the prototype's text, a caret
 * under the token:
 *     sgd: unknown type 'flaot'
 *     (int64_t n, const flaot g[n])
 *                       ^
 * Texts of the descriptor and its types are copied. Threads: any. */
const cohort_signature *cohort_signature_create(const cohort_function *function);

/* Whether the descriptor still has the texts that the signature was made from. */
bool cohort_signature_matches(const cohort_signature *signature, const cohort_function *function);

void cohort_signature_retain(const cohort_signature *signature);
void cohort_signature_release(const cohort_signature *signature); /* NULL is allowed */

/* The signature of a descriptor, parsed at its first use and kept in a table of the process, by
 * address and text: a library that was unloaded may leave another descriptor at the same address.
 * Borrowed; NULL as for create. Threads: any; who finds one takes no lock and writes nothing. */
const cohort_signature *cohort_signature_of(const cohort_function *function);

/* Forget the descriptor at this address, which is about to be freed. The count keeps a signature
 * that is in use. */
void cohort_signature_forget(const cohort_function *function);

/* Name of a type for messages: "float32", or the struct's name. */
const char *cohort_signature_type_name(const cohort_signature *signature, uint32_t type);

/* Bytes of an element of a type, as they lie in an array. */
static inline int64_t cohort_signature_type_bytes(const cohort_sig *sig, uint32_t type)
{
    return type < COHORT_STRUCT_BASE ? cohort_dtype_bytes((cohort_dtype)type)
                                     : (int64_t)sig->types[type - COHORT_STRUCT_BASE].size;
}

#endif
