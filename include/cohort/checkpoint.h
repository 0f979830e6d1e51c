/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: the state of a strategy in files, which are there after a power cut, and from which
 * any number of replicas on any devices goes on.
 *
 *     int64_t step = 0, epoch = 0;
 *     const cohort_checkpoint_part parts[] = { { .name = "train", .input = train },
 *                                              { .name = "epoch",
 *                                                .array = COHORT_ARRAY(&epoch, 1) } };
 *     const cohort_checkpoint_options with = { .parts = parts, .n_parts = 2 };
 *
 *     cohort_checkpoint_restore(s, "run", &step, &with);    // where there is none, step stays 0
 *     while (step < 1000) {
 *         train_one(s, train);
 *         if (++step % 100 == 0)
 *             cohort_checkpoint_save(s, "run", step, &with);
 *     }
 *     return cohort_wait(s) == COHORT_OK ? 0 : 1;
 *
 * A checkpoint holds all variables of a strategy, those of metrics too, and the parts that the
 * program names: positions of inputs, and arrays of its own, such as counters or the state of a
 * random number generator. It is one file of the safetensors format, which Python's package of that
 * name reads as it is. Names are those of the variables and parts, without a suffix per replica or
 * device.
 *
 * A folder holds several generations, checkpoint-000001.safetensors and so on, of which the newest
 * that is whole counts. At every instant at least one complete generation is there, whatever stops
 * the process or the machine.
 *
 * What the format has no type for (complex128, structs) lies as U8 with one axis more, which counts
 * the bytes of an element, and its dtype stands in the metadata. A variable with a component for
 * each replica (ON_READ) lies as what cross-replica context reads, where it can be read there, and
 * beside it as NAME@replicas with all of its components. CRC-32C of each tensor and of the header
 * stand in the metadata, whose keys that begin with "cohort." are the library's. Numbers are
 * little-endian on every machine.
 *
 * Of several workers (cohort_multi_worker_mirrored) all make these calls, with the same variables,
 * parts and options, and each saves a shard: the first one, the chief, what is the same on all, and
 * each what only it has: the components of its replicas, the positions of its inputs, and arrays
 * that are not the same on all. checkpoint-000002.manifest.json says which shards are one
 * generation, and its rename makes it one: a worker that dies before leaves the generations of
 * before. The folder is the chief's: who sees it there writes its shard itself, others send it to
 * the chief. A restore takes the newest generation that any worker finds whole, and who has not
 * that one is sent it, so no file system has to be shared. Any number of workers goes on from what
 * one process, or any other number of workers, has saved.
 *
 * With parameter servers (cohort_parameter_server) one task saves and restores, for which it needs
 * no other: the chief, or a worker; an evaluator saves alone. It takes what the servers hold, and
 * what is its own: variables that are mirrored here, metrics, and its parts. All that the servers
 * hold is of one instant, without a write of anybody between. A chief gives out no closure
 * meanwhile, and waits for those under way: so each closure is saved as a whole, or not at all, and
 * the error of one that has failed is that of the save. Where workers train on their own, a write
 * is saved as a whole, but what a worker does by several writes, or by one to several shards, may
 * be saved in part: let them wait while one saves. No file tells how many servers there were: other
 * numbers of servers and workers go on from it, and so does a single process.
 *
 * Source: the safetensors format, huggingface.co/docs/safetensors; CRC-32C, RFC 3720, 12.1. */
#ifndef COHORT_CHECKPOINT_H
#define COHORT_CHECKPOINT_H

#include <cohort/input.h>
#include <cohort/variable.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cohort_checkpoint cohort_checkpoint;

/* ---- What there is to save. */

/* A variable, as cohort_strategy_variables lists it.
 * name, placement  lent: as long as the variable lives; of the policy the name
 * spec             dtype and shape of the whole variable
 * bytes            of its content, once
 * copies           places where it lives, as cohort_variable_copies counts them
 * components       of an ON_READ variable that has one for each replica; else 0
 * is_of_metric     part of a metric (cohort/metric.h) */
typedef struct cohort_variable_info {
    cohort_variable *variable;
    const char *name, *placement;
    cohort_spec spec;
    int64_t bytes;
    cohort_synchronization synchronization;
    cohort_aggregation aggregation;
    int32_t copies, components;
    bool is_of_metric;
} cohort_variable_info;

