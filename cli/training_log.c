/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs of trainings. They are written at the end, since a file that is there is a whole one. Those
 * of TensorBoard are two, of the names that Keras gives them, so that both curves share a chart. */
#include "config.h"

#include "cli/training_log.h"

#include "cli/ascii.h"
#include "cli/cli.h"
#include "cli/event_file.h"
#include "cli/json.h"
#include "cli/output.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const format_names[] = { [TRAINING_LOG_BY_NAME] = "",
                                            [TRAINING_LOG_CSV] = "csv",
                                            [TRAINING_LOG_JSON_LINES] = "jsonl",
                                            [TRAINING_LOG_TENSORBOARD] = "tensorboard" };

/* ------------------------------------------------------------------ rows */

typedef struct row {
    bool is_epoch; /* else of steps */
    int64_t epoch, step;
    figures training, validation;
    double time;
} row;

typedef struct rows {
    const training *t;
    int64_t epochs, epoch, at; /* those that come next, epoch from 0 */
} rows;

/* Those of its steps stand before that of an epoch. */
static bool next_row(rows *r, row *out)
{
    const training_steps *s = &r->t->steps[r->at];
    if (r->epoch == r->epochs)
        return false;
    if (r->at < r->t->n_steps && s->epoch == r->epoch + 1) {
        *out = (row){ false, s->epoch, s->step, s->training, { 0, 0 }, s->time };
        r->at++;
        return true;
    }
    const training_epoch *e = &r->t->epoch[r->epoch++];
    *out = (row){ true,        r->epoch,      r->epoch * r->t->steps_per_epoch,
                  e->training, e->validation, e->time };
    return true;
}

/* ------------------------------------------------------------------ formats */

static void write_csv(FILE *file, const void *what)
{
    rows all = *(const rows *)what;
    fprintf(file, "kind,epoch,step,loss,accuracy,validation_loss,validation_accuracy,time\n");
    for (row r; next_row(&all, &r);) {
        fprintf(file, "%s,%" PRId64 ",%" PRId64 ",%.17g,%.17g,", r.is_epoch ? "epoch" : "steps",
                r.epoch, r.step, r.training.loss, r.training.accuracy);
        if (r.is_epoch)
            fprintf(file, "%.17g,%.17g", r.validation.loss, r.validation.accuracy);
        fprintf(file, "%s,%.6f\n", r.is_epoch ? "" : ",", r.time);
    }
}

static void write_json_lines(FILE *file, const void *what)
{
    rows all = *(const rows *)what;
    for (row r; next_row(&all, &r);) {
        json out = { .file = file, .is_line = true };
        json_object(&out, NULL);
        json_text(&out, "kind", r.is_epoch ? "epoch" : "steps");
        json_integer(&out, "epoch", r.epoch);
        json_integer(&out, "step", r.step);
        json_real(&out, "loss", r.training.loss);
        json_real(&out, "accuracy", r.training.accuracy);
        if (r.is_epoch) {
            json_real(&out, "validation_loss", r.validation.loss);
            json_real(&out, "validation_accuracy", r.validation.accuracy);
        }
        json_real(&out, "time", r.time);
        json_object_end(&out);
    }
}

static void write_training_events(FILE *file, const void *what)
{
    rows all = *(const rows *)what;
    event_file_begin(file, all.t->epoch[0].time);
    for (row r; next_row(&all, &r);) {
        int64_t step = r.is_epoch ? r.epoch : r.step;
        event_file_scalar(file, r.time, step, r.is_epoch ? "epoch_loss" : "batch_loss",
                          r.training.loss);
        event_file_scalar(file, r.time, step, r.is_epoch ? "epoch_accuracy" : "batch_accuracy",
                          r.training.accuracy);
    }
}

static void write_validation_events(FILE *file, const void *what)
{
    rows all = *(const rows *)what;
    event_file_begin(file, all.t->epoch[0].time);
    for (row r; next_row(&all, &r);)
        if (r.is_epoch) {
            event_file_scalar(file, r.time, r.epoch, "epoch_loss", r.validation.loss);
            event_file_scalar(file, r.time, r.epoch, "epoch_accuracy", r.validation.accuracy);
        }
}

/* ------------------------------------------------------------------ TensorBoard's folders */

static bool fail_at(const char *path)
{
    return cli_fail(EXIT_FAILED, "%s: %s", path, strerror(errno)), false;
}

static bool make_folder(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno != EEXIST || stat(path, &status) != 0)
        return fail_at(path);
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode) || fail_at(path);
}

