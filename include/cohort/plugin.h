/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that a device plugin sees. C11 or C++11, standard headers only, nothing to link.
 *
 * A plugin is a shared object cohort-NAME.so that exports one symbol, made by COHORT_PLUGIN below,
 * and returns a table of operations. Version rule: the major version of the ABI is in the symbol;
 * the minor is struct_size, the first member of every struct that may grow, written by whoever made
 * the struct and read with COHORT_HAS.
 * ABI 0 is refused across releases of its minor number.
 *
 * Threads: one call at a time per opened device, from the executor of its lane; different devices
 * concurrently, unless COHORT_CAP_SERIALIZE. enumerate, device_open and device_close: one caller. A
 * plugin's own threads may use the host table at any time, but must not hold a lock that one of the
 * plugin's operations takes.
 *
 * Who creates destroys, through the same table. Texts passed in are valid during the call; texts
 * passed out live as long as the plugin or the device. A plugin does not raise, exit, fork, or
 * change signals, locale, folder, umask or floating-point state; it is never unloaded. */
#ifndef COHORT_PLUGIN_H
#define COHORT_PLUGIN_H

#include <cohort/codes.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#define COHORT_ASSERT_ static_assert
#else
#define COHORT_ASSERT_ _Static_assert
#endif

#define COHORT_ABI_MINOR 0u
#define COHORT_MAX_ARGS                                                                            \
    64u /* of a kernel: 40 of a prototype, the rest for what a plugin prefixes */
#define COHORT_MAX_TERMS 64u /* of one reduction; the core cuts larger trees at a node */

enum { COHORT_ARG_VALUE = 1, COHORT_ARG_MEM = 2, COHORT_ARG_LOCAL = 3 }; /* cohort_arg.kind */
enum { COHORT_READ = 1, COHORT_WRITE = 2 }; /* .dir, mem_import, mem_map */
enum {
    COHORT_DEVICE_CPU = 1,
    COHORT_DEVICE_GPU = 2,
    COHORT_DEVICE_ACCELERATOR = 3
}; /* for lists and defaults only */
enum {
    COHORT_CAP_SERIALIZE = 1,    /* never two operations of this plugin at a time */
    COHORT_CAP_PROMPT = 2,       /* waits for nothing outside the process: needs no deadlines */
    COHORT_CAP_HOST_VISIBLE = 4, /* mem_host_ptr is there, and answers for every mem */
    COHORT_CAP_UNIFIED = 8,      /* mem_import is there, and does not copy */
    COHORT_CAP_COHERENT = 16 /* host and device see each other's writes once the event is done */
};
enum { COHORT_MEM_COMMIT = 1 }; /* mem_alloc: memory that exists now, not at its first use */

/* cohort_code.flags. SPLIT: arguments 0 and 1 are int64 begin, end: any partition gives the same
 * bits.
 * GUARDED: work-items beyond cohort_range.global do nothing, so a device may round it up. */
enum { COHORT_CODE_SPLIT = 1, COHORT_CODE_GUARDED = 2 };
enum { COHORT_ORDER_STACK = 1 }; /* cohort_reduction.order: see cohort_term */

/* Handles belong to the plugin, which completes these structs; the core never looks inside.
 * cohort_call is the core's. */
typedef struct cohort_dev cohort_dev;
typedef struct cohort_queue cohort_queue;
typedef struct cohort_mem cohort_mem;
typedef struct cohort_kernel cohort_kernel;
typedef struct cohort_event cohort_event;
typedef struct cohort_call cohort_call;
typedef void (*cohort_native_fn)(void);
typedef void (*cohort_notify_fn)(void *user, cohort_status status);

/* ---- Frozen structs: they stand in arrays or inside others and have no struct_size. */

typedef struct cohort_arg {
    uint32_t kind, type, dir, size; /* size: of the value, or of one element */
} cohort_arg;

typedef struct cohort_member {
    uint32_t type, count, offset, reserved; /* count: array extent, or 1 */
} cohort_member;

typedef struct cohort_layout { /* of a struct passed by value */
    uint32_t size, align, nmembers, reserved;
    const cohort_member *members; /* structs among them come earlier in the table */
} cohort_layout;

typedef struct cohort_range {     /* launch geometry, already evaluated */
    uint32_t dims, reserved;      /* dims 0: the body loops by itself */
    uint64_t global[3], local[3]; /* local 0: the device chooses */
} cohort_range;

