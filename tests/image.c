/* SPDX-License-Identifier: BSD-3-Clause */
/* Images and samplers as parameters: which words make one, what an array has to be, and what the
 * solver says of extents. tests/opencl_image.c runs kernels. */
#include <cohort/cohort.h>

#include "runtime/base/memory.h"
#include "runtime/function/bounds.h"
#include "runtime/function/image.h"
#include "runtime/function/signature.h"
#include "tests/tap.h"

static const cohort_signature *signature;
static cohort_function *function;

static const cohort_signature *parse(const char *text)
{
    cohort_signature_release(signature);
    signature = NULL;
    cohort_function_destroy(function);
    function = cohort_function_parse(text, NULL, NULL);
    if (function != NULL && (signature = cohort_signature_of(function)) != NULL)
        cohort_signature_retain(signature);
    return signature;
}

static void refuses(const char *text, const char *message)
{
    int64_t blocks = (parse("void f(void)"), cohort_memory_blocks());
    ok(cohort_function_parse(text, NULL, NULL) == NULL, "%s is refused", text);
    has_text(cohort_error_text(), message, "with the reason");
    ok(cohort_memory_blocks() == blocks, "and leaves nothing");
}

static void wrong_words(void)
{
    refuses("void f(read_only image2d_t *x)", "x is an image, which has the extents of its array");
    refuses("void f(image2d_t x[4])", "it takes no star, no brackets and no COHORT_SHAPE");
    refuses("void f(image2d_t x COHORT_SHAPE(4, 4))", "it takes no star, no brackets");
    refuses("void f(global image2d_t x)", "x is an image, which has no address space");
    refuses("void f(const write_only image2d_t x)", "x is written, which cannot be const");
    refuses("void f(out image2d_t x)", "x is an output: write write_only");
    refuses("void f(out read_write image2d_t x)", "x is an output: write write_only");
    refuses("void f(read_only write_only image2d_t x)", "'write_only' is another use of an image");
    refuses("void f(double image2d_t x)", "has channels of a type that images have not");
    refuses("void f(long image3d_t x)", "integers of 8, 16 or 32 bits, half or float");
    refuses("void f(float4 image2d_t x)", "how many there are the array says");
    refuses("void f(norm image2d_t x)", "is norm, which takes channels of 8 or 16 bits");
    refuses("void f(norm uint image2d_t x)", "norm uchar image2d_t");
    refuses("void f(image2d_t image3d_t x)", "makes no type together");
    refuses("void f(read_only float x)", "has words of an image");
    refuses("void f(norm uchar x)", "x has words of an image");
    refuses("void f(bgra global uchar *x)", "and is none");
    refuses("void f(sampler_t *s)", "s is a sampler, which is passed by value");
    refuses("void f(out sampler_t s)", "s is a sampler, which is passed by value");
    refuses("void f(float sampler_t s)", "found 's'");
    refuses("void f(image2d_depth_t x)",
            "images of depths, and of several samples, are not passed");
    refuses("void f(image2d_array_msaa_t x)", "use image2d_t");
    refuses("void f(read_only image2_t x)", "did you mean 'image2d_t'?");
    refuses("image2d_t f(int n)", "images and samplers cannot be returned");
    refuses("sampler_t f(int n)", "images and samplers cannot be returned");
    refuses("void f(int n, float y[n], image2d_t n2 COHORT_IS(n))", "it takes no star");
}

static void wrong_places(void)
{
    static const cohort_type holds = { "holds", "{ image2d_t x; }", 0, 0 };
    static const cohort_type also = { "also", "sampler_t", 0, 0 };
    const cohort_type *const members[] = { &holds, NULL }, *const names[] = { &also, NULL };
    ok(cohort_function_parse("void f(holds x)", NULL, members) == NULL,
       "a member of a struct is refused");
    has_text(cohort_error_text(), "images and samplers are parameters, and no members",
             "with the reason");
    ok(cohort_function_parse("void f(also x)", NULL, names) == NULL, "so is another name");
    has_text(cohort_error_text(), "images and samplers have no other name here", "in words");
    const cohort_function items = { .struct_size = sizeof items,
                                    .name = "f",
                                    .returns = "void",
                                    .prototype = "(int64_t n, image2d_t x, float y[n])",
                                    .item = "i",
                                    .count = "n",
                                    .item_body = "{ y[i] = 0; }" };
    ok(cohort_signature_create(&items) == NULL, "the body of an item has none");
    has_text(cohort_error_text(), "'x' is an image or a sampler", "and says which");
}

/* ---- What is read. */