/* List the variables of a strategy, in the order in which they were made: fills out[0 ..
 * min(capacity, n) - 1], nothing where out is NULL, and returns n; 0 for NULL. */
COHORT_API int cohort_strategy_variables(const cohort_strategy *strategy,
                                         cohort_variable_info out[], int capacity);

/* Something of the program that a checkpoint has beside the variables: either an input, whose
 * position it keeps (cohort_input_save), or an array, which a save reads and a restore writes.
 *
 * name       not empty, of UTF-8, that of no variable and no other part; no name of either ends in
 *            "@replicas", or "@worker" and a number
 * is_chiefs  of several workers that of the chief counts: it alone is saved, and a restore writes
 *            it on all. An array without this is saved once where it is the same on all, byte for
 *            byte; else each worker's is saved, and goes back to it, where there are as many
 *            workers again. No input has it: of as many workers each goes on from its own position,
 *            and of others from the chief's, as cohort_input_restore does */
typedef struct cohort_checkpoint_part {
    const char *name;
    cohort_input *input;
    cohort_array array;
    bool is_chiefs;
} cohort_checkpoint_part;

/* A text of the program that a checkpoint has in its metadata, where cohort_checkpoint_text finds
 * it. Both are UTF-8; the key does not begin with "cohort.". */
typedef struct cohort_checkpoint_note {
    const char *key, *text;
} cohort_checkpoint_note;

/* A rule for names: what was saved as `saved` is `name` here. One * in each stands for any text,
 * the same in both: { "model.*", "encoder.*" }. */
typedef struct cohort_checkpoint_rename {
    const char *saved, *name;
} cohort_checkpoint_rename;

/* What a restore may leave as it is, as bits; without them it changes nothing unless all matches.
 * MISSING  what is here and not in the file
 * EXTRA    what is in the file and not here
 * OTHER    what has another dtype or shape there, or was each worker's own, and there were more or
 *          fewer workers */
enum {
    COHORT_CHECKPOINT_ALLOW_MISSING = 1,
    COHORT_CHECKPOINT_ALLOW_EXTRA = 2,
    COHORT_CHECKPOINT_ALLOW_OTHER = 4
};

/* What is saved and restored beside the variables, and how. All zero is the default of everything;
 * reserved words must be zero.
 * parts, n_parts      of the program
 * notes, n_notes      texts of the program; a restore does not look at them
 * keep                generations that stay after a save, 2 or more; 0: 5
 * only, n_only        the names of what is restored, where one * stands for any text; what has
 *                     another name stays as it is, and is not missing. None: everything
 * renames, n_renames  rules of a restore, of which the first that fits a name counts
 * allow               of a restore: bits of COHORT_CHECKPOINT_ALLOW_MISSING and its like */
typedef struct cohort_checkpoint_options {
    const cohort_checkpoint_part *parts;
    int32_t n_parts, n_notes;
    const cohort_checkpoint_note *notes;
    int32_t keep, n_only;
    const char *const *only;
    const cohort_checkpoint_rename *renames;
    int32_t n_renames;
    uint32_t allow;
    void *reserved[4];
} cohort_checkpoint_options;

/* ---- Saving and restoring. */

/* Save the state as the next generation of a folder. Success means that a power cut cannot lose it:
 * the file is written under another name, synced, renamed, and the folder is synced; only then
 * older generations are removed. Cross-replica context; waits for what is under way, and for the
 * disk. In memory there is one variable at a time; with parameter servers a copy of all; of several
 * workers a copy of what each saves, and on the chief the shards that it is sent.
 *
 * folder   made where it is not there; its own folder must be. Files in it are for their owner
 *          alone (0600). Of several workers the chief's
 * step     of the program, 0 or more, which a restore gives back; the same on all workers
 * options  may be NULL
 *
 * COHORT_EAGAIN, which sticks nowhere: somebody else saves into this folder now; or other workers
 * wrote to the parameter servers all the time, for a quarter of COHORT_TIMEOUT_WORKER, 15 seconds
 * where that is 0. COHORT_ELOST a server is gone, and nothing is written. COHORT_EINVAL: a
 * variable that has no content, an input that cannot be saved now, a name that is no UTF-8 or
 * stands twice. COHORT_ENOENT no such folder. COHORT_EINTERNAL the system's reason: the disk is
 * full, or has failed; the generations of before are as they were, and a later save begins anew.
 * Of several workers an error of one is that of all; COHORT_EINVAL: they have not the same
 * variables, parts, options and step; COHORT_ELOST a worker is gone. The error that is up. */
