/* SPDX-License-Identifier: BSD-3-Clause */
/* An image is an array whose extents the plugin needs: an unsized one (declaration.c), so that the
 * array of the call says how large it is, whose elements are the channels of its pixels. */
#include "config.h"

#include "runtime/function/image_declaration.h"

#include "runtime/base/error.h"

static cohort_status wrong(const cohort_declaration *d, const char *what)
{
    return cohort_lexer_error(d->lexer, d->name, "%s %s", d->parameter->name, what);
}

static bool is_channel(uint32_t type)
{
    char kind = cohort_dtype_kind((cohort_dtype)type);
    return type == COHORT_F16 || type == COHORT_F32 ||
           ((kind == 'i' || kind == 'u') && cohort_dtype_bytes((cohort_dtype)type) <= 4);
}

static bool is_fraction(uint32_t type)
{
    char kind = cohort_dtype_kind((cohort_dtype)type);
    return (kind == 'i' || kind == 'u') && cohort_dtype_bytes((cohort_dtype)type) <= 2;
}

static bool is_more_than_a_name(const cohort_declaration *d)
{
    return d->is_pointer || d->has_brackets || d->is_empty || d->has_shape || d->is_computed;
}

static cohort_status check_image(const cohort_declaration *d)
{
    const cohort_specifiers *s = &d->specifiers;
    bool is_written = (s->access & COHORT_WRITE) != 0;
    if (is_more_than_a_name(d))
        return wrong(d, "is an image, which has the extents of its array: it takes no star, no "
                        "brackets and no COHORT_SHAPE");
    if (s->space != COHORT_SPACE_NONE)
        return wrong(d, "is an image, which has no address space");
    if (s->is_const && is_written)
        return wrong(d, "is written, which cannot be const");
    if (s->is_out && s->access != COHORT_WRITE)
        return wrong(d, "is an output: write write_only");
    if (s->vector != NULL || !is_channel(s->type))
        return wrong(d, "has channels of a type that images have not: integers of 8, 16 or 32 "
                        "bits, half or float; how many there are the array says");
    if ((s->pixel & COHORT_PIXEL_NORM) != 0 && !is_fraction(s->type))
        return wrong(d, "is norm, which takes channels of 8 or 16 bits: norm uchar image2d_t");
    return COHORT_OK;
}

static cohort_status become_image(cohort_declaration *d)
{
    cohort_parameter *p = d->parameter;
    const cohort_specifiers *s = &d->specifiers;
    cohort_status status = check_image(d);
    if (status != COHORT_OK)
        return status;
    p->role = COHORT_ROLE_ARRAY;
    p->direction = s->access != 0 ? s->access : COHORT_READ;
    p->type = s->type;
    p->bytes = (uint32_t)cohort_dtype_bytes((cohort_dtype)s->type);
    p->image = s->image;
    p->pixel = s->pixel;
    cohort_declaration_leave_unsized(p);
    return COHORT_OK;
}

static cohort_status become_sampler(cohort_declaration *d)
{
    cohort_parameter *p = d->parameter;
    if (is_more_than_a_name(d) || d->specifiers.is_out || d->specifiers.space != COHORT_SPACE_NONE)
        return wrong(d, "is a sampler, which is passed by value");
    p->role = COHORT_ROLE_STRUCT;
    p->is_sampler = true;
    p->bytes = sizeof(cohort_sampler);
    return cohort_types_sampler(d->types, d->lexer, d->specifiers.token, &p->type);
}

cohort_status cohort_image_declaration_assign_role(cohort_declaration *d, bool *out_is)
{
    const cohort_specifiers *s = &d->specifiers;
    *out_is = cohort_specifiers_is_image(s);
    if (!*out_is)
        return COHORT_OK;
    if (s->image != 0)
        return become_image(d);
    if (s->access != 0 || s->pixel != 0)
        return wrong(d, "has words of an image (read_only, write_only, read_write, norm, bgra) and "
                        "is none");
    return become_sampler(d);
}
