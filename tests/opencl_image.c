/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels with images and samplers on OpenCL devices: every kind of image read and written,
 * formats, shares of rows, calls that come again, recorded steps; and what is refused, by whom, and
 * how it is said. */
#include "config.h"

#include "tests/core.h"

#include <math.h>

enum { MOST = 3, H = 7, W = 5 };

static cohort_strategy *s;

typedef struct body {
    const char *prototype, *global, *source, *options;
} body;

static cohort_function *make(const body *b)
{
    cohort_function *f = cohort_function_parse(b->prototype, NULL, NULL);
    if (f == NULL)
        diag("%s", cohort_error_text());
    else
        (void)cohort_function_add_body(f, &(cohort_body){ .format = "opencl.c",
                                                          .data = b->source,
                                                          .bytes = strlen(b->source),
                                                          .options = b->options,
                                                          .global = b->global });
    return f;
}

/* ---- Shares. */

static const body invert = {
    "void invert(read_only image2d_t x, out write_only image2d_t y, int h, int w)", "w, h",
    "kernel void invert(read_only image2d_t x, write_only image2d_t y, int h, int w)\n"
    "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(y, at, (float4)(1 - read_imagef(x, at).x, 0, 0, 0)); }",
    NULL
};

static bool is_inverted(cohort_value *y, const float *x, int rows)
{
    float found[H * W];
    bool is_right = good(cohort_value_read(y, COHORT_ARRAY(found, rows, W)) == COHORT_OK);
    for (int i = 0; i < rows * W && is_right; i++)
        is_right = good(found[i] == 1 - x[i]);
    return is_right;
}

/* Rows differ from replica to replica, and the extents from call to call; each call comes twice. */
static void shares(void)
{
    float x[H * W];
    for (int i = 0; i < H * W; i++)
        x[i] = (float)i / 8;
    cohort_function *f = make(&invert);
    for (int replicas = 1; replicas <= MOST; replicas++) {
        cohort_strategy *own = cohort_strategy_create(
            &(cohort_strategy_options){ .devices = "opencl:0", .replicas = replicas });
        cohort_value *y = cohort_value_create(own);
        bool is_right = true;
        for (int rows = H; rows >= 1 && is_right; rows -= 3) {
            cohort_value *in = cohort_value_split(own, COHORT_ARRAY(x, rows, W));
            for (int turn = 0; turn < 3 && is_right; turn++)
                is_right = good(cohort_run(own, f, in, y, COHORT_SHARE(rows), W) == COHORT_OK) &&
                           is_inverted(y, x, rows);
        }
        ok(is_right, "rows of an image are shared out over %d replicas", replicas);
        cohort_strategy_destroy(own);
    }
    cohort_function_destroy(f);
}

/* ---- Formats. */

static void bytes_as_fractions(void)
{
    static const body b = { "void f(norm uchar image2d_t x, write_only norm uchar image2d_t y)",
                            "4, 3",
                            "kernel void f(read_only image2d_t x, write_only image2d_t y)\n"
                            "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                            "  write_imagef(y, at, 1 - read_imagef(x, at)); }",
                            NULL };
    uint8_t x[3 * 4 * 4], found[3 * 4 * 4] = { 0 };
    for (int i = 0; i < 48; i++)
        x[i] = (uint8_t)(5 * i);
    cohort_function *f = make(&b);
    cohort_value *y = cohort_value_create(s);
    bool is_right = good(cohort_run(s, f, COHORT_ARRAY(x, 3, 4, 4), y) == COHORT_OK) &&
                    good(cohort_value_read(y, COHORT_ARRAY(found, 3, 4, 4)) == COHORT_OK);
    for (int i = 0; i < 48 && is_right; i++)
        is_right = good(found[i] == 255 - x[i]);
    ok(is_right, "four channels of bytes, as fractions");
    cohort_value_destroy(y);
    cohort_function_destroy(f);
}