COHORT_API cohort_status cohort_checkpoint_save(cohort_strategy *strategy, const char *folder,
                                                int64_t step,
                                                const cohort_checkpoint_options *options);

/* Go to the state that was saved: variables, inputs and arrays, of the newest generation that is
 * whole; what was passed over, and why, is in the log. All of the file is checked before anything
 * changes. Cross-replica context; waits for the disk.
 *
 * Any number of replicas, devices and placements may go on. Components of replicas come back as
 * they were where there are as many replicas, so that the bits from there on are the same; else the
 * variable is assigned what cross-replica context read.
 *
 * path      a folder, or a file of the safetensors format, from wherever it comes
 * out_step  may be NULL; stays as it is where the file says none
 * options   may be NULL
 *
 * All workers call it, with a path of their own each, which may be the same: whichever of them can
 * read it, all are restored, or none is. With parameter servers one task calls it, while no other
 * writes: each variable on the servers is assigned, which is one write of it. A server that is lost
 * meanwhile leaves the strategy as it is after any COHORT_ELOST, which does not recover.
 *
 * COHORT_END, and nothing has changed: the folder has no generation yet, or is not there.
 * COHORT_EINVAL: no generation is whole; or something is missing, extra or of another dtype or
 * shape, and not allowed: the text has the names; or an input takes no position of this kind; or an
 * evaluator would write what servers hold.
 * COHORT_EINCOMPATIBLE: a newer Cohort wrote it, or structs come from a machine of the other byte
 * order. COHORT_ENOENT no such file. The error that is up. */
COHORT_API cohort_status cohort_checkpoint_restore(cohort_strategy *strategy, const char *path,
                                                   int64_t *out_step,
                                                   const cohort_checkpoint_options *options);

/* ---- Looking into one. */

/* Open a checkpoint: of a folder the newest generation that is whole, which is read from end to end
 * for that; of a file its header. cohort_checkpoint_close gives it back; any thread may use it, one
 * at a time.
 *
 * NULL  COHORT_ENOENT nothing of this name, or a folder without a generation; COHORT_EINVAL the
 *       file is wrong (text: file, byte, what was expected); COHORT_EINCOMPATIBLE a newer Cohort
 *       wrote it; COHORT_ENOMEM. Nothing is allocated before header, sizes and the length of the
 *       file agree */
COHORT_API cohort_checkpoint *cohort_checkpoint_open(const char *path);
COHORT_API void cohort_checkpoint_close(cohort_checkpoint *checkpoint); /* NULL is allowed */

/* Open what a restore of this strategy would take, to look into it first: of several workers all
 * make the call, and get the same checkpoint, whichever of them can read it.
 *
 * *out  NULL where there is none
 * COHORT_END: nobody has one. Errors as of cohort_checkpoint_restore, before it compares. */
COHORT_API cohort_status cohort_checkpoint_open_for(cohort_strategy *strategy, const char *path,
                                                    cohort_checkpoint **out);

/* What a checkpoint says of itself: the path of its file, or of its manifest; the step that it was
 * saved with, -1: none; a line for each newer generation that was passed over, and why, "" when
 * there is none. All lent until it is closed; NULL and -1 for NULL. */
COHORT_API const char *cohort_checkpoint_file(const cohort_checkpoint *checkpoint);
COHORT_API int64_t cohort_checkpoint_step(const cohort_checkpoint *checkpoint);
COHORT_API const char *cohort_checkpoint_skipped(const cohort_checkpoint *checkpoint);

/* The files in which several workers have saved it, by worker: paths, lent until it is closed. NULL
 * at the end, for an index below 0, for NULL, and for what is one file. */
COHORT_API const char *cohort_checkpoint_shard(const cohort_checkpoint *checkpoint, int index);

