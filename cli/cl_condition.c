/* SPDX-License-Identifier: BSD-3-Clause */
/* Precedence climbing. What && and || do not need is read, and may divide by zero: it is not
 * evaluated. Overflow wraps, since no expression of a text may be undefined behaviour here. As C
 * has it, what one operand that is unsigned makes of the other is unsigned, too. */
#include "config.h"

#include "cli/cl_condition.h"

#include "cli/ascii.h"

#include <string.h>

enum { DEEPEST = 100, BITS = 64 };

/* An intmax_t or uintmax_t of the preprocessor. */
typedef struct number {
    uint64_t bits;
    bool is_unsigned;
} number;

typedef struct reader {
    const cl_token *tokens;
    int n, at, depth;
    bool is_idle; /* nothing is evaluated */
    cl_value_fn value;
    const void *user;
    const char *wrong;
} reader;

static number read_level(reader *r, int level);
static number read_choice(reader *r);

static number of_signed(int64_t value)
{
    return (number){ .bits = (uint64_t)value };
}

static cl_token current(const reader *r)
{
    return r->at < r->n ? r->tokens[r->at] : (cl_token){ .kind = CL_END, .start = "" };
}

static bool accept(reader *r, const char *mark)
{
    bool is_there = cl_is(current(r), mark);
    r->at += is_there;
    return is_there;
}

static number fail(reader *r, const char *wrong)
{
    if (r->wrong == NULL)
        r->wrong = wrong;
    return (number){ 0 };
}

static int digit_of(char c)
{
    return ascii_is_digit(c) ? c - '0' : ascii_is_hexadecimal(c) ? ascii_lower(c) - 'a' + 10 : 99;
}

/* What no intmax_t holds is unsigned without a suffix, as compilers have it. */
static number read_number(reader *r, cl_token t)
{
    const char *at = t.start, *end = t.start + t.length;
    bool is_hex = t.length > 2 && at[0] == '0' && ascii_lower(at[1]) == 'x', is_unsigned = false;
    unsigned base = is_hex ? 16 : *at == '0' ? 8 : 10;
    uint64_t value = 0;
    for (at += is_hex ? 2 : 0; at < end && (unsigned)digit_of(*at) < base; at++)
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, (unsigned)digit_of(*at), &value))
            return fail(r, "a number of more than 64 bits");
    for (; at < end && (ascii_lower(*at) == 'u' || ascii_lower(*at) == 'l'); at++)
        is_unsigned |= ascii_lower(*at) == 'u';
    return at == end ? (number){ value, is_unsigned || value > INT64_MAX }
                     : fail(r, "a number that is no integer");
}

static number read_character(reader *r, cl_token t)
{
    bool is_one = t.length == 3 && t.start[0] == '\'';
    return is_one ? of_signed(t.start[1]) : fail(r, "a text in an expression of integers");
}

static number read_name(reader *r, cl_token t)
{
    int64_t value = 0;
    return r->value(r->user, t, &value) ? of_signed(value) : fail(r, "a name that is no constant");
}

static number read_parentheses(reader *r)
{
    number value = read_choice(r);
    return accept(r, ")") ? value : fail(r, "a parenthesis is never closed");
}

static number read_unary(reader *r);

static number read_signed(reader *r, char sign)
{
    number value = read_unary(r);
    if (sign == '!')
        return of_signed(value.bits == 0);
    value.bits = sign == '-' ? 0 - value.bits : sign == '~' ? ~value.bits : value.bits;
    return value;
}

static number read_unary(reader *r)
{
    if (++r->depth > DEEPEST || r->wrong != NULL)
        return fail(r, "too many parentheses and signs");
    cl_token t = current(r);
    r->at++;
    bool is_sign = cl_is(t, "!") || cl_is(t, "-") || cl_is(t, "+") || cl_is(t, "~");
    number value = is_sign               ? read_signed(r, *t.start)
                   : cl_is(t, "(")       ? read_parentheses(r)
                   : t.kind == CL_NUMBER ? read_number(r, t)
                   : t.kind == CL_TEXT   ? read_character(r, t)
                   : t.kind == CL_NAME   ? read_name(r, t)
                                         : fail(r, "an expression that has no value");
    r->depth--;
    return value;
}

/* From the weakest on. */
static const struct {
    const char *mark;
    int level;
} operators[] = { { "||", 1 }, { "&&", 2 }, { "|", 3 },  { "^", 4 },  { "&", 5 },  { "==", 6 },
                  { "!=", 6 }, { "<=", 7 }, { ">=", 7 }, { "<", 7 },  { ">", 7 },  { "<<", 8 },
                  { ">>", 8 }, { "+", 9 },  { "-", 9 },  { "*", 10 }, { "/", 10 }, { "%", 10 } };
