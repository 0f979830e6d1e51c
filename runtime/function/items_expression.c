/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of expressions, as C has them: an operator after the other, by precedence. */
#include "config.h"

#include "runtime/base/dtype.h"
#include "runtime/function/items_helper.h"
#include "runtime/function/items_names.h"
#include "runtime/function/items_ours.h"
#include "runtime/function/items_own.h"
#include "runtime/function/items_parser.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef cohort_items_value value;
typedef cohort_items_parser parser;

enum { SHOWN = 60, MAX_ARGUMENTS = 4 };

static const value untold = { .type = COHORT_ITEMS_UNTOLD },
                   foreign = { .type = COHORT_ITEMS_FOREIGN },
                   flag = { .type = COHORT_I32, .is_flag = true };

static bool is(const parser *p, const char *text)
{
    return cohort_token_is(p->token, text);
}

static bool accept(parser *p, const char *mark)
{
    return cohort_items_parser_accept(p, mark);
}

/* ---- Types */

static bool is_integer(value v)
{
    return v.n_stars == 0 && cohort_dtype_is_integral((cohort_dtype)v.type);
}

static bool is_of(value v, int64_t type)
{
    return v.n_stars == 0 && v.type == type;
}

static int64_t promoted(int64_t type)
{
    const cohort_dtype dtype = (cohort_dtype)type;
    return cohort_dtype_is_integral(dtype) && cohort_dtype_bytes(dtype) < 4 ? COHORT_I32 : type;
}

/* The usual arithmetic conversions. With a double, all is a double: long double was refused where
 * it was named. */
static int64_t common(int64_t a, int64_t b)
{
    static const int64_t order[] = { COHORT_F64, COHORT_ITEMS_UNTOLD, COHORT_ITEMS_FOREIGN,
                                     COHORT_F32, COHORT_F16,          COHORT_U64,
                                     COHORT_I64, COHORT_U32,          COHORT_I32 };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (promoted(a) == order[i] || promoted(b) == order[i])
            return order[i];
    return COHORT_ITEMS_UNTOLD;
}

void cohort_items_use(parser *p, value used, value as)
{
    if (used.truth != NULL && !is_of(as, COHORT_BOOL))
        cohort_items_parser_refuse(p,
                                   "computes with what %s() gives, of which C says only that it is "
                                   "not 0, and which is another number in a kernel: ask "
                                   "%s(...) != 0",
                                   used.truth, used.truth);
}

/* ---- Numbers */

static bool has_suffix(cohort_token token, const char *letters)
{
    return strchr(letters, token.start[token.length - 1]) != NULL;
}

static int digit(char c, bool is_hex)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    int found = at != NULL ? (int)(at - digits) : 16;
    return found < (is_hex ? 16 : 10) ? found : -1;
}

/* About the number, by hand because strtod would read a comma in some locales: what is asked is
 * whether a constant is 0 or infinite. */
static double estimate(cohort_token token, bool is_hex)
{
    const char *at = token.start + (is_hex ? 2 : 0), *last = token.start + token.length;
    double found = 0, base = is_hex ? 16 : 10, power = is_hex ? 2 : 10;
    int shift = 0, exponent = 0;
    for (bool is_behind = false; at < last; at++) {
        if (digit(*at, is_hex) >= 0)
            found = found * base + digit(*at, is_hex), shift += is_behind;
        else if (*at == '.')
            is_behind = true;
        else if (*at != '\'')
            break;
    }
    bool is_small = at + 1 < last && at[1] == '-';
    for (at += is_small || (at + 1 < last && at[1] == '+') ? 2 : 1; at < last; at++)
        if (digit(*at, false) >= 0 && exponent < 10000)
            exponent = exponent * 10 + digit(*at, false);
    for (; shift > 0; shift--)
        found /= base;
    for (; exponent > 0 && found != 0 && !isinf(found); exponent--)
        found = is_small ? found / power : found * power;
    return found;
}

static value floating(parser *p, cohort_token token, bool is_hex)
{
    bool is_float = has_suffix(token, "fF");
    double found = estimate(token, is_hex);
    if (has_suffix(token, "lL"))
        cohort_items_parser_refuse(
            p, "has the long double '%.*s', which OpenCL C has not: write a double",
            cohort_token_shown(token), token.start);
    return (value){ .type = is_float ? COHORT_F32 : COHORT_F64,
                    .is_constant = true,
                    .number = is_float ? (double)(float)found : found };
}

