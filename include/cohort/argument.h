/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of a call: the list that the `...` of cohort_run and its relatives turns into.
 *
 * A program writes cohort_run(s, saxpy, 2.0f, x, y). The macro makes a list of cohort_argument from
 * the types of what it finds, ended by one of kind COHORT_ARGUMENT_END; language bindings make that
 * list themselves. */
#ifndef COHORT_ARGUMENT_H
#define COHORT_ARGUMENT_H

#include <cohort/array.h>
#include <cohort/macros.h>

typedef struct cohort_value cohort_value;
typedef struct cohort_variable cohort_variable;

/* How many arguments one call takes. */
#define COHORT_MAX_ARGUMENTS 40

/* "file:line" of whoever writes it, for the messages of calls that replicas make together. */
#define COHORT_SITE __FILE__ ":" COHORT_SITE_LINE_(__LINE__)
#define COHORT_SITE_LINE_(line) COHORT_SITE_TEXT_(line)
#define COHORT_SITE_TEXT_(line) #line

/* The kinds of arguments, and the member of cohort_argument that has each. */
typedef enum cohort_argument_kind {
    COHORT_ARGUMENT_END = 0,
    COHORT_ARGUMENT_INT,         /* i */
    COHORT_ARGUMENT_UINT,        /* u */
    COHORT_ARGUMENT_REAL,        /* f */
    COHORT_ARGUMENT_LONG_DOUBLE, /* p: long double */
    COHORT_ARGUMENT_COMPLEX,     /* p: two long double, real and imaginary part */
    COHORT_ARGUMENT_ARRAY,       /* p: cohort_array */
    COHORT_ARGUMENT_VALUE,       /* p: cohort_value */
    COHORT_ARGUMENT_VARIABLE,    /* p: cohort_variable */
    COHORT_ARGUMENT_BYTES,       /* p: a struct of `bytes` bytes, passed by value */
    COHORT_ARGUMENT_POINTER,     /* p: handed to host bodies as it is */
    COHORT_ARGUMENT_CONSTANT,    /* i: a cohort_constant */
    COHORT_ARGUMENT_DROP,        /* an output that is not wanted */
    COHORT_ARGUMENT_LIST,        /* p: cohort_value *[bytes], which stand for as many arguments */
    COHORT_ARGUMENT_TEXT,        /* p: device ids, in destinations (COHORT_AT) */
    COHORT_ARGUMENT_SHARE,       /* a total, which is shared out; bytes: the kind of the total */
    COHORT_ARGUMENT_EACH,        /* p: cohort_array, a number for each replica; bytes: its kind */
    COHORT_ARGUMENT_ONCE,        /* one content, which contributes once; bytes: its kind */
    COHORT_ARGUMENT_REPEATED,    /* the same, once for each replica; bytes: its kind */
    COHORT_ARGUMENT_BATCH_ROWS   /* p: cohort_input, whose latest step's rows it is */
} cohort_argument_kind;

/* Numbers that the runtime fills in, for any integer parameter. */
typedef enum cohort_constant {
    COHORT_CONSTANT_REPLICA_ID = 1, /* 0 .. number of replicas - 1 */
    COHORT_CONSTANT_NUM_REPLICAS,
    /* of this replica, in the rows that all replicas have: of the first share of the call, else of
     * the first per-replica value that it reads; COHORT_EINVAL: it has neither. In a step function,
     * that of a value makes the call a collective (cohort/replica.h) */
    COHORT_CONSTANT_FIRST_ROW,
    /* of the latest step of the input that is under way, on all replicas; of cohort_run_next, and
     * of a replay (cohort/program.h), that of the input that it reads. COHORT_EINVAL: there was
     * none, or several inputs have stepped and are not at their end: COHORT_BATCH_ROWS_OF says
     * which */
    COHORT_CONSTANT_BATCH_ROWS,
    /* which replay of a program this is, from 1 (cohort/program.h); COHORT_EINVAL: of none */
    COHORT_CONSTANT_STEP
} cohort_constant;

