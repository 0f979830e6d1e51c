/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that a device plugin sees, and has to do. C11 or C++11, standard headers
 * only, nothing to link. A plugin to begin with, and how to make yours of it, is plugins/skeleton
 * in the sources, installed with the examples.
 *
 * A plugin is a shared object cohort-NAME.so that exports one symbol, made by COHORT_PLUGIN below,
 * and returns a table of operations (cohort_ops, where each has its contract). Version rule: the
 * major version of the ABI is in the symbol; the minor is struct_size, the first member of every
 * struct that may grow, written by whoever made the struct and read with COHORT_HAS. Until release
 * 1.0 an ABI is refused across releases of its minor number.
 *
 * The side that creates an object destroys it, through the same table. Texts passed in are valid
 * during the call; texts passed out live as long as the plugin or the device. A plugin does not
 * raise, exit, fork, or change signals, locale, folder, umask or floating-point state; it is never
 * unloaded. Its own threads may use the host table at any time, but must not hold a lock that one
 * of its operations takes.
 *
 * Formats. A name says in which form a body is: a device lists the formats that it takes, best
 * first; a body (cohort_body in cohort/function.h) and a build (cohort_code) have one. For each
 * device the core takes the first of the device's formats that the function has.
 *
 *   native.fn       fn: a C function of this process with the prototype of sig; for devices whose
 *                   memory has an address. call_native of cohort_host calls it. No data.
 *   native.sym      a function of a library. No plugin sees it: a device that takes native.fn gets
 *                   the function, which the core has found.
 *   opencl.c        data, bytes: OpenCL C source; entry: its kernel; options: of the build.
 *   opencl.spirv    data, bytes: a module; else as opencl.c.
 *   opencl.bin      data, bytes: a binary of the driver, as kernel_binary gave it or as the program
 *                   has it; else as opencl.c.
 *   opencl.enqueue  fn: a C function of this process that enqueues, and returns a cohort_status: a
 *                   negative one fails the launch. It is called with the device's cl_command_queue
 *                   before the arguments of sig, every array a cl_mem; local memory, images and
 *                   samplers are refused.
 *   VENDOR.KIND     whatever the vendor says: data, bytes, entry and options as the program gave
 *                   them. `native.` and `opencl.` are Cohort's.
 *
 * Kernels of formats that begin with `opencl.` return nothing: the result of the prototype is one
 * more argument, MEM, written, named `result`, and sig->ret is COHORT_VOID. For all others the
 * signature is the prototype's, and the result goes to `ret` of the launch. */
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

/* The minor number of the ABI that this header describes. */
#define COHORT_ABI_MINOR 0u
/* The most arguments of a kernel: 40 of a prototype, the rest for what a plugin prefixes. */
#define COHORT_MAX_ARGS 64u
#define COHORT_MAX_TERMS 64u /* of one reduction; the core cuts larger trees at a node */

/* Kinds of arguments of a kernel (cohort_arg.kind), and the uses of memory. */
enum {
    COHORT_ARG_VALUE = 1,
    COHORT_ARG_MEM = 2,
    COHORT_ARG_LOCAL = 3,
    COHORT_ARG_SAMPLER = 4,
    COHORT_ARG_IMAGE_1D = 5,
    COHORT_ARG_IMAGE_1D_ARRAY = 6,
    COHORT_ARG_IMAGE_1D_BUFFER = 7,
    COHORT_ARG_IMAGE_2D = 8,
    COHORT_ARG_IMAGE_2D_ARRAY = 9,
    COHORT_ARG_IMAGE_3D = 10
};
enum { COHORT_READ = 1, COHORT_WRITE = 2 }; /* .dir, mem_import, mem_map */
/* Beside the directions of an image. NORM: integers of 8 or 16 bits are fractions of their largest
 * number; BGRA: four channels, the first of which is blue; else they begin with red. */
enum { COHORT_PIXEL_NORM = 4, COHORT_PIXEL_BGRA = 8 };
/* Kinds of devices, for lists and defaults only: accelerators and GPUs that take `native.fn` or
 * `opencl.c`, which nearly every function of a program has, are default devices. */
enum { COHORT_DEVICE_CPU = 1, COHORT_DEVICE_GPU = 2, COHORT_DEVICE_ACCELERATOR = 3 };

/* The abilities of a device, bits of cohort_device_info.caps; any other bit refuses the plugin.
 * SERIALIZE     never two operations of this plugin at a time (cohort_ops, Threads)
 * PROMPT        waits for nothing outside the process, so needs no deadlines, and may run on the
 *               program's thread; means nothing in a plugin that has event_wait
 * HOST_VISIBLE  mem_host_ptr is there, and answers for all that mem_alloc made
 * UNIFIED       mem_import is there, and does not copy
 * COHERENT      host and device see each other's writes once the event is done
 * WIDE_MEAN     reduce combines floats of 16 and 8 bits in float32 where it divides (reduce, Bits);
 *               else the core does that itself
 * GRID          its bodies of other formats than `native.` and `opencl.` are of one work-item: one
 *               without a global size is refused before it is built, and no launch of it has dims
 *               0 (cohort_range) */
enum {
    COHORT_CAP_SERIALIZE = 1,
    COHORT_CAP_PROMPT = 2,
    COHORT_CAP_HOST_VISIBLE = 4,
    COHORT_CAP_UNIFIED = 8,
    COHORT_CAP_COHERENT = 16,
    COHORT_CAP_WIDE_MEAN = 32,
    COHORT_CAP_GRID = 64
};
enum { COHORT_MEM_COMMIT = 1 }; /* mem_alloc: memory that exists now, not at its first use */

/* Bits of cohort_code.flags.
 * SPLIT: arguments 0 and 1 are int64 begin, end, and those of further indices may follow: any
 * partition gives the same bits, and the body has no threads of its own (that of a COHORT_ITEMS as
 * native.fn; see launch).
 * GUARDED: work-items beyond cohort_range.global do nothing, so a device may round it up. */
enum { COHORT_CODE_SPLIT = 1, COHORT_CODE_GUARDED = 2 };
enum { COHORT_ORDER_STACK = 1 }; /* cohort_reduction.order: see cohort_term */

/* Handles and callbacks of plugins. They belong to the plugin, which completes these structs; the
 * core never looks inside. cohort_call is the core's. */