/* The most that there is, where it is more. By hand, since 0b11 is no number of every strtoull(),
 * and 10'000 of none. out_suffix: what follows the digits. */
static unsigned long long whole(cohort_token token, const char **out_suffix)
{
    const char *at = token.start, *last = at + token.length;
    char second = token.length > 1 && *at == '0' ? at[1] : '\0';
    unsigned base = second == 'x' || second == 'X'   ? 16
                    : second == 'b' || second == 'B' ? 2
                    : *at == '0'                     ? 8
                                                     : 10;
    unsigned long long found = 0;
    for (at += base == 16 || base == 2 ? 2 : 0; at < last; at++) {
        int next = digit(*at, base == 16);
        if (next < 0 && *at != '\'')
            break;
        if (next >= 0 && (__builtin_mul_overflow(found, base, &found) ||
                          __builtin_add_overflow(found, (unsigned)next, &found)))
            found = ULLONG_MAX;
    }
    *out_suffix = at;
    return found;
}

/* Decimal numbers without u are signed. One with another suffix is C++'s or GNU's own, of whatever
 * value. */
static value integer(parser *p, cohort_token token, bool is_decimal)
{
    const char *suffix = NULL;
    unsigned long long number = whole(token, &suffix);
    bool is_unsigned = false, is_known = number <= INT64_MAX;
    int n_l = 0;
    for (const char *at = suffix; at < token.start + token.length; at++) {
        is_unsigned |= *at == 'u' || *at == 'U';
        n_l += *at == 'l' || *at == 'L';
        is_known = is_known && strchr("uUlLzZ", *at) != NULL;
    }
    if (n_l == 1 && sizeof(long) < sizeof(int64_t))
        cohort_items_parser_refuse(p,
                                   "has the long '%.*s', which is shorter here than in OpenCL C: "
                                   "write (int64_t)",
                                   cohort_token_shown(token), token.start);
    int64_t type = is_unsigned ? COHORT_U64 : COHORT_I64;
    if (n_l == 0 && number <= INT32_MAX)
        type = is_unsigned ? COHORT_U32 : COHORT_I32;
    else if (n_l == 0 && number <= UINT32_MAX && (is_unsigned || !is_decimal))
        type = COHORT_U32;
    else if (number > INT64_MAX)
        type = COHORT_U64;
    return (value){ .type = type,
                    .is_constant = true,
                    .number = (double)number,
                    .form = is_known ? cohort_items_own_number(p->own, (int64_t)number) : 0 };
}

static value number(parser *p)
{
    cohort_token token = p->token;
    bool is_hex = token.length > 1 && (token.start[1] == 'x' || token.start[1] == 'X');
    bool is_floating = memchr(token.start, '.', token.length) != NULL;
    for (size_t i = 0; i < token.length && !is_floating; i++)
        is_floating = strchr(is_hex ? "pP" : "eE", token.start[i]) != NULL;
    value v = is_floating ? floating(p, token, is_hex) : integer(p, token, *token.start != '0');
    cohort_items_parser_step(p);
    return v;
}

/* ---- Calls */

/* The part of a body's text that an error shows. */
static int shown(const char *start, const char *end)
{
    while (end > start && (end[-1] == ' ' || end[-1] == '\n'))
        end--;
    return end - start > SHOWN ? SHOWN : (int)(end - start);
}

/* A body's own pointers lead to the memory of its variables, and in a kernel that is another one
 * than that of arrays. */
static void check_pointer(parser *p, value v, const char *start)
{
    if (v.is_of_array && v.n_stars > 0)
        cohort_items_parser_refuse(p,
                                   "hands on '%.*s', a pointer into an array of the prototype, and "
                                   "in a kernel no pointer of the body leads to that memory: index "
                                   "the array itself, as in x[i + 1]",
                                   shown(start, p->token.start), start);
}

static int arguments(parser *p, value into[MAX_ARGUMENTS])
{
    int n = 0;
    cohort_items_parser_step(p); /* over the parenthesis */
    while (p->token.length > 0 && !is(p, ")")) {
        const char *start = p->token.start;
        value v = cohort_items_assignment(p);
        cohort_items_use(p, v, untold);
        check_pointer(p, v, start);
        if (n < MAX_ARGUMENTS)
            into[n] = v;
        n++;
        if (!accept(p, ","))
            break;
    }
    (void)accept(p, ")");
    return n < MAX_ARGUMENTS ? n : MAX_ARGUMENTS;
}