static void blue_first(void)
{
    static const body b = {
        "void f(bgra norm uchar image2d_t x, write_only norm uchar image2d_t y)", "2, 2",
        "kernel void f(read_only image2d_t x, write_only image2d_t y)\n"
        "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "  write_imagef(y, at, read_imagef(x, at)); }",
        NULL
    };
    const uint8_t x[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
    uint8_t found[16] = { 0 };
    cohort_function *f = make(&b);
    cohort_value *y = cohort_value_create(s);
    bool is_right = good(cohort_run(s, f, COHORT_ARRAY(x, 2, 2, 4), y) == COHORT_OK) &&
                    good(cohort_value_read(y, COHORT_ARRAY(found, 2, 2, 4)) == COHORT_OK);
    for (int i = 0; i < 16 && is_right; i++)
        is_right = good(found[i] == x[i / 4 * 4 + (i % 4 == 3 ? 3 : 2 - i % 4)]);
    ok(is_right, "an image whose first channel is blue");
    cohort_value_destroy(y);
    cohort_function_destroy(f);
}

/* integers, read and written as they are, and halves */
#define INTEGERS(TYPE, CL, READ, WRITE, VECTOR)                                                    \
    do {                                                                                           \
        static const body b = { "void f(" CL " image2d_t x, write_only " CL " image2d_t y)",       \
                                "5, 2",                                                            \
                                "kernel void f(read_only image2d_t x, write_only image2d_t y)\n"   \
                                "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"        \
                                "  " WRITE "(y, at, " READ "(x, at) - (" VECTOR ")(3)); }",        \
                                NULL };                                                            \
        TYPE x[10], found[10] = { 0 };                                                             \
        for (int i = 0; i < 10; i++)                                                               \
            x[i] = (TYPE)(11 * i + 3);                                                             \
        is_right = is_right && run_one(&b, COHORT_ARRAY(x, 2, 5), COHORT_ARRAY(found, 2, 5));      \
        for (int i = 0; i < 10 && is_right; i++)                                                   \
            is_right = good(found[i] == (TYPE)(11 * i));                                           \
    } while (0)

static bool run_one(const body *b, cohort_array x, cohort_array found)
{
    cohort_function *f = make(b);
    cohort_value *y = cohort_value_create(s);
    bool is_right =
        good(cohort_run(s, f, x, y) == COHORT_OK) && good(cohort_value_read(y, found) == COHORT_OK);
    cohort_value_destroy(y);
    cohort_function_destroy(f);
    return is_right;
}

static void numbers(void)
{
    bool is_right = true;
    INTEGERS(uint8_t, "uchar", "read_imageui", "write_imageui", "uint4");
    INTEGERS(int8_t, "char", "read_imagei", "write_imagei", "int4");
    INTEGERS(uint16_t, "ushort", "read_imageui", "write_imageui", "uint4");
    INTEGERS(int16_t, "short", "read_imagei", "write_imagei", "int4");
    INTEGERS(uint32_t, "uint", "read_imageui", "write_imageui", "uint4");
    INTEGERS(int32_t, "int", "read_imagei", "write_imagei", "int4");
    ok(is_right, "integers of 8, 16 and 32 bits");
}

static void halves(void)
{
    static const body b = { "void f(half image1d_t x, out float y[3])", "3",
                            "kernel void f(read_only image1d_t x, global float *y)\n"
                            "{ int i = get_global_id(0); y[i] = read_imagef(x, i).x; }",
                            NULL };
    uint16_t bits[3] = { 0x3c00, 0xc100, 0x3555 }; /* 1, -2.5 and 1/3 */
    float found[3] = { 0 };
    cohort_array x = COHORT_ARRAY(bits, 3);
    x.dtype = COHORT_F16;
    cohort_function *f = make(&b);
    cohort_value *y = cohort_value_create(s);
    cohort_status status = cohort_run(s, f, x, y);
    status = status < 0 ? status : cohort_value_read(y, COHORT_ARRAY(found, 3));
    if (status == COHORT_OK)
        ok(found[0] == 1 && found[1] == -2.5f && fabsf(found[2] - 1.0f / 3) < 1e-3f,
           "float16 is read as float: %g %g %g", (double)found[0], (double)found[1],
           (double)found[2]);
    else
        ok(status == COHORT_ENOTSUP &&
               strstr(cohort_error_text(), "this device has no image1d_t of 1 channel of "
                                           "float16") != NULL,
           "float16, which the device has not, is refused: %s", cohort_error_text());
    (void)cohort_strategy_recover(s);
    cohort_value_destroy(y);
    cohort_function_destroy(f);
}