typedef struct cohort_dev cohort_dev;
typedef struct cohort_queue cohort_queue;
typedef struct cohort_mem cohort_mem;
typedef struct cohort_kernel cohort_kernel;
typedef struct cohort_event cohort_event;
typedef struct cohort_call cohort_call;
typedef void (*cohort_native_fn)(void);
typedef void (*cohort_notify_fn)(void *user, cohort_status status);

/* ---- Frozen structs: they stand in arrays or inside others and have no struct_size. */

/* One argument of a kernel.
 *
 * kind  COHORT_ARG_VALUE by value; MEM an array; LOCAL scratch memory of one launch; SAMPLER a
 *       cohort_sampler; IMAGE_1D ... an array as an image, which a device without images refuses
 *       (kernel_create)
 * type  a dtype of cohort/codes.h, or COHORT_STRUCT_BASE + i: the i-th of sig->types; of an image
 *       that of a channel: integers of 8, 16 or 32 bits, float16 or float32
 * dir   MEM and images: COHORT_READ, COHORT_WRITE or both, what the body does with it, and of an
 *       image also COHORT_PIXEL_...; else 0
 * size  of the value, of one element, or of a channel, in bytes: that of its type */
typedef struct cohort_arg {
    uint32_t kind, type, dir, size;
} cohort_arg;

/* One member of a struct. */
typedef struct cohort_member {
    uint32_t type, count, offset, reserved; /* count: array extent, or 1 */
} cohort_member;

/* The layout of a struct that is passed by value. */
typedef struct cohort_layout {
    uint32_t size, align, nmembers, reserved;
    const cohort_member *members; /* structs among them come earlier in the table */
} cohort_layout;

/* The geometry of a launch, already evaluated.
 *
 * dims  1 to 3; 0: the program gave the body no global size, and nothing says how many items there
 *       are: the body is called once and loops by itself, over the numbers that it gets, as a C
 *       function does. A device whose bodies are of one work-item cannot do that: to run one item
 *       then would leave the others out without a word. It says COHORT_CAP_GRID, or answers
 *       COHORT_EINVAL. */
typedef struct cohort_range {
    uint32_t dims, reserved;
    uint64_t global[3], local[3]; /* global 0: no item runs; local 0: the device chooses */
} cohort_range;

/* An image of a launch: memory that lies without gaps, the channels of a pixel together, then x, y
 * and z.
 *
 * channels  1, 2 or 4
 * height    of 1-D images 1
 * depth     of an array of images how many there are, else, but of 3-D images, 1
 * No product of them overflows 63 bits, and an extent may be 0. */
typedef struct cohort_image {
    cohort_mem *mem;
    uint32_t channels, reserved;
    uint64_t width, height, depth;
} cohort_image;

/* The step, replica and run of a launch, for traces and error texts only. */
typedef struct cohort_tag {
    uint64_t step;
    uint32_t replica, run;
} cohort_tag;

/* One contribution of a reduction, and a step of a stack program: push this contribution, then
 * `merges` times: b = pop, a = pop, push(a + b).
 * The merges of all terms sum to nterms - 1. */
typedef struct cohort_term {
    cohort_mem *mem;
    uint64_t offset; /* in bytes */
    uint32_t merges, reserved;
} cohort_term;

/* ---- Structs that grow at their end. */

/* Why an operation failed. The caller's, may be NULL; written with cohort_fail. */
typedef struct cohort_error {
    uint32_t struct_size;
    cohort_status code;
    int64_t native; /* the driver's own number */
    /* the sentence; the first error of a build log, mapped to the user's file and line */
    char text[1008];
} cohort_error;

/* One device of enumerate, which writes every member. A value that "refuses" refuses the whole
 * plugin, with the reason in `cohort devices`. */
typedef struct cohort_device_info {
    uint32_t struct_size, type; /* COHORT_DEVICE_CPU ...; another number refuses */
    /* caps: COHORT_CAP_...; one without its operation refuses.
     * mem_total, mem_max_alloc: bytes; 0, or a mem_total above INT64_MAX, refuses */
    uint64_t caps, mem_total, mem_max_alloc;
    /* mem_align: of the memory that the device allocates; import_align: of what mem_import takes;
     * powers of two, or 0, which is 1; others refuse.
     * compute_units: 1 to INT32_MAX, others refuse; for lists, and parts of a prompt device whose
     * numbers are equal modulo compute_units share an executor.
     * max_parts: 1: cannot be divided; 0 refuses; more than 1,024 are cut */
    uint32_t mem_align, import_align, compute_units, max_parts;
    int32_t numa_node; /* -1: unknown; less refuses */
    uint32_t max_args; /* of a kernel; 0, or more than COHORT_MAX_ARGS, is COHORT_MAX_ARGS */
    uint8_t uuid[16];  /* not all zero, which refuses; the same after a restart */
    /* UTF-8, printable, terminated, else they refuse. pci may be empty, name may not; driver is
     * with its version, for whatever changes what a kernel_binary is good for */
    char pci[16], name[64], driver[64];
    /* bodies that it takes, best first, NULL at the end: at most 64, of less than 64 bytes each;
     * NULL: none */
    const char *const *formats;
    /* dtypes: of COHORT_NUMBER_DTYPES, 1 << COHORT_F32 ..., those that its kernels and reduce take.
     * reductions: of COHORT_REDUCE_OPS, 1 << COHORT_SUM ..., those that reduce is asked for; MEAN
     * is a SUM with a divisor. A plugin is never asked for others: a call with such an argument
     * fails, and of reductions the core does them. Bits that the core does not know mean nothing */
    uint64_t dtypes, reductions;
} cohort_device_info;

#define COHORT_BIT_(name, value, ...) | UINT64_C(1) << (value)

/* All that this header has, for a plugin that takes whatever C has or hands it on to the core: one
 * that was built with an older header does not say that it knows what came later. */
#define COHORT_ALL_DTYPES (UINT64_C(0) COHORT_NUMBER_DTYPES(COHORT_BIT_))
#define COHORT_ALL_REDUCTIONS (UINT64_C(0) COHORT_REDUCE_OPS(COHORT_BIT_))

/* The signature of a kernel. Lives as long as the kernel made with it. */
typedef struct cohort_sig {
    uint32_t struct_size, nargs;
    const cohort_arg *args;
    const char *const *names; /* of the parameters */
    const char *text;         /* the C prototype as written, from its ( on */
    uint32_t ret, ntypes;     /* ret: a type as of an argument, or COHORT_VOID */
    const cohort_layout *types;
} cohort_sig;

