/* SPDX-License-Identifier: BSD-3-Clause */
/* TensorBoard's event files: a TFRecord for each event, which is a protocol buffer of
 * tensorflow.Event. Sources: tensorflow/core/util/event.proto, framework/summary.proto. */
#ifndef COHORT_CLI_EVENT_FILE_H
#define COHORT_CLI_EVENT_FILE_H

#include <stdint.h>
#include <stdio.h>

/* The first event of every file. time: seconds since 1970. */
void event_file_begin(FILE *file, double time);

/* tag: at most EVENT_MOST_TAG bytes. TensorBoard keeps floats. */
enum { EVENT_MOST_TAG = 100 };
void event_file_scalar(FILE *file, double time, int64_t step, const char *tag, double value);

#endif