/* ---- Kinds. */

#define AT1 "int at = get_global_id(0);"
#define AT2 "int2 at = (int2)(get_global_id(0), get_global_id(1));"
#define AT3 "int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);"

static void kinds(void)
{
    static const struct {
        const char *kind, *global, *at;
        cohort_array like;
        bool is_written;
    } cases[] = {
        { "image1d_t", "6", AT1, { .rank = 1, .shape = { 6 } }, true },
        { "image1d_buffer_t", "6", AT1, { .rank = 1, .shape = { 6 } }, true },
        { "image1d_array_t", "3, 2", AT2, { .rank = 2, .shape = { 2, 3 } }, true },
        { "image2d_t", "3, 2", AT2, { .rank = 2, .shape = { 2, 3 } }, true },
        { "image2d_array_t", "3, 2, 4", AT3, { .rank = 3, .shape = { 4, 2, 3 } }, true },
        { "image3d_t", "3, 2, 4", AT3, { .rank = 3, .shape = { 4, 2, 3 } }, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char prototype[200], source[600];
        float x[24], found[24] = { 0 };
        cohort_array in = cases[i].like, out = cases[i].like;
        int64_t n = cohort_array_items(&in);
        for (int k = 0; k < n; k++)
            x[k] = (float)(k + 1);
        in.data = x, out.data = found, in.dtype = out.dtype = COHORT_F32;
        const char *kind = cases[i].kind;
        if (cases[i].is_written)
            (void)snprintf(prototype, sizeof prototype, "void f(read_only %s x, write_only %s y)",
                           kind, kind);
        else
            (void)snprintf(prototype, sizeof prototype,
                           "void f(read_only %s x, out float y[4][2][3])", kind);
        if (cases[i].is_written)
            (void)snprintf(source, sizeof source,
                           "kernel void f(read_only %s x, write_only %s y)\n"
                           "{ %s write_imagef(y, at, read_imagef(x, at) * 2); }",
                           kind, kind, cases[i].at);
        else
            (void)snprintf(source, sizeof source,
                           "kernel void f(read_only %s x, global float *y)\n"
                           "{ %s y[(at.z * 2 + at.y) * 3 + at.x] = read_imagef(x, at).x * 2; }",
                           kind, cases[i].at);
        const body b = { prototype, cases[i].global, source, NULL };
        bool is_right = run_one(&b, in, out);
        for (int k = 0; k < n && is_right; k++)
            is_right = good(found[k] == 2 * x[k]);
        ok(is_right, "%s is read%s", kind, cases[i].is_written ? " and written" : "");
    }
}

/* OpenCL C 2.0: not every device has them. */
static void read_and_written(void)
{
    static const body b = { "void f(read_write image2d_t x)", "3, 2",
                            "kernel void f(read_write image2d_t x)\n"
                            "{ " AT2 " write_imagef(x, at, read_imagef(x, at) + 1); }",
                            "-cl-std=CL2.0" };
    float x[6] = { 1, 2, 3, 4, 5, 6 }, found[6] = { 0 };
    cohort_function *f = make(&b);
    if (cohort_function_check(f, "opencl:0") == COHORT_EBUILD) {
        skip("an image is read and written", "the device has no OpenCL C 2.0");
        cohort_function_destroy(f);
        return;
    }
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, 2, 3));
    bool is_right = good(cohort_run(s, f, v) == COHORT_OK && cohort_run(s, f, v) == COHORT_OK) &&
                    good(cohort_value_read(v, COHORT_ARRAY(found, 2, 3)) == COHORT_OK);
    for (int i = 0; i < 6 && is_right; i++)
        is_right = good(found[i] == x[i] + 2);
    ok(is_right, "an image is read and written");
    cohort_value_destroy(v);
    cohort_variable *w = cohort_variable_create(s, "w", COHORT_ARRAY(x, 2, 3), NULL);
    is_right = good(cohort_update(w, f, w) == COHORT_OK) &&
               good(cohort_variable_read(w, COHORT_ARRAY(found, 2, 3)) == COHORT_OK);
    for (int i = 0; i < 6 && is_right; i++)
        is_right = good(found[i] == x[i] + 1);
    ok(is_right, "also where it is a variable");
    cohort_variable_destroy(w);
    cohort_function_destroy(f);
}

