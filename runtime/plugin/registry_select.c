/* SPDX-License-Identifier: BSD-3-Clause */
/* From a list such as "host/2,opencl:0" to devices: the grammar, the choice, and the errors.
 *
 * A list is read twice: once to open the plugins that it names, without a lock, for that may take
 * long; then to choose, with the registry held, among what is open. When a device is missing then,
 * all plugins are opened and the choice is made again, for an error that names everything there
 * is. */
#include "config.h"

#include "runtime/base/ascii.h"
#include "runtime/base/error.h"
#include "runtime/base/guess.h"
#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/base/settings.h"
#include "runtime/base/text.h"
#include "runtime/function/format.h"
#include "runtime/plugin/gate.h"
#include "runtime/plugin/misspelt.h"
#include "runtime/plugin/registry.h"
#include "runtime/plugin/search.h"
#include "runtime/plugin/unused.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ITEM_BYTES = 96, SHOWN_DEVICES = 16, SHOWN_REASONS = 4 };

/* What is chosen so far. */
typedef struct selection {
    cohort_inventory *inventory; /* held */
    const cohort_device **devices;
    size_t capacity, count;
    bool is_missing; /* a device is not among those that are open */
} selection;

/* One item of a list: NAME, NAME:INDEX, NAME/PARTS or NAME:INDEX/PARTS; MODEL may stand for
 * INDEX. */
typedef struct item {
    char text[ITEM_BYTES], name[COHORT_SEARCH_NAME_BYTES];
    char model[ITEM_BYTES]; /* part of a device's name or driver, in any case; "": not given */
    int64_t index, parts;   /* -1: not given */
} item;

/* ---- Sentences. */

static void say_devices(cohort_text *s, const cohort_inventory_device *list)
{
    int shown = 0, rest = 0;
    for (; list != NULL; list = list->next)
        if (shown++ < SHOWN_DEVICES)
            cohort_text_add(s, " %s", list->device.id);
        else
            rest++;
    if (shown == 0)
        cohort_text_add(s, " none");
    if (rest > 0)
        cohort_text_add(s, " and %d more", rest);
}

static void say_reasons(cohort_text *s, const cohort_unused *list)
{
    for (int shown = 0; list != NULL && shown < SHOWN_REASONS; list = list->next, shown++) {
        cohort_text_add(s, shown > 0 ? "; " : ". not used: ");
        cohort_unused_say(s, list);
    }
}

/* Folders that were not searched, and files whose name is no plugin's: a plugin that is not there
 * may be in one of them. */
static void say_places(cohort_text *s, const cohort_unused *list)
{
    int shown = 0;
    for (; list != NULL && shown < SHOWN_REASONS; list = list->next)
        if (list->name[0] == '\0') {
            cohort_text_add(s, shown++ > 0 ? "; " : ". not searched: ");
            cohort_unused_say(s, list);
        }
}

/* ---- What is close to a name that is not there. */

/* The last of equally near ones is taken: opencl:1 for opencl:2, after opencl:0. */
static const char *find_close(const cohort_inventory *inventory, const char *wanted)
{
    cohort_guess guess = { .name = wanted, .length = strlen(wanted), .prefers_later = true };
    for (const cohort_inventory_device *node = inventory->devices; node != NULL;
         node = node->next) {
        cohort_guess_consider(&guess, node->device.loaded->name);
        cohort_guess_consider(&guess, node->device.id);
    }
    return guess.best;
}

static bool has_devices(const cohort_inventory *inventory, const cohort_loaded *loaded)
{
    for (const cohort_inventory_device *node = inventory->devices; node != NULL; node = node->next)
        if (node->device.loaded == loaded)
            return true;
    return false;
}

static cohort_status unknown_device(const cohort_inventory *inventory, const item *it)
{
    char sentence[COHORT_ERROR_BYTES];
    cohort_text s = cohort_text_begin(sentence, sizeof sentence);
    const cohort_unused *unused = cohort_unused_find(inventory->unused, it->name);
    const cohort_loaded *loaded = cohort_inventory_plugin(inventory, it->name);
    const char *close = find_close(inventory, it->text);
    cohort_text_add(&s, "no device '%s'; have", it->text);
    say_devices(&s, inventory->devices);
    if (loaded == NULL && unused != NULL) {
        cohort_text_add(&s, ". ");
        cohort_unused_say_plugin(&s, unused);
    } else if (loaded != NULL && !has_devices(inventory, loaded))
        cohort_text_add(&s, ". plugin '%s' found no device", it->name);
    else if (close != NULL)
        cohort_text_add(&s, ". did you mean %s?", close);
    cohort_misspelt_say(&s, inventory);
    if (loaded == NULL && unused == NULL)
        say_places(&s, inventory->unused);
    return cohort_error_set(COHORT_ENODEV, "%s", sentence);
}

