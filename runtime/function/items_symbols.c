/* SPDX-License-Identifier: BSD-3-Clause */
/* One list, the newest at its end: a search from there finds what hides another of its name. */
#include "config.h"

#include "runtime/function/items_symbols.h"

#include "runtime/base/memory.h"

#include <string.h>

bool cohort_items_symbols_add(cohort_items_symbols *symbols, cohort_items_symbol symbol)
{
    if (!cohort_grow((void **)&symbols->list, &symbols->capacity, symbols->count + 1,
                     sizeof *symbols->list))
        return false;
    symbols->list[symbols->count++] = symbol;
    return true;
}

const cohort_items_symbol *cohort_items_symbols_member(const cohort_items_symbols *symbols,
                                                       int32_t owner, cohort_token name)
{
    for (size_t i = symbols->count; i-- > 0;) {
        const cohort_items_symbol *symbol = &symbols->list[i];
        if (symbol->owner == owner && symbol->name.length == name.length &&
            memcmp(symbol->name.start, name.start, name.length) == 0)
            return symbol;
    }
    return NULL;
}

const cohort_items_symbol *cohort_items_symbols_find(const cohort_items_symbols *symbols,
                                                     cohort_token name)
{
    return cohort_items_symbols_member(symbols, -1, name);
}

cohort_items_symbol *cohort_items_symbols_newest(cohort_items_symbols *symbols, cohort_token name)
{
    size_t at = symbols->count;
    while (at > 0 && symbols->list[at - 1].name.start != name.start)
        at--;
    return at > 0 ? &symbols->list[at - 1] : NULL;
}

/* Members stay: their struct may be the type of a variable outside. */
void cohort_items_symbols_leave(cohort_items_symbols *symbols, size_t count)
{
    size_t kept = count;
    for (size_t i = count; i < symbols->count; i++)
        if (symbols->list[i].owner >= 0)
            symbols->list[kept++] = symbols->list[i];
    symbols->count = kept;
}

void cohort_items_symbols_free(cohort_items_symbols *symbols)
{
    cohort_free(symbols->list);
    *symbols = (cohort_items_symbols){ 0 };
}