/* TensorBoard wants the first words; the others keep trainings apart. */
static void name_events(char *out, size_t size)
{
    char host[65] = "";
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        strcpy(host, "localhost");
    for (char *p = host; *p != '\0'; p++)
        *p = *p == '/' ? '-' : *p;
    (void)snprintf(out, size, "events.out.tfevents.%010" PRId64 ".%s.%ld.0", (int64_t)time(NULL),
                   host, (long)getpid());
}

static bool write_events(training_log *log, const char *run, output_draw_fn write, const rows *all)
{
    char name[160], *path = log->file[log->files];
    size_t size = sizeof log->file[0];
    name_events(name, sizeof name);
    size_t length = strlen(log->path);
    while (length > 1 && log->path[length - 1] == '/')
        length--;
    if (snprintf(path, size, "%.*s/%s/%s", (int)length, log->path, run, name) >= (int)size) {
        errno = ENAMETOOLONG;
        return fail_at(log->path);
    }
    char *end = strrchr(path, '/');
    *end = '\0';
    bool is_there = make_folder(path);
    *end = '/';
    if (!is_there || !output_draw(path, write, all))
        return false;
    log->files++;
    return true;
}

bool training_log_write(training_log *log, const training *t, int64_t epochs)
{
    const rows all = { .t = t, .epochs = epochs };
    if (log->format == TRAINING_LOG_TENSORBOARD)
        return make_folder(log->path) && write_events(log, "train", write_training_events, &all) &&
               write_events(log, "validation", write_validation_events, &all);
    (void)snprintf(log->file[log->files++], sizeof log->file[0], "%s", log->path);
    return output_draw(log->path, log->format == TRAINING_LOG_CSV ? write_csv : write_json_lines,
                       &all);
}

/* ------------------------------------------------------------------ before the training */

bool training_log_read_format(const char *text, training_log_format *out)
{
    for (*out = TRAINING_LOG_CSV; *out <= TRAINING_LOG_TENSORBOARD; (*out)++)
        if (strcmp(text, format_names[*out]) == 0)
            return true;
    cli_fail(EXIT_USAGE, "--log-format %s: expected csv, jsonl or tensorboard", text);
    return false;
}

/* A folder is TensorBoard's, whether it is there or its name ends in a slash. */
static training_log_format format_of(const char *path)
{
    struct stat status;
    const char *slash = strrchr(path, '/'), *end = strrchr(slash != NULL ? slash : path, '.');
    if ((slash != NULL && slash[1] == '\0') ||
        (stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return TRAINING_LOG_TENSORBOARD;
    return end == NULL                 ? TRAINING_LOG_BY_NAME
           : ascii_same(end, ".csv")   ? TRAINING_LOG_CSV
           : ascii_same(end, ".jsonl") ? TRAINING_LOG_JSON_LINES
                                       : TRAINING_LOG_BY_NAME;
}

/* Of a/b/ it is a. */
static void folder_of(const char *path, char *out, size_t size)
{
    (void)snprintf(out, size, "%s", path);
    for (size_t n = strlen(out); n > 1 && out[n - 1] == '/';)
        out[--n] = '\0';
    char *slash = strrchr(out, '/');
    if (slash == NULL)
        strcpy(out, ".");
    else
        slash[slash == out] = '\0';
}

static int complain(const char *path, int error)
{
    cli_fail(EXIT_FAILED, "--log %s: %s", path, strerror(error));
    cli_fix("--log names what can be made in a folder that exists and that you may write to");
    return EXIT_FAILED;
}

int training_log_check(training_log *log)
{
    char folder[sizeof log->file[0]];
    struct stat status;
    if (log->format == TRAINING_LOG_BY_NAME)
        log->format = format_of(log->path);
    if (log->format == TRAINING_LOG_BY_NAME) {
        cli_fail(EXIT_USAGE, "--log %s: the name says no format", log->path);
        cli_fix(
            "end it with .csv, .jsonl, or with / for TensorBoard's folder; or add --log-format");
        return EXIT_USAGE;
    }
    if (strlen(log->path) >= sizeof folder)
        return complain(log->path, ENAMETOOLONG);
    bool is_there = stat(log->path, &status) == 0, is_folder = is_there && S_ISDIR(status.st_mode),
         wants_folder = log->format == TRAINING_LOG_TENSORBOARD;
    if (is_there && is_folder != wants_folder)
        return complain(log->path, wants_folder ? ENOTDIR : EISDIR);
    if (is_folder)
        (void)snprintf(folder, sizeof folder, "%s", log->path);
    else
        folder_of(log->path, folder, sizeof folder);
    if (access(folder, W_OK | X_OK) != 0)
        return complain(log->path, errno);
    return -1;
}