static cohort_status no_device(const cohort_inventory *inventory)
{
    char sentence[COHORT_ERROR_BYTES];
    cohort_text s = cohort_text_begin(sentence, sizeof sentence);
    const char *path = cohort_setting_text(COHORT_SETTING_PLUGIN_PATH);
    if (inventory->devices == NULL)
        cohort_text_add(&s, "no usable device; plugins are looked for in %s%s%s",
                        path != NULL ? path : "", path != NULL ? ":" : "",
                        cohort_installed_folder("plugins"));
    else {
        cohort_text_add(&s, "no default device; have");
        say_devices(&s, inventory->devices);
        cohort_text_add(&s, ", which are used when they are named in a list of devices");
    }
    cohort_misspelt_say(&s, inventory);
    say_reasons(&s, inventory->unused);
    return cohort_error_set(COHORT_ENODEV, "%s", sentence);
}

/* ---- The grammar. */

/* Digits at *p: at most 9 of them, so that no number overflows. -1: none, or too many. */
static int64_t parse_number(const char **p)
{
    int64_t value = 0;
    int digits = 0;
    for (; **p >= '0' && **p <= '9'; (*p)++, digits++)
        value = digits < 9 ? value * 10 + (**p - '0') : value;
    return digits >= 1 && digits <= 9 ? value : -1;
}

static cohort_status bad_item(const item *it)
{
    return cohort_error_set(
        COHORT_EINVAL,
        "device '%s': expected NAME, NAME:INDEX, NAME/PARTS or NAME:INDEX/PARTS (or part of a "
        "device's own name for INDEX)",
        it->text);
}

static cohort_status parse_numbers(item *it, const char *p)
{
    it->index = it->parts = -1;
    it->model[0] = '\0';
    if (*p == ':' && (p[1] < '0' || p[1] > '9')) {
        size_t length = strcspn(p + 1, "/");
        memcpy(it->model, p + 1, length);
        it->model[length] = '\0';
        p += 1 + length;
        if (length == 0)
            return bad_item(it);
    } else if (*p == ':') {
        p++;
        if ((it->index = parse_number(&p)) < 0)
            return bad_item(it);
    }
    if (*p == '.')
        return cohort_error_set(
            COHORT_EINVAL,
            "device '%s' is a part: name the device and the number of parts, such as %.*s/2",
            it->text, (int)(p - it->text), it->text);
    if (*p == '/') {
        p++;
        if ((it->parts = parse_number(&p)) < 0)
            return bad_item(it);
    }
    return *p == '\0' ? COHORT_OK : bad_item(it);
}

static cohort_status parse_item(const char *text, size_t length, item *it)
{
    for (; length > 0 && *text == ' '; text++)
        length--;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length == 0)
        return cohort_error_set(COHORT_EINVAL, "the device list has an empty item");
    if (length >= sizeof it->text)
        return cohort_error_set(COHORT_EINVAL, "device '%.*s...': longer than %d bytes", 32, text,
                                ITEM_BYTES - 1);
    memcpy(it->text, text, length);
    it->text[length] = '\0';
    size_t name = strcspn(it->text, ":/.");
    if (name == 0 || name >= sizeof it->name)
        return bad_item(it);
    memcpy(it->name, it->text, name);
    it->name[name] = '\0';
    return parse_numbers(it, it->text + name);
}

/* ---- Choosing. */

static cohort_status check_once(const selection *s, const cohort_device *device)
{
    for (size_t i = 0; i < s->count; i++) {
        const cohort_device *other = s->devices[i];
        if (other == device)
            return cohort_error_set(COHORT_EINVAL, "device '%s' is listed twice", device->id);
        if (other->loaded == device->loaded && other->index == device->index &&
            other->parts != device->parts)
            return cohort_error_set(
                COHORT_EINVAL, "device '%s:%u' is cut in two ways, into %u and into %u parts",
                device->loaded->name, device->index, other->parts, device->parts);
    }
    return COHORT_OK;
}

static cohort_status choose(selection *s, const cohort_device *device)
{
    if (device == NULL)
        return cohort_error_memory("the parts of a device");
    if (cohort_gate_is_shut(device->loaded))
        return cohort_error_set(COHORT_ENODEV, "device '%s': %s", device->id,
                                cohort_gate_reason(device->loaded));
    if (s->count == COHORT_LIMIT_DEVICES)
        return cohort_error_set(COHORT_EINVAL, "more than %d devices", COHORT_LIMIT_DEVICES);
    cohort_status st = check_once(s, device);
    if (st < 0)
        return st;
    if (!cohort_grow((void **)&s->devices, &s->capacity, s->count + 1, sizeof *s->devices))
        return cohort_error_memory("a list of devices");
    s->devices[s->count++] = device;
    return COHORT_OK;
}

static cohort_status choose_parts(selection *s, cohort_inventory_device *whole, const item *it)
{
    const uint32_t most = whole->device.info->max_parts;
    if (it->parts < 1 || it->parts > most)
        return cohort_error_set(COHORT_EINVAL, "device '%s': %s can be cut into 1 to %u parts",
                                it->text, whole->device.id, most);
    cohort_status st = COHORT_OK;
    for (uint32_t part = 0; st >= 0 && part < it->parts; part++)
        st = choose(s, cohort_inventory_part(whole, part, (uint32_t)it->parts));
    return st;
}