/* One body of a function; its content follows from the format, see cohort/plugin.h. */
typedef struct cohort_code {
    uint32_t struct_size, flags; /* COHORT_CODE_... */
    uint64_t uid;                /* same uid, same program: a build may be kept */
    const char *format;
    const void *data; /* source or binary; NULL where there is none */
    uint64_t bytes;
    const char *options; /* of the build; may be NULL */
    cohort_native_fn fn; /* native.fn, opencl.enqueue; else NULL */
} cohort_code;

/* One launch of a kernel. Read during the call only. */
typedef struct cohort_launch {
    uint32_t struct_size, nargs;
    /* VALUE: the value's address; MEM: a cohort_mem **; LOCAL: a uint64_t * with bytes; SAMPLER: a
     * cohort_sampler *; images: a cohort_image * */
    void *const *argv;
    void *ret; /* gets the returned value; valid until the event is done; NULL: there is none */
    cohort_tag tag;
    cohort_range range;
    /* the first global id of each dimension of the range; 0 where the program says nothing. A core
     * that is older does not have it: cohort_launch_is_offset looks */
    uint64_t offset[3];
} cohort_launch;

/* Whether an argument of this kind is an image. */
static inline int cohort_arg_is_image(uint32_t kind)
{
    return kind >= COHORT_ARG_IMAGE_1D && kind <= COHORT_ARG_IMAGE_3D;
}

/* Whether the global ids of a launch begin elsewhere than at 0. */
static inline int cohort_launch_is_offset(const cohort_launch *launch)
{
    return launch->struct_size >= offsetof(cohort_launch, offset) + sizeof launch->offset &&
           (launch->offset[0] | launch->offset[1] | launch->offset[2]) != 0;
}

/* Contributions in memory of a device, and where their combination goes. */
typedef struct cohort_reduction {
    uint32_t struct_size, order, op, type, nterms, reserved; /* op: any but COHORT_MEAN */
    const cohort_term *terms;
    cohort_mem *dst;            /* may be a term, at that term's offset; else no overlap */
    uint64_t dst_offset, count; /* bytes, elements */
    uint64_t divisor;           /* 1, or the result is divided by it once (MEAN; floating types) */
} cohort_reduction;

/* Functions of the core that a plugin may call, from any thread. */
typedef struct cohort_host {
    uint32_t struct_size, flags;
    void *ctx;

    /* One line for the log; 0 error, 1 warning, 2 info, 3 debug. */
    void (*log)(void *ctx, int32_t level, const char *text);

    /* A setting of the core by the name of its environment variable; COHORT_ENOENT when unset or
     * unknown, COHORT_EINVAL when it does not fit into `size` bytes with its 0. */
    cohort_status (*config_get)(void *ctx, const char *key, char *out_text, uint64_t size);

    /* Native calls for bodies in host memory: prepare once per kernel (what it needs of sig is
     * copied), call with argv as in cohort_launch, except that entries of MEM and LOCAL are the
     * address of a pointer. ret gets exactly the bytes of the result type. The call runs with the
     * default floating-point state. Preparing refuses (COHORT_EINVAL) what cannot be called: kinds,
     * types by value and structs that are none, too many arguments; sizes and directions it does
     * not look at. Different calls, and one on several threads, may run at the same time. */
    cohort_status (*call_prepare)(void *ctx, const cohort_sig *sig, cohort_call **out_call,
                                  cohort_error *err);
    void (*call_native)(void *ctx, const cohort_call *call, cohort_native_fn fn, void *const *argv,
                        void *ret);
    void (*call_free)(void *ctx, cohort_call *call);

    /* The core's own kernel for reductions in host memory, bit-exact by definition (reduce of
     * cohort_ops, Bits): combine elements [first, first + count) of the reduction, where
     * pointers[i] is the address of terms[i].mem (its offset not yet added) and dst that of dst.
     * Different ranges may run at the same time. COHORT_ENOTSUP: no such op for that type. */
    cohort_status (*reduce_native)(void *ctx, const cohort_reduction *reduction,
                                   const void *const *pointers, void *dst, uint64_t first,
                                   uint64_t count);
} cohort_host;

/* The core's description of itself when it asks a plugin for its table. */
typedef struct cohort_request {
    uint32_t struct_size, core_minor;
    const cohort_host *host;
    const char *core_version;
} cohort_request;

/* ---- Operations. */

/* The operations of a plugin: one table of functions.
 *
 * The first ten must be there; each other one may be NULL, and the core does without. These come in
 * pairs: event_wait and event_release, queue_create and queue_destroy, mem_map and mem_unmap,
 * host_alloc and host_free. Of a pair with one alone neither is used, and the log says so. A slot
 * that says "Not called" is one that this release of the core has no use for: it is NULL in a new
 * plugin, or does what its comment says, as cohort plugin check asks it to.
 *
 * Rules for every slot:
 *   - The core passes no NULL but where the comment says so, only handles that are alive, and only
 *     ranges inside of them. `err` may be NULL. An `out_` parameter points to NULL or 0 on entry.
 *   - `queue` is NULL: the device's own queue, which is in order. An operation that was begun later
 *     sees what an earlier one of the same queue has written.
 *   - *out_event left NULL: the operation is complete. Else it has only begun, the event is the
 *     core's until event_release, and with it all that the operation uses (memory of the device and
 *     of the host, the kernel, ret) stays as it is. A plugin without event_wait leaves it NULL. An
 *     error comes without an event.
 *   - An answer is COHORT_OK or a negative status of cohort/codes.h; those that a comment names
 *     have the meaning that it gives. COHORT_ELOST is for a device that is gone, COHORT_EINTERNAL
 *     for what has no better name. COHORT_END is none, and COHORT_EAGAIN is one of event_wait
 *     alone. COHORT_ENOTSUP leaves this call to the core where a comment says "Leaves"; elsewhere
 *     it is an error.
 *   - An error fails the call of the program that led to it. The text that cohort_fail writes is
 *     its message, after the device's id and the operation; control characters and what is no UTF-8
 *     are shown as \xff.
 *   - Answers pass a gate. It is shut by a status that is none of the above; by a success without
 *     what it hands out; by an event with an error, or from a plugin without event_wait; by a
 *     count that is not that of the status (launch_batch); by an error text without its end. Then
 *     the devices of the plugin are lost, nothing of it is called any more, and the user is told
 *     which operation answered what.
 *
 * Threads. One call at a time for each opened device. Its *executor* makes it: for a device that is
 * COHORT_CAP_PROMPT, of a plugin without event_wait, that may be the thread of the program which
 * uses the strategy; for every other one it is a worker of the core's, for the life of the device
 * (and for prompt ones too while COHORT_TIMEOUT_LAUNCH is set). "Own thread" is one that the core
 * makes for that one call. Executors of different devices call at the same time, unless
 * COHORT_CAP_SERIALIZE, which covers all but enumerate and device_abandon; event_wait only asks
 * then.
 *
 * Blocking. An operation may block, where no "Blocks" line says otherwise: its executor has nothing
 * else to do. But a device that is not prompt has a deadline for each, from the settings: "Deadline
 * OPEN" is COHORT_TIMEOUT_OPEN, and so on; COPY gets 1 s more for each 100 MB. After it the device
 * is lost, the thread is given up where it hangs, and nothing is freed. */