/* C has one function, of doubles; C++ and <tgmath.h> take the one of floats where all arguments
 * are floats, as OpenCL C does, and that of doubles where one is an integer. */
static void check_doubles(parser *p, const cohort_items_name *name, const value *list, int n)
{
    bool has_double = false, has_float = false, has_untold = false;
    for (int i = 0; i < n; i++) {
        has_double |= is_integer(list[i]) || is_of(list[i], COHORT_F64) ||
                      is_of(list[i], COHORT_ITEMS_FOREIGN);
        has_float |= is_of(list[i], COHORT_F32) || is_of(list[i], COHORT_F16);
        has_untold |= is_of(list[i], COHORT_ITEMS_UNTOLD);
    }
    if (has_double || (!has_float && !has_untold))
        return;
    if (has_untold)
        cohort_items_parser_refuse(p,
                                   "calls %s() with something whose type its tokens do not tell: "
                                   "write %s((double)...), or %sf(...) for floats",
                                   name->name, name->name, name->name);
    else
        cohort_items_parser_refuse(
            p,
            "calls %s() with a float, which is a double in C, and a float in C++, with <tgmath.h> "
            "and in OpenCL C: write %s%s%sf(...), or %s((double)...)",
            name->name, name->instead != NULL ? name->instead : "",
            name->instead != NULL ? "(...), which has the same bits everywhere, " : "", name->name,
            name->name);
}

static void check_integer(parser *p, const cohort_items_name *name, value argument)
{
    bool is_long = strcmp(name->takes, "l") == 0;
    bool is_foreign = argument.type == COHORT_ITEMS_FOREIGN;
    if (is_long && strcmp(name->name, "labs") == 0 && sizeof(long) < sizeof(int64_t))
        cohort_items_parser_refuse(
            p, "calls labs(), whose long is shorter here than in OpenCL C: write llabs()");
    else if (!is_foreign && !is_integer(argument))
        cohort_items_parser_refuse(p,
                                   "calls %s() with something that is no integer: C makes it one, "
                                   "and C++ does not: write fabsf() or fabs()",
                                   name->name);
    else if (!is_foreign && !is_long && promoted(argument.type) != COHORT_I32)
        cohort_items_parser_refuse(p, "calls abs() with an integer that is no int: C makes it one, "
                                      "and C++ does not: write llabs()");
}

/* Of constants alone, which compilers compute, as they do 0.0 / 0.0. */
static bool gives_nan(const cohort_items_name *name, const value list[MAX_ARGUMENTS])
{
    static const char *const roots[] = { "sqrt", "log", NULL };
    static const char *const rests[] = { "fmod", "remainder", NULL };
    cohort_token token = { COHORT_TOKEN_NAME, name->name, strlen(name->name) };
    if (!list[0].is_constant)
        return false;
    if (cohort_items_is_any(token, rests))
        return list[1].is_constant && (list[1].number == 0 || isinf(list[0].number)) &&
               !isnan(list[0].number);
    return cohort_items_is_any(token, roots) && list[0].number < 0;
}

static value call(parser *p, const cohort_items_name *name, bool is_float)
{
    const char *start = p->token.start;
    value list[MAX_ARGUMENTS] = { { 0 } };
    int n = arguments(p, list);
    if (gives_nan(name, list))
        cohort_items_parser_refuse(
            p, "has %s%s%.*s, a NaN whose bits each compiler chooses: write NAN", name->name,
            is_float ? "f" : "", shown(start, p->token.start), start);
    switch (name->kind) {
    case COHORT_ITEMS_EXACT:
    case COHORT_ITEMS_BOUNDED:
        if (!is_float)
            check_doubles(p, name, list, n);
        return (value){ .type = is_float ? COHORT_F32 : COHORT_F64 };
    case COHORT_ITEMS_INTEGER:
        check_integer(p, name, list[0]);
        return (value){ .type = strcmp(name->takes, "l") == 0 ? COHORT_I64 : COHORT_I32 };
    case COHORT_ITEMS_TRUTH:
        return (value){ .type = COHORT_I32, .is_flag = true, .truth = name->name };
    default:
        return flag;
    }
}