typedef struct cohort_tag { /* for traces and error texts only */
    uint64_t step;
    uint32_t replica, run;
} cohort_tag;

/* One step of a stack program: push this contribution, then `merges` times: b = pop, a = pop,
 * push(a + b).
 * The merges of all terms sum to nterms - 1. */
typedef struct cohort_term {
    cohort_mem *mem;
    uint64_t offset; /* in bytes */
    uint32_t merges, reserved;
} cohort_term;

/* ---- Structs that grow at their end. */

typedef struct cohort_error { /* the caller's, may be NULL; written with cohort_fail */
    uint32_t struct_size;
    cohort_status code;
    int64_t native; /* the driver's own number */
    /* the sentence; the first error of a build log, mapped to the user's file and line */
    char text[1008];
} cohort_error;

typedef struct cohort_device_info {
    uint32_t struct_size, type; /* COHORT_DEVICE_CPU ... */
    uint64_t caps, mem_total, mem_max_alloc;
    uint32_t mem_align, import_align, compute_units, max_parts; /* max_parts 1: cannot be divided */
    int32_t numa_node;                                          /* -1: unknown */
    uint32_t max_args;
    uint8_t uuid[16];                   /* not all zero, the same after a restart */
    char pci[16], name[64], driver[64]; /* UTF-8, terminated; driver with its version */
    const char *const *formats;         /* bodies that it takes, best first, NULL at the end */
} cohort_device_info;

typedef struct cohort_sig { /* lives as long as the kernel made with it */
    uint32_t struct_size, nargs;
    const cohort_arg *args;
    const char *const *names;
    const char *text; /* the C prototype as written */
    uint32_t ret, ntypes;
    const cohort_layout *types;
} cohort_sig;

typedef struct cohort_code {
    uint32_t struct_size, flags; /* COHORT_CODE_... */
    uint64_t uid;                /* same uid, same program: a build may be kept */
    const char *format;
    const void *data; /* source or binary */
    uint64_t bytes;
    const char *options;
    cohort_native_fn fn; /* native.fn, opencl.enqueue */
} cohort_code;

typedef struct cohort_launch { /* read during the call only */
    uint32_t struct_size, nargs;
    /* VALUE: the value's address; MEM: a cohort_mem **; LOCAL: a uint64_t * with bytes */
    void *const *argv;
    void *ret; /* gets the returned value; valid until the event is done */
    cohort_tag tag;
    cohort_range range;
} cohort_launch;

typedef struct cohort_reduction {
    uint32_t struct_size, order, op, type, nterms, reserved; /* op: COHORT_SUM, MIN, MAX or PROD */
    const cohort_term *terms;
    cohort_mem *dst;            /* may be a term, at that term's offset; else no overlap */
    uint64_t dst_offset, count; /* bytes, elements */
    uint64_t divisor;           /* 1, or the result is divided by it once (MEAN; floating types) */
} cohort_reduction;

/* What a plugin may call back, from any thread. */
typedef struct cohort_host {
    uint32_t struct_size, flags;
    void *ctx;

    /* One line for the log; 0 error, 1 warning, 2 info, 3 debug. */
    void (*log)(void *ctx, int32_t level, const char *text);

    /* A setting of the core by the name of its environment variable; COHORT_ENOENT when unset or
     * unknown. */
    cohort_status (*config_get)(void *ctx, const char *key, char *out_text, uint64_t size);

    /* Native calls for bodies in host memory: prepare once per kernel (what it needs of sig is
     * copied), call with argv as in cohort_launch, except that entries of MEM and LOCAL are the
     * address of a pointer. ret gets exactly the bytes of the result type. The call runs with the
     * default floating-point state. */
    cohort_status (*call_prepare)(void *ctx, const cohort_sig *sig, cohort_call **out_call,
                                  cohort_error *err);
    void (*call_native)(void *ctx, const cohort_call *call, cohort_native_fn fn, void *const *argv,
                        void *ret);
    void (*call_free)(void *ctx, cohort_call *call);

    /* The core's own kernel for reductions in host memory, bit-exact by definition: combine
     * elements [first, first + count) of the reduction, where pointers[i] is the address of
     * terms[i].mem (its offset not yet added) and dst that of dst. Different ranges may run at the
     * same time. COHORT_ENOTSUP: no such op for that type. */
    cohort_status (*reduce_native)(void *ctx, const cohort_reduction *reduction,
                                   const void *const *pointers, void *dst, uint64_t first,
                                   uint64_t count);
} cohort_host;

