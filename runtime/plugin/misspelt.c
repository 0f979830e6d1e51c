/* SPDX-License-Identifier: BSD-3-Clause */
/* A name that is wrong lets no plugin in, and of those that are left out each says only that it is.
 * The plugins there are stand in the two lists of the inventory: those that are loaded, and those
 * that were found and are not used. */
#include "config.h"

#include "runtime/plugin/misspelt.h"

#include "runtime/base/guess.h"
#include "runtime/base/settings.h"
#include "runtime/plugin/search.h"
#include "runtime/plugin/unused.h"

#include <string.h>

typedef void (*name_fn)(void *user, const char *name);

static void for_each_name(const cohort_inventory *inventory, name_fn fn, void *user)
{
    for (size_t i = 0; i < inventory->loaded_count; i++)
        fn(user, inventory->loaded[i]->name);
    for (const cohort_unused *u = inventory->unused; u != NULL; u = u->next)
        if (u->name[0] != '\0' && cohort_inventory_plugin(inventory, u->name) == NULL)
            fn(user, u->name);
}

/* An item of the variable, and what is compared with it. */
typedef struct wanted {
    const char *text;
    size_t length;
    bool is_there;
    cohort_guess guess;
    cohort_text *have;
} wanted;

static void compare(void *user, const char *name)
{
    wanted *w = user;
    w->is_there |= strlen(name) == w->length && memcmp(name, w->text, w->length) == 0;
    cohort_guess_consider(&w->guess, name);
}

/* Those with devices, for there is a communicator for each MPI. */
static void list(void *user, const char *name)
{
    wanted *w = user;
    if (strncmp(name, COHORT_SEARCH_COMMUNICATOR, strlen(COHORT_SEARCH_COMMUNICATOR)) != 0)
        (void)cohort_text_add_name(w->have, ", ", name);
}

static void say(cohort_text *s, const cohort_inventory *inventory, wanted *w)
{
    char have[256];
    cohort_text names = cohort_text_begin(have, sizeof have);
    w->have = &names;
    for_each_name(inventory, list, w);
    cohort_text_add(s, ". COHORT_PLUGINS has '%.*s', and there is no such plugin", (int)w->length,
                    w->text);
    if (w->guess.best != NULL)
        cohort_text_add(s, " (did you mean '%s'?)", w->guess.best);
    cohort_text_add(s, "; have %s", have[0] != '\0' ? have : "none");
}

void cohort_misspelt_say(cohort_text *s, const cohort_inventory *inventory)
{
    const char *item = cohort_setting_text(COHORT_SETTING_PLUGINS);
    while (item != NULL && *item != '\0') {
        item += strspn(item, " ,^");
        wanted w = { .text = item, .length = strcspn(item, ", "), .is_there = *item == '\0' };
        w.guess = (cohort_guess){ .name = w.text, .length = w.length };
        for_each_name(inventory, compare, &w);
        if (!w.is_there) {
            say(s, inventory, &w);
            return;
        }
        item += w.length;
    }
}
