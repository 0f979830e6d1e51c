/* SPDX-License-Identifier: BSD-3-Clause */
/* Native bodies for plugins whose memory has an address: checked once, then called with no check
 * but the number of arguments.
 *
 * The signature comes from outside of the plugin. It is compared with what the arguments claim to
 * be, since a native call with a wrong size reads what is not there, and nothing later notices. */
#include "config.h"

#include "plugins/kit/native.h"

#include <stdlib.h>
#include <string.h>

enum { SCRATCH_ALIGN = 64 };

_Static_assert(COHORT_MAX_ARGS <= 64, "native_body.mems has a bit for each argument");

#define DTYPE_BYTES(name, value, text, bytes, kind) [value] = (uint32_t)(bytes),
static const uint32_t dtype_bytes[] = { COHORT_DTYPES(DTYPE_BYTES) };
enum { N_DTYPES = sizeof dtype_bytes / sizeof *dtype_bytes };

/* Bytes of a type in a signature; 0 when it is none. */
static uint32_t type_bytes(const cohort_sig *sig, uint32_t type)
{
    if (type < N_DTYPES)
        return dtype_bytes[type];
    if (type < COHORT_STRUCT_BASE || type - COHORT_STRUCT_BASE >= sig->ntypes)
        return 0;
    return sig->types[type - COHORT_STRUCT_BASE].size;
}

static const char *argument_fault(const cohort_sig *sig, const cohort_arg *arg)
{
    if (arg->kind < COHORT_ARG_VALUE || arg->kind > COHORT_ARG_LOCAL)
        return "is of unknown kind";
    if (type_bytes(sig, arg->type) == 0)
        return "is of unknown type";
    if (arg->size != type_bytes(sig, arg->type))
        return "has not the size of its type";
    if (arg->kind == COHORT_ARG_MEM && (arg->dir == 0 || arg->dir > (COHORT_READ | COHORT_WRITE)))
        return "is neither read nor written";
    return NULL;
}

static cohort_status check_signature(const char *entry, const cohort_sig *sig, cohort_error *err)
{
    if (sig->nargs > COHORT_MAX_ARGS)
        return cohort_fail(err, COHORT_EINVAL, 0, "%s: %u arguments, at most %u", entry, sig->nargs,
                           COHORT_MAX_ARGS);
    for (uint32_t i = 0; i < sig->nargs; i++) {
        if (sig->args[i].kind == COHORT_ARG_SAMPLER || cohort_arg_is_image(sig->args[i].kind))
            return cohort_fail(err, COHORT_ENOTSUP, 0,
                               "%s: argument %s is %s, which a C function does not take; images "
                               "are for kernels on OpenCL devices",
                               entry, sig->names != NULL ? sig->names[i] : "",
                               cohort_arg_is_image(sig->args[i].kind) ? "an image" : "a sampler");
        const char *fault = argument_fault(sig, &sig->args[i]);
        if (fault != NULL)
            return cohort_fail(err, COHORT_EINVAL, 0, "%s: argument %u %s", entry, i, fault);
    }
    if (sig->ret != COHORT_VOID && type_bytes(sig, sig->ret) == 0)
        return cohort_fail(err, COHORT_EINVAL, 0, "%s: the result is of unknown type", entry);
    return COHORT_OK;
}

static cohort_status check_code(const char *entry, const cohort_code *code, cohort_error *err)
{
    if (code->format == NULL || strcmp(code->format, "native.fn") != 0)
        return cohort_fail(err, COHORT_EINCOMPATIBLE, 0,
                           "%s: format %s, this device takes native.fn", entry,
                           code->format != NULL ? code->format : "(none)");
    if (!COHORT_HAS(code, cohort_code, fn))
        return cohort_fail(err, COHORT_ENOENT, 0, "%s: no function", entry);
    return COHORT_OK;
}