typedef struct cohort_request {
    uint32_t struct_size, core_minor;
    const cohort_host *host;
    const char *core_version;
} cohort_request;

/* ---- Operations: M mandatory, O optional (NULL: the core has a fallback). Each returns a
 * cohort_status and ends in `cohort_error *err`.
 *
 * The core has validated handles, ranges, overlaps and NULLs. Every out_ result is NULL or 0 on
 * entry. queue NULL is the device's own queue. *out_event left NULL means done on return; a plugin
 * without event_wait never sets one. COHORT_ENOTSUP from an optional operation means "use the
 * fallback for this call"; any other code is an error.
 * Answers pass a gate: a number that is no status here, COHORT_END, COHORT_EAGAIN from anything but
 * event_wait, a success without what it hands out, an event with an error or without event_wait, or
 * an error text without its end shut it. Then the devices of the plugin are lost, nothing of it is
 * called any more, and the user is told which operation answered what. Control characters and
 * invalid UTF-8 in an error text are shown as \xff.
 * All or none: event_wait + event_release, queue_create + queue_destroy, mem_map + mem_unmap,
 * host_alloc + host_free.
 *
 * enumerate        count all devices in *out_n and fill at most cap entries, `stride` bytes apart;
 *                  opens nothing;
 *                  no device is COHORT_OK. self: of cohort_plugin
 * device_open      part `part` of `parts` of a device (0 of 1: all of it)
 * device_close     finds no live object of the device
 * mem_alloc        0 bytes are legal
 * write, read      the host memory is valid until the event is done
 * kernel_create    build or look up; count, kinds and types are compared with sig: COHORT_EINVAL
 *                  with the reason. COHORT_ENOENT no such entry, COHORT_EBUILD with the log,
 *                  COHORT_EINCOMPATIBLE foreign format
 * launch           argv is captured in the call
 * event_wait       0 asks; COHORT_EAGAIN when the time is over; else the status of the operation;
 *                  may be repeated
 * event_notify     fn exactly once, on any thread; fallback: a waiting thread
 * event_time       CLOCK_MONOTONIC; fallback: the host's clock
 * queue_create     one more in-order queue; fallback: one queue
 * queue_wait       later work of the queue waits for events of the same plugin; fallback: the core
 *                  waits
 * mem_host_ptr     address of the memory while nothing is in flight, a multiple of mem_align;
 *                  fallback: staging
 * mem_import       use borrowed host memory in place; fallback: alloc, write, and read back
 * mem_slice        a part of a mem, freed by mem_free before its parent; fallback: copy
 * mem_map          host address once done, until mem_unmap; fallback: staging
 * host_alloc       host memory good for transfers; fallback: aligned memory
 * can_access_peer  whether a mem of `peer` may stand wherever one of `dev` may (launch, copy,
 *                  reduce); asked once per pair, answered with 0 or 1; fallback: no
 * copy             src or dst may be a peer's; fallback: read and write in chunks
 * fill             a pattern of 1 to 128 bytes, offset aligned to it; fallback: write in chunks
 * reduce           exactly the merges given, each rounded to the type; of more than one term, every
 *                  NaN of the result (of a complex number: of each part) is the canonical one:
 *                  positive, quiet, no payload, as 0x7fc00000 of float32. Bit-equal, also then, or
 *                  COHORT_ENOTSUP; fallback: the core's kernel, in place where the memory is host
 *                  visible
 * kernel_binary    format and bytes for the core's cache; fallback: build again
 * worker_attach    first call on the core's thread for this device, and again when the caller of
 *                  the library was seen on another CPU (-1: unknown): pin this thread, keep off
 *                  that CPU; fallback: nothing
 * query            a text about the device by key
 * device_abandon   the device is lost: break what hangs, never wait; fallback: leak */