/* One argument of a call. The object behind `p` is borrowed until the call returns; the memory of
 * an array until cohort_wait or a read that follows. */
typedef struct cohort_argument {
    uint32_t kind; /* cohort_argument_kind */
    /* COHORT_ARGUMENT_BYTES: size of the struct; _LIST: number of values; _SHARE, _EACH, _ONCE,
     * _REPEATED: the kind of what they were made from */
    uint32_t bytes;
    const char *name; /* parameter, or NULL: by position */
    union {
        int64_t i;
        uint64_t u;
        double f;
        const void *p;
    } as;
} cohort_argument;

/* Arguments that the runtime fills in (cohort_constant), in the place of a number of any integer
 * type; and COHORT_DROP, for an output that is not wanted. */
#define COHORT_REPLICA_ID cohort_argument_constant_(COHORT_CONSTANT_REPLICA_ID)
#define COHORT_NUM_REPLICAS cohort_argument_constant_(COHORT_CONSTANT_NUM_REPLICAS)
#define COHORT_FIRST_ROW cohort_argument_constant_(COHORT_CONSTANT_FIRST_ROW)
#define COHORT_BATCH_ROWS cohort_argument_constant_(COHORT_CONSTANT_BATCH_ROWS)
#define COHORT_STEP cohort_argument_constant_(COHORT_CONSTANT_STEP)
#define COHORT_DROP cohort_argument_drop_()

/* Numbers that differ by replica, for bounds (COHORT_NAMED) and numbers of cohort_run and
 * cohort_replica_run.
 *
 * COHORT_SHARE(1000): the replica's part of 1,000, n div R for each and one more for the first
 * n mod R, as in cohort_value_split. So a function needs no array to be shared out:
 *
 *     COHORT_ITEMS(iota, i, n, (int64_t n, int64_t first, COHORT_OUT int64_t y[n]),
 *                  { y[i] = first + i; });
 *     cohort_run(s, iota, COHORT_FIRST_ROW, y, COHORT_NAMED(n, COHORT_SHARE(1000)));
 *
 * COHORT_EACH(COHORT_ARRAY(numbers, R)): numbers[r] for replica r, of any dtype that is a number;
 * borrowed until the call returns.
 *
 * The first of the shares of a call (each COHORT_SHARE, and a bound that is a COHORT_EACH) says
 * which rows a replica has: COHORT_FIRST_ROW counts them, and a replica whose share is 0 is not
 * launched. Then an array without elements does not keep a replica from being launched. */
#define COHORT_SHARE(total) cohort_argument_wrap_(COHORT_ARGUMENT_SHARE, COHORT_ARG_(total))
#define COHORT_EACH(array) cohort_argument_wrap_(COHORT_ARGUMENT_EACH, COHORT_ARG_(array))

/* Arguments that a C expression alone does not say.
 *
 * COHORT_NAMED(k, 10): for the parameter or bound k, after the positional arguments.
 * COHORT_VALUES(list, n): the n values of a list, as if they stood here one by one.
 * COHORT_BYTES(&pixel): a struct by value. COHORT_POINTER(p): an opaque pointer, host bodies
 * only. */
#define COHORT_NAMED(name, x) cohort_argument_named_(COHORT_ARG_(x), #name)
#define COHORT_VALUES(list, n) cohort_argument_list_((list), (n))
#define COHORT_BYTES(pointer) cohort_argument_bytes_((pointer), sizeof *(pointer))
#define COHORT_POINTER(pointer) cohort_argument_pointer_(pointer)

/* ------------------------------------------------------------------ how the list is made */

static inline cohort_argument cohort_argument_make_(cohort_argument_kind kind, const void *p)
{
    cohort_argument argument;
    argument.kind = COHORT_CAST_(uint32_t, kind);
    argument.bytes = 0;
    argument.name = COHORT_NULL_;
    argument.as.p = p;
    return argument;
}