/* ---- Samplers. */

static const body sampled = {
    "void f(image1d_t x, sampler_t how, const float at[n], out float y[n], int n)", "n",
    "kernel void f(read_only image1d_t x, sampler_t how, global const float *at, global float *y,\n"
    "              int n)\n"
    "{ int i = get_global_id(0); y[i] = read_imagef(x, how, at[i]).x; }",
    NULL
};

static void samplers(void)
{
    static const struct {
        cohort_sampler how;
        float at[4], wanted[4];
        const char *words;
    } cases[] = {
        { { 0, COHORT_ADDRESSING_CLAMP_TO_EDGE, COHORT_FILTER_NEAREST },
          { -3, 0.5f, 2.9f, 9 },
          { 10, 10, 30, 40 },
          "the nearest pixel, and that of the edge" },
        { { 0, COHORT_ADDRESSING_CLAMP_TO_EDGE, COHORT_FILTER_LINEAR },
          { 0.5f, 1, 1.75f, 3.5f },
          { 10, 15, 22.5f, 40 },
          "numbers between pixels" },
        { { 1, COHORT_ADDRESSING_CLAMP_TO_EDGE, COHORT_FILTER_NEAREST },
          { 0, 0.3f, 0.6f, 0.99f },
          { 10, 20, 30, 40 },
          "coordinates from 0 to 1" },
        { { 1, COHORT_ADDRESSING_REPEAT, COHORT_FILTER_NEAREST },
          { 1.1f, 1.3f, 2.6f, -0.1f },
          { 10, 20, 30, 40 },
          "an image that repeats" },
        { { 1, COHORT_ADDRESSING_MIRRORED_REPEAT, COHORT_FILTER_NEAREST },
          { 1.1f, 1.3f, 1.6f, 1.9f },
          { 40, 30, 20, 10 },
          "and one that is mirrored" },
        { { 0, COHORT_ADDRESSING_CLAMP, COHORT_FILTER_NEAREST },
          { -2, 0.5f, 3.5f, 4.5f },
          { 0, 10, 40, 0 },
          "nothing outside" },
    };
    static const float x[4] = { 10, 20, 30, 40 };
    cohort_function *f = make(&sampled);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float found[4] = { 0 };
        cohort_value *y = cohort_value_create(s);
        bool is_right = good(cohort_run(s, f, COHORT_ARRAY(x, 4), COHORT_BYTES(&cases[i].how),
                                        COHORT_ARRAY(cases[i].at, 4), y) == COHORT_OK) &&
                        good(cohort_value_read(y, COHORT_ARRAY(found, 4)) == COHORT_OK);
        for (int k = 0; k < 4 && is_right; k++)
            is_right = good(fabsf(found[k] - cases[i].wanted[k]) < 0.25f);
        if (!is_right)
            diag("%g %g %g %g", (double)found[0], (double)found[1], (double)found[2],
                 (double)found[3]);
        ok(is_right, "a sampler gives %s", cases[i].words);
        cohort_value_destroy(y);
    }
    cohort_function_destroy(f);
}

/* ---- Recorded steps. */

typedef struct loop {
    cohort_function *f;
    cohort_value *x, *y;
} loop;

static cohort_status step(cohort_strategy *strategy, cohort_value *const batch[], void *user)
{
    const loop *l = user;
    (void)batch;
    return cohort_run(strategy, l->f, l->x, l->y, 2, 3);
}