#define COHORT_QUEUE_ cohort_dev *dev, cohort_queue *queue
#define COHORT_DONE_ cohort_event **out_event
#define COHORT_OPS(M, O)                                                                           \
    M(enumerate, void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,               \
      uint32_t *out_n)                                                                             \
    M(device_open, void *self, uint32_t index, uint32_t part, uint32_t parts,                      \
      cohort_dev **out_dev)                                                                        \
    M(device_close, cohort_dev *dev)                                                               \
    M(mem_alloc, cohort_dev *dev, uint64_t bytes, uint32_t flags, cohort_mem **out_mem)            \
    M(mem_free, cohort_dev *dev, cohort_mem *mem)                                                  \
    M(write, COHORT_QUEUE_, cohort_mem *mem, uint64_t offset, const void *from, uint64_t bytes,    \
      COHORT_DONE_)                                                                                \
    M(read, COHORT_QUEUE_, cohort_mem *mem, uint64_t offset, void *into, uint64_t bytes,           \
      COHORT_DONE_)                                                                                \
    M(kernel_create, cohort_dev *dev, const cohort_code *code, const char *entry,                  \
      const cohort_sig *sig, cohort_kernel **out_kernel)                                           \
    M(kernel_destroy, cohort_dev *dev, cohort_kernel *kernel)                                      \
    M(launch, COHORT_QUEUE_, cohort_kernel *kernel, const cohort_launch *launch, COHORT_DONE_)     \
    O(event_wait, cohort_dev *dev, cohort_event *event, uint64_t timeout_ns)                       \
    O(event_release, cohort_dev *dev, cohort_event *event)                                         \
    O(event_notify, cohort_dev *dev, cohort_event *event, cohort_notify_fn fn, void *user)         \
    O(event_time, cohort_dev *dev, cohort_event *event, uint64_t *out_start_ns,                    \
      uint64_t *out_end_ns)                                                                        \
    O(queue_create, cohort_dev *dev, uint32_t flags, cohort_queue **out_queue)                     \
    O(queue_destroy, COHORT_QUEUE_)                                                                \
    O(queue_wait, COHORT_QUEUE_, uint32_t nevents, cohort_event *const *events)                    \
    O(mem_host_ptr, cohort_dev *dev, cohort_mem *mem, void **out_ptr)                              \
    O(mem_import, cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir, cohort_mem **out_mem)  \
    O(mem_slice, cohort_dev *dev, cohort_mem *mem, uint64_t offset, uint64_t bytes,                \
      cohort_mem **out_mem)                                                                        \
    O(mem_map, COHORT_QUEUE_, cohort_mem *mem, uint64_t offset, uint64_t bytes, uint32_t dir,      \
      void **out_ptr, COHORT_DONE_)                                                                \
    O(mem_unmap, COHORT_QUEUE_, cohort_mem *mem, void *ptr, COHORT_DONE_)                          \
    O(mem_info, cohort_dev *dev, uint64_t *out_free, uint64_t *out_total)                          \
    O(host_alloc, cohort_dev *dev, uint64_t bytes, void **out_ptr)                                 \
    O(host_free, cohort_dev *dev, void *ptr)                                                       \
    O(copy, COHORT_QUEUE_, cohort_mem *dst, uint64_t dst_offset, cohort_mem *src,                  \
      uint64_t src_offset, uint64_t bytes, COHORT_DONE_)                                           \
    O(can_access_peer, cohort_dev *dev, cohort_dev *peer, uint32_t *out_yes)                       \
    O(fill, COHORT_QUEUE_, cohort_mem *mem, uint64_t offset, uint64_t bytes, const void *pattern,  \
      uint32_t pattern_bytes, COHORT_DONE_)                                                        \
    O(reduce, COHORT_QUEUE_, const cohort_reduction *reduction, COHORT_DONE_)                      \
    O(kernel_binary, cohort_dev *dev, cohort_kernel *kernel, const char **out_format, void *out,   \
      uint64_t cap, uint64_t *out_bytes)                                                           \
    O(worker_attach, cohort_dev *dev, int32_t caller_cpu)                                          \
    O(query, cohort_dev *dev, const char *key, char *out_text, uint64_t size)                      \
    O(device_abandon, cohort_dev *dev)

#define COHORT_OP_(name, ...) cohort_status (*name)(__VA_ARGS__, cohort_error * err);
typedef struct cohort_ops {
    uint32_t struct_size, reserved;
    COHORT_OPS(COHORT_OP_, COHORT_OP_)
} cohort_ops;

typedef struct cohort_plugin { /* static const in the plugin */
    uint32_t struct_size, abi_minor, min_core_minor, reserved;
    /* name: as in cohort-NAME.so, and the first part of device ids */
    const char *name, *version, *vendor;
    void *self;            /* handed to enumerate, device_open and extension */
    const cohort_ops *ops; /* NULL: extensions only */
    /* "vendor.name/1": a const table or NULL; may be NULL */
    const void *(*extension)(void *self, const char *name);
} cohort_plugin;

/* ---- Extensions that the core knows. Each is a const table; all of its functions are set. */