static void refuse_name(parser *p, const cohort_items_name *name, cohort_token token)
{
    const char *instead = name->instead;
    if (name->is_alien)
        cohort_items_parser_refuse(
            p,
            "calls %.*s(), which is a function of OpenCL C and none of C: a function of "
            "the program is not what a kernel would call, if no COHORT_HELPER declares it; %s%s",
            cohort_token_shown(token), token.start,
            instead != NULL ? "write " : "write out what it does", instead != NULL ? instead : "");
    else
        cohort_items_parser_refuse(p,
                                   "calls %.*s(), which is not the same in OpenCL C, or not fixed "
                                   "in C: write %s",
                                   cohort_token_shown(token), token.start, instead);
}

/* ---- Names */

/* A function without a call might be a pointer, or stand in parentheses, where no macro sees it. */
static bool is_called_by_name(const parser *p, bool *out_is_enclosed)
{
    cohort_token next = cohort_items_next(p->token);
    *out_is_enclosed = cohort_token_is(next, ")") && cohort_token_is(cohort_items_next(next), "(");
    return cohort_token_is(next, "(");
}

static value constant(cohort_token token, uint32_t type)
{
    static const char *const flags[] = { "true", "false", NULL };
    static const char *const infinite[] = { "INFINITY", "HUGE_VAL", "HUGE_VALF", NULL };
    bool is_nan = cohort_token_is(token, "NAN");
    return (value){ .type = type,
                    .is_flag = cohort_items_is_any(token, flags),
                    .is_constant = is_nan || cohort_items_is_any(token, infinite),
                    .number = is_nan ? (double)NAN : (double)INFINITY };
}

/* Neither C nor the body declares it, nor a helper: so the kernel has not what the host's compiler
 * has seen. */
static void refuse_unknown(parser *p, cohort_token token, bool is_called)
{
    static const char *const of_cxx[] = { "static_cast", "reinterpret_cast",
                                          "const_cast",  "nullptr",
                                          "std",         "decltype",
                                          "this",        "new",
                                          NULL };
    int shown = cohort_token_shown(token);
    bool is_of_cxx = cohort_items_is_any(token, of_cxx);
    bool is_reserved = token.length > 2 && token.start[0] == '_' &&
                       (token.start[1] == '_' || (token.start[1] >= 'A' && token.start[1] <= 'Z'));
    if (is_reserved || is_of_cxx)
        cohort_items_parser_refuse(p,
                                   "has %.*s, of %s alone, perhaps by a macro: write it in C that "
                                   "a kernel has, too",
                                   shown, token.start,
                                   is_of_cxx ? "C++" : "this compiler or its library");
    else if (is_called)
        cohort_items_parser_refuse(p,
                                   "calls %.*s(), which no kernel has: declare it by COHORT_HELPER "
                                   "before the function, or write out what it does",
                                   shown, token.start);
    else
        cohort_items_parser_refuse(
            p,
            "names '%.*s', which no kernel has: make it a parameter, a macro "
            "(#define), or a COHORT_CONSTANT or COHORT_TABLE before the "
            "function",
            shown, token.start);
}

static value function_or_constant(parser *p)
{
    cohort_token token = p->token;
    bool is_float = false, is_enclosed = false;
    const cohort_items_name *name = cohort_items_name_find(token, &is_float);
    bool is_called = is_called_by_name(p, &is_enclosed);
    uint32_t type = cohort_items_constant(token);
    if (name != NULL && (is_called || is_enclosed) && name->kind == COHORT_ITEMS_REFUSED)
        refuse_name(p, name, token);
    else if (name != NULL && !is_called && !name->is_alien)
        cohort_items_parser_refuse(
            p,
            "names %.*s without calling it, which OpenCL C does not know as one function: call "
            "it, as in %.*s(x)",
            cohort_token_shown(token), token.start, cohort_token_shown(token), token.start);
    else if (cohort_items_is_foreign_constant(token))
        cohort_items_parser_refuse(p,
                                   "has %.*s, whose value is the library's or the device's: write "
                                   "the number",
                                   cohort_token_shown(token), token.start);
    cohort_items_parser_step(p);
    if (name != NULL && is_called)
        return call(p, name, is_float);
    uint32_t ours = COHORT_VOID;
    if (is_called && cohort_items_ours_find(token, &ours)) {
        value list[MAX_ARGUMENTS];
        (void)arguments(p, list);
        return ours == COHORT_VOID ? foreign : (value){ .type = ours };
    }
    if (cohort_token_is(token, "NULL"))
        return untold;
    if (type == COHORT_VOID)
        refuse_unknown(p, token, is_called);
    return type == COHORT_VOID ? foreign : constant(token, type);
}