static inline cohort_argument cohort_argument_integer_(cohort_argument_kind kind, int64_t i)
{
    cohort_argument argument = cohort_argument_make_(kind, COHORT_NULL_);
    argument.as.i = i;
    return argument;
}

static inline cohort_argument cohort_argument_constant_(cohort_constant which)
{
    return cohort_argument_integer_(COHORT_ARGUMENT_CONSTANT, COHORT_CAST_(int64_t, which));
}

static inline cohort_argument cohort_argument_drop_(void)
{
    return cohort_argument_make_(COHORT_ARGUMENT_DROP, COHORT_NULL_);
}

static inline cohort_argument cohort_argument_named_(cohort_argument argument, const char *name)
{
    argument.name = name;
    return argument;
}

static inline cohort_argument cohort_argument_wrap_(cohort_argument_kind kind,
                                                    cohort_argument argument)
{
    argument.bytes = argument.kind;
    argument.kind = COHORT_CAST_(uint32_t, kind);
    return argument;
}

static inline cohort_argument cohort_argument_list_(cohort_value *const list[], int n)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_LIST, list);
    argument.bytes = n < 0 ? UINT32_MAX : COHORT_CAST_(uint32_t, n);
    return argument;
}

static inline cohort_argument cohort_argument_bytes_(const void *p, uint64_t bytes)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_BYTES, p);
    argument.bytes = bytes > UINT32_MAX ? UINT32_MAX : COHORT_CAST_(uint32_t, bytes);
    return argument;
}

static inline cohort_argument cohort_argument_pointer_(const void *p)
{
    return cohort_argument_make_(COHORT_ARGUMENT_POINTER, p);
}

#ifndef __cplusplus

/* Each takes the argument and the room that COHORT_ROOM_ made for what does not fit into 8
 * bytes. */
static inline cohort_argument cohort_argument_of_int_(int64_t x, void *room)
{
    (void)room;
    return cohort_argument_integer_(COHORT_ARGUMENT_INT, x);
}

static inline cohort_argument cohort_argument_of_uint_(uint64_t x, void *room)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_UINT, 0);
    (void)room;
    argument.as.u = x;
    return argument;
}

static inline cohort_argument cohort_argument_of_real_(double x, void *room)
{
    cohort_argument argument = cohort_argument_make_(COHORT_ARGUMENT_REAL, 0);
    (void)room;
    argument.as.f = x;
    return argument;
}

static inline cohort_argument cohort_argument_of_long_double_(long double x, void *room)
{
    *(long double *)room = x;
    return cohort_argument_make_(COHORT_ARGUMENT_LONG_DOUBLE, room);
}

static inline cohort_argument cohort_argument_of_complex_(long double _Complex x, void *room)
{
    *(long double _Complex *)room = x;
    return cohort_argument_make_(COHORT_ARGUMENT_COMPLEX, room);
}

static inline cohort_argument cohort_argument_of_array_(cohort_array x, void *room)
{
    *(cohort_array *)room = x;
    return cohort_argument_make_(COHORT_ARGUMENT_ARRAY, room);
}

static inline cohort_argument cohort_argument_of_value_(const cohort_value *x, void *room)
{
    (void)room;
    return cohort_argument_make_(COHORT_ARGUMENT_VALUE, x);
}

static inline cohort_argument cohort_argument_of_variable_(const cohort_variable *x, void *room)
{
    (void)room;
    return cohort_argument_make_(COHORT_ARGUMENT_VARIABLE, x);
}

static inline cohort_argument cohort_argument_of_argument_(cohort_argument x, void *room)
{
    (void)room;
    return x;
}

/* Declared, never defined: compilers say its name when they refuse an argument of another type. */
struct cohort_wants_COHORT_ARRAY_or_COHORT_BYTES {
    int none;
};
cohort_argument cohort_wants_COHORT_ARRAY_or_COHORT_BYTES(
    struct cohort_wants_COHORT_ARRAY_or_COHORT_BYTES x, void *room);

#else
#include <cohort/argument.hpp>
#endif
#endif
