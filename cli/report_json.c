/* SPDX-License-Identifier: BSD-3-Clause */
/* The report as JSON: times are nanoseconds of a step, shares parts of 1. */
#include "config.h"

#include "cli/report_text.h"

static void json_device(const report *r, int32_t device, json *out)
{
    const report_device *d = &r->devices[device];
    json_object(out, NULL);
    json_text(out, "device", r->t.devices[device]);
    for (int state = 0; state < REPORT_STATES; state++)
        json_real(out, report_state_name((report_state)state),
                  report_step_share(r, device, (report_state)state));
    json_real(out, "operations", (double)d->operations / (double)r->n_kept);
    json_real(out, "launches", (double)d->launches / (double)r->n_kept);
    json_real(out, "bytes_copied", d->bytes / (double)r->n_kept);
    json_object_end(out);
}

static void json_part(const report *r, const report_part *part, json *out)
{
    json_object(out, NULL);
    json_text(out, "kind", report_state_name(part->state));
    json_text(out, "name", part->name >= 0 ? r->t.names[part->name] : NULL);
    json_text(out, "device", part->device >= 0 ? r->t.devices[part->device] : NULL);
    json_integer(out, "ns", part->ns);
    json_object_end(out);
}

static void json_cause(const report_cause *c, json *out)
{
    json_object(out, NULL);
    json_text(out, "id", c->id);
    json_text(out, "cause", c->cause);
    json_text(out, "evidence", c->evidence);
    json_text(out, "change", c->change);
    json_real(out, "expected_step_ns", c->step_ns);
    json_object_end(out);
}

static void json_replica(const char *key, int32_t replica, double ns, json *out)
{
    if (replica < 0) {
        json_null(out, key);
        return;
    }
    json_object(out, key);
    json_integer(out, "replica", replica);
    json_real(out, "body_ns", ns);
    json_object_end(out);
}

static void json_optional(json *out, const char *key, const char *text)
{
    json_text(out, key, text[0] != '\0' ? text : NULL);
}

static void json_recording(const report *r, json *out)
{
    json_object(out, "recording");
    json_integer(out, "repeated", r->t.repeated);
    json_integer(out, "planned", r->t.planned);
    json_integer(out, "planned_ns", r->planned_ns);
    json_integer(out, "repeated_ns", r->repeated_ns);
    json_optional(out, "why_planned", r->t.why);
    json_object_end(out);
}

void report_json(const report *r, json *out)
{
    char text[REPORT_TEXT_BYTES];
    const double steps = (double)r->n_kept;
    json_object(out, NULL);
    json_text(out, "trace", r->path);
    json_text(out, "steps_are", report_unit_text(r->unit));
    json_integer(out, "steps", r->n_steps);
    json_integer(out, "steps_looked_at", r->n_kept);
    json_real(out, "step_ns", report_step_ns(r));
    json_array(out, "devices");
    for (int32_t d = 0; d < r->t.n_devices; d++)
        json_device(r, d, out);
    json_array_end(out);
    json_array(out, "critical_path");
    for (int i = 0; i < r->n_parts; i++)
        json_part(r, &r->parts[i], out);
    json_array_end(out);
    json_replica("slowest_replica", r->slow, r->slow_ns / steps, out);
    json_replica("fastest_replica", r->fast, r->fast_ns / steps, out);
    json_recording(r, out);
    json_array(out, "causes");
    for (int i = 0; i < r->n_causes; i++)
        json_cause(&r->causes[i], out);
    json_array_end(out);
    json_text(out, "verdict", report_verdict_text(r, text));
    json_optional(out, "warning", report_warning_text(r, text));
    json_optional(out, "note", report_left_out_text(r, text));
    json_optional(out, "left_out", report_unusual_text(r, text));
    json_object_end(out);
}