typedef struct cohort_ops {
    uint32_t struct_size, reserved;

    /* ---- Devices. */

    /* Count all devices in *out_n, and describe the first `cap` of them, `stride` bytes apart.
     * When     once, when the plugin is loaded: with cap 0 and out NULL to count, then with
     *          cap == *out_n. Opens nothing, and leaves no thread and no file.
     * Thread   its own, with the default floating-point state. Deadline OPEN.
     * Checked  afterwards: at most 4,096 devices, the same number twice, and every member of each
     *          cohort_device_info, as said there; the first lie refuses the plugin. Not: stride,
     *          which may be larger than the plugin's struct: what is behind it is left alone.
     * Owner    `out` is the core's; each entry is written as a whole, struct_size too. The
     *          list of `formats` is the plugin's, and stays. self: the member of cohort_plugin.
     * Errors   any: the plugin is not used, and `cohort devices` says why. No device is no error.
     * NULL     not allowed. */
    cohort_status (*enumerate)(void *self, uint32_t cap, uint32_t stride, cohort_device_info *out,
                               uint32_t *out_n, cohort_error *err);

    /* Open part `part` of `parts` of device number `index`; part 0 of 1 is all of it.
     * When     a strategy, or a check of a function, wants the device. Each opens its own: a device
     *          may be open many times, whole and in parts, at once.
     * Thread   the executor, one at a time for the plugin (with device_close). Deadline OPEN.
     * Checked  index < the number enumerated; part < parts <= max_parts. A plugin refuses other
     *          ones nevertheless.
     * Owner    *out_dev is the core's until device_close.
     * Errors   COHORT_ENODEV an index beyond the list, or a device that cannot be used now;
     *          COHORT_EINVAL a part that is not there; COHORT_ENOMEM.
     * NULL     not allowed. */
    cohort_status (*device_open)(void *self, uint32_t index, uint32_t part, uint32_t parts,
                                 cohort_dev **out_dev, cohort_error *err);

    /* Close a device.
     * When     the strategy ends; after COHORT_ELOST too. Not for a device that has passed a
     *          deadline.
     * Thread   the executor, one at a time for the plugin (with device_open). Deadline OPEN.
     * Checked  all of its memory, kernels and events have been given back.
     * Owner    dev is gone, whatever is answered.
     * Errors   any.
     * NULL     not allowed. */
    cohort_status (*device_close)(cohort_dev *dev, cohort_error *err);

    /* ---- Memory. */

    /* Allocate `bytes` bytes; their content is undefined.
     * When     a value, variable or result first needs them, or more than it has. Nothing of the
     *          device is in flight.
     * Thread   the executor. Deadline ALLOC, with the mem_host_ptr that may follow.
     * Checked  bytes <= mem_max_alloc. Not: whether that much is free. A plugin refuses what is
     *          above mem_max_alloc nevertheless, up to 2^64 - 1 bytes: additions may not overflow.
     *          0 bytes are legal, and make memory that can be freed; the core asks for 1 at least.
     * Owner    *out_mem is the core's until mem_free. The host address, where there is one, and
     *          the device's are aligned to mem_align.
     * flags    0, or COHORT_MEM_COMMIT: what is not there fails now, not at its first use. The core
     *          passes 0.
     * Errors   COHORT_ENOMEM, above mem_max_alloc too.
     * NULL     not allowed. */
    cohort_status (*mem_alloc)(cohort_dev *dev, uint64_t bytes, uint32_t flags,
                               cohort_mem **out_mem, cohort_error *err);

    /* Give back memory of mem_alloc, mem_import or mem_slice.
     * When     its value or variable ends, or becomes larger. Nothing of the device is in flight.
     * Thread   the executor. Deadline ALLOC.
     * Checked  no operation uses it any more.
     * Owner    mem is gone, whatever is answered. Imported memory stays the host's.
     * Errors   any.
     * NULL     not allowed. */
    cohort_status (*mem_free)(cohort_dev *dev, cohort_mem *mem, cohort_error *err);

    /* Copy `bytes` bytes from host memory into mem, from `offset` on.
     * When     the program gives a value or variable its content; and for what the core computes on
     *          the host. Earlier writes and launches may be in flight.
     * Thread   the executor. Deadline COPY.
     * Checked  the range; bytes > 0 (a plugin takes 0 too, up to the end of mem). Not: alignment:
     *          offset and `from` are any.
     * Owner    `from` is the core's, and stays as it is until the event is done. For a prompt
     *          device it may be memory of the program's, for others it is a copy that the core
     *          made.
     * Errors   any.
     * NULL     not allowed. */
    cohort_status (*write)(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                           const void *from, uint64_t bytes, cohort_event **out_event,
                           cohort_error *err);

    /* Copy `bytes` bytes of mem, from `offset` on, into host memory. As write, the other way:
     * When     the program reads a value; and for what the core computes on the host, and copies
     *          between devices that do not reach each other's memory.
     * Thread   the executor. Deadline COPY.
     * Checked  the range; bytes > 0. Not: alignment.
     * Owner    `into` is the core's; nobody looks at it until the event is done.
     * Errors   any.
     * NULL     not allowed. */
    cohort_status (*read)(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                          void *into, uint64_t bytes, cohort_event **out_event, cohort_error *err);

    /* ---- Kernels. */

    /* Build a body, or find it built (code->uid), for launches with this signature.
     * When     before the first launch of a function on this device, and by cohort_function_check.
     *          With a binary of kernel_binary first, where the cache has one; when that is refused,
     *          for whatever reason, with the program's own body. Nothing of the device is in
     *          flight.
     * Thread   the executor. Deadline BUILD.
     * Checked  code->format is one of the device's formats, or one that kernel_binary named; sig is
     *          what the C prototype says. Not: that code and sig fit together, which a plugin finds
     *          out as far as it can; and sig itself, which it checks before it trusts it.
     * Owner    *out_kernel is the core's until kernel_destroy. sig lives as long; `entry`, and what
     *          code points to, for this call alone.
     * Errors   COHORT_EINCOMPATIBLE another format, a binary of another driver;
     *          COHORT_ENOENT no such entry, no function (code->fn is NULL), no source;
     *          COHORT_EBUILD the program does not compile: the text is the first error of the log;
     *          COHORT_ENOTSUP an image or a sampler, where the device or the format has none;
     *          COHORT_EINVAL what the device cannot pass: more than COHORT_MAX_ARGS arguments, a
     *          kind or type that is none, a struct that is not in sig->types, a size that is not
     *          its type's (a double of 4 bytes), a 16-bit float by value, an array without a
     *          direction, a kernel whose own arguments are others; COHORT_ENOMEM.
     * NULL     not allowed. */
    cohort_status (*kernel_create)(cohort_dev *dev, const cohort_code *code, const char *entry,
                                   const cohort_sig *sig, cohort_kernel **out_kernel,
                                   cohort_error *err);

    /* Give back a kernel.
     * When     the strategy ends. Nothing of the device is in flight.
     * Thread   the executor. Deadline BUILD.
     * Checked  no launch of it is in flight.
     * Owner    kernel is gone, whatever is answered.
     * Errors   any.
     * NULL     not allowed. */
    cohort_status (*kernel_destroy)(cohort_dev *dev, cohort_kernel *kernel, cohort_error *err);

    /* Run a kernel.
     * When     cohort_run and its relatives, for each replica on the device. Earlier writes, copies
     *          and launches may be in flight.
     * Thread   the executor. Deadline LAUNCH where there are no events; EVENT, from when the launch
     *          is the first in the queue, where there are.
     * Checked  the number of arguments, the types of values, the elements of arrays; memory in argv
     *          is this device's, or that of a peer. Not: what the body does with it. A plugin
     *          refuses another number of arguments than its kernel takes nevertheless.
     * Owner    the struct, argv, and what argv points to, are read in the call alone: a plugin that
     *          returns before it is done copies what it needs. ret, not NULL when sig->ret is not
     *          COHORT_VOID, gets exactly the bytes of that type before the event is done.
     * SPLIT    code->flags has COHORT_CODE_SPLIT: arguments 0 and 1 are the int64 begin and end of
     *          a range of range.global[dims - 1] items. The device may call the body as often as it
     *          likes, at the same time too, with ranges that together are this one, and the bits
     *          are the same. Two calls at the same time may not share local memory. With dims 2 or
     *          3 an item has several indices, each with its begin and end, the outermost first: of
     *          as many items inside it as the other sizes of the range say.
     * LOCAL    as many bytes as argv says, 0 too, perhaps others than at the last launch; undefined
     *          content. Aligned to 64 bytes for a C function (native.fn), else to the element type.
     * Errors   COHORT_EINVAL another number of arguments, a geometry that the device does not have;
     *          COHORT_ENOTSUP an offset (cohort_launch_is_offset), where bodies have no ids; an
     *          image of a format or of extents that the device does not have;
     *          COHORT_ENOMEM more local memory than there is (2^64 - 1 bytes: no overflow), or
     *          COHORT_EINVAL where its size is fixed.
     * NULL     not allowed. */
    cohort_status (*launch)(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                            const cohort_launch *launch, cohort_event **out_event,
                            cohort_error *err);

    /* ---- Events. */

    /* Wait until an operation is complete, for timeout_ns at most; 0 asks.
     * When     as often as the core likes, after the operation is complete too, until
     *          event_release. Slices are of one second at most; timeout_ns is always 0 for a device
     *          that is COHORT_CAP_SERIALIZE, whose executor sleeps between two calls.
     * Thread   the executor, which waits in it: it should sleep. Deadline that of the operation.
     * Checked  the event is one that was handed out, and not released. err may be NULL.
     * Owner    keeps nothing.
     * Errors   COHORT_EAGAIN the time is over (an answer, not an error); else it is the answer of
     *          the operation itself, each time it is asked.
     * NULL     every operation is complete when it returns, and leaves *out_event NULL. */
    cohort_status (*event_wait)(cohort_dev *dev, cohort_event *event, uint64_t timeout_ns,
                                cohort_error *err);

    /* Give back an event.
     * When     once, after event_wait has answered something other than COHORT_EAGAIN. Not for an
     *          event of a device that is lost.
     * Thread   the executor. Deadline that of the operation.
     * Checked  the operation is complete.
     * Owner    event is gone, whatever is answered.
     * Errors   any: a warning in the log, for what the operation came to is known.
     * NULL     as event_wait. */
    cohort_status (*event_release)(cohort_dev *dev, cohort_event *event, cohort_error *err);

    /* Have fn(user, status of the operation) called once, on any thread, when it is complete, or
     * at once if it is.
     * When     Not called. fn will call no operation.
     * Thread   the executor.
     * Blocks   no.
     * Checked  as event_wait.
     * Owner    user is the core's, and lives until fn was called.
     * Errors   Leaves, with COHORT_ENOTSUP.
     * NULL     the executor waits. */
    cohort_status (*event_notify)(cohort_dev *dev, cohort_event *event, cohort_notify_fn fn,
                                  void *user, cohort_error *err);

    /* When a complete operation began and ended on the device, in ns of CLOCK_MONOTONIC.
     * When     Not called.
     * Thread   the executor.
     * Blocks   no.
     * Checked  the operation is complete.
     * Owner    keeps nothing.
     * Errors   Leaves, with COHORT_ENOTSUP.
     * NULL     the host's clock, before and after. */
    cohort_status (*event_time)(cohort_dev *dev, cohort_event *event, uint64_t *out_start_ns,
                                uint64_t *out_end_ns, cohort_error *err);

    /* ---- More queues. */

    /* Make one more in-order queue, for the operations that take one.
     * When     Not called: `queue` is always NULL. flags is 0.
     * Thread   the executor.
     * Checked  nothing.
     * Owner    *out_queue is the core's until queue_destroy.
     * Errors   COHORT_ENOMEM. Leaves, with COHORT_ENOTSUP.
     * NULL     the device has its one queue. */
    cohort_status (*queue_create)(cohort_dev *dev, uint32_t flags, cohort_queue **out_queue,
                                  cohort_error *err);

    /* Give back a queue.
     * When     Not called.
     * Thread   the executor.
     * Checked  nothing is in flight in it; queue is not NULL.
     * Owner    queue is gone, whatever is answered.
     * Errors   any.
     * NULL     as queue_create. */
    cohort_status (*queue_destroy)(cohort_dev *dev, cohort_queue *queue, cohort_error *err);

    /* Let what is put into the queue later begin after these events, of any devices of this plugin.
     * When     Not called.
     * Thread   the executor.
     * Blocks   no.
     * Checked  the events are not released.
     * Owner    the list is read in the call alone; the events stay the core's, who may release them
     *          once they are done.
     * Errors   Leaves, with COHORT_ENOTSUP.
     * NULL     the executor waits for the events. */
    cohort_status (*queue_wait)(cohort_dev *dev, cohort_queue *queue, uint32_t nevents,
                                cohort_event *const *events, cohort_error *err);

    /* ---- Memory that the host sees. */

    /* The address of memory in this process.
     * When     after each mem_alloc, in the same deadline, on a device that claims
     *          COHORT_CAP_HOST_VISIBLE. Then the core reads and writes there itself, while nothing
     *          of the device is in flight.
     * Thread   the executor. Deadline ALLOC.
     * Checked  afterwards: not NULL, and a multiple of mem_align.
     * Owner    the address holds until mem_free.
     * Errors   any: the allocation fails.
     * NULL     such memory is copied, by read and write. A device may not claim HOST_VISIBLE. */
    cohort_status (*mem_host_ptr)(cohort_dev *dev, cohort_mem *mem, void **out_ptr,
                                  cohort_error *err);

    /* Use host memory in place, as memory of the device.
     * When     a value is made of memory of the program's, on a device that claims
     *          COHORT_CAP_UNIFIED; again, after mem_free, when its content changes and the device
     *          is not COHORT_CAP_COHERENT. A device that is, and is PROMPT, also gets memory of the
     *          core's, in which the core sums what a launch then reads; the same pages may stand at
     *          several of its addresses. Nothing of the device is in flight.
     * Thread   the executor. Deadline ALLOC.
     * Checked  ptr is a multiple of import_align, bytes <= mem_max_alloc. Not: pages, and whether
     *          they can be locked. The core asks with COHORT_READ: the device does not write to it,
     *          though the memory may be. COHORT_WRITE: what the device has written is there once
     *          mem_free returns. 0 bytes are legal.
     * Owner    ptr stays the program's or the core's, and lives until mem_free; *out_mem is the
     *          core's.
     * Errors   COHORT_ENOMEM. Leaves, with COHORT_ENOTSUP, what it cannot use in place.
     * NULL     mem_alloc, and write. A device may not claim UNIFIED. */
    cohort_status (*mem_import)(cohort_dev *dev, void *ptr, uint64_t bytes, uint32_t dir,
                                cohort_mem **out_mem, cohort_error *err);

    /* A part of memory, as memory.
     * When     Not called.
     * Thread   the executor.
     * Checked  the range, which may be empty.
     * Owner    *out_mem is the core's until mem_free, which comes before that of `mem`.
     * Errors   COHORT_ENOMEM. Leaves, with COHORT_ENOTSUP, such as an offset that does not suit.
     * NULL     a copy. */
    cohort_status (*mem_slice)(cohort_dev *dev, cohort_mem *mem, uint64_t offset, uint64_t bytes,
                               cohort_mem **out_mem, cohort_error *err);

    /* Make a range of memory readable, or writable, in this process until mem_unmap.
     * When     Not called. dir is COHORT_READ, COHORT_WRITE or both.
     * Thread   the executor.
     * Blocks   it may; it may also only begin, and *out_ptr is then used once the event is done.
     * Checked  the range.
     * Owner    the address holds until mem_unmap; the device does not use the range meanwhile.
     * Errors   COHORT_ENOMEM. Leaves, with COHORT_ENOTSUP.
     * NULL     read and write, through memory of the core's. */
    cohort_status (*mem_map)(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                             uint64_t bytes, uint32_t dir, void **out_ptr, cohort_event **out_event,
                             cohort_error *err);

    /* Give back what mem_map made.
     * When     Not called.
     * Thread   the executor.
     * Blocks   it may; it may also only begin.
     * Checked  ptr is what mem_map answered for mem.
     * Owner    ptr is gone, whatever is answered; what was written there is the device's once the
     *          event is done.
     * Errors   any.
     * NULL     as mem_map. */
    cohort_status (*mem_unmap)(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, void *ptr,
                               cohort_event **out_event, cohort_error *err);

    /* How many bytes the device has free, and in all.
     * When     Not called.
     * Thread   the executor.
     * Blocks   no.
     * Checked  nothing.
     * Owner    keeps nothing.
     * Errors   Leaves, with COHORT_ENOTSUP.
     * NULL     mem_total of cohort_device_info is what is known. */
    cohort_status (*mem_info)(cohort_dev *dev, uint64_t *out_free, uint64_t *out_total,
                              cohort_error *err);

    /* Allocate host memory that this device transfers well (pinned, say).
     * When     Not called.
     * Thread   the executor.
     * Checked  nothing.
     * Owner    *out_ptr is the core's until host_free.
     * Errors   COHORT_ENOMEM. Leaves, with COHORT_ENOTSUP.
     * NULL     the core's own memory, aligned to 64 bytes. */
    cohort_status (*host_alloc)(cohort_dev *dev, uint64_t bytes, void **out_ptr, cohort_error *err);

    /* Give back what host_alloc made.
     * When     Not called.
     * Thread   the executor.
     * Checked  no transfer of it is in flight.
     * Owner    ptr is gone, whatever is answered.
     * Errors   any.
     * NULL     as host_alloc. */
    cohort_status (*host_free)(cohort_dev *dev, void *ptr, cohort_error *err);

    /* ---- Work that the core can do otherwise. */

    /* Copy memory to memory.
     * When     a value or variable moves within the device, or to it from a peer. Earlier writes,
     *          copies and launches may be in flight.
     * Thread   the executor. Deadline COPY.
     * Checked  both ranges, which do not overlap; bytes > 0 (a plugin takes 0 too). Not: alignment.
     *          dst is this device's, src this device's or a peer's; cohort plugin check also has a
     *          peer's as dst.
     * Owner    keeps nothing once the event is done.
     * Errors   any. Leaves, with COHORT_ENOTSUP and nothing copied.
     * NULL     read and write, of 1 MiB at a time: read then gets memory of peers. */
    cohort_status (*copy)(cohort_dev *dev, cohort_queue *queue, cohort_mem *dst,
                          uint64_t dst_offset, cohort_mem *src, uint64_t src_offset, uint64_t bytes,
                          cohort_event **out_event, cohort_error *err);

    /* Whether memory of `peer` may stand wherever memory of dev may: in a launch, in a copy, in a
     * reduction.
     * When     once for each pair of devices of a strategy, in both orders, after all are open.
     * Thread   the executor of dev. Deadline OPEN.
     * Checked  both are of this plugin, open, and not the same. Afterwards: 0 or 1.
     * Owner    keeps nothing. A peer may be closed before dev, when its memory is given back.
     * Errors   any: the strategy is not made. Leaves, with COHORT_ENOTSUP: no.
     * NULL     no: copies go by way of the host. */
    cohort_status (*can_access_peer)(cohort_dev *dev, cohort_dev *peer, uint32_t *out_yes,
                                     cohort_error *err);

    /* Fill a range with a pattern.
     * When     Not called.
     * Thread   the executor.
     * Blocks   it may; it may also only begin.
     * Checked  the range; pattern_bytes is 1 to 128, bytes and offset are multiples of it.
     * Owner    the pattern is read in the call alone.
     * Errors   any. Leaves, with COHORT_ENOTSUP and nothing written.
     * NULL     write. */
    cohort_status (*fill)(cohort_dev *dev, cohort_queue *queue, cohort_mem *mem, uint64_t offset,
                          uint64_t bytes, const void *pattern, uint32_t pattern_bytes,
                          cohort_event **out_event, cohort_error *err);

    /* Combine the elements of some memory, in exactly the order that the terms say.
     * When     cohort_reduce and its relatives, for memory that dev reaches; not of a CPU with
     *          events whose memory is COHORT_CAP_HOST_VISIBLE, for the core is as fast there.
     *          Results of at most 64 KiB the core may make itself, where all memory is
     *          HOST_VISIBLE. Nothing of the device is in flight; the core waits for the event.
     * Thread   the executor. Deadline COPY, for the bytes of all terms.
     * Checked  1 to COHORT_MAX_TERMS terms whose merges fit; ranges; dst is a term, at that term's
     *          offset, or overlaps none. op and type are of those that the device says.
     * Owner    the struct and its terms are read in the call alone.
     * Bits     the same as those of reduce_native of cohort_host: every merge is rounded to the
     *          type, integers wrap. Floats of 16 and 8 bits that are divided (divisor is not 1) are
     *          widened to float32; merges and the quotient are rounded to that, and what comes
     *          out to the type, once. Only a device with COHORT_CAP_WIDE_MEAN is asked for it. Of
     *          more than one term, every NaN of the result (of a complex number: of each part) is
     *          the canonical one, positive, quiet, without payload, as 0x7fc00000 of float32.
     * Errors   any. Leaves, with COHORT_ENOTSUP, all that it cannot do bit for bit.
     * NULL     the core's kernel, in place where all the memory is COHORT_CAP_HOST_VISIBLE, else on
     *          copies: read, and write. */
    cohort_status (*reduce)(cohort_dev *dev, cohort_queue *queue, const cohort_reduction *reduction,
                            cohort_event **out_event, cohort_error *err);

    /* A kernel as a binary that kernel_create takes, for the core's cache on disk.
     * When     after kernel_create of a body that has data, when the cache had none: with out NULL
     *          and cap 0 for *out_bytes, then with that cap. The cache finds it by the body, its
     *          options and entry, the prototype, the core's version, the plugin's name and version,
     *          and the device's name, driver and uuid: what else it depends on belongs into
     *          `driver`.
     * Thread   the executor. Deadline BUILD.
     * Checked  afterwards: no more bytes than cap; the format's name is printable and below 64
     *          bytes.
     * Owner    *out_format is the plugin's, and lives as long as the kernel; `out` is the core's.
     * Errors   any: nothing is kept, and the kernel is used. *out_bytes 0, or above 64 MiB, the
     *          same.
     * NULL     each process builds again. */
    cohort_status (*kernel_binary)(cohort_dev *dev, cohort_kernel *kernel, const char **out_format,
                                   void *out, uint64_t cap, uint64_t *out_bytes, cohort_error *err);

    /* The calling thread is the one that works for this device from now on: pin it, say.
     * When     before the first operation after the program's thread was first seen on a CPU, and
     *          again when it was seen on another one, which is caller_cpu (-1: unknown): keep off
     *          it. Not where the program's own thread is the executor.
     * Thread   the executor, a worker of the core's. Deadline OPEN.
     * Checked  nothing.
     * Owner    keeps nothing. The thread is the core's; nothing but its CPUs may change, and those
     *          only within what they were.
     * Errors   any: a warning in the log, and it runs as it is. COHORT_ENOTSUP: not even that.
     * NULL     the scheduler decides. */
    cohort_status (*worker_attach)(cohort_dev *dev, int32_t caller_cpu, cohort_error *err);

    /* A text about the device, terminated, of at most size bytes with its 0.
     * When     Not called.
     * Thread   the executor.
     * Blocks   no.
     * Checked  size > 0.
     * Owner    out_text is the core's.
     * Errors   COHORT_ENOENT no such key; COHORT_EINVAL it does not fit. Leaves, with
     *          COHORT_ENOTSUP.
     * NULL     there are no texts. */
    cohort_status (*query)(cohort_dev *dev, const char *key, char *out_text, uint64_t size,
                           cohort_error *err);

    /* The device is lost: break what hangs, so that its thread comes back and ends. Waits for
     * nothing.
     * When     once, when the strategy of a device ends that has passed a deadline; not when the
     *          gate is shut. Nothing of the device is called after it, but the operation that was
     *          late may still be under way on its executor. (A device that answers COHORT_ELOST is
     *          not given up: what it holds is freed, and it is closed.)
     * Thread   its own. No deadline: nobody waits for it.
     * Checked  nothing. err is NULL.
     * Owner    dev, and all that was made of it, stays as it is for ever: a late answer finds it.
     * Errors   whatever it answers is not looked at.
     * NULL     what hangs goes on hanging, on a thread that nobody waits for. */
    cohort_status (*device_abandon)(cohort_dev *dev, cohort_error *err);

    /* Run a kernel n times, as by n calls of `launch`: one after the other, each complete before
     * the next one begins.
     * When     a call that was made before has several replicas on the device, which is
     *          COHORT_CAP_PROMPT and has no events, while COHORT_TIMEOUT_LAUNCH is not set; and the
     *          body returns nothing (sig->ret is COHORT_VOID). Else `launch`.
     * Thread   the executor. No deadline, as for all that such a device does.
     * Checked  n is 1 or more; each launch as for `launch`. Afterwards: after COHORT_OK *out_done
     *          is n, after an error less.
     * Owner    as for `launch`. *out_done is 0 before the call, and how many launches are complete
     *          whenever a body runs: by it errors, and handlers of signals (cohort/running.h), name
     *          the replica.
     * Errors   as for `launch`, of launch *out_done; those behind it have not begun.
     * NULL     n calls of `launch`. The slot saves the cost of a call besides the body: to check
     *          where the thread runs, to lock, to change settings and change them back. */
    cohort_status (*launch_batch)(cohort_dev *dev, cohort_queue *queue, cohort_kernel *kernel,
                                  const cohort_launch *launches, uint32_t n,
                                  volatile uint32_t *out_done, cohort_error *err);
} cohort_ops;