static value use_helper(parser *p, const cohort_helper *helper)
{
    value list[MAX_ARGUMENTS], v = cohort_items_helper_use(p, helper);
    if (helper->parameters != NULL && is(p, "("))
        (void)arguments(p, list);
    return v;
}

/* The prefix of a text or character, L"..." or u'x', is no name. */
static value name(parser *p)
{
    const char *end = p->token.start + p->token.length;
    if (*end == '"' || *end == '\'') {
        cohort_items_parser_step(p);
        cohort_items_parser_step(p);
        return (value){ .type = COHORT_I32, .n_stars = *end == '"' };
    }
    const cohort_items_symbol *symbol = cohort_items_symbols_find(&p->symbols, p->token);
    const cohort_helper *helper =
        symbol == NULL ? cohort_items_helper_find(p->helpers, p->token) : NULL;
    if (helper != NULL)
        return use_helper(p, helper);
    if (symbol == NULL)
        return function_or_constant(p);
    value v = symbol->value;
    if (v.array > 0)
        cohort_items_own_see(p->own, v.array - 1);
    cohort_items_parser_step(p);
    return v;
}

/* ---- What has an operand */

static value unary(parser *p);
static value conditional(parser *p);

/* In a type in which C computes it without a remainder of its own: unsigned numbers of 32 bits
 * wrap. */
static bool is_whole(int64_t type)
{
    return type == COHORT_I32 || type == COHORT_I64 || type == COHORT_U64;
}

/* The form of a number in another type; one of less bits may be another number. */
static int32_t form_in(value to, value from)
{
    bool is_kept = to.n_stars == 0 && is_whole(to.type) &&
                   (to.type != COHORT_I32 || promoted(from.type) == COHORT_I32);
    return is_kept && is_integer(from) ? from.form : 0;
}

/* A number in another type. */
static value cast(parser *p, value to, value from)
{
    cohort_items_use(p, from, to);
    to.form = form_in(to, from);
    bool is_number = to.n_stars == 0 && from.is_constant;
    to.is_constant = is_number && (to.type == COHORT_F32 || to.type == COHORT_F64);
    to.number = to.type == COHORT_F32 ? (double)(float)from.number : from.number;
    return to;
}

/* `(type) operand`, `(type){ ... }`, or an expression of GNU C, whose type nobody told. */
static value parentheses(parser *p)
{
    cohort_items_parser_step(p);
    if (cohort_items_begins_type(p, p->token)) {
        value type = cohort_items_type_name(p);
        (void)accept(p, ")");
        const char *start = p->token.start;
        if (!is(p, "{")) {
            value from = unary(p);
            if (type.n_stars > 0)
                check_pointer(p, from, start);
            return cast(p, type, from);
        }
        (void)cohort_items_initializer(p, type);
        return type;
    }
    if (is(p, "{")) {
        cohort_items_statement(p);
        (void)accept(p, ")");
        return untold;
    }
    value v = cohort_items_expression(p);
    (void)accept(p, ")");
    /* a cast to a type of the program's */
    bool is_cast = is_of(v, COHORT_ITEMS_FOREIGN) &&
                   (p->token.kind == COHORT_TOKEN_NAME || p->token.kind == COHORT_TOKEN_NUMBER);
    if (is_cast)
        (void)unary(p);
    return v;
}

/* A character beyond 127, written as it is or by its number: 'x80' and '200' with backslashes. */
static bool is_beyond_ascii(cohort_token token)
{
    const char *at = token.start + 1;
    if ((unsigned char)at[0] > 127)
        return true;
    if (at[0] != '\\')
        return false;
    return at[1] == 'x' ? digit(at[2], true) >= 8 && digit(at[3], true) >= 0
                        : at[1] >= '2' && at[1] <= '7' && digit(at[2], false) >= 0 &&
                              digit(at[3], false) >= 0;
}

static value character(parser *p)
{
    if (CHAR_MIN == 0 && is_beyond_ascii(p->token))
        cohort_items_parser_refuse(p,
                                   "has the character %.*s, which is negative in OpenCL C, and not "
                                   "here: write its number",
                                   cohort_token_shown(p->token), p->token.start);
    cohort_items_parser_step(p);
    return (value){ .type = COHORT_I32, .is_flag = true };
}