static void steps(void)
{
    float x[6] = { 1, 2, 3, 4, 5, 6 };
    loop l = { make(&invert), cohort_value_plain(s, COHORT_ARRAY(x, 2, 3)),
               cohort_value_create(s) };
    cohort_program *p = cohort_program_record(s, step, &l, NULL, 0);
    bool is_right = good(p != NULL);
    for (int replay = 0; replay < 4 && is_right; replay++) {
        float found[6] = { 0 };
        x[replay] = (float)(10 * replay);
        is_right = good(cohort_value_set(l.x, COHORT_ARRAY(x, 2, 3)) == COHORT_OK) &&
                   good(cohort_program_run(p, NULL, 1) == COHORT_OK) &&
                   good(cohort_value_read(l.y, COHORT_ARRAY(found, 2, 3)) == COHORT_OK);
        for (int i = 0; i < 6 && is_right; i++)
            is_right = good(found[i] == 1 - x[i]);
    }
    ok(is_right, "a recorded step reads what the image has now");
    cohort_program_destroy(p);
    cohort_value_destroy(l.x);
    cohort_value_destroy(l.y);
    cohort_function_destroy(l.f);
}

/* What is kept of a call depends on the extents, though no number of the prototype does. */
static void reshaped(void)
{
    static const body b = { "void f(image2d_t x, out int y[2])", "1",
                            "kernel void f(read_only image2d_t x, global int *y)\n"
                            "{ y[0] = get_image_height(x); y[1] = get_image_width(x); }",
                            NULL };
    static const float x[6];
    static const int64_t shapes[][2] = { { 2, 3 }, { 2, 3 }, { 2, 3 }, { 3, 2 },
                                         { 3, 2 }, { 1, 6 }, { 3, 2 }, { 1, 1 } };
    cohort_function *f = make(&b);
    cohort_value *v = cohort_value_plain(s, COHORT_ARRAY(x, 2, 3)), *y = cohort_value_create(s);
    bool is_right = true;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && is_right; i++) {
        int32_t found[2] = { 0 };
        is_right =
            good(cohort_value_set(v, COHORT_ARRAY(x, shapes[i][0], shapes[i][1])) == COHORT_OK) &&
            good(cohort_run(s, f, v, y) == COHORT_OK) &&
            good(cohort_value_read(y, COHORT_ARRAY(found, 2)) == COHORT_OK) &&
            good(found[0] == shapes[i][0] && found[1] == shapes[i][1]);
    }
    ok(is_right, "an image has the extents that its value has now");
    cohort_value_destroy(v);
    cohort_value_destroy(y);
    cohort_function_destroy(f);
}

/* ---- What is refused. */

static void fails(cohort_status wanted, cohort_status status, const char *why, const char *claim)
{
    status = status < 0 ? status : cohort_wait(s);
    ok(status == wanted, "%s is refused: %d", claim, (int)status);
    has_text(cohort_error_text(), why, "with the reason");
    (void)cohort_strategy_recover(s);
}

static void wrong_calls(void)
{
    static const float x[60];
    static const double d[6];
    cohort_function *f = make(&invert), *sampling = make(&sampled);
    cohort_value *y = cohort_value_create(s);
    fails(COHORT_EINVAL, cohort_run(s, f, COHORT_ARRAY(x, 6), y, 2, 3),
          "x is an image2d_t: rows and columns", "a line");
    fails(COHORT_EINVAL, cohort_run(s, f, COHORT_ARRAY(x, 2, 3, 3), y, 2, 3),
          "the array is 2 x 3 x 3", "an image of three channels");
    fails(COHORT_EINVAL, cohort_run(s, f, COHORT_ARRAY(d, 2, 3), y, 2, 3), "float32",
          "another type of a channel");
    const cohort_sampler wrong = { 0, 9, 0 };
    fails(COHORT_EINVAL,
          cohort_run(s, sampling, COHORT_ARRAY(x, 4), COHORT_BYTES(&wrong), COHORT_ARRAY(x, 4), y),
          "argument 'how' is no sampler: addressing is none of cohort_addressing",
          "a wrong sampler");
    fails(COHORT_EINVAL, cohort_run(s, sampling, COHORT_ARRAY(x, 4), 1, COHORT_ARRAY(x, 4), y),
          "argument 'how' expects a struct (COHORT_BYTES)", "a number for a sampler");
    cohort_function *combines = cohort_function_parse(
        "void combines(read_only image1d_t a, read_write image1d_t b)", NULL, NULL);
    cohort_value *v = cohort_value_split(s, COHORT_ARRAY(x, 4));
    fails(COHORT_EINVAL,
          cohort_reduce_with(0, v, &(cohort_reduce_options){ .combine = combines }, y),
          "'a' of combines is an image; contributions are arrays", "one that combines");
    cohort_value_destroy(v);
    cohort_value_destroy(y);
    cohort_function_destroy(combines);
    cohort_function_destroy(f);
    cohort_function_destroy(sampling);
}