/* The arguments that are not passed as they are. */
static void note_arguments(struct native_body *body, const cohort_sig *sig)
{
    for (uint32_t i = 0; i < sig->nargs; i++) {
        if (sig->args[i].kind == COHORT_ARG_MEM)
            body->mems |= UINT64_C(1) << i;
        else if (sig->args[i].kind == COHORT_ARG_LOCAL)
            body->locals[body->n_locals++] = (uint8_t)i;
    }
}

static cohort_status prepare(const cohort_host *host, const cohort_sig *sig,
                             struct native_body *body, cohort_error *err)
{
    if (body->n_locals > 0) {
        body->scratch = calloc(body->n_locals, sizeof *body->scratch);
        if (body->scratch == NULL)
            return cohort_fail(err, COHORT_ENOMEM, 0, "no memory for a kernel");
    }
    cohort_status st = host->call_prepare(host->ctx, sig, &body->call, err);
    if (st < 0)
        free(body->scratch);
    return st;
}

cohort_status native_body_init(const cohort_host *host, const cohort_code *code, const char *entry,
                               const cohort_sig *sig, struct native_body *body, cohort_error *err)
{
    const char *name = entry != NULL ? entry : "kernel";
    cohort_status st = check_code(name, code, err);
    if (st == COHORT_OK)
        st = check_signature(name, sig, err);
    if (st < 0)
        return st;
    *body = (struct native_body){ .fn = code->fn, .n_args = sig->nargs };
    note_arguments(body, sig);
    return prepare(host, sig, body, err);
}

void native_body_fini(const cohort_host *host, struct native_body *body)
{
    for (uint32_t i = 0; i < body->n_locals; i++)
        free(body->scratch[i].address);
    free(body->scratch);
    host->call_free(host->ctx, body->call);
}

/* Local memory is kept from launch to launch, and grows: launches in the steady state allocate
 * nothing. Its content is undefined, so nothing is copied. 0 bytes have an address too. */
static cohort_status scratch_reserve(struct native_scratch *scratch, uint64_t bytes,
                                     cohort_error *err)
{
    if (scratch->address != NULL && bytes <= scratch->bytes)
        return COHORT_OK;
    void *address = NULL;
    if (bytes > SIZE_MAX / 2 ||
        posix_memalign(&address, SCRATCH_ALIGN, bytes > 0 ? (size_t)bytes : 1) != 0)
        return cohort_fail(err, COHORT_ENOMEM, 0, "%llu bytes of local memory",
                           (unsigned long long)bytes);
    free(scratch->address);
    *scratch = (struct native_scratch){ address, bytes };
    return COHORT_OK;
}

/* A native call takes the address of each argument. For a value that is where it lies in the
 * launch; for an array a handle, whose first member is the pointer (native.h); for a local the
 * scratch memory's pointer. */
cohort_status native_body_arguments(struct native_body *body, const cohort_launch *launch,
                                    void **argv, cohort_error *err)
{
    if (launch->nargs != body->n_args)
        return cohort_fail(err, COHORT_EINVAL, 0, "%u arguments, the kernel takes %u",
                           launch->nargs, body->n_args);
    if (cohort_launch_is_offset(launch))
        return cohort_fail(err, COHORT_ENOTSUP, 0,
                           "an offset of %llu, %llu, %llu, but a C function has no global ids; "
                           "offsets are for kernels",
                           (unsigned long long)launch->offset[0],
                           (unsigned long long)launch->offset[1],
                           (unsigned long long)launch->offset[2]);
    uint64_t mems = body->mems;
    for (uint32_t i = 0; i < body->n_args; i++, mems >>= 1)
        argv[i] = (mems & 1) != 0 ? *(cohort_mem **)launch->argv[i] : launch->argv[i];
    for (uint32_t i = 0; i < body->n_locals; i++) {
        struct native_scratch *scratch = &body->scratch[i];
        cohort_status st =
            scratch_reserve(scratch, *(uint64_t *)launch->argv[body->locals[i]], err);
        if (st < 0)
            return st;
        argv[body->locals[i]] = &scratch->address;
    }
    return COHORT_OK;
}