static value primary(parser *p)
{
    static const char *const closing[] = { ")", "]", "}", ";", ",", ":", NULL };
    char first = p->token.length > 0 ? *p->token.start : '\0';
    if (p->token.kind == COHORT_TOKEN_NAME)
        return name(p);
    if (p->token.kind == COHORT_TOKEN_NUMBER)
        return number(p);
    if (first == '(')
        return parentheses(p);
    if (first == '\'')
        return character(p);
    if (first == '"') {
        cohort_items_parser_step(p);
        return (value){ .type = COHORT_I8, .n_stars = 1 };
    }
    if (!cohort_items_is_any(p->token, closing))
        cohort_items_parser_step(p);
    return untold;
}

static value member(parser *p, value of)
{
    cohort_items_parser_step(p); /* . or -> */
    const cohort_items_symbol *symbol =
        of.type >= COHORT_STRUCT_BASE
            ? cohort_items_symbols_member(&p->symbols, (int32_t)(of.type - COHORT_STRUCT_BASE),
                                          p->token)
            : NULL;
    cohort_items_parser_step(p);
    value v = symbol != NULL ? symbol->value : foreign;
    v.array = of.array;
    return v;
}

/* An array of the prototype, or one that is a member of its element, is a pointer here. */
static void check_array(parser *p, value v, const char *start)
{
    if (v.array > 0 && v.n_stars > 0 && !p->is_sized)
        cohort_items_own_refuse(p->own, v.array - 1, "is used as a pointer", start, p->token.start);
}

/* Constant memory is one of its own: to hand on a table, or a row of it, would be a pointer to
 * it. */
static void check_table(parser *p, value v, const char *start)
{
    if (v.is_of_table && v.n_stars > 0 && !p->is_sized)
        cohort_items_parser_refuse(p,
                                   "has the table '%.*s' without an index for each of its axes, as "
                                   "a pointer, and none leads to its memory: index it here",
                                   shown(start, p->token.start), start);
}

static value postfix(parser *p)
{
    const char *start = p->token.start;
    value v = primary(p);
    for (;;) {
        if (is(p, "[")) {
            cohort_items_parser_step(p);
            value index = cohort_items_expression(p);
            cohort_items_use(p, index, untold);
            (void)accept(p, "]");
            if (v.array > 0 && v.is_of_array && v.n_stars > 0)
                cohort_items_own_index(p->own, v.array - 1, index.form, start, p->token.start);
            v = v.n_stars > 0 ? v : index; /* x[i], or i[x] */
            v.n_stars -= v.n_stars > 0;
            v.is_constant = false;
            v.form = 0;
        } else if (is(p, "(")) {
            value list[MAX_ARGUMENTS];
            (void)arguments(p, list);
            v = v.type == COHORT_ITEMS_UNTOLD ? untold : foreign;
        } else if (is(p, ".") || is(p, "->")) {
            check_array(p, v, start); /* p->a is p[0].a */
            v = member(p, v);
        } else if (is(p, "++") || is(p, "--")) {
            cohort_items_parser_step(p);
        } else {
            check_table(p, v, start);
            check_array(p, v, start);
            return v;
        }
    }
}

/* In C++ the size of a comparison or of a character is 1. */
static value size_of(parser *p)
{
    bool is_inside = p->is_sized;
    cohort_items_parser_step(p);
    p->is_sized = true;
    if (is(p, "(") && cohort_items_begins_type(p, cohort_items_next(p->token))) {
        cohort_items_parser_step(p);
        (void)cohort_items_type_name(p);
        (void)accept(p, ")");
    } else if (unary(p).is_flag) {
        cohort_items_parser_refuse(p, "asks for the size of a comparison or a character, which is "
                                      "another one in C than in C++: write the number");
    }
    p->is_sized = is_inside;
    return (value){ .type = sizeof(size_t) == sizeof(int64_t) ? COHORT_U64 : COHORT_U32 };
}

/* In parentheses may stand what is an element in C++ alone, as c ? x[i] : y[i]. */
static void check_address(parser *p, value v, const char *start, bool is_enclosed)
{
    static const char how[] = "may be reached by an address";
    if (is_enclosed)
        cohort_items_own_refuse_all(p->own, how, start, p->token.start);
    else if (v.array > 0)
        cohort_items_own_refuse(p->own, v.array - 1, how, start, p->token.start);
}