static void kinds(void)
{
    static const struct {
        const char *text;
        uint32_t kind, type, dir;
    } cases[] = {
        { "read_only image2d_t x", COHORT_ARG_IMAGE_2D, COHORT_F32, COHORT_READ },
        { "image2d_t x", COHORT_ARG_IMAGE_2D, COHORT_F32, COHORT_READ },
        { "const image3d_t x", COHORT_ARG_IMAGE_3D, COHORT_F32, COHORT_READ },
        { "__write_only image1d_t x", COHORT_ARG_IMAGE_1D, COHORT_F32, COHORT_WRITE },
        { "out write_only image1d_array_t x", COHORT_ARG_IMAGE_1D_ARRAY, COHORT_F32, COHORT_WRITE },
        { "read_write image2d_array_t x", COHORT_ARG_IMAGE_2D_ARRAY, COHORT_F32,
          COHORT_READ | COHORT_WRITE },
        { "half image1d_buffer_t x", COHORT_ARG_IMAGE_1D_BUFFER, COHORT_F16, COHORT_READ },
        { "read_only unsigned char image2d_t x", COHORT_ARG_IMAGE_2D, COHORT_U8, COHORT_READ },
        { "int write_only image2d_t x", COHORT_ARG_IMAGE_2D, COHORT_I32, COHORT_WRITE },
        { "read_only norm uchar image2d_t x", COHORT_ARG_IMAGE_2D, COHORT_U8,
          COHORT_READ | COHORT_PIXEL_NORM },
        { "bgra norm short image2d_t x", COHORT_ARG_IMAGE_2D, COHORT_I16,
          COHORT_READ | COHORT_PIXEL_NORM | COHORT_PIXEL_BGRA },
        { "uchar bgra image2d_t x", COHORT_ARG_IMAGE_2D, COHORT_U8,
          COHORT_READ | COHORT_PIXEL_BGRA },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[120];
        (void)snprintf(text, sizeof text, "kernel void f(%s)", cases[i].text);
        const cohort_signature *s = parse(text);
        if (s == NULL)
            diag("%s", cohort_error_text());
        const cohort_arg *arg = s != NULL ? s->sig.args : NULL;
        ok(arg != NULL && arg->kind == cases[i].kind && arg->type == cases[i].type &&
               arg->dir == cases[i].dir && arg->size == s->parameters[0].bytes &&
               s->n_passed == 1 && s->parameters[0].is_unsized,
           "%s", cases[i].text);
    }
    const cohort_signature *s = parse("kernel void f(const sampler_t s, float norm, int bgra, "
                                      "global int *image2d_t, uint read_only, sampler_t t)");
    ok(s != NULL && s->sig.args[0].kind == COHORT_ARG_SAMPLER &&
           s->sig.args[0].size == sizeof(cohort_sampler) && s->parameters[0].is_sampler &&
           s->sig.args[0].type == s->sig.args[5].type && s->sig.ntypes == 1,
       "a sampler is a struct, and the words are good names");
    is_text(s != NULL ? cohort_signature_type_name(s, s->parameters[0].type) : "", "sampler_t",
            "with the type's name");
    cohort_parameter_info info = { .struct_size = sizeof info };
    ok(parse("void f(int n, uchar image2d_t x, sampler_t s)") != NULL &&
           cohort_function_parameter(function, 1, &info) == COHORT_OK &&
           info.kind == COHORT_PARAMETER_ARRAY && info.dtype == COHORT_U8 && info.rank == 0 &&
           cohort_function_parameter(function, 2, &info) == COHORT_OK &&
           info.kind == COHORT_PARAMETER_STRUCT && info.item_bytes == 12,
       "programs are told of an array of any rank, and of a struct");
}

/* ---- Extents. */

static cohort_bounds bounds;

static bool is_image(cohort_extents array, cohort_image wanted)
{
    cohort_image found = { 0 };
    bounds = (cohort_bounds){ .arrays = { array } };
    if (cohort_bounds_solve(signature, "", &bounds) != COHORT_OK)
        return diag("%s", cohort_error_text()), false;
    return cohort_image_describe(&signature->parameters[0], bounds.arrays[0].rank,
                                 bounds.arrays[0].shape, &found) &&
           found.channels == wanted.channels && found.width == wanted.width &&
           found.height == wanted.height && found.depth == wanted.depth;
}