/* A tensor of a checkpoint. Pointers are lent until it is closed. Of shards components are one
 * tensor, with the rows of all replicas, and what part NAME was on worker 1 alone is NAME@worker1.
 *
 * type        as the format calls it: "F32"
 * dtype       of the elements here; COHORT_VOID: arrays have none such, as F4
 * item_bytes  of one element; 0 where the dtype is COHORT_VOID
 * rank        may be more than COHORT_MAX_RANK; then no array takes it
 * bytes       in the file
 * has_crc     the file has a checksum of it, which is crc; false of rows of several shards, which
 *             cohort_checkpoint_check knows one by one */
typedef struct cohort_checkpoint_tensor {
    const char *name, *type;
    cohort_dtype dtype;
    int32_t rank;
    const int64_t *shape;
    int64_t item_bytes, bytes;
    uint32_t crc;
    bool has_crc;
} cohort_checkpoint_tensor;

/* The tensors in the order of the file. Returns false at the end, for an index below 0 and for
 * NULL. */
COHORT_API bool cohort_checkpoint_tensor_at(const cohort_checkpoint *checkpoint, int index,
                                            cohort_checkpoint_tensor *out);

/* The tensor of this name, found by halving. Returns false where there is none, and for NULL. */
COHORT_API bool cohort_checkpoint_tensor_find(const cohort_checkpoint *checkpoint, const char *name,
                                              cohort_checkpoint_tensor *out);

/* Read a tensor into an array of the same dtype and number of elements. COHORT_ENOENT: no tensor of
 * this name. COHORT_EINVAL: another dtype or size; or its checksum is wrong, and the array then
 * holds nothing of use. COHORT_EINCOMPATIBLE: structs of a machine of the other byte order.
 * COHORT_EINTERNAL the file cannot be read. */
COHORT_API cohort_status cohort_checkpoint_read(const cohort_checkpoint *checkpoint,
                                                const char *name, cohort_array into);

/* Read all of a tensor and compare its checksum. COHORT_EINVAL: it is damaged: the text has its
 * name. COHORT_ENOTSUP: the file has no checksum of it. Errors as cohort_checkpoint_read. */
COHORT_API cohort_status cohort_checkpoint_check(const cohort_checkpoint *checkpoint,
                                                 const char *name);

/* The metadata: the text of a key, and the keys in the order of the file; NULL when there is none,
 * at the end, and for NULL. Lent until the checkpoint is closed. */
COHORT_API const char *cohort_checkpoint_text(const cohort_checkpoint *checkpoint, const char *key);
COHORT_API const char *cohort_checkpoint_key(const cohort_checkpoint *checkpoint, int index);

/* How something here and something in a checkpoint stand to each other. */
typedef enum cohort_checkpoint_relation {
    COHORT_CHECKPOINT_MATCHES = 0,
    COHORT_CHECKPOINT_MISSING, /* here alone */
    COHORT_CHECKPOINT_EXTRA,   /* in the file alone */
    COHORT_CHECKPOINT_OTHER_SHAPE,
    COHORT_CHECKPOINT_OTHER_DTYPE,
    COHORT_CHECKPOINT_OTHER_WORKERS /* each worker's own, and there were more of them, or fewer */
} cohort_checkpoint_relation;

/* One line of a comparison.
 * name         here; NULL: it is extra
 * saved        in the file; NULL: it is missing
 * here, there  dtype and shape; all zero of an input, and where there is none. Of a rank that
 *              arrays have not, there.rank says so and there.shape has the first extents */
typedef struct cohort_checkpoint_match {
    const char *name, *saved;
    cohort_checkpoint_relation relation;
    cohort_spec here, there;
} cohort_checkpoint_match;

/* Compare what a restore would find, with the same options, on this worker, which asks no other
 * one, and change nothing: fills out[0 ..
 * min(capacity, n) - 1], unless out is NULL, and returns n; what is here comes first, as
 * cohort_strategy_variables has it and then the parts, and what is extra last. Names are lent as
 * long as checkpoint, variables and parts live. -1 with an error text: COHORT_EINVAL two are
 * renamed to one; the error that is up. */