/* What the device says of itself is not asked here: a format that it has is no error. */
static void formats_that_are_not(void)
{
    static const body two = {
        "void f(image2d_t x, out float y[4])", "4",
        "kernel void f(read_only image2d_t x, global float *y)\n"
        "{ int i = get_global_id(0); y[i] = read_imagef(x, (int2)(i, 0)).y; }",
        NULL
    };
    float x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, found[4] = { 0 };
    cohort_function *f = make(&two);
    cohort_value *y = cohort_value_create(s);
    cohort_status status = cohort_run(s, f, COHORT_ARRAY(x, 1, 4, 2), y);
    status = status < 0 ? status : cohort_value_read(y, COHORT_ARRAY(found, 4));
    if (status == COHORT_OK)
        ok(found[0] == 2 && found[3] == 8, "two channels are red and green");
    else
        ok(status == COHORT_ENOTSUP &&
               strstr(cohort_error_text(), "this device has no image2d_t of "
                                           "2 channels of float32") != NULL,
           "two channels, which the device has not, are refused: %s", cohort_error_text());
    (void)cohort_strategy_recover(s);
    enum { WIDE = 1 << 21 };
    float *line = calloc(WIDE, sizeof *line);
    fails(COHORT_ENOTSUP, cohort_run(s, f, COHORT_ARRAY(line, 1, WIDE), y),
          "argument 'x': an image2d_t of 2097152 x 1 x 1; this device has at most ",
          "an image that is too wide");
    cohort_wait(s);
    free(line);
    cohort_value_destroy(y);
    cohort_function_destroy(f);
}