/* ASCII letters in any case. */
static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (cohort_ascii_same_bytes(text, part, length))
            return true;
    return false;
}

/* NAME alone means all devices of the plugin, NAME/PARTS its device 0, a model all that have it. */
static bool is_meant(const item *it, const cohort_device *device)
{
    if (strcmp(device->loaded->name, it->name) != 0)
        return false;
    if (it->model[0] != '\0')
        return contains(device->info->name, it->model) || contains(device->info->driver, it->model);
    const bool is_all = it->index < 0 && it->parts < 0;
    return is_all || device->index == (it->index < 0 ? 0 : it->index);
}

static cohort_status choose_item(selection *s, const item *it)
{
    bool is_found = false;
    cohort_status st = COHORT_OK;
    for (cohort_inventory_device *node = s->inventory->devices; st >= 0 && node != NULL;
         node = node->next) {
        if (!is_meant(it, &node->device))
            continue;
        is_found = true;
        st = it->parts < 0 ? choose(s, &node->device) : choose_parts(s, node, it);
    }
    /* of the last item only, but the list ends at the first one that is missing */
    s->is_missing = !is_found;
    return is_found ? st : unknown_device(s->inventory, it);
}

typedef cohort_status item_fn(selection *s, const item *it);

static cohort_status for_items(selection *s, const char *list, item_fn *fn)
{
    if (strlen(list) > COHORT_LIMIT_DEVICE_LIST_BYTES)
        return cohort_error_set(COHORT_EINVAL, "the device list is longer than %d bytes",
                                COHORT_LIMIT_DEVICE_LIST_BYTES);
    while (list != NULL) {
        item it;
        size_t length = strcspn(list, ",");
        cohort_status st = parse_item(list, length, &it);
        if (st < 0 || (st = fn(s, &it)) < 0)
            return st;
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    return COHORT_OK;
}

/* Whether it takes a format that nearly every function of a program has. */
static bool takes_common_bodies(const cohort_inventory_device *node)
{
    bool takes = false;
    for (const char *const *f = node->device.info->formats; *f != NULL; f++) {
        const cohort_format format = cohort_format_of(*f);
        takes = takes || format == COHORT_FORMAT_NATIVE_FN || format == COHORT_FORMAT_OPENCL_C;
    }
    return takes;
}

/* Every accelerator that runs nearly every function; when there is none, the first device that is
 * prompt. One that takes a vendor's own format alone would fail the programs that never asked for
 * it. A CPU that is not prompt is one of another runtime, such as PoCL's, which shares its cores
 * with the host plugin. Both are used on request. */
static cohort_status choose_default(selection *s)
{
    cohort_status st = COHORT_OK;
    for (const cohort_inventory_device *node = s->inventory->devices; st >= 0 && node != NULL;
         node = node->next)
        if (node->device.info->type != COHORT_DEVICE_CPU && takes_common_bodies(node))
            st = choose(s, &node->device);
    for (const cohort_inventory_device *node = s->inventory->devices;
         st >= 0 && s->count == 0 && node != NULL; node = node->next)
        if ((node->device.info->caps & COHORT_CAP_PROMPT) != 0 && takes_common_bodies(node))
            st = choose(s, &node->device);
    return st < 0 || s->count > 0 ? st : no_device(s->inventory);
}

/* ---- Opening what a list names. */

static cohort_status open_item(selection *s, const item *it)
{
    (void)s;
    cohort_registry_open(it->name);
    return COHORT_OK;
}

static cohort_status choose_among_open(selection *s, const char *list)
{
    s->inventory = cohort_registry_acquire();
    s->count = 0;
    s->is_missing = false;
    cohort_status st = list != NULL ? for_items(s, list, choose_item) : choose_default(s);
    cohort_registry_release();
    return st;
}

/* A device that is not there is told with all that are: plugins that the list does not name are
 * opened for that sentence. */
static cohort_status choose_list(selection *s, const char *list)
{
    cohort_status st = for_items(s, list, open_item);
    if (st >= 0)
        st = choose_among_open(s, list);
    if (st >= 0 || !s->is_missing)
        return st;
    cohort_registry_open(NULL);
    return choose_among_open(s, list);
}

static cohort_status choose_configured(selection *s)
{
    const char *configured = cohort_setting_text(COHORT_SETTING_DEVICES);
    if (configured != NULL) {
        cohort_status st = choose_list(s, configured);
        return st < 0 ? cohort_error_prefix(st, "COHORT_DEVICES") : st;
    }
    cohort_registry_open(NULL);
    return choose_among_open(s, NULL);
}

cohort_status cohort_registry_select(const char *list, const cohort_device ***out, int *out_n)
{
    *out = NULL;
    *out_n = 0;
    cohort_status st = cohort_error_if_forked();
    if (st < 0)
        return st;
    selection s = { .inventory = NULL };
    st = list != NULL ? choose_list(&s, list) : choose_configured(&s);
    if (st < 0) {
        cohort_free(s.devices);
        return st;
    }
    *out = s.devices;
    *out_n = (int)s.count;
    return COHORT_OK;
}