COHORT_API int cohort_checkpoint_compare(cohort_strategy *strategy,
                                         const cohort_checkpoint *checkpoint,
                                         const cohort_checkpoint_options *options,
                                         cohort_checkpoint_match out[], int capacity);

/* A generation of a folder, whether whole or not: its number, the name of its file, or of its
 * manifest, how long that is, with its shards, and when it was written, in microseconds since
 * 1970. */
typedef struct cohort_checkpoint_generation {
    int64_t number, bytes, time_us;
    char file[64];
} cohort_checkpoint_generation;

/* List the generations of a folder, newest first: fills out[0 .. min(capacity, n) - 1], unless out
 * is NULL, and returns n. -1 with an error text: COHORT_ENOENT no such folder, COHORT_EINVAL it is
 * none, COHORT_EINTERNAL the system's reason. */
COHORT_API int cohort_checkpoint_generations(const char *folder, cohort_checkpoint_generation out[],
                                             int capacity);

/* Which score is the best. A score is what cohort_checkpoint_manager_save was given
 * (cohort/checkpoint_manager.h); cohort_checkpoint_score has that of a checkpoint, NAN: none. */
typedef enum cohort_checkpoint_best {
    COHORT_CHECKPOINT_NO_BEST = 0,
    COHORT_CHECKPOINT_GREATEST,
    COHORT_CHECKPOINT_LEAST
} cohort_checkpoint_best;
COHORT_API double cohort_checkpoint_score(const cohort_checkpoint *checkpoint);

/* Remove the generations of a folder but the newest `keep` whose headers are right, 2 or more, and
 * the one with the best score; and what writers that were killed have left. The newest one whose
 * checksums are right stays in any case: it is read for that. Returns how many generations it
 * removed; what cannot be removed is in the log. -1 with an error text: COHORT_ENOENT no such
 * folder; COHORT_EINVAL keep, it is no folder, or no generation is whole, and then all stay;
 * COHORT_EAGAIN somebody saves into it now; COHORT_ENOMEM; COHORT_EINTERNAL the system's reason.
 * Where a header cannot be read for one of the last two, nothing is removed: the best may be that
 * one. */
COHORT_API int cohort_checkpoint_prune(const char *folder, int32_t keep,
                                       cohort_checkpoint_best best);

/* ---- NumPy's files. */

/* Write a checkpoint as a .npz file, which numpy.load reads, or a .npz file as a checkpoint: which
 * of the two, the ending of `to` says. Each tensor is a member of its name, in C order and not
 * packed, and the metadata is the member __metadata__: bytes of UTF-8, the text of a JSON object
 * whose members are texts. So nothing is lost on the way there and back; checksums are made anew.
 *
 * Dtypes are called as NumPy calls them, bfloat16, float8_e4m3fn and float8_e5m2 as the package
 * ml_dtypes does, which is to be imported before numpy.load is called; structs are void ('V8'). In
 * memory there is one tensor at a time.
 *
 * What several workers have saved becomes one file: components of all replicas one behind the
 * other, and arrays of a worker's own under the names that they have there ("own@worker1"), which a
 * rule of a restore brings back ("own@worker0" to "own"). Positions of inputs are the first
 * worker's, from which a restore of any other number of workers goes on anyway.
 *
 * from  a folder or file as cohort_checkpoint_open takes it, but no shard alone; or a .npz file,
 *       stored or deflated, in any order of bytes and axes. All of it is checked, its checksums too
 * to    ends in .npz or .safetensors; a file of this name is replaced as a whole, once all is
 *       written and synced, and is for its owner alone (0600)
 *
 * Nothing is written but that, and after a failure nothing has changed. COHORT_EINVAL: `to` ends
 * otherwise, or `from` is of that format already; a file is wrong (text: file, byte or member, what
 * was expected), or damaged; a name has control characters, is empty or longer than a zip file
 * takes. COHORT_ENOTSUP: a dtype that arrays or NumPy have not (F4, objects, texts), more than 8
 * axes or 65,535 tensors for a .npz; a member that is no array. COHORT_ENOENT no such file,
 * folder, or folder of `to`; COHORT_ENOMEM; COHORT_EINTERNAL the system's reason. */
COHORT_API cohort_status cohort_checkpoint_convert(const char *from, const char *to);

#ifdef __cplusplus
}
#endif
#endif