static void extents(void)
{
#define WHDC(w, h, d, c) (cohort_image){ .width = w, .height = h, .depth = d, .channels = c }
    (void)parse("void f(image2d_t x)");
    ok(is_image((cohort_extents){ 2, { 3, 5 } }, WHDC(5, 3, 1, 1)), "rows and columns");
    ok(is_image((cohort_extents){ 3, { 3, 5, 4 } }, WHDC(5, 3, 1, 4)), "and channels");
    ok(is_image((cohort_extents){ 3, { 3, 5, 1 } }, WHDC(5, 3, 1, 1)), "or one channel");
    ok(is_image((cohort_extents){ 2, { 0, 5 } }, WHDC(5, 0, 1, 1)), "a share may have no rows");
    (void)parse("void f(image1d_t x)");
    ok(is_image((cohort_extents){ 1, { 7 } }, WHDC(7, 1, 1, 1)), "a line");
    (void)parse("void f(image1d_buffer_t x)");
    ok(is_image((cohort_extents){ 2, { 7, 2 } }, WHDC(7, 1, 1, 2)), "of two channels");
    (void)parse("void f(image1d_array_t x)");
    ok(is_image((cohort_extents){ 2, { 6, 7 } }, WHDC(7, 1, 6, 1)), "layers of lines");
    (void)parse("void f(image2d_array_t x)");
    ok(is_image((cohort_extents){ 4, { 6, 3, 5, 4 } }, WHDC(5, 3, 6, 4)), "layers of images");
    (void)parse("void f(image3d_t x)");
    ok(is_image((cohort_extents){ 3, { 6, 3, 5 } }, WHDC(5, 3, 6, 1)), "slices");
}

static void fails(cohort_extents x, cohort_extents y, const char *message)
{
    bounds = (cohort_bounds){ .arrays = { x, y } };
    ok(cohort_bounds_solve(signature, ", replica 1 on opencl:0", &bounds) == COHORT_EINVAL,
       "%s is refused", message);
    is_text(cohort_error_text(), message, "in words");
}

static void wrong_extents(void)
{
    const cohort_extents none = { -1, { 0 } };
    (void)parse("void f(image2d_t x, write_only image2d_t y)");
    fails(
        (cohort_extents){ 1, { 5 } }, none,
        "f, replica 1 on opencl:0: x is an image2d_t: rows and columns, and then 2 or 4 channels, "
        "or nothing, which is one channel; the array is 5");
    fails(
        (cohort_extents){ 3, { 4, 5, 3 } }, none,
        "f, replica 1 on opencl:0: x is an image2d_t: rows and columns, and then 2 or 4 channels, "
        "or nothing, which is one channel; the array is 4 x 5 x 3");
    bounds = (cohort_bounds){ .arrays = { { 2, { 4, 5 } }, none } };
    ok(cohort_bounds_solve(signature, "", &bounds) == COHORT_OK && bounds.arrays[1].rank == 2 &&
           bounds.arrays[1].shape[0] == 4 && bounds.arrays[1].shape[1] == 5,
       "an output is as the image that is read");
    (void)parse("void f(image2d_t x, write_only image3d_t y)");
    fails((cohort_extents){ 2, { 4, 5 } }, none,
          "f, replica 1 on opencl:0: nothing says how large y is: make y with "
          "cohort_value_shaped");
    (void)parse("void f(image2d_t x, write_only bgra norm uchar image2d_t y)");
    fails((cohort_extents){ 2, { 4, 5 } }, none,
          "f, replica 1 on opencl:0: y is an image2d_t: rows and columns, and then 4 channels "
          "(bgra); the array is 4 x 5");
}

static void samplers(void)
{
    static const struct {
        cohort_sampler sampler;
        const char *why;
    } cases[] = {
        { { 2, 0, 0 }, "is_normalized is neither 0 nor 1" },
        { { 0, 5, 0 }, "addressing is none of cohort_addressing" },
        { { 0, 0, 2 }, "filter is none of cohort_filter" },
        { { 0, COHORT_ADDRESSING_REPEAT, 0 }, "it repeats, which takes coordinates" },
        { { 0, COHORT_ADDRESSING_MIRRORED_REPEAT, 1 }, "it repeats, which takes coordinates" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        has_text(cohort_sampler_fault(&cases[i].sampler), cases[i].why, "a sampler is refused");
    ok(cohort_sampler_fault(&(cohort_sampler){ 1, COHORT_ADDRESSING_REPEAT, 1 }) == NULL &&
           cohort_sampler_fault(&(cohort_sampler){ 0, COHORT_ADDRESSING_CLAMP, 1 }) == NULL &&
           cohort_sampler_fault(&(cohort_sampler){ 0, 0, 0 }) == NULL,
       "and others are none");
}

int main(void)
{
    (void)parse("void f(void)");
    int64_t blocks = cohort_memory_blocks();
    wrong_words();
    wrong_places();
    kinds();
    extents();
    wrong_extents();
    samplers();
    (void)parse("void f(void)");
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    cohort_signature_release(signature);
    cohort_function_destroy(function);
    return tap_done();
}
