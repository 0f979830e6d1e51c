/* SPDX-License-Identifier: BSD-3-Clause */
/* Saving where an input is, and going there again. */
#include "config.h"

#include "runtime/base/error.h"
#include "runtime/input/move.h"
#include "runtime/strategy/call.h"

static cohort_status write_file(const cohort_position *position, const char *file)
{
    cohort_status status = cohort_position_write(position, file);
    return status < 0 ? cohort_error_prefix(status, "cohort_input_save") : status;
}

static cohort_status save(const cohort_input *input, const char *file)
{
    cohort_position position = { 0 };
    cohort_status status = file != NULL ? cohort_move_position(input, &position)
                                        : cohort_error_null("cohort_input_save", "the path");
    if (status >= 0)
        status = write_file(&position, file);
    cohort_position_fini(&position);
    return status;
}

cohort_status cohort_input_save(const cohort_input *input, const char *file)
{
    cohort_status status =
        cohort_call_about(input, COHORT_HANDLE_INPUT, "cohort_input_save", "the input", NULL);
    if (status >= 0)
        status = cohort_call_enter(input->strategy, "cohort_input_save");
    if (status < 0)
        return status;
    return cohort_call_leave(input->strategy, save(input, file));
}

static cohort_status restore(cohort_input *input, cohort_position *position, const char *file)
{
    cohort_move move;
    cohort_status status = cohort_move_begin(&move, input, position, file);
    if (status >= 0)
        cohort_move_make(&move);
    return status;
}

static cohort_status restore_file(cohort_input *input, const char *file)
{
    cohort_position position = { 0 };
    if (file == NULL)
        return cohort_error_null("cohort_input_restore", "the path");
    cohort_status status = cohort_position_read(file, &position);
    if (status >= 0)
        status = restore(input, &position, file);
    else
        (void)cohort_error_prefix(status, "cohort_input_restore");
    cohort_position_fini(&position);
    return status;
}

cohort_status cohort_input_restore(cohort_input *input, const char *file)
{
    cohort_status status =
        cohort_call_about(input, COHORT_HANDLE_INPUT, "cohort_input_restore", "the input", NULL);
    if (status >= 0)
        status = cohort_call_enter(input->strategy, "cohort_input_restore");
    return status < 0 ? status : cohort_call_leave(input->strategy, restore_file(input, file));
}
