/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong calls: each is refused with a message that says why and changes nothing; what follows
 * answers the same, until recover. */
#include "config.h"

#include "tests/core.h"

#include <complex.h>
#include <math.h>

COHORT_STRUCT(pixel, {
    uint8_t r;
    float w[4];
});
typedef struct speck {
    uint8_t r;
} speck;

COHORT_FUNCTION(saxpy, (int64_t n, float a, const float x[n], float y[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

COHORT_FUNCTION(descend, (int64_t n, float rate, const float g[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        w[i] -= rate * g[i];
}

COHORT_FUNCTION(both, (int64_t n, float v[n], float w[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        v[i] += w[i], w[i] = 0;
}

COHORT_FUNCTION(add, (int64_t n, const float a[n], const float b[n], COHORT_OUT float c[n]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

COHORT_FUNCTION(topk, (int64_t n, int64_t k, const float x[n], COHORT_OUT float best[n][k]),
                COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n * k; i++)
        best[i / k][i % k] = x[i / k];
}

COHORT_FUNCTION(steps, (int64_t n, const float y[n], const float x[n + 1]), COHORT_HOST_ONLY)
{
    (void)n, (void)x, (void)y;
}

COHORT_FUNCTION(triples, (int64_t n, const float x[n][3], COHORT_OUT float z[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = x[i][0] + x[i][1] + x[i][2];
}

COHORT_FUNCTION(numbers,
                (int8_t a, uint32_t b, int64_t c, bool d, float e, COHORT_OUT float out[1]),
                COHORT_HOST_ONLY)
{
    out[0] = (float)a + (float)b + (float)c + (float)d + e;
}

COHORT_FUNCTION(paint, (pixel p, COHORT_OUT float out[1]), .types = COHORT_TYPES(pixel))
{
    out[0] = p.w[0] + (float)p.r;
}

COHORT_FUNCTION(watch_row, (int64_t n, int64_t at, const float x[n]), COHORT_HOST_ONLY)
{
    (void)n, (void)at, (void)x;
}

COHORT_FUNCTION(mark, (int64_t n, int64_t at, COHORT_OUT float z[n]), COHORT_HOST_ONLY)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = (float)(at + i);
}

COHORT_FUNCTION(look, (void *p, COHORT_OUT float out[1]), COHORT_HOST_ONLY)
{
    out[0] = *(const float *)p;
}

COHORT_FUNCTION_RETURNING(float, first, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    return n > 0 ? x[0] : 0;
}

static const cohort_function broken[1] = { { .struct_size = sizeof(cohort_function),
                                             .name = "broken",
                                             .returns = "void",
                                             .prototype = "(int64_t n, flaot x[n])",
                                             .host = (void (*)(void))saxpy_host } };
static const cohort_function without_body[1] = { { .struct_size = sizeof(cohort_function),
                                                   .name = "without_body",
                                                   .returns = "void",
                                                   .prototype = "(float x)" } };
static const cohort_function foreign_size[1] = { { .struct_size = 3,
                                                   .name = "foreign_size",
                                                   .returns = "void",
                                                   .prototype = "(float x)",
                                                   .host = (void (*)(void))saxpy_host } };

enum { ROWS = 8, WIDTH = 3 };
static float ones[ROWS * 4] = { 1, 1, 1, 1, 1, 1, 1, 1 };
static int32_t integers[ROWS];
static bool truths[ROWS];
static double doubles[ROWS];

/* A strategy, and what its calls take that nothing is wrong with. */
typedef struct side {
    cohort_strategy *s;
    cohort_value *number, *unwritten;
    cohort_variable *variable;
} side;

typedef struct world {
    cohort_strategy *s, *other;
    cohort_value *x, *y, *z, *total, *plain, *number, *matrix, *integer, *truth, *empty, *ragged,
        *shaped, *foreign;
    cohort_variable *w, *w2, *longer, *foreign_variable;
    side here, elsewhere;
    float steps, last; /* steps so far; an element of y after the latest */
} world;

static void world_open(world *w, const char *devices, int replicas)
{
    cohort_array components[4];
    static float kept[ROWS];
    memset(w, 0, sizeof *w);
    w->s = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = devices, .replicas = replicas });
    w->other = cohort_mirrored("host");
    w->x = cohort_value_split(w->s, COHORT_ARRAY(ones, ROWS));
    w->y = cohort_value_split(w->s, COHORT_ARRAY(kept, ROWS));
    w->z = cohort_value_create(w->s);
    w->total = cohort_value_create(w->s);
    w->plain = cohort_value_plain(w->s, COHORT_ARRAY(ones, WIDTH));
    w->number = cohort_value_number(w->s, 0.5);
    w->matrix = cohort_value_split(w->s, COHORT_ARRAY(ones, ROWS, 4));
    w->integer = cohort_value_split(w->s, COHORT_ARRAY(integers, ROWS));
    w->truth = cohort_value_split(w->s, COHORT_ARRAY(truths, ROWS));
    w->empty = cohort_value_create(w->s);
    for (int r = 0; r < replicas; r++)
        components[r] = COHORT_ARRAY(ones, r + 2);
    w->ragged = cohort_value_per_replica(w->s, components);
    w->shaped = cohort_value_shaped(w->s, COHORT_F32, 2, (const int64_t[]){ 5, 2 });
    w->foreign = cohort_value_number(w->other, 1);
    w->w = cohort_variable_create(w->s, "w", COHORT_ARRAY((float *)NULL, WIDTH), NULL);
    w->w2 = cohort_variable_create(w->s, "w2", COHORT_ARRAY((float *)NULL, WIDTH),
                                   &(cohort_variable_options){ .colocate_with = w->w });
    w->longer =
        cohort_variable_create(w->s, "longer", COHORT_ARRAY((float *)NULL, WIDTH + 1), NULL);
    w->foreign_variable =
        cohort_variable_create(w->other, "w", COHORT_ARRAY((float *)NULL, WIDTH), NULL);
    w->here = (side){ w->s, w->number, cohort_value_create(w->s), w->w };
    w->elsewhere =
        (side){ w->other, w->foreign, cohort_value_create(w->other), w->foreign_variable };
}

static void world_close(world *w)
{
    cohort_strategy_destroy(w->s);
    cohort_strategy_destroy(w->other);
}

/* What wrong calls were to write or to use. */
static bool is_unchanged(const world *w)
{
    float v[WIDTH + 1], wanted[WIDTH + 1] = { 0 };
    return good(cohort_strategy_status(w->s) == COHORT_OK) &&
           good(cohort_strategy_status(w->other) == COHORT_OK) &&
           good(cohort_value_kind_of(w->empty) == COHORT_EMPTY_VALUE) &&
           good(cohort_value_kind_of(w->z) == COHORT_EMPTY_VALUE) &&
           good(cohort_value_scalar(w->number) == 0.5) &&
           good(cohort_value_scalar(w->foreign) == 1) &&
           good(cohort_variable_read(w->w2, COHORT_ARRAY(v, WIDTH)) == COHORT_OK) &&
           good(memcmp(v, wanted, WIDTH * sizeof *v) == 0) &&
           good(cohort_variable_read(w->longer, COHORT_ARRAY(v, WIDTH + 1)) == COHORT_OK) &&
           good(memcmp(v, wanted, sizeof v) == 0) &&
           good(cohort_variable_read(w->foreign_variable, COHORT_ARRAY(v, WIDTH)) == COHORT_OK) &&
           good(memcmp(v, wanted, WIDTH * sizeof *v) == 0);
}

/* A step of every kind of call, with the result it must have. */
static bool world_works(world *w)
{
    float y[ROWS], v[WIDTH], more = w->last + 2;
    w->steps++;
    bool is_good = is_unchanged(w) &&
                   good(cohort_run(w->s, saxpy, 2.0f, w->x, w->y) == COHORT_OK) &&
                   good(cohort_value_read(w->y, COHORT_ARRAY(y, ROWS)) == COHORT_OK) &&
                   good((w->last = y[0]) == more && y[ROWS - 1] == more) &&
                   good(cohort_reduce(COHORT_SUM, w->x, 0, w->total) == COHORT_OK) &&
                   good(cohort_value_scalar(w->total) == ROWS) &&
                   good(cohort_update(w->w, descend, w->number, w->plain, w->w) == COHORT_OK) &&
                   good(cohort_variable_read(w->w, COHORT_ARRAY(v, WIDTH)) == COHORT_OK) &&
                   good(v[0] == -0.5f * w->steps && v[WIDTH - 1] == -0.5f * w->steps) &&
                   good(cohort_wait(w->s) == COHORT_OK);
    return is_good;
}

enum { NOTHING = 1000 }; /* what a call that makes an object answers when it fails */

static cohort_status made(const void *object)
{
    return object == NULL ? NOTHING : COHORT_OK;
}

static cohort_status counted(int n)
{
    return n < 0 ? NOTHING : COHORT_OK;
}

static bool answers(cohort_status found, cohort_status wanted, const char *text)
{
    return good(found == wanted) && good(strcmp(cohort_error_text(), text) == 0);
}

/* A run, reads and a wait do nothing and answer the error in its own words, until recover. */
static bool sticks(const side *on, cohort_status wanted, const char *text)
{
    double number = 77;
    float v[WIDTH] = { 77 };
    bool is_good =
        answers(cohort_run(on->s, numbers, 1, 1, 1, 1, 1, on->unwritten), wanted, text) &&
        answers(cohort_value_read(on->number, COHORT_ARRAY(&number, 1)), wanted, text) &&
        answers(cohort_variable_read(on->variable, COHORT_ARRAY(v, WIDTH)), wanted, text) &&
        answers(cohort_wait(on->s), wanted, text) &&
        answers(cohort_strategy_status(on->s), wanted, text) && good(number == 77 && v[0] == 77);
    return good(cohort_strategy_recover(on->s) == COHORT_OK) && is_good &&
           good(cohort_value_kind_of(on->unwritten) == COHORT_EMPTY_VALUE);
}

static int rows;

/* on: where the error sticks, NULL: nowhere. */
static void row(world *w, const side *on, const char *claim, cohort_status wanted,
                cohort_status found, const char *part)
{
    char text[2048]; /* the text is lent until the next failing call */
    (void)snprintf(text, sizeof text, "%s", cohort_error_text());
    bool has_status = found == wanted, has_part = strstr(text, part) != NULL;
    bool has_stuck = on == NULL || sticks(on, wanted == NOTHING ? COHORT_EINVAL : wanted, text);
    bool works = world_works(w);
    rows++;
    if (ok(has_status && has_part && has_stuck && works, "%s", claim))
        return;
    diag("status %d, wanted %d; sticks: %d; works on: %d", (int)found, (int)wanted, has_stuck,
         works);
    diag("says   %s", text);
    diag("wanted ...%s...", part);
}

/* A row of the table: claim, status, part of the message, wrong call. The error sticks on the
 * strategy; on the other one; on none, as the call is a question or has no strategy. */
#define WRONG(claim, status, part, ...) row(w, &w->here, (claim), (status), (__VA_ARGS__), (part))
#define WRONG_ELSEWHERE(claim, status, part, ...)                                                  \
    row(w, &w->elsewhere, (claim), (status), (__VA_ARGS__), (part))
#define WRONG_NOWHERE(claim, status, part, ...)                                                    \
    row(w, NULL, (claim), (status), (__VA_ARGS__), (part))

static void strategies(world *w)
{
    cohort_strategy_options reserved = { .devices = "host" };
    reserved.reserved[sizeof reserved.reserved / sizeof *reserved.reserved - 1] = w;
    WRONG_NOWHERE("an unknown plugin is refused by name", NOTHING, "nothing:7",
                  made(cohort_mirrored("nothing:7")));
    WRONG_NOWHERE("so is an unknown device of a known plugin", NOTHING, "host:9",
                  made(cohort_mirrored("host:9")));
    WRONG_NOWHERE("and one in the midst of a list", NOTHING, "npu",
                  made(cohort_mirrored("host/2,npu")));
    WRONG_NOWHERE("a device may not be listed twice", NOTHING, "host:0",
                  made(cohort_mirrored("host:0,host:0")));
    WRONG_NOWHERE("also when it is spelt in another way", NOTHING, "host",
                  made(cohort_mirrored("host,host:0")));
    WRONG_NOWHERE("nor whole and in parts", NOTHING, "host", made(cohort_mirrored("host,host/2")));
    WRONG_NOWHERE("a list may not be empty", NOTHING, "", made(cohort_mirrored("")));
    WRONG_NOWHERE("nor hold an empty entry", NOTHING, "", made(cohort_mirrored("host,,loopback")));
    WRONG_NOWHERE("0 parts are refused", NOTHING, "host/0", made(cohort_mirrored("host/0")));
    WRONG_NOWHERE("1,025 parts are refused", NOTHING, "1025", made(cohort_mirrored("host/1025")));
    WRONG_NOWHERE("a number of parts that overflows is refused", NOTHING, "",
                  made(cohort_mirrored("host/99999999999999999999")));
    WRONG_NOWHERE("a part number must be a number", NOTHING, "host/x",
                  made(cohort_mirrored("host/x")));
    WRONG_NOWHERE("one part needs its whole", NOTHING, "host:0.1",
                  made(cohort_mirrored("host:0.1")));
    WRONG_NOWHERE("one device is one", NOTHING, "host/2", made(cohort_one_device("host/2")));
    WRONG_NOWHERE("fewer replicas than devices are refused", NOTHING, "1",
                  made(cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host/2", .replicas = 1 })));
    WRONG_NOWHERE("so is a negative number of them", NOTHING, "-1",
                  made(cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host", .replicas = -1 })));
    WRONG_NOWHERE("and 65,537", NOTHING, "65537",
                  made(cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host", .replicas = 65537 })));
    WRONG_NOWHERE("hosted replicas must add up", NOTHING, "3",
                  made(cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host/2",
                                                  .replicas = 4,
                                                  .n_hosted = 2,
                                                  .hosted = (const int32_t[]){ 1, 2 } })));
    WRONG_NOWHERE("no device hosts less than none", NOTHING, "hosted[1] is -1",
                  made(cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host/2",
                                                  .replicas = 4,
                                                  .n_hosted = 2,
                                                  .hosted = (const int32_t[]){ 5, -1 } })));
    WRONG_NOWHERE("sums of hosted replicas do not overflow", NOTHING, "",
                  made(cohort_strategy_create(&(cohort_strategy_options){
                      .devices = "host/3",
                      .replicas = 4,
                      .n_hosted = 3,
                      .hosted = (const int32_t[]){ INT32_MAX, INT32_MAX, 6 } })));
    WRONG_NOWHERE("a list of hosted replicas says how long it is", NOTHING,
                  "n_hosted is 0, hosted a list, and 2 devices host replicas",
                  made(cohort_strategy_create(&(cohort_strategy_options){
                      .devices = "host/2", .replicas = 4, .hosted = (const int32_t[]){ 4 } })));
    WRONG_NOWHERE("and is as long as there are devices", NOTHING,
                  "n_hosted is 1, hosted a list, and 2 devices host replicas",
                  made(cohort_strategy_create(
                      &(cohort_strategy_options){ .devices = "host/2",
                                                  .replicas = 4,
                                                  .n_hosted = 1,
                                                  .hosted = (const int32_t[]){ 4 } })));
    WRONG_NOWHERE("a length without a list is none", NOTHING, "n_hosted is 2, hosted NULL",
                  made(cohort_strategy_create(&(cohort_strategy_options){
                      .devices = "host/2", .replicas = 4, .n_hosted = 2 })));
    WRONG_NOWHERE("reserved words of a strategy are zero", NOTHING, "reserved",
                  made(cohort_strategy_create(&reserved)));
    WRONG_NOWHERE("NULL has no status", COHORT_EINVAL, "", cohort_strategy_status(NULL));
    WRONG_NOWHERE("NULL does not recover", COHORT_EINVAL, "", cohort_strategy_recover(NULL));
    WRONG_NOWHERE("NULL cannot be waited for", COHORT_EINVAL, "", cohort_wait(NULL));
    WRONG_NOWHERE("a device file must exist", COHORT_ENOENT, "/nowhere/cohort-x.so",
                  cohort_plugin_load("/nowhere/cohort-x.so"));
    WRONG_NOWHERE("its path is absolute", COHORT_EINVAL, "cohort-x.so",
                  cohort_plugin_load("cohort-x.so"));
    WRONG_NOWHERE("and not NULL", COHORT_EINVAL, "", cohort_plugin_load(NULL));
    WRONG_NOWHERE("no candidate is left out", COHORT_EINVAL, "candidate",
                  cohort_candidate_leave_out(NULL, "a reason", NULL));
}

static void values(world *w)
{
    cohort_array array = COHORT_ARRAY(ones, ROWS), bad = array;
    float *none = NULL;
    bad.dtype = (cohort_dtype)77;
    WRONG("a dtype that is none is refused", NOTHING, "77", made(cohort_value_plain(w->s, bad)));
    bad.dtype = COHORT_LONG_DOUBLE;
    WRONG("so is one that no array has", NOTHING, "65", made(cohort_value_plain(w->s, bad)));
    bad = array, bad.rank = 9;
    WRONG("rank 9 is refused", NOTHING, "9", made(cohort_value_plain(w->s, bad)));
    bad.rank = -1;
    WRONG("and rank -1", NOTHING, "-1", made(cohort_value_split(w->s, bad)));
    bad = array, bad.shape[0] = -3;
    WRONG("a negative extent is refused", NOTHING, "-3", made(cohort_value_plain(w->s, bad)));
    bad = COHORT_ARRAY(ones, INT64_MAX, INT64_MAX);
    WRONG("a shape whose product overflows is refused", NOTHING, "",
          made(cohort_value_plain(w->s, bad)));
    bad = COHORT_ARRAY(ones, INT64_MAX / 2);
    WRONG("also when only its bytes overflow", NOTHING, "", made(cohort_value_split(w->s, bad)));
    bad = array, bad.item_bytes = 3;
    WRONG("the bytes of an element are those of its dtype", NOTHING, "3",
          made(cohort_value_plain(w->s, bad)));
    bad.dtype = COHORT_RECORD, bad.item_bytes = 0;
    WRONG("a struct says its bytes", NOTHING, "", made(cohort_value_plain(w->s, bad)));
    bad = array, bad.strides[0] = INT64_MAX;
    WRONG("a stride that overflows is refused", NOTHING, "stride",
          made(cohort_value_plain(w->s, bad)));
    WRONG("content is somewhere", NOTHING, "NULL",
          made(cohort_value_plain(w->s, COHORT_ARRAY(none, 4))));
    WRONG("a single element cannot be split", NOTHING, "rank 0",
          made(cohort_value_split(w->s, (cohort_array){ .data = ones, .dtype = COHORT_F32 })));
    WRONG("components are somewhere", NOTHING, "NULL", made(cohort_value_per_replica(w->s, NULL)));
    WRONG("components share a dtype", NOTHING, "int32",
          made(cohort_value_per_replica(
              w->s, (const cohort_array[]){ COHORT_ARRAY(ones, 2), COHORT_ARRAY(integers, 2),
                                            COHORT_ARRAY(ones, 2), COHORT_ARRAY(ones, 2) })));
    WRONG("and a rank", NOTHING, "rank",
          made(cohort_value_per_replica(
              w->s, (const cohort_array[]){ COHORT_ARRAY(ones, 2), COHORT_ARRAY(ones, 2, 2),
                                            COHORT_ARRAY(ones, 2), COHORT_ARRAY(ones, 2) })));
    WRONG("a declared shape has a shape", NOTHING, "",
          made(cohort_value_shaped(w->s, COHORT_F32, 1, NULL)));
    WRONG("no negative extent", NOTHING, "-2",
          made(cohort_value_shaped(w->s, COHORT_F32, 1, (const int64_t[]){ -2 })));
    WRONG("a dtype", NOTHING, "",
          made(cohort_value_shaped(w->s, COHORT_VOID, 1, (const int64_t[]){ 2 })));
    WRONG("and a size", NOTHING, "",
          made(cohort_value_shaped(w->s, COHORT_F64, 2, (const int64_t[]){ INT64_MAX / 4, 4 })));
    WRONG("a value that calls fill cannot be set", COHORT_EINVAL, "",
          cohort_value_set(w->z, array));
    WRONG("nor a declared one", COHORT_EINVAL, "", cohort_value_set(w->shaped, array));
    WRONG("nor components", COHORT_EINVAL, "", cohort_value_set(w->ragged, array));
    WRONG("a set keeps the dtype", COHORT_EINVAL, "int32",
          cohort_value_set(w->plain, COHORT_ARRAY(integers, WIDTH)));
    WRONG("and the rank", COHORT_EINVAL, "rank",
          cohort_value_set(w->plain, COHORT_ARRAY(ones, WIDTH, 1)));
    WRONG("a value cannot be set to a value", COHORT_EINVAL, "",
          cohort_value_set(w->plain, w->number));
    WRONG("nor to a text of bytes", COHORT_EINVAL, "",
          cohort_value_set(w->plain, COHORT_BYTES(&ones)));
    WRONG("an array is not set to a number", COHORT_EINVAL, "", cohort_value_set(w->x, 1.0));
    WRONG_NOWHERE("NULL cannot be set", COHORT_EINVAL, "",
                  cohort_value_set((cohort_value *)NULL, 1.0));
    WRONG("an empty value cannot be read", COHORT_EINVAL, "nothing has written",
          cohort_value_read(w->empty, array));
    WRONG("nor is it a number", NOTHING, "nothing has written",
          isnan(cohort_value_scalar(w->empty)) ? NOTHING : COHORT_OK);
    WRONG("8 elements are no number", NOTHING, "8",
          isnan(cohort_value_scalar(w->x)) ? NOTHING : COHORT_OK);
    WRONG("reading keeps the dtype", COHORT_EINVAL, "float64",
          cohort_value_read(w->x, COHORT_ARRAY(doubles, ROWS)));
    WRONG("reading wants room for all", COHORT_EINVAL, "7",
          cohort_value_read(w->x, COHORT_ARRAY(ones, ROWS - 1)));
    WRONG("and no more", COHORT_EINVAL, "9", cohort_value_read(w->x, COHORT_ARRAY(ones, ROWS + 1)));
    WRONG("reading wants memory", COHORT_EINVAL, "NULL",
          cohort_value_read(w->x, COHORT_ARRAY(none, ROWS)));
    WRONG_NOWHERE("NULL cannot be read", COHORT_EINVAL, "", cohort_value_read(NULL, array));
    WRONG_NOWHERE("there is no replica -1", NOTHING, "-1",
                  counted((int)cohort_value_rows(w->x, -1)));
    WRONG_NOWHERE("nor one past the last", NOTHING, "4", counted((int)cohort_value_rows(w->x, 4)));
    WRONG_NOWHERE("an empty value has no rows", NOTHING, "nothing has written",
                  counted((int)cohort_value_rows(w->empty, 0)));
    WRONG_NOWHERE("and no shape", NOTHING, "nothing has written",
                  counted(cohort_value_shape(w->empty, 0, NULL, NULL)));
    WRONG_NOWHERE("a component of no replica has no shape", NOTHING, "99",
                  counted(cohort_value_shape(w->x, 99, NULL, NULL)));
    WRONG_NOWHERE("NULL has no local results", NOTHING, "",
                  counted(cohort_local_results((cohort_value *)NULL, &bad, 1)));
    WRONG("nor has an empty value", NOTHING, "nothing has written",
          counted(cohort_local_results(w->empty, &bad, 1)));
    WRONG_NOWHERE("nor a pointer", NOTHING, "takes",
                  counted(cohort_local_results(COHORT_POINTER(&bad), &bad, 1)));
}

static void variables(world *w)
{
    cohort_array array = COHORT_ARRAY(ones, WIDTH), bad = array;
    char *name = malloc(5001);
    if (name == NULL)
        return;
    memset(name, 'n', 5000), name[5000] = '\0';
    WRONG("a variable has a name", NOTHING, "name",
          made(cohort_variable_create(w->s, NULL, array, NULL)));
    WRONG("that is not empty", NOTHING, "name",
          made(cohort_variable_create(w->s, "", array, NULL)));
    WRONG("nor endless", NOTHING, "name", made(cohort_variable_create(w->s, name, array, NULL)));
    free(name);
    WRONG("nor taken", NOTHING, "w2", made(cohort_variable_create(w->s, "w2", array, NULL)));
    bad.shape[0] = -1;
    WRONG("its shape is not negative", NOTHING, "-1",
          made(cohort_variable_create(w->s, "n", bad, NULL)));
    bad = array, bad.dtype = COHORT_POINTER;
    WRONG("its dtype is that of an array", NOTHING, "",
          made(cohort_variable_create(w->s, "n", bad, NULL)));
    bad = COHORT_ARRAY((float *)NULL, INT64_MAX, 2);
    WRONG("its size does not overflow", NOTHING, "",
          made(cohort_variable_create(w->s, "n", bad, NULL)));
    WRONG("its reserved words are zero", NOTHING, "reserved",
          made(cohort_variable_create(w->s, "n", array,
                                      &(cohort_variable_options){ .reserved = { [3] = w } })));
    WRONG(
        "it is not colocated with one of another strategy", NOTHING, "strategy",
        made(cohort_variable_create(
            w->s, "n", array, &(cohort_variable_options){ .colocate_with = w->foreign_variable })));
    WRONG_NOWHERE("NULL keeps no variables", NOTHING, "",
                  made(cohort_variable_create(NULL, "n", array, NULL)));
    ok(cohort_variable_find(w->s, "n") == NULL, "a refused variable cannot be found");
    WRONG("a per-replica value is not assigned", COHORT_EINVAL, "reduce",
          cohort_variable_assign(w->w, w->x));
    WRONG("nor an empty one", COHORT_EINVAL, "nothing has written",
          cohort_variable_assign(w->w, w->empty));
    WRONG("nor one of another strategy", COHORT_EINVAL, "strategy",
          cohort_variable_assign(w->w, w->foreign));
    WRONG("nor another dtype", COHORT_EINVAL, "int32",
          cohort_variable_assign(w->w, COHORT_ARRAY(integers, WIDTH)));
    WRONG("nor another shape", COHORT_EINVAL, "4",
          cohort_variable_assign(w->w, COHORT_ARRAY(ones, WIDTH + 1)));
    WRONG("nor another rank", COHORT_EINVAL, "",
          cohort_variable_assign(w->w, COHORT_ARRAY(ones, 1, WIDTH)));
    WRONG("nor an array that is nowhere", COHORT_EINVAL, "NULL",
          cohort_variable_assign(w->w, COHORT_ARRAY((float *)NULL, WIDTH)));
    WRONG("nor a number out of range", COHORT_EINVAL, "w", cohort_variable_assign(w->w, 1e300));
    WRONG("nor a pointer", COHORT_EINVAL, "", cohort_variable_assign(w->w, COHORT_POINTER(ones)));
    WRONG("nor NULL", COHORT_EINVAL, "", cohort_variable_assign(w->w, (cohort_value *)NULL));
    WRONG_NOWHERE("and nothing to NULL", COHORT_EINVAL, "",
                  cohort_variable_assign((cohort_variable *)NULL, 1.0));
    WRONG("reading a variable keeps its dtype", COHORT_EINVAL, "float64",
          cohort_variable_read(w->w, COHORT_ARRAY(doubles, WIDTH)));
    WRONG("and wants room", COHORT_EINVAL, "2",
          cohort_variable_read(w->w, COHORT_ARRAY(ones, WIDTH - 1)));
    WRONG_NOWHERE("NULL is no variable to read", COHORT_EINVAL, "",
                  cohort_variable_read(NULL, array));
}

static void counts_and_types(world *w)
{
    cohort_argument many[42];
    for (int i = 0; i < 41; i++)
        many[i] = cohort_argument_integer_(COHORT_ARGUMENT_INT, 1);
    many[41] = cohort_argument_make_(COHORT_ARGUMENT_END, NULL);
    WRONG("too few arguments are counted", COHORT_EINVAL, "got 2",
          cohort_run(w->s, saxpy, 2.0f, w->x));
    WRONG("none at all, too", COHORT_EINVAL, "got 0", cohort_run(w->s, saxpy));
    WRONG("too many, too", COHORT_EINVAL, "got 4", cohort_run(w->s, saxpy, 2.0f, w->x, w->y, w->z));
    WRONG("and 41", COHORT_EINVAL, "got 41", cohort_run_arguments(w->s, saxpy, many));
    WRONG("the message shows what is taken", COHORT_EINVAL, "a, x, y",
          cohort_run(w->s, saxpy, 2.0f, w->x));
    WRONG("a bound is not passed", COHORT_EINVAL, "n is read off the arrays",
          cohort_run(w->s, saxpy, ROWS, 2.0f, w->x, w->y));
    WRONG("a number is no array", COHORT_EINVAL, "x", cohort_run(w->s, saxpy, 2.0f, 3.0f, w->y));
    WRONG("an array is no number", COHORT_EINVAL, "a", cohort_run(w->s, saxpy, w->x, w->x, w->y));
    WRONG("a borrowed array is none either", COHORT_EINVAL, "a",
          cohort_run(w->s, saxpy, COHORT_ARRAY(ones, 1), w->x, w->y));
    WRONG("a struct is no number", COHORT_EINVAL, "a",
          cohort_run(w->s, saxpy, COHORT_BYTES(&ones), w->x, w->y));
    WRONG("a pointer is no array", COHORT_EINVAL, "x",
          cohort_run(w->s, saxpy, 2.0f, COHORT_POINTER(ones), w->y));
    WRONG("an array is no pointer", COHORT_EINVAL, "p",
          cohort_run(w->s, look, COHORT_ARRAY(ones, 1), w->z));
    WRONG("a kind of argument that is none is refused", COHORT_EINVAL, "a",
          cohort_run(w->s, saxpy, (cohort_argument){ .kind = 99 }, w->x, w->y));
    WRONG(
        "a constant that is none is refused", COHORT_EINVAL, "a",
        cohort_run(w->s, numbers, cohort_argument_constant_((cohort_constant)9), 1, 1, 1, 1, w->z));
    WRONG("a constant is no float", COHORT_EINVAL, "a",
          cohort_run(w->s, saxpy, COHORT_REPLICA_ID, w->x, w->y));
    WRONG("an input cannot be dropped", COHORT_EINVAL, "x",
          cohort_run(w->s, saxpy, 2.0f, COHORT_DROP, w->y));
    WRONG("an output is no number", COHORT_EINVAL, "c", cohort_run(w->s, add, w->x, w->x, 1.0f));
    WRONG("a result is no number", COHORT_EINVAL, "", cohort_run(w->s, first, w->x, 1.0f));
    WRONG("int32 is not float32", COHORT_EINVAL, "int32",
          cohort_run(w->s, saxpy, 2.0f, w->integer, w->y));
    WRONG("neither in a borrowed array", COHORT_EINVAL, "float64",
          cohort_run(w->s, saxpy, 2.0f, COHORT_ARRAY(doubles, ROWS), w->y));
    WRONG("nor in a declared output", COHORT_EINVAL, "best",
          cohort_run(w->s, topk, w->x,
                     cohort_value_shaped(w->s, COHORT_F64, 2, (const int64_t[]){ 4, 2 })));
    WRONG("rank 1 is not rank 2", COHORT_EINVAL, "rank", cohort_run(w->s, triples, w->x, w->z));
    WRONG("a struct of another size is refused", COHORT_EINVAL, "p",
          cohort_run(w->s, paint, COHORT_BYTES(&(speck){ 1 }), w->z));
    WRONG("a number is no struct", COHORT_EINVAL, "p", cohort_run(w->s, paint, 1.0, w->z));
    WRONG("a struct at NULL is refused", COHORT_EINVAL, "p",
          cohort_run(w->s, paint, COHORT_BYTES((pixel *)NULL), w->z));
}

static void bounds(world *w)
{
    static float five[5];
    WRONG("arrays that share a bound agree", COHORT_EINVAL, "n",
          cohort_run(w->s, add, w->x, w->ragged, w->z));
    WRONG("the message names the replica", COHORT_EINVAL, "replica",
          cohort_run(w->s, add, w->x, w->ragged, w->z));
    WRONG("also with a borrowed array", COHORT_EINVAL, "n",
          cohort_run(w->s, add, w->x, COHORT_ARRAY(five, 5), w->z));
    WRONG("and with a variable", COHORT_EINVAL, "n", cohort_run(w->s, add, w->w, w->longer, w->z));
    WRONG("a computed extent is checked", COHORT_EINVAL, "x", cohort_run(w->s, steps, w->x, w->x));
    WRONG("and a number in an extent", COHORT_EINVAL, "4",
          cohort_run(w->s, triples, w->matrix, w->z));
    WRONG("a bound that only an output has is asked for", COHORT_EINVAL, "COHORT_NAMED(k",
          cohort_run(w->s, topk, w->x, w->z));
    WRONG("and the other way is shown", COHORT_EINVAL, "cohort_value_shaped",
          cohort_run(w->s, topk, w->x, w->z));
    WRONG("a declared output agrees with the inputs", COHORT_EINVAL, "n",
          cohort_run(w->s, topk, w->x, w->shaped));
    WRONG("a named bound agrees with the arrays", COHORT_EINVAL, "n",
          cohort_run(w->s, add, w->x, w->x, w->z, COHORT_NAMED(n, 5)));
    WRONG("a bound is not negative", COHORT_EINVAL, "-1",
          cohort_run(w->s, topk, w->x, w->z, COHORT_NAMED(k, -1)));
    WRONG("nor a fraction", COHORT_EINVAL, "k",
          cohort_run(w->s, topk, w->x, w->z, COHORT_NAMED(k, 1.5)));
    WRONG("nor an array", COHORT_EINVAL, "k",
          cohort_run(w->s, topk, w->x, w->z, COHORT_NAMED(k, w->x)));
    WRONG("a size that overflows is refused", COHORT_EINVAL, "best",
          cohort_run(w->s, topk, w->x, w->z, COHORT_NAMED(k, INT64_MAX)));
    WRONG("an unknown name is refused", COHORT_EINVAL, "q",
          cohort_run(w->s, topk, w->x, w->z, COHORT_NAMED(q, 1)));
    WRONG("a name twice is refused", COHORT_EINVAL, "k",
          cohort_run(w->s, topk, w->x, w->z, COHORT_NAMED(k, 2), COHORT_NAMED(k, 2)));
    WRONG("a name for what has been given is refused", COHORT_EINVAL, "x",
          cohort_run(w->s, topk, w->x, w->z, COHORT_NAMED(k, 2), COHORT_NAMED(x, w->x)));
    WRONG("names come last", COHORT_EINVAL, "",
          cohort_run(w->s, topk, COHORT_NAMED(k, 2), w->x, w->z));
}

static void numbers_in_range(world *w)
{
    WRONG("a fraction is no integer", COHORT_EINVAL, "1.5",
          cohort_run(w->s, numbers, 1.5, 1, 1, 1, 1, w->z));
    WRONG("128 is no int8", COHORT_EINVAL, "128", cohort_run(w->s, numbers, 128, 1, 1, 1, 1, w->z));
    WRONG("nor is -129", COHORT_EINVAL, "-129", cohort_run(w->s, numbers, -129, 1, 1, 1, 1, w->z));
    WRONG("-1 is no uint32", COHORT_EINVAL, "-1", cohort_run(w->s, numbers, 1, -1, 1, 1, 1, w->z));
    WRONG("nor is 2^32", COHORT_EINVAL, "4294967296",
          cohort_run(w->s, numbers, 1, INT64_C(4294967296), 1, 1, 1, w->z));
    WRONG("2^63 is no int64", COHORT_EINVAL, "c",
          cohort_run(w->s, numbers, 1, 1, UINT64_C(1) << 63, 1, 1, w->z));
    WRONG("nor is 1e19", COHORT_EINVAL, "c", cohort_run(w->s, numbers, 1, 1, 1e19, 1, 1, w->z));
    WRONG("NaN is no integer", COHORT_EINVAL, "nan",
          cohort_run(w->s, numbers, 1, 1, (double)NAN, 1, 1, w->z));
    WRONG("nor is infinity", COHORT_EINVAL, "inf",
          cohort_run(w->s, numbers, 1, 1, (double)INFINITY, 1, 1, w->z));
    WRONG("1e300 is no float32", COHORT_EINVAL, "e",
          cohort_run(w->s, numbers, 1, 1, 1, 1, 1e300, w->z));
    WRONG("a complex number is no real one", COHORT_EINVAL, "e",
          cohort_run(w->s, numbers, 1, 1, 1, 1, 1 + 2 * I, w->z));
    WRONG("a value of many elements is no number", COHORT_EINVAL, "e",
          cohort_run(w->s, numbers, 1, 1, 1, 1, w->plain, w->z));
}

static void constants(world *w)
{
    WRONG("without a per-replica value there is no first row", COHORT_EINVAL,
          "watch_row: argument 'at': COHORT_FIRST_ROW counts the rows of a per-replica value",
          cohort_run(w->s, watch_row, COHORT_FIRST_ROW, w->plain));
    WRONG("nor of an output", COHORT_EINVAL, "this call reads none",
          cohort_run(w->s, mark, COHORT_FIRST_ROW, w->z, COHORT_NAMED(n, 3)));
    WRONG("nor in an update", COHORT_EINVAL, "cohort_update runs once per copy",
          cohort_update(w->w, watch_row, COHORT_FIRST_ROW, w->w));
    WRONG("before a step of an input there are no rows of a batch", COHORT_EINVAL,
          "watch_row: argument 'at': COHORT_BATCH_ROWS counts the rows of the latest step of an "
          "input, and the strategy "
          "had none; call cohort_run_next",
          cohort_run(w->s, watch_row, COHORT_BATCH_ROWS, w->plain));
    WRONG("also in an update", COHORT_EINVAL, "COHORT_BATCH_ROWS",
          cohort_update(w->w, watch_row, COHORT_BATCH_ROWS, w->w));
}

static void who_may_write(world *w)
{
    cohort_argument nothing = cohort_argument_make_(COHORT_ARGUMENT_VALUE, NULL);
    WRONG("a run writes no variable", COHORT_EINVAL, "cohort_update",
          cohort_run(w->s, descend, 0.5f, w->plain, w->w));
    WRONG("a run writes no borrowed array", COHORT_EINVAL, "y",
          cohort_run(w->s, saxpy, 2.0f, w->x, COHORT_ARRAY(ones, ROWS)));
    WRONG("neither as an output", COHORT_EINVAL, "c",
          cohort_run(w->s, add, w->x, w->x, COHORT_ARRAY(ones, ROWS)));
    WRONG("an output is not read in the same call", COHORT_EINVAL, "'a' and 'c' are the same",
          cohort_run(w->s, add, w->y, w->x, w->y));
    WRONG("nor written twice", COHORT_EINVAL, "", cohort_run(w->s, both, w->y, w->y));
    WRONG("a plain value is not read and written by every replica", COHORT_EINVAL, "per replica",
          cohort_run(w->s, descend, 0.5f, w->plain, w->plain));
    WRONG("an empty value is not read", COHORT_EINVAL, "nothing has written",
          cohort_run(w->s, saxpy, 2.0f, w->empty, w->y));
    WRONG("nor read and written", COHORT_EINVAL, "nothing has written",
          cohort_run(w->s, saxpy, 2.0f, w->x, w->empty));
    WRONG("a value of another strategy is refused", COHORT_EINVAL, "strategy",
          cohort_run(w->s, saxpy, w->foreign, w->x, w->y));
    WRONG("so is a variable", COHORT_EINVAL, "strategy",
          cohort_run(w->s, add, w->foreign_variable, w->w, w->z));
    WRONG("NULL is no value", COHORT_EINVAL, "x", cohort_run(w->s, saxpy, 2.0f, nothing, w->y));
    WRONG("nor an output", COHORT_EINVAL, "c", cohort_run(w->s, add, w->x, w->x, nothing));
    WRONG("nor a variable", COHORT_EINVAL, "a",
          cohort_run(w->s, add, (cohort_variable *)NULL, w->w, w->z));
    WRONG("nor an array", COHORT_EINVAL, "NULL",
          cohort_run(w->s, add, COHORT_ARRAY((float *)NULL, WIDTH), w->w, w->z));
    WRONG("nor a function", COHORT_EINVAL, "function",
          cohort_run(w->s, (const cohort_function *)NULL, w->x));
    WRONG("nor a strategy", COHORT_EINVAL, "strategy",
          cohort_run((cohort_strategy *)NULL, saxpy, 2.0f, w->x, w->y));
    WRONG("nor a list", COHORT_EINVAL, "", cohort_run_arguments(w->s, saxpy, NULL));
    WRONG("an update writes what is placed like its variable", COHORT_EINVAL, "y",
          cohort_update(w->w, saxpy, 2.0f, w->plain, w->number));
    WRONG("it writes no value", COHORT_EINVAL, "w",
          cohort_update(w->w, descend, 0.5f, w->plain, w->plain));
    WRONG("and none with a new content", COHORT_EINVAL, "c",
          cohort_update(w->w, add, w->w, w->plain, w->empty));
    WRONG("no borrowed array", COHORT_EINVAL,
          "'w' is written, and an array of the caller is only read: pass a variable, such as "
          "cohort_variable_create(s, \"w\", array, NULL)",
          cohort_update(w->w, descend, 0.5f, w->plain, COHORT_ARRAY(ones, WIDTH)));
    WRONG("no variable of another strategy", COHORT_EINVAL, "strategy",
          cohort_update(w->w, descend, 0.5f, w->plain, w->foreign_variable));
    WRONG("it reads no per-replica value", COHORT_EINVAL, "reduce",
          cohort_update(w->w, descend, 0.5f, w->x, w->w));
    WRONG("and no number per replica", COHORT_EINVAL, "",
          cohort_update(w->w, numbers, COHORT_REPLICA_ID, 1, 1, 1, 1, w->w));
    WRONG("it counts", COHORT_EINVAL, "got 2", cohort_update(w->w, descend, 0.5f, w->w));
    WRONG("it checks bounds", COHORT_EINVAL, "n",
          cohort_update(w->w, descend, 0.5f, w->longer, w->w));
    WRONG("it wants a variable", COHORT_EINVAL, "",
          cohort_update((cohort_variable *)NULL, descend, 0.5f, w->plain, w->w));
    WRONG("and a function", COHORT_EINVAL, "function",
          cohort_update(w->w, (const cohort_function *)NULL, w->w));
    WRONG("it writes no variable twice", COHORT_EINVAL, "", cohort_update(w->w, both, w->w, w->w));
}

/* Which formats there are is for the devices to say. */
static void formats(world *w)
{
    static const char source[] = "kernel void half(global float *x) { }";
    cohort_body misspelt = { .format = "opencl.cl", .data = source, .bytes = sizeof source - 1 };
    cohort_function *parsed = cohort_function_parse("void half(int64_t n, float x[n])", NULL, NULL),
                    *more = cohort_function_parse("double cos(double x)", "libm.so.6", NULL);
    ok(cohort_function_add_body(parsed, &misspelt) == COHORT_OK &&
           cohort_function_add_body(more, &misspelt) == COHORT_OK,
       "a body may have a format that no device takes");
    WRONG_NOWHERE(
        "a device without a body that it takes refuses the function", COHORT_EINCOMPATIBLE,
        "half: no body for host:0: it takes native.fn, the function has opencl.cl; give it "
        "a C body (COHORT_FUNCTION, COHORT_ITEMS)",
        cohort_function_check(parsed, "host:0"));
    WRONG("when it is called too", COHORT_EINCOMPATIBLE,
          "it takes native.fn, the function has opencl.cl", cohort_run(w->s, parsed, w->x));
    ok(cohort_function_check(more, "host:0") == COHORT_OK, "one that it takes is enough");
    cohort_function_destroy(parsed);
    cohort_function_destroy(more);
}

static void functions(world *w)
{
    cohort_function *parsed;
    WRONG("a prototype that does not parse is refused at the call", COHORT_EINVAL, "flaot",
          cohort_run(w->s, broken, w->x));
    WRONG_NOWHERE("and marked", COHORT_EINVAL, "^", cohort_function_check(broken, NULL));
    WRONG("a function without a body fits no device", COHORT_EINCOMPATIBLE, "without_body",
          cohort_run(w->s, without_body, 1.0f));
    WRONG_NOWHERE("also when it is checked", COHORT_EINCOMPATIBLE, "host:0",
                  cohort_function_check(without_body, "host:0"));
    WRONG("a descriptor of another size is refused", COHORT_EINVAL, "struct_size is 3",
          cohort_run(w->s, foreign_size, 1.0f));
    WRONG_NOWHERE("a check wants a device that is", COHORT_ENODEV, "nothing:7",
                  cohort_function_check(saxpy, "nothing:7"));
    WRONG_NOWHERE("and a function", COHORT_EINVAL, "", cohort_function_check(NULL, NULL));
    WRONG_NOWHERE("a text without a name is no function", NOTHING, "^",
                  made(cohort_function_parse("double (double x)", NULL, NULL)));
    WRONG_NOWHERE("nor is NULL", NOTHING, "", made(cohort_function_parse(NULL, NULL, NULL)));
    WRONG_NOWHERE("a library must exist", NOTHING, "libnothing.so",
                  made(cohort_function_parse("double cos(double x)", "libnothing.so", NULL)));
    WRONG_NOWHERE("and have the symbol", NOTHING, "cosinus",
                  made(cohort_function_parse("double cosinus(double x)", "libm.so.6", NULL)));
    WRONG_NOWHERE("results are no pointers", NOTHING, "",
                  made(cohort_function_parse("char *strchr(const char s[1], int c)", NULL, NULL)));
    WRONG_NOWHERE("NULL takes no body", COHORT_EINVAL, "",
                  cohort_function_add_body(NULL, &(cohort_body){ .format = "native.fn" }));
    parsed = cohort_function_parse("double cos(double x)", "libm.so.6", NULL);
    WRONG_NOWHERE("a body has a format", COHORT_EINVAL, "no format",
                  cohort_function_add_body(parsed, &(cohort_body){ 0 }));
    WRONG_NOWHERE("and is not NULL", COHORT_EINVAL, "", cohort_function_add_body(parsed, NULL));
    WRONG_NOWHERE(
        "a function has one body of a format", COHORT_EINVAL, "native.sym",
        cohort_function_add_body(
            parsed, &(cohort_body){ .format = "native.sym", .data = "libm.so.6", .entry = "sin" }));
    cohort_function_destroy(parsed);
    formats(w);
}

static void combining(world *w)
{
    WRONG("there is no reduction 77", COHORT_EINVAL, "77",
          cohort_reduce((cohort_reduce_op)77, w->x, 0, w->total));
    WRONG("nor an axis past the rank", COHORT_EINVAL, "axis 1",
          cohort_reduce(COHORT_SUM, w->x, 1, w->total));
    WRONG("neither counted from the end", COHORT_EINVAL, "axis -2",
          cohort_reduce(COHORT_SUM, w->x, -2, w->total));
    WRONG("components that are added have one shape", COHORT_EINVAL, "shape",
          cohort_reduce(COHORT_SUM, w->ragged, COHORT_NO_AXIS, w->total));
    WRONG("bool has no sum", COHORT_EINVAL, "bool",
          cohort_reduce(COHORT_SUM, w->truth, 0, w->total));
    WRONG("no product", COHORT_EINVAL, "bool", cohort_reduce(COHORT_PROD, w->truth, 0, w->total));
    WRONG("and no mean", COHORT_EINVAL, "bool",
          cohort_reduce(COHORT_MEAN, w->truth, COHORT_NO_AXIS, w->total));
    WRONG("integers have no weights", COHORT_EINVAL, "int32",
          cohort_reduce_with(COHORT_SUM, w->integer, &(cohort_reduce_options){ .weights = w->x },
                             w->total));
    WRONG("a reduction needs another value", COHORT_EINVAL, "",
          cohort_reduce(COHORT_SUM, w->x, 0, w->x));
    WRONG("an empty value is not reduced", COHORT_EINVAL, "nothing has written",
          cohort_reduce(COHORT_SUM, w->empty, 0, w->total));
    WRONG("nor one of another strategy", COHORT_EINVAL, "different strategies",
          cohort_reduce(COHORT_SUM, w->foreign, COHORT_NO_AXIS, w->total));
    WRONG_ELSEWHERE("nor into another strategy", COHORT_EINVAL, "different strategies",
                    cohort_reduce(COHORT_SUM, w->x, 0, w->foreign));
    WRONG("nor NULL", COHORT_EINVAL, "",
          cohort_reduce(COHORT_SUM, (cohort_value *)NULL, 0, w->total));
    WRONG("nor into NULL", COHORT_EINVAL, "", cohort_reduce(COHORT_SUM, w->x, 0, NULL));
    WRONG("a gather has an axis", COHORT_EINVAL, "axis 1", cohort_gather(w->x, 1, w->total));
    WRONG("a real one", COHORT_EINVAL, "axis", cohort_gather(w->x, COHORT_NO_AXIS, w->total));
    WRONG("an empty value is not gathered", COHORT_EINVAL, "nothing has written",
          cohort_gather(w->empty, 0, w->total));
    WRONG("nor NULL", COHORT_EINVAL, "", cohort_gather((cohort_value *)NULL, 0, w->total));
    WRONG("nor into NULL", COHORT_EINVAL, "", cohort_gather(w->x, 0, NULL));
    WRONG("nor into itself", COHORT_EINVAL, "", cohort_gather(w->x, 0, w->x));
    WRONG_ELSEWHERE("nor into another strategy", COHORT_EINVAL, "different strategies",
                    cohort_gather(w->x, 0, w->foreign));
}

/* An object that could not be made is NULL; what is then done with it tells the first reason. */
static void chains(world *w)
{
    float out;
    const char *first_reason = "nothing:7";
    WRONG_NOWHERE("a value of a strategy that failed tells why", NOTHING, first_reason,
                  made(cohort_value_create(cohort_mirrored("nothing:7"))));
    WRONG_NOWHERE("so does a number", NOTHING, first_reason,
                  made(cohort_value_number(cohort_mirrored("nothing:7"), 1)));
    WRONG_NOWHERE("an array", NOTHING, first_reason,
                  made(cohort_value_plain(cohort_mirrored("nothing:7"), COHORT_ARRAY(ones, 2))));
    WRONG_NOWHERE("rows", NOTHING, first_reason,
                  made(cohort_value_split(cohort_mirrored("nothing:7"), COHORT_ARRAY(ones, 2))));
    WRONG_NOWHERE("components", NOTHING, first_reason,
                  made(cohort_value_per_replica(cohort_mirrored("nothing:7"), NULL)));
    WRONG_NOWHERE("a declared shape", NOTHING, first_reason,
                  made(cohort_value_shaped(cohort_mirrored("nothing:7"), COHORT_F32, 0, NULL)));
    WRONG_NOWHERE("a variable", NOTHING, first_reason,
                  made(cohort_variable_create(cohort_mirrored("nothing:7"), "w",
                                              COHORT_ARRAY(ones, 2), NULL)));
    WRONG("a run", COHORT_EINVAL, first_reason,
          cohort_run(cohort_mirrored("nothing:7"), saxpy, 2.0f, w->x, w->y));
    WRONG_NOWHERE("a wait", COHORT_EINVAL, first_reason, cohort_wait(cohort_mirrored("nothing:7")));
    WRONG_NOWHERE("a status", COHORT_EINVAL, first_reason,
                  cohort_strategy_status(cohort_mirrored("nothing:7")));
    WRONG_NOWHERE("a recovery", COHORT_EINVAL, first_reason,
                  cohort_strategy_recover(cohort_mirrored("nothing:7")));
    WRONG_NOWHERE("a reading", COHORT_EINVAL, first_reason,
                  cohort_value_read(cohort_value_number(cohort_mirrored("nothing:7"), 1),
                                    COHORT_ARRAY(&out, 1)));
    WRONG("a reduction", COHORT_EINVAL, "-3",
          cohort_reduce(COHORT_SUM, cohort_value_plain(w->s, COHORT_ARRAY(ones, -3)), 0, w->total));
    WRONG("a run with a value that failed", COHORT_EINVAL, "-3",
          cohort_run(w->s, saxpy, 2.0f, cohort_value_split(w->s, COHORT_ARRAY(ones, -3)), w->y));
    WRONG("an update of a variable that failed", COHORT_EINVAL, "w2",
          cohort_update(cohort_variable_create(w->s, "w2", COHORT_ARRAY(ones, 2), NULL), descend,
                        0.5f, w->plain, w->w));
    WRONG("and a run of a function that failed", COHORT_EINVAL, "flaot",
          cohort_run(w->s, cohort_function_parse("void f(flaot x)", NULL, NULL), 1.0));
}

/* The reason of a NULL is that of the object that it stands for, never another error of this
 * thread. */
static void says_alone(world *w, const char *wanted, cohort_status status, const char *claim)
{
    char said[1000];
    (void)snprintf(said, sizeof said, "%s", cohort_error_text());
    (void)is_text(said, wanted, "%s", claim);
    (void)cohort_strategy_recover(w->s);
    ok(status == COHORT_EINVAL && world_works(w), "and it is refused");
}

/* An error that has nothing to do with what is NULL next. */
static void fail_elsewhere(world *w)
{
    (void)cohort_run(w->s, saxpy, 2.0f, w->x);
    (void)cohort_strategy_recover(w->s);
    (void)cohort_error_set(COHORT_EINVAL, "quite another error");
}

static void other_errors(world *w)
{
    float out;
    cohort_array parts[1];
    fail_elsewhere(w);
    says_alone(w, "cohort_strategy_status: the strategy is NULL", cohort_strategy_status(NULL),
               "a strategy");
    fail_elsewhere(w);
    says_alone(w, "cohort_value_read: the value is NULL",
               cohort_value_read(NULL, COHORT_ARRAY(&out, 1)), "a value");
    fail_elsewhere(w);
    says_alone(w, "cohort_variable_read: the variable is NULL",
               cohort_variable_read(NULL, COHORT_ARRAY(&out, 1)), "a variable");
    fail_elsewhere(w);
    says_alone(w, "saxpy: x is NULL", cohort_run(w->s, saxpy, 2.0f, (cohort_value *)NULL, w->y),
               "an argument");
    fail_elsewhere(w);
    says_alone(w, "cohort_function_check: the function is NULL",
               cohort_function_check(NULL, "host"), "a function");
    fail_elsewhere(w);
    says_alone(w, "cohort_metric_reset: the metric is NULL", cohort_metric_reset(NULL), "a metric");
    fail_elsewhere(w);
    says_alone(w, "cohort_input_initialize: the input is NULL", cohort_input_initialize(NULL),
               "an input");
    fail_elsewhere(w);
    says_alone(w, "cohort_iterator_next: the iterator is NULL", cohort_iterator_next(NULL, parts),
               "an iterator");
    fail_elsewhere(w);
    says_alone(w, "cohort_dataset_take: the dataset is NULL",
               cohort_dataset_take(NULL, 1) == NULL ? COHORT_EINVAL : COHORT_OK, "a dataset");

    (void)cohort_value_plain(w->s, COHORT_ARRAY(ones, -3));
    says_alone(w, "cohort_dataset_take: the dataset is NULL",
               cohort_dataset_take(NULL, 1) == NULL ? COHORT_EINVAL : COHORT_OK,
               "a value that failed is no dataset");
    cohort_iterator *none =
        cohort_dataset_iterate(cohort_dataset_take(cohort_dataset_range(0, 5, 0), 1));
    has_text(cohort_error_text(),
             "cohort_dataset_iterate: the dataset is NULL, because of an earlier error: "
             "cohort_dataset_range: step 0",
             "a dataset tells of its own");
    ok(cohort_iterator_next(none, parts) == COHORT_EINVAL, "no iterator, no elements");
    has_text(cohort_error_text(),
             "the iterator is NULL, because of an earlier error: cohort_dataset_range: step 0",
             "and so on");
    cohort_input *input = cohort_distribute_dataset(w->s, cohort_dataset_list_files(NULL, 1));
    ok(cohort_input_initialize(input) == COHORT_EINVAL, "nor does an input start");
    has_text(cohort_error_text(),
             "the input is NULL, because of an earlier error: cohort_dataset_list_files",
             "whose reason is that of its dataset");
    (void)cohort_strategy_recover(w->s);
    ok(cohort_metric_reset(cohort_metric_create(w->s, "median", "m")) == COHORT_EINVAL,
       "nor is a metric set back");
    has_text(cohort_error_text(),
             "the metric is NULL, because of an earlier error: cohort_metric_create: no metric",
             "its own reason");
    (void)cohort_strategy_recover(w->s);
}

static cohort_dataset *batch_by(cohort_dataset *dataset, int64_t n)
{
    return cohort_dataset_batch(dataset, n, false);
}

static cohort_dataset *shuffle_by(cohort_dataset *dataset, int64_t n)
{
    return cohort_dataset_shuffle(dataset, n, 1);
}

static cohort_dataset *prefetch_by(cohort_dataset *dataset, int64_t n)
{
    return cohort_dataset_prefetch(dataset, n);
}

static cohort_dataset *window_by(cohort_dataset *dataset, int64_t n)
{
    return cohort_dataset_window(dataset, n, 1, 1, false);
}

static cohort_dataset *index_by(cohort_dataset *dataset, int64_t n)
{
    return cohort_dataset_shard(dataset, 4, n);
}

/* Nobody has looked at the size that is passed on. */
static void unread_sizes(world *w)
{
    static const char reason[] =
        "; the number is an earlier error: cohort_input_context_batch_size: a global batch of 10 "
        "rows is not divisible by 3 replicas in sync";
    const cohort_input_context context = { .num_replicas_in_sync = 3 };
    cohort_dataset *(*const calls[])(
        cohort_dataset *, int64_t) = { batch_by, shuffle_by, prefetch_by, window_by, index_by };
    float room[4];
    char wanted[512];
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int64_t size = cohort_input_context_batch_size(&context, 10);
        ok(calls[i](cohort_dataset_range(0, 9, 1), size) == NULL, "no dataset has a size of %lld",
           (long long)size);
        has_text(cohort_error_text(), reason, "and the error of its division is told");
    }
    int64_t rows = cohort_value_rows(w->x, 99);
    (void)snprintf(wanted, sizeof wanted, "; the number is an earlier error: %s",
                   cohort_error_text());
    ok(cohort_value_plain(w->s, COHORT_ARRAY(room, rows)) == NULL,
       "nor has an array such an extent");
    has_text(cohort_error_text(), wanted, "which says why there is none");
    (void)cohort_strategy_recover(w->s);
    (void)cohort_input_context_batch_size(&context, 10);
    ok(cohort_dataset_batch(cohort_dataset_range(0, 9, 1), -2, false) == NULL,
       "another number is no answer");
    ok(strstr(cohort_error_text(), "earlier error") == NULL, "of that call");
    (void)cohort_input_context_batch_size(&context, 10);
    (void)cohort_error_set(COHORT_EINVAL, "of the program");
    ok(cohort_dataset_batch(cohort_dataset_range(0, 9, 1), -1, false) == NULL,
       "and the latest error is another one");
    ok(strstr(cohort_error_text(), "earlier error") == NULL, "which is not told");
}

static void harmless(world *w)
{
    cohort_strategy_destroy(NULL);
    cohort_value_destroy(NULL);
    cohort_variable_destroy(NULL);
    cohort_function_destroy(NULL);
    ok(cohort_strategy_num_replicas(NULL) == 0 && cohort_strategy_hosted(NULL, 0) == 0,
       "NULL has no replicas");
    ok(cohort_strategy_hosted(w->s, -1) == 0 && cohort_strategy_hosted(w->s, 99) == 0,
       "nor has a device that is not listed");
    ok(cohort_value_kind_of(NULL) == COHORT_EMPTY_VALUE, "NULL is an empty value");
    ok(cohort_variable_find(w->s, "nobody") == NULL && cohort_variable_find(w->s, NULL) == NULL &&
           cohort_variable_find(NULL, "w") == NULL,
       "what is not there is not found");
    ok(cohort_variable_name(NULL) == NULL, "NULL has no name");
    ok(cohort_variable_strategy(NULL) == NULL, "and no strategy");
    ok(cohort_strategy_devices(w->s, NULL, 8) >= 1 &&
           cohort_strategy_parameter_devices(w->s, NULL, 8) >= 1 &&
           cohort_strategy_variables(w->s, NULL, 1000) >= 0,
       "devices are counted without room for them");
    ok(cohort_strategy_devices(NULL, NULL, 0) <= 0, "NULL has none");
    is_text(cohort_strategy_describe(NULL), "", "NULL cannot be described");
    ok(cohort_device_property(NULL, "name") == NULL && cohort_device_property(NULL, NULL) == NULL,
       "nor has it properties");
    ok(cohort_dtype_bytes((cohort_dtype)77) == 0 && cohort_dtype_name((cohort_dtype)77) != NULL,
       "a dtype that is none has no size");
    ok(cohort_reduce_op_parse("median") == 0 && cohort_reduce_op_parse(NULL) == 0 &&
           cohort_reduce_op_parse("mEaN") == COHORT_MEAN,
       "reductions are known by their names alone");
    ok(world_works(w), "and all of that is harmless");
}

static void (*const groups[])(world *w) = { strategies,       values,        variables,
                                            counts_and_types, bounds,        numbers_in_range,
                                            constants,        who_may_write, functions,
                                            combining,        chains,        other_errors,
                                            unread_sizes,     harmless };

static void on(const char *devices)
{
    world w;
    diag("%s", devices);
    world_open(&w, devices, 4);
    if (ok(world_works(&w), "a world on %s works", devices))
        for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
            groups[i](&w);
    world_close(&w);
}

int main(void)
{
    (void)core_warm();
    on("host/2");
    on("loopback/2,host");
    core_live warm = core_live_now();
    on("host/2,loopback");
    ok(rows >= 3 * 60, "the table has 60 rows and more: %d", rows / 3);
    core_no_leak(warm);
    return tap_done();
}
