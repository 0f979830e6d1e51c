/* SPDX-License-Identifier: BSD-3-Clause */
/* A parser of bodies of items, which asks of each expression what type it has: three files read
 * expressions, declarations and statements.
 *
 * It takes whatever the compiler of the host took: what it does not know has the type UNTOLD, and
 * nothing is wrong but what the host and a kernel would compute differently. The first such place
 * ends the text: no token is left, and `status` says so. */
#ifndef COHORT_FUNCTION_ITEMS_PARSER_H
#define COHORT_FUNCTION_ITEMS_PARSER_H

#include "runtime/function/items_symbols.h"
#include "runtime/function/items_token.h"
#include "runtime/function/types.h"

typedef struct cohort_items_parser {
    const char *who;
    const char *part;                     /* what is read: "the body of an item" */
    cohort_types *types;                  /* what the function lists */
    struct cohort_items_helpers *helpers; /* what the program declares beside it */
    struct cohort_items_own *own;         /* NULL: a helper, which sees no array */
    const cohort_items_value *result;     /* of a helper; NULL: a body, which has none */
    cohort_token token;
    cohort_items_symbols symbols;
    int32_t depth; /* of what stands inside each other */
    bool is_sized; /* it is an operand of sizeof, which nobody computes */
    cohort_status status;
} cohort_items_parser;

/* ---- What all three use. */

/* The body computes something that differs: the text of the error is "who: the body of an item
 * " and this, or another part than the body. Ends the parsing; the first error stays. */
void cohort_items_parser_refuse(cohort_items_parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same with an error that is set. */
void cohort_items_parser_end(cohort_items_parser *p, cohort_status status);

void cohort_items_parser_step(cohort_items_parser *p);

/* Step over this mark if it is the token. */
bool cohort_items_parser_accept(cohort_items_parser *p, const char *mark);

/* Around what may stand in itself; false: it does so too often, and is refused. */
bool cohort_items_parser_enter(cohort_items_parser *p);
void cohort_items_parser_leave(cohort_items_parser *p);

/* Declare a name, of a variable (owner -1) or a member. */
void cohort_items_parser_declare(cohort_items_parser *p, cohort_items_symbol symbol);

/* Step from an opening bracket over the one that closes it. */
void cohort_items_parser_skip_brackets(cohort_items_parser *p);

/* ---- Expressions */

cohort_items_value cohort_items_expression(cohort_items_parser *p); /* with commas */
cohort_items_value cohort_items_assignment(cohort_items_parser *p); /* up to a comma */

/* Behind `=`: what a variable of this type begins with. Returns it; of a list nothing is told. */
cohort_items_value cohort_items_initializer(cohort_items_parser *p, cohort_items_value variable);

/* A condition takes any number but 0. Nothing else does: a number that only says yes is refused,
 * unless it becomes a bool. */
void cohort_items_use(cohort_items_parser *p, cohort_items_value used, cohort_items_value as);

/* ---- Declarations */

/* The token is a type that neither C nor the function declares. */
void cohort_items_refuse_type(cohort_items_parser *p, cohort_token token);

bool cohort_items_begins_type(const cohort_items_parser *p, cohort_token token);

/* `const float *`, up to the parenthesis that closes. */
cohort_items_value cohort_items_type_name(cohort_items_parser *p);

/* `float a = 1, *b`, up to what ends it. */
void cohort_items_declaration(cohort_items_parser *p);

/* `float x`, a parameter of a helper: no pointer. */
void cohort_items_parameter(cohort_items_parser *p);

/* ---- Statements */

void cohort_items_statement(cohort_items_parser *p);

#endif