enum { N_OPERATORS = sizeof operators / sizeof *operators };

static number divide(reader *r, number a, number b, bool wants_rest)
{
    const int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    if (r->is_idle)
        return (number){ .is_unsigned = a.is_unsigned };
    if (y == 0)
        return fail(r, "a division by zero");
    if (a.is_unsigned)
        return (number){ wants_rest ? a.bits % b.bits : a.bits / b.bits, true };
    if (y == -1)
        return (number){ .bits = wants_rest ? 0 : 0 - a.bits };
    return of_signed(wants_rest ? x % y : x / y);
}

/* The type is that of the left operand alone. */
static number shift(number a, number by, bool is_left)
{
    if (by.bits >= BITS)
        return (number){ .is_unsigned = a.is_unsigned };
    if (is_left || a.is_unsigned)
        return (number){ is_left ? a.bits << by.bits : a.bits >> by.bits, a.is_unsigned };
    return of_signed((int64_t)a.bits >> by.bits);
}

static bool is_less(number a, number b)
{
    return a.is_unsigned ? a.bits < b.bits : (int64_t)a.bits < (int64_t)b.bits;
}

/* With both operands of one type, which the result has, too. */
static number apply_common(reader *r, char sign, number a, number b)
{
    switch (sign) {
    case '|':
        return (number){ a.bits | b.bits, a.is_unsigned };
    case '&':
        return (number){ a.bits & b.bits, a.is_unsigned };
    case '^':
        return (number){ a.bits ^ b.bits, a.is_unsigned };
    case '+':
        return (number){ a.bits + b.bits, a.is_unsigned };
    case '-':
        return (number){ a.bits - b.bits, a.is_unsigned };
    case '*':
        return (number){ a.bits * b.bits, a.is_unsigned };
    default:
        return divide(r, a, b, sign == '%');
    }
}

static number apply(reader *r, const char *mark, number a, number b)
{
    bool is_equal = mark[1] == '=';
    if (mark[1] == '|')
        return of_signed(a.bits != 0 || b.bits != 0);
    if (mark[1] == '&')
        return of_signed(a.bits != 0 && b.bits != 0);
    if (mark[1] == '<' || mark[1] == '>')
        return shift(a, b, mark[1] == '<');
    a.is_unsigned = b.is_unsigned = a.is_unsigned || b.is_unsigned;
    switch (mark[0]) {
    case '=':
        return of_signed(a.bits == b.bits);
    case '!':
        return of_signed(a.bits != b.bits);
    case '<':
        return of_signed(is_equal ? !is_less(b, a) : is_less(a, b));
    case '>':
        return of_signed(is_equal ? !is_less(a, b) : is_less(b, a));
    default:
        return apply_common(r, mark[0], a, b);
    }
}

/* N_OPERATORS: none of this level or a stronger one. */
static int operator_at(const reader *r, int level)
{
    int i = 0;
    while (i < N_OPERATORS &&
           !(operators[i].level >= level && cl_is(current(r), operators[i].mark)))
        i++;
    return i;
}

static number read_level(reader *r, int level)
{
    number left = read_unary(r);
    for (int i = operator_at(r, level); i < N_OPERATORS && r->wrong == NULL;
         i = operator_at(r, level)) {
        bool was_idle = r->is_idle, is_or = operators[i].level == 1,
             is_and = operators[i].level == 2;
        r->at++;
        r->is_idle |= (is_or && left.bits != 0) || (is_and && left.bits == 0);
        number right = read_level(r, operators[i].level + 1);
        r->is_idle = was_idle;
        left = apply(r, operators[i].mark, left, right);
    }
    return left;
}

static number read_choice(reader *r)
{
    if (++r->depth > DEEPEST)
        return fail(r, "too many parentheses and signs");
    number condition = read_level(r, 1);
    if (accept(r, "?")) {
        bool was_idle = r->is_idle;
        r->is_idle = was_idle || condition.bits == 0;
        number yes = read_choice(r);
        if (!accept(r, ":"))
            (void)fail(r, "a ? without its :");
        r->is_idle = was_idle || condition.bits != 0;
        number no = read_choice(r);
        r->is_idle = was_idle;
        condition.bits = condition.bits != 0 ? yes.bits : no.bits;
        condition.is_unsigned = yes.is_unsigned || no.is_unsigned;
    }
    r->depth--;
    return condition;
}

const char *cl_condition(const cl_token *tokens, int n, cl_value_fn value, const void *user,
                         int64_t *out)
{
    reader r = { .tokens = tokens, .n = n, .value = value, .user = user };
    *out = (int64_t)read_choice(&r).bits;
    if (r.wrong == NULL && r.at != n)
        (void)fail(&r, "an expression with more behind it");
    return r.wrong;
}
