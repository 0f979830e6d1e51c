/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies as real code has them: the bits of each are those that are written down, on the host and
 * on every OpenCL device. tests/bodies_bits.t compiles this with other compilers, at other levels.
 *
 * usage: bodies [DEVICE]   prints name and digest of each, as they are on that device */
#include "config.h"

#include "tests/bodies/bodies.h"
#include "tests/tap.h"

#include <inttypes.h>

enum { MOST_BYTES = 1 << 17 };
#define DIGEST_BEGIN UINT64_C(0xcbf29ce484222325)

uint8_t bodies_image[BODIES_ROWS * BODIES_COLUMNS * 3];
float bodies_floats[BODIES_N], bodies_units[BODIES_N];
int32_t bodies_ints[BODIES_N];
uint32_t bodies_words[BODIES_N];
uint64_t bodies_longs[BODIES_N];

static const bodies_case *const kinds[] = { bodies_of_images,  bodies_of_integers,
                                            bodies_of_exits,   bodies_of_stencils,
                                            bodies_of_sums,    bodies_of_helpers,
                                            bodies_of_numbers, bodies_of_draws };
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Floats of 20 powers of two, some of them 0. */
static void fill(void)
{
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof bodies_image; i++)
        bodies_image[i] = (uint8_t)(i % 13 == 0 ? i / 13 : draw(&state));
    for (int i = 0; i < BODIES_N; i++) {
        bodies_longs[i] = draw(&state);
        bodies_words[i] = (uint32_t)draw(&state);
        bodies_ints[i] = (int32_t)((uint32_t)(draw(&state) >> 32 >> i % 20) - (1U << 30 >> i % 20));
        bodies_units[i] = (float)(draw(&state) >> 40) / (1 << 24);
        bodies_floats[i] = (float)((int64_t)(draw(&state) >> 40) - (1 << 23)) / (float)(1 << 23);
        bodies_floats[i] *= i % 50 == 0 ? 0 : (float)(1 << i % 20) / 1024;
    }
}

/* ------------------------------------------------------------------ digests */

/* FNV-1a over numbers, the least byte first. */
static void add_numbers(uint64_t *digest, const void *numbers, int64_t n, int bytes)
{
    for (int64_t i = 0; i < n; i++) {
        const unsigned char *at = (const unsigned char *)numbers + i * bytes;
        uint64_t number = bytes == 1   ? *at
                          : bytes == 2 ? *(const uint16_t *)(const void *)at
                          : bytes == 4 ? *(const uint32_t *)(const void *)at
                                       : *(const uint64_t *)(const void *)at;
        for (int k = 0; k < bytes; k++)
            *digest = (*digest ^ (number >> 8 * k & 0xff)) * UINT64_C(0x100000001b3);
    }
}

static cohort_status add_value(uint64_t *digest, cohort_value *v)
{
    static _Alignas(64) unsigned char bytes[MOST_BYTES];
    cohort_array a = { .data = bytes };
    int64_t n = 1;
    a.rank = cohort_value_shape(v, 0, &a.dtype, a.shape);
    if (a.rank < 0)
        return COHORT_EINVAL;
    for (int k = 0; k < a.rank; k++)
        n *= a.shape[k];
    int each = (int)cohort_dtype_bytes(a.dtype);
    if (n * each > MOST_BYTES)
        return COHORT_ENOMEM;
    cohort_status status = cohort_value_read(v, a);
    if (status >= 0)
        add_numbers(digest, bytes, n, each);
    return status;
}

/* 0: it failed, and why stands in cohort_error_text(). */
static uint64_t digest_of(cohort_strategy *s, const bodies_case *c)
{
    uint64_t digest = DIGEST_BEGIN;
    cohort_value *v[BODIES_OUTPUTS];
    for (int i = 0; i < BODIES_OUTPUTS; i++)
        v[i] = cohort_value_create(s);
    cohort_status status = c->call(s, v);
    for (int i = 0; i < c->outputs && status >= 0; i++)
        status = add_value(&digest, v[i]);
    for (int i = 0; i < BODIES_OUTPUTS; i++)
        cohort_value_destroy(v[i]);
    return status < 0 ? 0 : digest;
}

/* ------------------------------------------------------------------ devices */

static void test_device(const char *id)
{
    cohort_strategy *s = cohort_one_device(id);
    ok(s != NULL, "%s opens", id);
    for (int k = 0; k < KINDS; k++)
        for (const bodies_case *c = kinds[k]; c->name != NULL; c++) {
            uint64_t digest = digest_of(s, c);
            if (!ok(digest == c->digest, "%s on %s has its bits", c->name, id))
                diag("%016" PRIx64 " %s", digest, digest == 0 ? cohort_error_text() : "");
        }
    cohort_strategy_destroy(s);
}

/* A body that does not run there has no digest. */
static bool print_digest(cohort_strategy *s, const bodies_case *c)
{
    uint64_t digest = digest_of(s, c);
    if (digest != 0)
        printf("%s %016" PRIx64 "\n", c->name, digest);
    else
        printf("%s -\n", c->name);
    if (digest == 0)
        fprintf(stderr, "%s: %s\n", c->name, cohort_error_text());
    return digest != 0;
}

static int print_digests(const char *id)
{
    bool are_good = true;
    for (int k = 0; k < KINDS; k++)
        for (const bodies_case *c = kinds[k]; c->name != NULL; c++) {
            cohort_strategy *s = cohort_one_device(id);
            are_good = print_digest(s, c) && are_good;
            cohort_strategy_destroy(s);
        }
    return are_good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    fill();
    if (argc > 1)
        return print_digests(argv[1]);
    if (!HAS_EQUAL_BITS)
        return skip_all(UNEQUAL_BITS);
    test_device("host");
    bool has_opencl = false;
    for (const cohort_device *d = cohort_device_next(NULL); d != NULL; d = cohort_device_next(d))
        if (strcmp(cohort_device_property(d, "plugin"), "opencl") == 0) {
            test_device(cohort_device_id(d));
            has_opencl = true;
        }
    if (!has_opencl)
        skip("the same on OpenCL devices", "no OpenCL device");
    return tap_done();
}