/* "cohort.unused/0": what the plugin saw, after enumerate, and does not offer: a driver that does
 * not load, a device that cannot be used. Texts are UTF-8, terminated. */
typedef struct cohort_unused_info {
    uint32_t struct_size, reserved;
    char name[64];    /* "opencl:0", the name of a driver's file */
    char reason[512]; /* a sentence */
    char fix[512];    /* what to do; may be empty */
} cohort_unused_info;
typedef struct cohort_unused_ops {
    uint32_t struct_size, reserved;
    /* The index-th, from 0; COHORT_END after the last. Called after enumerate, by one thread. */
    cohort_status (*get)(void *self, uint32_t index, cohort_unused_info *out);
} cohort_unused_ops;

/* "cohort.handle/0": the driver's own objects, for programs that know them (cohort/opencl.h).
 * Handles are borrowed: they live as long as device or memory. COHORT_ENOENT: no such object. */
typedef struct cohort_handle_ops {
    uint32_t struct_size, reserved;
    cohort_status (*of_device)(cohort_dev *dev, const char *what, void **out, cohort_error *err);
    cohort_status (*of_mem)(cohort_dev *dev, cohort_mem *mem, const char *what, void **out,
                            cohort_error *err);
} cohort_handle_ops;

/* The other side compiled field f of *p, and it is set. */
#define COHORT_HAS(p, T, f) ((p)->struct_size >= offsetof(T, f) + sizeof((p)->f) && (p)->f != NULL)

/* Sizes on machines with 64-bit pointers. */
/* clang-format off */
#define COHORT_SIZES(X)                                                                            \
    X(arg, 16) X(member, 16) X(layout, 24) X(range, 56) X(tag, 16) X(term, 24) X(error, 1024)      \
    X(device_info, 224) X(sig, 48) X(code, 56) X(launch, 96) X(reduction, 64) X(host, 64)          \
    X(request, 24) X(ops, 272) X(plugin, 64) X(unused_info, 1096) X(unused_ops, 16)                \
    X(handle_ops, 24)
/* clang-format on */
#define COHORT_SIZE_(name, n)                                                                      \
    COHORT_ASSERT_(UINTPTR_MAX != UINT64_MAX || sizeof(cohort_##name) == n, "size of " #name);
COHORT_SIZES(COHORT_SIZE_)

/* Fill *err and return code: return cohort_fail(err, COHORT_ENOMEM, 0, "%llu bytes", ...). */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static inline cohort_status
cohort_fail(cohort_error *err, cohort_status code, int64_t native, const char *format, ...)
{
    if (err != COHORT_NULL_) {
        va_list ap;
        va_start(ap, format);
        err->code = code;
        err->native = native;
        (void)vsnprintf(err->text, sizeof err->text, format, ap);
        va_end(ap);
    }
    return code;
}

/* The entry of a plugin and all negotiation. HOST: a `const cohort_host *` of the plugin, set on
 * each call that brings one. The entry touches no device and may be called many times; NULL with
 * *err when this core will not do. */
#define COHORT_PLUGIN(NAME, VERSION, VENDOR, SELF, OPS, EXTENSION, HOST)                           \
    __attribute__((visibility("default"))) const cohort_plugin *cohort_plugin_entry_0(             \
        const cohort_request *rq, cohort_error *err)                                               \
    {                                                                                              \
        static const cohort_plugin plugin = { (uint32_t)sizeof(cohort_plugin),                     \
                                              COHORT_ABI_MINOR,                                    \
                                              COHORT_ABI_MINOR,                                    \
                                              0,                                                   \
                                              NAME,                                                \
                                              VERSION,                                             \
                                              VENDOR,                                              \
                                              SELF,                                                \
                                              OPS,                                                 \
                                              EXTENSION };                                         \
        if (rq->core_minor == COHORT_ABI_MINOR) {                                                  \
            if (rq->host != NULL)                                                                  \
                HOST = rq->host;                                                                   \
            return &plugin;                                                                        \
        }                                                                                          \
        (void)cohort_fail(err, COHORT_EINCOMPATIBLE, rq->core_minor,                               \
                          "built for ABI 0.%u, this core has 0.%u", COHORT_ABI_MINOR,              \
                          rq->core_minor);                                                         \
        return NULL;                                                                               \
    }
const cohort_plugin *cohort_plugin_entry_0(const cohort_request *rq, cohort_error *err);

#ifdef __cplusplus
}
#endif
#endif
