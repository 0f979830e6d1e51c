/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole declaration is cut into three texts, which the parser of signatures then reads as
 * those of a descriptor. So there is one parser of types and parameters, whether a function
 * comes from a macro or from text. */
#include "config.h"

#include "runtime/function/prototype.h"

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/lexer.h"
#include "runtime/function/word.h"

#include <string.h>

/* Bytes [start, end) of a text. */
typedef struct part {
    const char *start, *end;
} part;

static bool is_attribute(cohort_token token)
{
    const cohort_word *word = cohort_word_find(token);
    return word != NULL && word->kind == COHORT_WORD_ATTRIBUTE;
}

/* Up to the first parenthesis that belongs to no attribute: the last name is the function's, what
 * stands before it is the result. */
static cohort_status read_head(cohort_lexer *lexer, part *out_returns, part *out_name)
{
    cohort_token name = lexer->token;
    cohort_status status = COHORT_OK;
    out_returns->start = name.start;
    while (status == COHORT_OK && lexer->token.kind != COHORT_TOKEN_END &&
           !cohort_token_is(lexer->token, "(")) {
        bool is_skipped = is_attribute(lexer->token);
        name = is_skipped ? name : lexer->token;
        status = is_skipped ? cohort_lexer_skip_attribute(lexer) : cohort_lexer_next(lexer);
    }
    if (status != COHORT_OK)
        return status;
    if (name.kind != COHORT_TOKEN_NAME || lexer->token.kind == COHORT_TOKEN_END)
        return cohort_lexer_error(lexer, name, "expected a function, such as double cos(double x)");
    if (name.start == out_returns->start)
        return cohort_lexer_error(lexer, name,
                                  "the type of the result is missing: write void %.*s(...)",
                                  cohort_token_shown(name), name.start);
    out_returns->end = name.start;
    *out_name = (part){ name.start, name.start + name.length };
    return COHORT_OK;
}

static cohort_status read_list(cohort_lexer *lexer, part *out_list)
{
    out_list->start = lexer->token.start;
    return cohort_lexer_skip_parentheses(lexer, &out_list->end);
}

static cohort_status read_end(cohort_lexer *lexer)
{
    bool has_semicolon = false;
    cohort_status status = COHORT_OK;
    while (status == COHORT_OK && is_attribute(lexer->token))
        status = cohort_lexer_skip_attribute(lexer);
    if (status == COHORT_OK)
        status = cohort_lexer_accept(lexer, ";", &has_semicolon);
    if (status == COHORT_OK && lexer->token.kind != COHORT_TOKEN_END)
        status = cohort_lexer_error(lexer, lexer->token, "the prototype ends before this");
    return status;
}

static char *copy_part(char **room, part from)
{
    char *copy = *room;
    size_t length = (size_t)(from.end - from.start);
    memcpy(copy, from.start, length);
    copy[length] = '\0';
    *room += length + 1;
    return copy;
}

cohort_status cohort_prototype_split(const char *text, char **out_returns, char **out_name,
                                     char **out_prototype)
{
    cohort_lexer lexer;
    part returns = { 0 }, name = { 0 }, list = { 0 };
    *out_returns = *out_name = *out_prototype = NULL;
    if (text == NULL)
        return cohort_error_null("prototype", "the text");
    cohort_status status = cohort_lexer_init(&lexer, "prototype", text);
    if (status == COHORT_OK)
        status = read_head(&lexer, &returns, &name);
    if (status == COHORT_OK)
        status = read_list(&lexer, &list);
    if (status == COHORT_OK)
        status = read_end(&lexer);
    if (status != COHORT_OK)
        return status;
    /* three parts that do not overlap, each with its end */
    char *room = cohort_allocate(lexer.length + 3, 1);
    if (room == NULL)
        return cohort_error_memory("a prototype");
    *out_returns = copy_part(&room, returns);
    *out_name = copy_part(&room, name);
    *out_prototype = copy_part(&room, list);
    return COHORT_OK;
}