/* The answer of the entry, static const in the plugin. The core looks at it once, when the plugin
 * is loaded; `cohort devices` lists a plugin that it refuses, with the reason. */
typedef struct cohort_plugin {
    uint32_t struct_size, abi_minor, min_core_minor, reserved;
    /* name: as in cohort-NAME.so, and the first part of device ids. All three are printable UTF-8
     * of less than 256 bytes; version and vendor may be NULL */
    const char *name, *version, *vendor;
    void *self;            /* handed to enumerate, device_open and extension */
    const cohort_ops *ops; /* NULL: extensions only */
    /* "vendor.name/1": a const table or NULL, always the same; may be NULL. Any thread. */
    const void *(*extension)(void *self, const char *name);
} cohort_plugin;

/* ---- Extensions that the core knows. Each is a const table; all of its functions are set. They
 * are called on a thread of their own, with deadline OPEN, and their answers pass the gate. */

/* "cohort.communicator/0" has a header of its own, cohort/communicator.h, and rules of its own. */

/* "cohort.unused/0": drivers that do not load and devices that cannot be used, which the plugin saw
 * in enumerate and does not offer. Texts are UTF-8, terminated. */
typedef struct cohort_unused_info {
    uint32_t struct_size, reserved;
    char name[64];    /* "opencl:0", the name of a driver's file */
    char reason[512]; /* a sentence */
    char fix[512];    /* what to do; may be empty */
} cohort_unused_info;
typedef struct cohort_unused_ops {
    uint32_t struct_size, reserved;
    /* The index-th, from 0; COHORT_END, or an error, after the last. Called after enumerate. */
    cohort_status (*get)(void *self, uint32_t index, cohort_unused_info *out);
} cohort_unused_ops;