static value operation(parser *p)
{
    const char *start = p->token.start;
    char sign = *start;
    bool is_double = p->token.length > 1; /* ++ and -- */
    cohort_items_parser_step(p);
    bool is_enclosed = is(p, "(");
    value v = unary(p);
    v.form = sign == '+' && !is_double ? v.form : 0;
    if (sign == '&')
        check_address(p, v, start, is_enclosed);
    if (sign == '&' && v.is_of_table)
        cohort_items_parser_refuse(
            p, "takes an address of a constant or a table, to whose memory no pointer leads");
    if (sign == '&' || is_double) {
        v.n_stars += sign == '&';
        return v;
    }
    if (sign == '*') {
        v.n_stars -= v.n_stars > 0;
        return v;
    }
    if (sign == '!')
        return flag;
    cohort_items_use(p, v, untold);
    v.is_flag = false;
    v.type = v.n_stars == 0 ? promoted(v.type) : v.type;
    v.number = sign == '-' ? -v.number : v.number;
    v.is_constant = v.is_constant && sign != '~';
    return v;
}

static value unary(parser *p)
{
    static const char *const signs[] = { "+", "-", "!", "~", "*", "&", "++", "--", NULL };
    static const char *const sizes[] = { "sizeof", "_Alignof", "alignof", NULL };
    value v = untold;
    if (!cohort_items_parser_enter(p))
        return v;
    if (cohort_items_is_any(p->token, sizes))
        v = size_of(p);
    else
        v = cohort_items_is_any(p->token, signs) ? operation(p) : postfix(p);
    cohort_items_parser_leave(p);
    return v;
}

/* ---- Operators of two */

/* In the order of C, the loosest first. Longer ones stand before those that they begin with. */
static const struct {
    const char *text;
    int level;
} operators[] = { { "||", 1 }, { "&&", 2 }, { "==", 6 }, { "!=", 6 }, { "<<", 8 }, { ">>", 8 },
                  { "<=", 7 }, { ">=", 7 }, { "<", 7 },  { ">", 7 },  { "|", 3 },  { "^", 4 },
                  { "&", 5 },  { "+", 9 },  { "-", 9 },  { "*", 10 }, { "/", 10 }, { "%", 10 } };
enum { LOOSEST = 1, EQUAL = 6, UNEQUAL = 7, SHIFT = 8, SUM = 9 };

/* 0: none, or one that assigns too. */
static int find_operator(const parser *p, size_t *out_length)
{
    const char *at = p->token.start;
    if (p->token.kind != COHORT_TOKEN_MARK || p->token.length != 1)
        return 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t length = strlen(operators[i].text);
        if (strncmp(at, operators[i].text, length) != 0)
            continue;
        bool is_comparison = operators[i].level == EQUAL || operators[i].level == UNEQUAL;
        *out_length = length;
        return at[length] == '=' && !is_comparison ? 0 : operators[i].level;
    }
    return 0;
}

static double computed(char sign, double a, double b)
{
    return sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
}

/* A NaN that is no NAN: compilers make it when they compile, processors when they run, each its
 * own. */
static void check_constant(parser *p, value *v, value a, value b, const char *start, char sign)
{
    v->is_constant = a.is_constant && b.is_constant && strchr("+-*/", sign) != NULL &&
                     (v->type == COHORT_F32 || v->type == COHORT_F64);
    if (!v->is_constant)
        return;
    double number = computed(sign, a.number, b.number);
    v->number = v->type == COHORT_F32 ? (double)(float)number : number;
    if (isnan(v->number) && !isnan(a.number) && !isnan(b.number))
        cohort_items_parser_refuse(p,
                                   "has '%.*s', a NaN whose bits each compiler chooses: write NAN",
                                   shown(start, p->token.start), start);
}

static value arithmetic(parser *p, value a, value b, const char *start, char sign)
{
    cohort_items_use(p, a, untold);
    cohort_items_use(p, b, untold);
    if (a.n_stars > 0 || b.n_stars > 0) {
        value difference = { .type = COHORT_I64 };
        return a.n_stars > 0 && b.n_stars > 0 ? difference : a.n_stars > 0 ? a : b;
    }
    value v = { .type = common(a.type, b.type) };
    if (v.type == COHORT_F16)
        cohort_items_parser_refuse(p,
                                   "computes '%.*s' in half precision, for which hosts take more "
                                   "bits than devices: cast to float",
                                   shown(start, p->token.start), start);
    check_constant(p, &v, a, b, start, sign);
    if (is_whole(v.type))
        v.form = cohort_items_own_combine(p->own, a.form, b.form, sign);
    return v;
}

static bool is_zero(value v)
{
    return is_integer(v) && v.is_constant && v.number == 0;
}

