/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/top.h"

#include "cli/cli.h"
#include "cli/json.h"

/* A text that is empty where there is nothing to say. */
static void put_text(json *out, const char *key, const char *text)
{
    json_text(out, key, text[0] != '\0' ? text : NULL);
}

static void put_device(json *out, const cohort_monitor_device *d)
{
    json_object(out, NULL);
    json_text(out, "device", d->name);
    json_real(out, "busy", (double)d->busy_permille / 1000);
    json_integer(out, "queued", d->queued);
    json_integer(out, "memory", d->memory);
    json_integer(out, "memory_peak", d->memory_peak);
    json_object_end(out);
}

static void put_devices(json *out, const top_strategy *s)
{
    json_integer(out, "n_devices", s->record.n_devices);
    json_array(out, "devices");
    for (int d = 0; d < s->n_devices; d++)
        put_device(out, &s->record.devices[d]);
    json_array_end(out);
}

static void put_counts(json *out, const cohort_monitor_record *r)
{
    json_integer(out, "calls", r->calls);
    json_integer(out, "operations", r->operations);
    json_integer(out, "steps", top_steps(r));
    json_integer(out, "program_steps", r->program_steps);
    json_integer(out, "replica_steps", r->replica_steps);
    json_integer(out, "input_steps", r->input_steps);
    json_integer(out, "rows", r->rows);
    json_integer(out, "bytes_moved", r->bytes_moved);
    json_real(out, "steps_per_s", r->steps_per_s);
    json_real(out, "rows_per_s", r->rows_per_s);
    json_real(out, "calls_per_s", r->calls_per_s);
}

static void put_worker(json *out, const cohort_monitor_record *r)
{
    if (r->workers > 0)
        json_integer(out, "worker", r->worker);
    else
        json_null(out, "worker");
    json_integer(out, "workers", r->workers);
}

static void put_record(json *out, const top_strategy *s)
{
    const cohort_monitor_record *r = &s->record;
    put_text(out, "program", r->program);
    put_text(out, "strategy", r->strategy);
    json_text(out, "error", r->status < 0 ? cohort_status_name(r->status) : NULL);
    put_worker(out, r);
    json_integer(out, "replicas", r->replicas);
    json_real(out, "age_s", s->age_s);
    json_real(out, "uptime_s", top_seconds(r, r->made_ns));
    put_text(out, "call", r->call);
    json_real(out, "call_s", r->call[0] != '\0' ? top_seconds(r, r->call_ns) : 0);
    put_counts(out, r);
    put_devices(out, s);
}

static void put_strategy(json *out, const top_strategy *s)
{
    json_object(out, NULL);
    json_integer(out, "pid", s->pid);
    json_text(out, "file", s->file);
    json_text(out, "state", top_state_name(s->state));
    json_text(out, "why", s->why);
    put_record(out, s);
    json_object_end(out);
}

void top_print_json(FILE *file, const top_list *list)
{
    json out = { .file = file };
    json_object(&out, NULL);
    json_integer(&out, "schema", 1);
    json_text(&out, "folder", list->folder);
    json_array(&out, "strategies");
    for (size_t i = 0; i < list->n; i++)
        put_strategy(&out, &list->strategies[i]);
    json_array_end(&out);
    json_object_end(&out);
}