/* "cohort.handle/0": the driver's own objects, for programs that know them (cohort/opencl.h).
 * Handles are borrowed: they live as long as device or memory. Called when the program asks, and
 * nothing of the device is under way. COHORT_ENOENT: no such object. */
typedef struct cohort_handle_ops {
    uint32_t struct_size, reserved;
    cohort_status (*of_device)(cohort_dev *dev, const char *what, void **out, cohort_error *err);
    cohort_status (*of_mem)(cohort_dev *dev, cohort_mem *mem, const char *what, void **out,
                            cohort_error *err);
} cohort_handle_ops;

/* Whether the other side compiled field f of *p, and it is set. */
#define COHORT_HAS(p, T, f)                                                                        \
    ((p)->struct_size >= offsetof(T, f) + sizeof((p)->f) && (p)->f != COHORT_NULL_)

/* The sizes of the structs on machines with 64-bit pointers. */
/* clang-format off */
#define COHORT_SIZES(X)                                                                            \
    X(arg, 16) X(member, 16) X(layout, 24) X(range, 56) X(image, 40) X(tag, 16) X(term, 24)        \
    X(error, 1024) X(device_info, 240) X(sig, 48) X(code, 56) X(launch, 120) X(reduction, 64)      \
    X(host, 64) X(request, 24) X(ops, 280) X(plugin, 64) X(unused_info, 1096) X(unused_ops, 16)    \
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