static void wrong_kernels(void)
{
    static const struct {
        body b;
        const char *why;
    } cases[] = {
        { { "void f(image2d_t x)", "1", "kernel void f(global const float *x) { }", NULL },
          "'global const float *' in the kernel, read_only image2d_t in the prototype" },
        { { "void f(global const float *x)", "1", "kernel void f(read_only image2d_t x) { }",
            NULL },
          "'read_only image2d_t' in the kernel, array of float32 in the prototype" },
        { { "void f(image2d_t x)", "1", "kernel void f(read_only image3d_t x) { }", NULL },
          "'read_only image3d_t' in the kernel, read_only image2d_t in the prototype" },
        { { "void f(image2d_t x)", "1", "kernel void f(write_only image2d_t x) { }", NULL },
          "'write_only image2d_t' in the kernel, read_only image2d_t in the prototype" },
        { { "void f(sampler_t x)", "1", "kernel void f(int x) { }", NULL },
          "'int' in the kernel, sampler_t in the prototype" },
        { { "void f(int x)", "1", "kernel void f(sampler_t x) { }", NULL },
          "'sampler_t' in the kernel, int32 in the prototype" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cohort_function *f = make(&cases[i].b);
        ok(cohort_function_check(f, "opencl:0") == COHORT_EINVAL, "%s is refused for %s",
           cases[i].b.prototype, cases[i].b.source);
        has_text(cohort_error_text(), cases[i].why, "with both");
        cohort_function_destroy(f);
    }
}

static void none(void)
{
}

static void wrong_devices(void)
{
    static const struct {
        const char *devices, *format, *prototype, *why;
    } cases[] = {
        { "host:0", "native.fn", "void f(image2d_t x)",
          "argument x is an image, which a C function" },
        { "loopback", "native.fn", "void f(image2d_t x)", "is an image, which a C function" },
        { "stream", "native.fn", "void f(sampler_t how)", "argument how is a sampler" },
        { "opencl:0", "opencl.enqueue", "void f(image2d_t x)", "which only kernels have" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cohort_function *f = cohort_function_parse(cases[i].prototype, NULL, NULL);
        (void)cohort_function_add_body(
            f, &(cohort_body){ .format = cases[i].format, .fn = none, .global = "1" });
        ok(cohort_function_check(f, cases[i].devices) == COHORT_ENOTSUP, "%s takes none",
           cases[i].devices);
        has_text(cohort_error_text(), cases[i].why, "and says so");
        cohort_function_destroy(f);
    }
    cohort_function *f = make(&invert);
    ok(cohort_function_check(f, "host:0") == COHORT_EINCOMPATIBLE,
       "a device that takes no kernel says that: %s", cohort_error_text());
    cohort_function_destroy(f);
}

/* What a check does to bodies it does not do to these. */
static void checked(void)
{
    float x[H * W] = { 1, 2, 3 };
    cohort_function *f = make(&invert);
    cohort_strategy *own = cohort_strategy_create(
        &(cohort_strategy_options){ .devices = "opencl:0", .replicas = 1, .check = "bodies" });
    cohort_value *y = cohort_value_create(own);
    ok(good(cohort_run(own, f, COHORT_ARRAY(x, H, W), y, H, W) == COHORT_OK) &&
           is_inverted(y, x, H),
       "a body with images runs unchecked");
    cohort_strategy_destroy(own);
    cohort_function_destroy(f);
}

static void all(void)
{
    s = cohort_mirrored("opencl:0");
    wrong_calls();
    formats_that_are_not();
    wrong_kernels();
    wrong_devices();
    shares();
    bytes_as_fractions();
    blue_first();
    numbers();
    halves();
    kinds();
    read_and_written();
    samplers();
    steps();
    reshaped();
    checked();
    cohort_strategy_destroy(s);
}

/* A device without images says so when a kernel is built. */
static bool has_images(void)
{
    s = cohort_mirrored("opencl:0");
    if (s == NULL)
        return false;
    cohort_function *f = make(&invert);
    cohort_status status = cohort_function_check(f, "opencl:0");
    if (status == COHORT_ENOTSUP)
        has_text(cohort_error_text(), "has no images", "a device without images says so");
    cohort_function_destroy(f);
    cohort_strategy_destroy(s);
    return status != COHORT_ENOTSUP;
}

/* Parts of a device have images, or say that they have none. */
static void parts(void)
{
    static const body b = { "void f(image2d_t x, out int y[1])", "1",
                            "kernel void f(read_only image2d_t x, global int *y)\n"
                            "{ y[0] = get_image_height(x); }",
                            NULL };
    static const float x[6];
    cohort_strategy *own = cohort_mirrored("opencl:0/2");
    if (own == NULL) {
        skip("images on parts of a device", cohort_error_text());
        return;
    }
    cohort_function *f = make(&b);
    cohort_value *v = cohort_value_plain(own, COHORT_ARRAY(x, 2, 3)), *y = cohort_value_create(own);
    cohort_status status = cohort_run(own, f, v, y);
    if (status >= 0)
        status = cohort_wait(own);
    ok(status == COHORT_OK || (status == COHORT_ENOTSUP && strstr(cohort_error_text(), "parts")),
       "parts of a device have images, or say that they have none: %s", cohort_error_text());
    cohort_strategy_destroy(own);
    cohort_function_destroy(f);
}

int main(void)
{
    if (!has_images())
        return skip_all("no OpenCL device that has images");
    int64_t blocks = 0;
    for (int turn = 0; turn < 2; turn++) { /* plugins stay that the first one loads */
        blocks = cohort_memory_blocks();
        all();
        parts();
    }
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