static value compared(parser *p, value a, value b, int level)
{
    bool is_asked = level == EQUAL && (is_zero(a) || is_zero(b));
    cohort_items_use(p, a, is_asked ? (value){ .type = COHORT_BOOL } : untold);
    cohort_items_use(p, b, is_asked ? (value){ .type = COHORT_BOOL } : untold);
    return flag;
}

static value binary(parser *p, int loosest)
{
    const char *start = p->token.start;
    size_t length = 0;
    value v = unary(p);
    for (int level = find_operator(p, &length); level >= loosest;
         level = find_operator(p, &length)) {
        char sign = *p->token.start;
        p->token = cohort_items_token(p->token.start + length);
        value right = binary(p, level + 1);
        if (level <= 2)
            v = flag;
        else if (level == EQUAL || level == UNEQUAL)
            v = compared(p, v, right, level);
        else if (level == SHIFT) {
            cohort_items_use(p, right, untold);
            v = arithmetic(p, v, (value){ .type = COHORT_I32 }, start, '<');
        } else
            v = arithmetic(p, v, right, start, sign);
    }
    return v;
}

/* Both arms become what they have in common. */
static value conditional(parser *p)
{
    value v = binary(p, LOOSEST);
    if (!accept(p, "?"))
        return v;
    if (!cohort_items_parser_enter(p))
        return untold;
    value a = is(p, ":") ? v : cohort_items_expression(p);
    (void)accept(p, ":");
    value b = conditional(p);
    cohort_items_parser_leave(p);
    v = a.n_stars > 0 || a.type >= COHORT_STRUCT_BASE ? a : b;
    if (a.n_stars == 0 && b.n_stars == 0 && a.type < COHORT_STRUCT_BASE)
        v = (value){ .type = common(a.type, b.type), .is_flag = a.is_flag && b.is_flag };
    v.truth = a.truth != NULL ? a.truth : b.truth;
    return v;
}

/* Length of an operator that assigns; 0: there is none. */
static size_t assigns(cohort_token token)
{
    const char *at = token.start;
    if (token.kind != COHORT_TOKEN_MARK || token.length != 1)
        return 0;
    if ((at[0] == '<' || at[0] == '>') && at[1] == at[0])
        return at[2] == '=' ? 3 : 0;
    if (strchr("+-*/%&|^", at[0]) != NULL)
        return at[1] == '=' ? 2 : 0;
    return at[0] == '=' && at[1] != '=' ? 1 : 0;
}

value cohort_items_assignment(parser *p)
{
    const char *start = p->token.start;
    value v = conditional(p);
    size_t length = assigns(p->token);
    if (length == 0)
        return v;
    char sign = *p->token.start;
    if (!cohort_items_parser_enter(p))
        return untold;
    p->token = cohort_items_token(p->token.start + length);
    const char *right_start = p->token.start;
    value right = cohort_items_assignment(p);
    cohort_items_parser_leave(p);
    cohort_items_use(p, right, v);
    check_pointer(p, right, right_start);
    if (length > 1)
        (void)arithmetic(p, v, right, start, sign);
    return v;
}

value cohort_items_expression(parser *p)
{
    value v = cohort_items_assignment(p);
    while (accept(p, ","))
        v = cohort_items_assignment(p);
    return v;
}

/* A list's designators, .a = and [1] =, are no expressions. */
static void skip_designators(parser *p)
{
    bool has_one = is(p, ".") || is(p, "[");
    while (is(p, ".") || is(p, "[")) {
        if (is(p, "[")) {
            cohort_items_parser_skip_brackets(p);
        } else {
            cohort_items_parser_step(p);
            cohort_items_parser_step(p);
        }
    }
    if (has_one)
        (void)accept(p, "=");
}

value cohort_items_initializer(parser *p, value variable)
{
    if (!is(p, "{")) {
        const char *start = p->token.start;
        value v = cohort_items_assignment(p);
        cohort_items_use(p, v, variable);
        if (!variable.is_of_array)
            check_pointer(p, v, start);
        variable.form = form_in(variable, v);
        return variable;
    }
    if (!cohort_items_parser_enter(p))
        return untold;
    cohort_items_parser_step(p);
    while (p->token.length > 0 && !is(p, "}")) {
        skip_designators(p);
        (void)cohort_items_initializer(p, untold);
        if (!accept(p, ","))
            break;
    }
    (void)accept(p, "}");
    cohort_items_parser_leave(p);
    return untold;
}