/* COHORT_PLUGIN(name, version, ...): the entry of a plugin and all negotiation. HOST: a `const
 * cohort_host *` of the plugin, set on each call that brings one. The entry touches no device and
 * may be called many times, on a thread of its own with deadline OPEN; NULL with *err when this
 * core will not do. */
#define COHORT_PLUGIN(NAME, VERSION, VENDOR, SELF, OPS, EXTENSION, HOST)                           \
    __attribute__((visibility("default"))) const cohort_plugin *cohort_plugin_entry_1(             \
        const cohort_request *rq, cohort_error *err)                                               \
    {                                                                                              \
        static const cohort_plugin plugin = { COHORT_CAST_(uint32_t, sizeof(cohort_plugin)),       \
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
            if (rq->host != COHORT_NULL_)                                                          \
                HOST = rq->host;                                                                   \
            return &plugin;                                                                        \
        }                                                                                          \
        (void)cohort_fail(err, COHORT_EINCOMPATIBLE, rq->core_minor,                               \
                          "built for ABI 1.%u, this core has 1.%u", COHORT_ABI_MINOR,              \
                          rq->core_minor);                                                         \
        return COHORT_NULL_;                                                                       \
    }
const cohort_plugin *cohort_plugin_entry_1(const cohort_request *rq, cohort_error *err);

#ifdef __cplusplus
}
#endif
#endif
