/* SPDX-License-Identifier: BSD-3-Clause */
/* Items: one body as a loop of the host and as an OpenCL C kernel. */
#include <cohort/cohort.h>

#include "runtime/base/memory.h"
#include "runtime/function/expression.h"
#include "runtime/function/geometry.h"
#include "runtime/function/items.h"
#include "runtime/function/native_call.h"
#include "tests/tap.h"

#include <limits.h>

COHORT_STRUCT(pixel, {
    uint8_t r, g, b, a;
    float weight[2];
});
COHORT_STRUCT(frame, { pixel corner; });
typedef int index_type;
COHORT_TYPE_ALIAS(index_type);

COHORT_ITEMS(axpy, i, n, (int64_t n, float a, const float x[n], float y[n]), { y[i] += a * x[i]; });
COHORT_ITEMS(positive, k, n / 2,
             (int64_t n, const float *x COHORT_SHAPE(n), COHORT_OUT float *y COHORT_SHAPE(n / 2)), {
                 float first = x[2 * k],
                       second = 2 * k + 1 < n ? x[2 * k + 1] : 0; /* commas, and a comment */
                 if (first + second <= 0)
                     continue;
                 y[k] = first + second;
             });
COHORT_ITEMS_OF_TYPES(grey, i, n, (index_type n, frame f, struct pixel *x COHORT_SHAPE(n)),
                      COHORT_TYPES(frame, index_type, pixel),
                      { x[i].g = x[i].b = (uint8_t)(x[i].r + f.corner.r); });
COHORT_ITEMS(smallest, i, n, (int64_t n, const float x[n], COHORT_OUT int64_t y[n]), {
    y[i] = -1;
    if (x[i] < 0)
        break; /* of the item */
    switch ((int)x[i]) {
    case 7:
        continue; /* the item, too */
    case 8:
        break; /* of the switch */
    }
    for (y[i] = 2;; y[i]++)
        if ((float)(y[i] * y[i]) > x[i])
            break; /* of the loop */
});
COHORT_ITEMS(three, i, 3, (int32_t step, int64_t y[3]), { y[i] = i * step; });
COHORT_ITEMS_3D(volume, i, n, local, n / 2, k, 3,
                (int64_t n, COHORT_OUT float *y COHORT_SHAPE(n, n / 2, 3)),
                { y[(i * ((n + 1) / 2) + local) * 3 + k] = 1; });

/* ---- Errors */

static cohort_function items_of(const char *prototype, const char *item, const char *count,
                                const char *body)
{
    return (cohort_function){ .struct_size = sizeof(cohort_function),
                              .name = "f",
                              .returns = "void",
                              .prototype = prototype,
                              .item = item,
                              .count = count,
                              .item_body = body };
}

static void refuses(cohort_function function, const char *message)
{
    const cohort_signature *signature = cohort_signature_create(&function);
    ok(signature == NULL, "%s items of %s are refused",
       function.count != NULL ? function.count : "no", function.prototype);
    has_text(cohort_error_text(), message, "because: %.*s", (int)strcspn(message, "\n"), message);
    cohort_signature_release(signature);
}

static void test_bad_items(void)
{
    const char *list = "(int n, float rate, float x[n])";
    refuses(items_of(list, "i", "m", "{ }"),
            "f: 'm' is no integer parameter; constants of the program are not known here: write "
            "the number, or make it a parameter\nm\n^");
    refuses(items_of(list, "i", "rate", "{ }"), "'rate' is no integer parameter");
    refuses(items_of(list, "i", "n +", "{ }"), "expected a name or an integer");
    refuses(items_of(list, "i", "n, n", "{ }"), "the number of items ends before this\nn, n\n ^");
    refuses(items_of(list, "i", "", "{ }"), "expected a name or an integer");
    refuses(items_of(list, "i", NULL, "{ }"), "expected a name or an integer");
    refuses(items_of(list, NULL, "n", "{ }"), "the index of an item needs a name, such as i");
    refuses(items_of(list, "3", "n", "{ }"), "the index of an item needs a name, such as i\n3\n^");
    refuses(items_of(list, "i j", "n", "{ }"), "the index of an item needs a name");
    refuses(items_of(list, "n", "n", "{ }"), "the index of an item is a parameter too");
    refuses(items_of(list, "i", "n", NULL), "f: items without a body");
    refuses(items_of(list, "i, j", "n", "{ }"),
            "there are 2 indices, and a number of items for each, such as n, m\nn\n ^");
    refuses(items_of(list, "i, j, k", "n, n", "{ }"), "there are 3 indices");
    refuses(items_of(list, "i, j", "n, n, n", "{ }"),
            "the number of items ends before this\nn, n, n\n    ^");
    refuses(items_of(list, "i, j", "n n", "{ }"), "there are 2 indices");
    refuses(items_of(list, "i, j", "n, rate", "{ }"), "'rate' is no integer parameter");
    refuses(items_of(list, "i, j", "n, ", "{ }"), "expected a name or an integer");
    refuses(items_of(list, "i, j", ", n", "{ }"), "expected a name or an integer");
    refuses(items_of(list, "i, i", "n, n", "{ }"), "f: an item has this index twice\ni, i\n   ^");
    refuses(items_of(list, "i, n", "n, n", "{ }"),
            "the index of an item is a parameter too\ni, n\n   ^");
    refuses(items_of(list, "i, ", "n, n", "{ }"), "the index of an item needs a name");
    refuses(items_of(list, ", j", "n, n", "{ }"), "the index of an item needs a name");
    refuses(items_of(list, "i, 2", "n, n", "{ }"), "the index of an item needs a name");
    refuses(items_of(list, "i, j, k, l", "n, n, n, n", "{ }"),
            "an item has at most 3 indices\ni, j, k, l\n         ^");
    refuses(items_of(list, "i, j", "n, n", "{ x[i]++; j = 3; }"),
            "f: the body of an item changes 'j'");
    refuses(items_of(list, "i, j, k", "n, n, n", "{ k++; }"), "changes 'k'");
    refuses(items_of(list, "i, j", "n, n", "{ if (j > 2) return; }"), "has 'return'");
    refuses(items_of(list, "i, j", "n, n", "{ x[i] = sqrt(x[j]); }"), "sqrt");
    refuses(items_of(list, NULL, NULL, "{ }"), "needs a name");
    cohort_function function = items_of(list, "i", "n", "{ }");
    function.returns = "float";
    refuses(function, "f: the body of an item returns nothing; its result is void, not float");
    function.returns = "cohort_status";
    refuses(function, "its result is void, not cohort_status");
}

static bool takes_body(const char *body)
{
    cohort_function function = items_of("(int n, float a, float2 p, float x[n])", "i", "n", body);
    const cohort_signature *signature = cohort_signature_create(&function);
    cohort_signature_release(signature);
    return signature != NULL;
}

/* On the host they would end the loop over the items, on an OpenCL device the item. */
static void test_words_that_leave(void)
{
    static const char *const refused[] = {
        "{ if (x[i] < 0) return; x[i] = 1; }",
        "return;",
        "{ x[i] = 1;return\n; }",
        "{ for (int j = 0; j < 3; j++) { if (x[i] < j) { return; } } }",
        "{ x[i] = ({ if (n > 3) return; 1; }); }",
        "{ if (x[i] < 0) goto end; x[i] = 1; end:; }",
        "{ x[i] = '\"'; return; x[i] = '\"'; }",
        "{ const signed char *s = \"\\\"\"; /* \" */ return; }",
        "{ x[i] = 6 / 2; // \" */\n return; }",
        "{ x[i] = '\\''; return; }",
        "{ x[i] = 0x1p-3f;return; }",
        "{ x[i] = 10'000; return; x[i] = 'a'; }",
    };
    static const char *const taken[] = {
        "{ float returned = x[i], no_return = 1, gotos = 2; x[i] = returned + no_return + gotos; }",
        "{ /* return */ x[i] = 1; // goto end\n }",
        "{ const signed char *s = \"return;\", c = '\\''; x[i] = s[0] + c; }",
        "{ x[i] = n / 2 /* return; */ / 3; }",
        "{ for (int j = 0; j < 3; j++) { if (x[i] < j) break; } switch (n) { case 1: break; } }",
        "{ if (x[i] < 0) continue; if (x[i] > 9) break; x[i] = 1; }",
        "{ x[i] = 1; } /* return",
        "{ x[i] = 1; } // return",
        "{ x[i] = \"return",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ok(!takes_body(refused[i]), "%s is refused", refused[i]);
        has_text(cohort_error_text(),
                 i == 5 ? "f: the body of an item has 'goto'"
                        : "f: the body of an item has 'return'",
                 "by its name and the word");
        has_text(cohort_error_text(), "leave an item with 'continue', or put the rest into an 'if'",
                 "with what to do");
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        ok(takes_body(taken[i]), "%s is taken", taken[i]);
}

/* The host's loop would hand what one item makes of them to the next, and a kernel would not. */
static void test_changed_names(void)
{
    static const struct {
        const char *body, *name; /* the name that is changed; NULL: none is */
    } bodies[] = {
        { "{ n *= 2; x[i] = n; }", "n" },
        { "{ x[i] = n++; }", "n" },
        { "{ x[i] = --n; }", "n" },
        { "{ if (x[i] > 1) n = 3; x[i] = n; }", "n" },
        { "{ if (x[i] > 1) x[i] = 0; else n /* so */ <<= 1; }", "n" },
        { "{ do n -= 1; while (n > 3); x[i] = 1; }", "n" },
        { "{ x[i] = n / (n=2); }", "n" },
        { "{ x += 1; x[i] = 2; }", "x" },
        { "{ *x++ = 2; }", "x" },
        { "{ x[i] = 1; ++i; }", "i" },
        { "{ for (; i < 3; i++) x[i] = 1; }", "i" },
        { "{ p.a.b = 2; x[i] = p.a.b; }", "p" },
        { "{ x[i] = p.a++; }", "p" },
        { "{ n\n\t|=\n1; }", "n" },
        { "{ x[i] = n == 2 || n <= 3 || n >= 4 || n != 5; }", NULL },
        { "{ x[i] = n << 2 | n >> 1 | n - -n + +n; }", NULL },
        { "{ float b = x[i]; b *= n; x[i] = b; x[n - 1] = b; x[i]++; ++x[i]; }", NULL },
        { "{ *x = n; x[i] += n; x[i] = x[i]--; }", NULL },
        { "{ for (int i = 0, m = 2; i < 3; i++) x[m] += i; }", NULL },
        { "{ int n = 3; n++; x[i] = n; }", NULL },
        { "{ (n) *= 2; x[i] = n; }", "n" },
        { "{ (n)++; }", "n" },
        { "{ int *q = &n; *q = 3; }", "n" },
        { "{ x[i] = frexp(x[i], &n); }", "n" },
        { "{ { int n = 1; x[i] = n; } n *= 2; }", "n" },
        { "{ for (int n = 0; n < 3; n++) x[i] += n; n += 1; }", "n" },
        { "{ for (int n = 0; n < 3; n++) { x[i] += n; } n += 1; }", "n" },
        { "{ struct { int n; } t; t.n = 1; n += 1; }", "n" },
        { "{ p.w[0] = 2; }", "p" },
        { "{ ++p.w[0]; }", "p" },
        { "{ n \\\n += 2; }", "n" },
        { "{ n\r\n+= 2; }", "n" },
        { "{ if (x[i] > 0) ++n; }", "n" },
        { "{ if (n) ++x[i]; x[i] = (float)(n) + 1; }", NULL },
        { "{ float b = 1, a = 2; a = b; x[i] = a; }", NULL },
        { "{ float b = 2 * a, q = b * a; b = q; x[i] = b; }", NULL },
        { "{ for (int j = 0, n = 3; j < n; j++, n--) x[i] += n; }", NULL },
        { "{ float q, a; a = 2; q = a; x[i] = q; }", NULL },
        { "{ float v[9], *a = v, s = 0; for (int j = 0; j < n; j++) s += *a++; x[i] = s; }", NULL },
        { "{ struct { int count, w[2]; } v, *q = &v; ++q->count; --q->w[1]; q->count++; x[i] = "
          "x[i] & n; }",
          NULL },
        { "{ float \\\n a = 1; a++; x[i] = a; }", NULL },
        { "{ float\r\na = 1; a++; x[i] = a; }", NULL },
        { "{ x[i] = n && x[i] > 1 && n < 3; x[i] += (int)x[i] & n; }", NULL },
        { "{ float v[2], *q = &v[1]; q[0] = n; x[i] = v[1]; }", NULL },
        { "{ switch (n) { case 1: x[i] = n; break; default: x[i] = 2; } }", NULL },
        { "{ int m = n > 2 ? n : 3; m += n; x[m] = x[n] * x[n]; }", NULL },
        { "{ struct q { int n; } q; q.n = 3; (&q)->n++; x[i] = q.n; }", NULL },
        { "{ // n = 3\n x[i] = sizeof n; /* n++ */ }", NULL },
        { "{ const signed char *s = \"n = 3\"; x[i] = s[n]; }", NULL },
        { "{ float next = 1, an = 2, n_ = 3; next = an = n_ = 4; x[i] = next; }", NULL },
        { "{ x[i] = n+++a; }", "n" },
        { "{ x[i] = n-- - a; }", "n" },
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char message[100];
        bool is_taken = takes_body(bodies[i].body);
        if (!ok(is_taken == (bodies[i].name == NULL), "%s %s", bodies[i].body,
                is_taken ? "is taken" : "is refused"))
            diag("%s", cohort_error_text());
        if (bodies[i].name == NULL)
            continue;
        (void)snprintf(message, sizeof message,
                       "f: the body of an item changes '%s', or takes its address", bodies[i].name);
        has_text(cohort_error_text(), message, "for what it changes, '%s'", bodies[i].name);
    }
}

/* ---- What the host and a kernel would compute differently */

static cohort_status check_body(const char *body)
{
    static const cohort_type pair = { "pair", "{ float a; double b; int k[3]; }", 0, 0 };
    static const cohort_type real = { "real", "double", 0, 0 };
    static const cohort_type *const types[] = { &pair, &real, NULL };
    cohort_function function =
        items_of("(int64_t n, const float f[n], const float *g COHORT_SHAPE(n, 3), const double "
                 "d[n], const int32_t k[n], const int64_t l[n], const half h[n], const pair p[n], "
                 "const float step, const real r[n], float y[n])",
                 "i", "n", body);
    function.types = types;
    const cohort_signature *signature = cohort_signature_create(&function);
    cohort_signature_release(signature);
    return signature != NULL ? COHORT_OK : COHORT_EINVAL;
}

/* Names that OpenCL C gives another type, or another meaning. */
static void test_unlike_names(void)
{
    static const struct {
        const char *body, *message;
    } refused[] = {
        { "{ y[i] = sqrt(f[i]); }",
          "f: the body of an item calls sqrt() with a float, which is a double in C, and a float "
          "in "
          "C++, with <tgmath.h> and in OpenCL C: write sqrtf(...), or sqrt((double)...)" },
        { "{ y[i] = exp(-f[i]); }",
          "write cohort_expf(...), which has the same bits everywhere, expf(...), or "
          "exp((double)...)" },
        { "{ y[i] = log(f[i] * 2); }", "write cohort_logf(...)" },
        { "{ y[i] = tanh((float)d[i]); }", "write cohort_tanhf(...)" },
        { "{ float a = 2; y[i] = pow(a, f[i]); }", "calls pow() with a float" },
        { "{ y[i] = floor(k[i] / 7.0f); }", "calls floor() with a float" },
        { "{ y[i] = fma(f[i], g[3 * i + 1], step); }", "calls fma() with a float" },
        { "{ y[i] = nextafter(f[i], 1.0f); }", "calls nextafter() with a float" },
        { "{ y[i] = hypot(f[i], f[i]); }", "calls hypot() with a float" },
        { "{ y[i] = ceil(k[i] > 0 ? f[i] : 1); }", "calls ceil() with a float" },
        { "{ y[i] = round(p[i].a); }", "calls round() with a float" },
        { "{ y[i] = trunc(-(f[i])); }", "calls trunc() with a float" },
        { "{ y[i] = fabs(({ f[i]; })); }",
          "calls fabs() with something whose type its tokens do not tell" },
        { "{ y[i] = sqrt(sqrtf(d[i])); }", "calls sqrt() with a float" },
        { "{ double f = 1; { float f = 2; y[i] = sqrt(f); } }", "calls sqrt() with a float" },
        { "{ for (float d = 1; d < 2; d++) y[i] = sqrt(d); }", "calls sqrt() with a float" },
        { "{ typedef float real; real a = 1; y[i] = sqrt(a); }", "calls sqrt() with a float" },
        { "{ struct { float a; } q = { .a = f[i] }; y[i] = sqrt(q.a); }", "calls sqrt()" },
        { "{ float v = f[i], *q = &v; y[i] = sqrt(*q); }", "calls sqrt() with a float" },
        { "{ y[i] = sqrt(h[i]); }", "calls sqrt() with a float" },
        { "{ y[i] = sqrt(cohort_expf(d[i])); }", "calls sqrt() with a float" },
        { "{ y[i] = (sqrt)(f[i]); }", "names sqrt without calling it" },
        { "{ double (*q)(double) = sqrt; y[i] = q(f[i]); }", "names sqrt without calling it" },
        { "{ y[i] = abs(f[i]); }", "calls abs() with something that is no integer" },
        { "{ y[i] = abs(d[i] * 2); }", "write fabsf() or fabs()" },
        { "{ y[i] = abs(l[i]); }", "calls abs() with an integer that is no int" },
        { "{ y[i] = abs(k[i] + i); }", "write llabs()" },
        { "{ y[i] = llabs(f[i]); }", "calls llabs() with something that is no integer" },
        { "{ y[i] = min(k[i], 3); }",
          "calls min(), which is a function of OpenCL C and none of C: a function of the "
          "program is not what a kernel would call, if no COHORT_HELPER declares it; write a < b "
          "? a : b, or fminf" },
        { "{ y[i] = half_life(f[i]); }", "calls half_life(), which no kernel has" },
        { "{ y[i] = as_is(k[i]); }", "calls as_is(), which no kernel has" },
        { "{ y[i] = atomic_clock(1); }", "calls atomic_clock(), which no kernel has" },
        { "{ y[i] = sqrt(OWN); }", "names 'OWN', which no kernel has" },
        { "{ y[i] = sign(f[i]); }", "calls sign()" },
        { "{ y[i] = clamp(f[i], 0, 1); }", "calls clamp()" },
        { "{ y[i] = (max)(f[i], 1); }", "calls max()" },
        { "{ y[i] = select(1, 2, k[i]); }", "write condition ? a : b" },
        { "{ y[i] = rotate(k[i], 3); }", "calls rotate()" },
        { "{ y[i] = dot(f[i], f[i]); }", "write out what it does" },
        { "{ y[i] = as_int(f[i]); }", "calls as_int()" },
        { "{ y[i] = convert_uchar_sat(f[i]); }", "calls convert_uchar_sat()" },
        { "{ y[i] = native_exp(f[i]); }", "calls native_exp()" },
        { "{ y[i] = half_sqrt(f[i]); }", "calls half_sqrt()" },
        { "{ atomic_add(&y[i], 1); }", "calls atomic_add()" },
        { "{ y[i] = get_global_id(0); }", "calls get_global_id()" },
        { "{ y[i] = ilogb(d[i]); }",
          "calls ilogb(), which is not the same in OpenCL C, or not fixed in C: write (int)logb" },
        { "{ int q; y[i] = remquo(d[i], 3, &q); }", "calls remquo()" },
        { "{ y[i] = nanf(\"1\"); }", "write NAN" },
        { "{ y[i] = M_PI_F; }", "has M_PI_F" },
        { "{ y[i] = FP_ILOGB0; }", "has FP_ILOGB0" },
    };
    static const char *const taken[] = {
        "{ y[i] = sqrt(d[i]) + sqrt(k[i]) + sqrt((double)f[i]) + sqrtf(d[i]) + sqrt(f[i] * 1.0); }",
        "{ y[i] = pow(f[i], 2) + pow(d[i], f[i]) + powf(f[i], 2) + fmax(f[i], 0.5); }",
        "{ y[i] = sqrt(r[i]) + sqrt(p[i].b) + sqrt(p[i].k[2]) + sqrt((real)f[i]) + sqrt(M_PI); }",
        "{ real a = f[i]; struct pair q = p[i]; y[i] = sqrt(a) + sqrt(q.b) + fabs(q.k[0]); }",
        "{ y[i] = abs(k[i]) - 10 < 0; y[i] += llabs(k[i] * (int64_t)3) + llabs(l[i]); }",
        "{ y[i] = abs((int)f[i]) + abs((uint8_t)k[i]) + abs('a') + abs(k[i] > 2); }",
        "{ float min = f[i], sign = 1, mix = step; y[i] = min * sign + mix; }",
        "{ float half = f[i] / 2, half_life = half, as_is = 1; y[i] = half_life * as_is; }",
        "{ int e; double w; y[i] = frexp(d[i], &e) + ldexp(d[i], e) + modf(d[i], &w); }",
        "{ for (float d = 1; d < 2; d++) y[i] = d; y[i] += sqrt(d[i]); }",
        "{ { float d = 1; y[i] = d; } y[i] += sqrt(d[i]); }",
        "{ enum { A = 3, B }; y[i] = sqrt(B) + sqrt(A * 2); }",
        "{ y[i] = isnan(f[i]) + isgreater(f[i], 2.0f) == 1 ? NAN : INFINITY; }",
        "{ double a[2] = { 1, 2 }, *b = a; y[i] = sqrt(a[1]) + sqrt(*b) + sqrt(b[0]); }",
        "{ if (k[i]) y[i] = sqrt(d[i]); else switch (k[i]) { case 1: y[i] = 2; default:; } }",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ok(check_body(refused[i].body) == COHORT_EINVAL, "%s is refused", refused[i].body);
        has_text(cohort_error_text(), refused[i].message, "with the reason");
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!ok(check_body(taken[i]) == COHORT_OK, "%s is taken", taken[i]))
            diag("%s", cohort_error_text());
}

/* Types, numbers and constants. */
static void test_unlike_values(void)
{
    static const struct {
        const char *body, *message;
    } refused[] = {
        { "{ long double a = f[i]; y[i] = a; }",
          "has a long double, which OpenCL C has not: write double" },
        { "{ y[i] = (double long)f[i]; }", "has a long double" },
        { "{ y[i] = (const long volatile double)f[i]; }", "has a long double" },
        { "{ y[i] = sizeof(long double); }", "has a long double" },
        { "{ y[i] = 1.5L * f[i]; }", "has the long double '1.5L'" },
        { "{ y[i] = 0x1p-3l; }", "has the long double '0x1p-3l'" },
        { "{ auto a = f[i]; y[i] = a; }", "has 'auto', which is no type in OpenCL C" },
        { "{ y[i] = 0.0 / 0.0; }",
          "has '0.0 / 0.0', a NaN whose bits each compiler chooses: write NAN" },
        { "{ y[i] = 0.f / 0; }", "has '0.f / 0', a NaN" },
        { "{ y[i] = f[i] > 0 ? 1 : (0.0f) / (1.0f - 1); }", "a NaN" },
        { "{ y[i] = INFINITY - INFINITY; }", "has 'INFINITY - INFINITY', a NaN" },
        { "{ y[i] = 0x0p0 * -HUGE_VAL; }", "a NaN" },
        { "{ y[i] = 1e30f * 1e30f * 0; }", "a NaN" },
        { "{ y[i] = sqrt(-1.0); }", "has sqrt(-1.0), a NaN" },
        { "{ y[i] = fmodf(1, 0.0f) + 1; }", "has fmodf(1, 0.0f), a NaN" },
        { "{ y[i] = signbit(f[i]) * 2; }",
          "computes with what signbit() gives, of which C says only that it is not 0, and which is "
          "another number in a kernel: ask signbit(...) != 0" },
        { "{ y[i] = isinf(f[i]); }", "computes with what isinf() gives" },
        { "{ y[i] = isinf(f[i]) == 1; }", "computes with what isinf() gives" },
        { "{ y[i] += signbit(f[i]); }", "computes with what signbit() gives" },
        { "{ int s = signbit(f[i]); y[i] = s; }", "computes with what signbit() gives" },
        { "{ y[i] = copysignf(1, -isinf(f[i])); }", "computes with what isinf() gives" },
        { "{ y[i] = f[signbit(f[i])]; }", "computes with what signbit() gives" },
        { "{ y[i] = k[i] ? signbit(f[i]) : 2; }", "computes with what signbit() gives" },
        { "{ y[i] = 1 << signbit(f[i]); }", "computes with what signbit() gives" },
        { "{ y[i] = sizeof('a'); }", "asks for the size of a comparison or a character" },
        { "{ y[i] = sizeof(k[i] < 2); }", "asks for the size of a comparison" },
        { "{ y[i] = sizeof true; }", "asks for the size of a comparison" },
        { "{ y[i] = h[i] * h[i]; }", "computes 'h[i] * h[i]' in half precision" },
        { "{ _Float16 a = h[i]; a += 1; y[i] = a; }", "computes 'a += 1' in half precision" },
    };
    static const char *const taken[] = {
        "{ y[i] = signbit(f[i]) ? 1 : 2; if (isinf(f[i]) && !signbit(f[i])) y[i] = 3; }",
        "{ bool s = signbit(f[i]); y[i] = s + (signbit(f[i]) != 0) + (bool)isinf(f[i]); }",
        "{ while (isinf(f[i]) || 0 == signbit(y[i])) break; y[i] = !signbit(f[i]) * 2; }",
        "{ y[i] = NAN; y[i] = -NAN; y[i] = NAN + 1; y[i] = f[i] / 0.0f; y[i] = 1 / 0.0; }",
        "{ y[i] = (2.0 - 1.0) / (5.0 - 3.0) + (1.5e-3 - 1.25E+2f) / 0x1.8p-3; }",
        "{ y[i] = (1e-320 / 1.0) / 1e-320 + (1.5 - 1.4999) / 0.0; }",
        "{ y[i] = sqrt(2.0) + sqrtf(NAN) + fmod(NAN, 0) + fmod(f[i], 0) + log(0.5); }",
        "{ y[i] = (float)h[i] * h[i]; y[i] += -h[i] > h[i]; }",
        "{ y[i] = sizeof(int) + sizeof k[i] + sizeof(f[i] * 2); }",
        "{ y[i] = -7 / 2 % 3 << 2 >> 1 ^ ~k[i] & 0xffu | 'a'; y[i] -= k[i] & 1; }",
        "{ y[i] = (int)f[i] % 5 + (k[i], 3) + (signed char)k[i] + (unsigned char)k[i]; }",
        "{ y[i] = ((((k[i])))) + ((int[]){ 1, 2 })[1] + L'a' + u8\"abc\"[1] + sizeof \"a\"; }",
        "{ y[i] = k[i] ? : 3; } } ) ] , ; : ? = ==",
        "{ y[i] = ( [ { \" ' ",
        "{ int (*q)(int), a[3], (b), __attribute__((unused)) c = 2; y[i] = c; }",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ok(check_body(refused[i].body) == COHORT_EINVAL, "%s is refused", refused[i].body);
        has_text(cohort_error_text(), refused[i].message, "with the reason");
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!ok(check_body(taken[i]) == COHORT_OK, "%s is taken", taken[i]))
            diag("%s", cohort_error_text());
}

/* Types that OpenCL C has fixed, and C has not. */
static void test_types_of_the_host(void)
{
    static const char *const longs[] = { "{ long a = k[i]; y[i] = a; }", "{ y[i] = 1UL; }",
                                         "{ y[i] = labs(k[i]); }", "{ y[i] = (unsigned long)i; }" };
    static const char *const chars[] = { "{ char a = k[i]; y[i] = a; }", "{ y[i] = '\\xff'; }",
                                         "{ y[i] = '\\200'; }", "{ y[i] = '\xe4'; }" };
    static const char *const both[] = {
        "{ long long a = 1LL; y[i] = a + 2ull; signed char b = 1; y[i] += b + 'a' + '\\x7f'; }",
        "{ unsigned char a = 3; int8_t b = 4; y[i] = a + b + '\\n' + '\\177'; }",
    };
    for (size_t i = 0; i < sizeof longs / sizeof *longs; i++)
        ok((check_body(longs[i]) == COHORT_OK) == (sizeof(long) == sizeof(int64_t)),
           "%s is taken where a long has 64 bits", longs[i]);
    for (size_t i = 0; i < sizeof chars / sizeof *chars; i++)
        ok((check_body(chars[i]) == COHORT_OK) == (CHAR_MIN < 0),
           "row %d of chars is taken where "
           "a char has a sign",
           (int)i);
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        ok(check_body(both[i]) == COHORT_OK, "%s is taken everywhere", both[i]);
}

static void test_deep_bodies(void)
{
    enum { DEEP = 50000 };
    static char body[DEEP + 16];
    static const char fillings[] = "({[~!*?";
    for (size_t k = 0; k < sizeof fillings - 1; k++) {
        memcpy(body, "{ y[i] = 1", 10);
        memset(body + 10, fillings[k], DEEP);
        body[10 + DEEP] = '\0';
        ok(check_body(body) == COHORT_EINVAL, "%d %c inside each other are refused", DEEP,
           fillings[k]);
        has_text(cohort_error_text(), "has more than 200 blocks", "with the reason");
    }
}

static void does_not_translate(cohort_function function, const char *message)
{
    char *source = NULL;
    const cohort_signature *signature = cohort_signature_create(&function);
    if (!ok(signature != NULL, "%s is a prototype", function.prototype))
        return;
    ok(cohort_items_source(&function, signature, &source) == COHORT_EINCOMPATIBLE && source == NULL,
       "which OpenCL C does not take");
    has_text(cohort_error_text(), message, "because: %s", message);
    cohort_signature_release(signature);
}

static void test_incompatible(void)
{
    does_not_translate(items_of("(int n, bool b, float x[n])", "i", "n", "{ }"),
                       "f: its items cannot run as OpenCL C: parameter b has the type bool, which "
                       "kernels do not take");
    does_not_translate(items_of("(int n, long double x[n])", "i", "n", "{ }"),
                       "x has the type long double");
    does_not_translate(items_of("(int n, float complex x[n])", "i", "n", "{ }"),
                       "x has the type complex64");
    does_not_translate(items_of("(int n, __bf16 x[n])", "i", "n", "{ }"),
                       "x has the type bfloat16");
    does_not_translate(items_of("(int n, void *p, float x[n])", "i", "n", "{ }"),
                       "p is an opaque pointer of the host");
    does_not_translate(items_of("(int n, float x[n], COHORT_LOCAL float t[n])", "i", "n", "{ }"),
                       "t is scratch memory, and items have no work-group");
    static const cohort_type holds_bool = { "holds", "{ bool b; }", 1, 1 };
    static const cohort_type holds_size = { "holds", "{ size_t b; }", sizeof(size_t),
                                            _Alignof(size_t) };
    cohort_function function = items_of("(int n, holds h, float x[n])", "i", "n", "{ }");
    function.types = (const cohort_type *const[]){ &holds_bool, NULL };
    does_not_translate(function, "struct holds has a member of type bool");
    function.types = (const cohort_type *const[]){ &holds_size, NULL };
    does_not_translate(function,
                       "struct holds has a member whose size is the platform's; use int64_t");
    char *source = NULL;
    function = items_of("(int n, float x[n])", NULL, NULL, NULL);
    const cohort_signature *signature = cohort_signature_create(&function);
    ok(cohort_items_source(&function, signature, &source) == COHORT_EINVAL && source == NULL,
       "a function without items has no source");
    cohort_signature_release(signature);
}

/* ---- The host */

static void test_host(void)
{
    float x[6] = { 1, 2, 3, 4, 5, 6 }, y[6] = { 0 };
    axpy_host(0, 6, 6, 2, x, y);
    ok(y[0] == 2 && y[5] == 12, "the host function runs every item");
    axpy_host(2, 4, 6, 1, x, y);
    ok(y[1] == 4 && y[2] == 9 && y[3] == 12 && y[4] == 10, "or a range of them");
    axpy_host(3, 3, 6, 1, x, y);
    ok(y[3] == 12, "or none");
    x[2] = -9;
    positive_host(0, 3, 6, x, y);
    ok(y[0] == 3 && y[1] == 4 && y[2] == 11, "continue ends an item");
    int64_t roots[6];
    smallest_host(0, 6, 6, (float[]){ 5, -1, 7, 8, -2, 30 }, roots);
    ok(roots[0] == 3 && roots[1] == -1 && roots[2] == -1 && roots[3] == 3 && roots[4] == -1 &&
           roots[5] == 6,
       "and so does a break of no inner loop and no switch");
    const cohort_signature *signature = cohort_signature_create(smallest);
    ok(signature != NULL, "which its text may have");
    cohort_signature_release(signature);
    int64_t steps[3] = { 0 };
    three_host(0, 3, 5, steps);
    ok(steps[2] == 10, "the number of items may be a constant");
    struct pixel pixels[2] = { { .r = 7 }, { .r = 9 } };
    grey_host(0, 2, 2, (frame){ .corner = { .r = 1 } }, pixels);
    ok(pixels[0].g == 8 && pixels[1].b == 10, "items have structs");
}

/* ---- What is kept */

static void test_signature(void)
{
    is_text(axpy->item, "i", "the index is kept");
    is_text(axpy->count, "n", "and the number");
    is_text(axpy->item_body, "{ y[i] += a * x[i]; }", "and the body");
    is_text(positive->prototype,
            "(int64_t n, const float *x COHORT_SHAPE(n), COHORT_OUT float *y COHORT_SHAPE(n / 2))",
            "and the prototype with its words");
    const cohort_signature *s = cohort_signature_create(positive);
    if (!ok(s != NULL, "it parses"))
        return;
    int64_t values[COHORT_MAX_ARGUMENTS] = { 7 }, count = 0;
    is_text(s->item, "k", "a signature has the index");
    is_text(s->counts[0].text, "n / 2", "and the number of items");
    ok(cohort_expression_evaluate(&s->counts[0], values, &count) == NULL && count == 4,
       "which rounds up");
    const cohort_sig *sig = &s->item_sig;
    ok(sig->struct_size == sizeof *sig && sig->nargs == 5 && sig->ret == COHORT_VOID,
       "plugins see the range first");
    ok(sig->args[0].kind == COHORT_ARG_VALUE && sig->args[1].type == COHORT_I64 &&
           sig->args[1].size == 8 && sig->args[3].kind == COHORT_ARG_MEM,
       "as two integers");
    is_text(sig->names[1], "cohort_end", "with names");
    is_text(sig->names[2], "n", "before those of the prototype");
    is_text(sig->text,
            "(int64_t cohort_begin, int64_t cohort_end, int64_t n, const float *x COHORT_SHAPE(n), "
            "COHORT_OUT float *y "
            "COHORT_SHAPE(n / 2))",
            "and a text");
    ok(s->kernel_sig.nargs == 3 && s->kernel_sig.ret == COHORT_VOID, "the kernel has no range");
    cohort_signature_release(s);
    s = cohort_signature_create(three);
    ok(s != NULL && s->counts[0].bare == -1 && s->counts[0].nodes[0].operand == 3,
       "a number of items without a name");
    cohort_signature_release(s);
    cohort_function function = items_of("(void)", "i", "3", "{ }");
    s = cohort_signature_create(&function);
    is_text(s->item_sig.text, "(int64_t cohort_begin, int64_t cohort_end)",
            "a prototype without parameters");
    cohort_signature_release(s);
}

/* Of several indices. */
static void test_ranges(void)
{
    char *source = NULL;
    cohort_geometry geometry;
    cohort_grid grid;
    int64_t values[COHORT_MAX_ARGUMENTS] = { 7 };
    const cohort_signature *s = cohort_signature_create(volume);
    if (!ok(s != NULL && s->n_indices == 3, "three indices parse"))
        return;
    is_text(s->item, "i, local, k", "a signature has their text");
    is_text(s->indices[1], "local", "and their names");
    is_text(s->counts[1].text, "n / 2", "and a number for each");
    is_text(s->item_sig.text,
            "(int64_t cohort_begin, int64_t cohort_end, int64_t cohort_begin_1, "
            "int64_t cohort_end_1, int64_t cohort_begin_2, int64_t cohort_end_2, int64_t n, "
            "COHORT_OUT float *y COHORT_SHAPE(n, n / 2, 3))",
            "plugins see a range for each");
    ok(s->item_sig.nargs == 8 && s->item_sig.args[5].type == COHORT_I64 &&
           s->item_sig.args[7].kind == COHORT_ARG_MEM,
       "before the arguments");
    is_text(s->item_sig.names[5], "cohort_end_2", "with their names");
    cohort_geometry_of_items(&geometry, s);
    ok(cohort_geometry_evaluate(&geometry, s, "", values, &grid) == COHORT_OK &&
           grid.range.dims == 3 && grid.range.global[0] == 3 && grid.range.global[1] == 4 &&
           grid.range.global[2] == 7 && grid.offset[0] == 0,
       "the last index is the fastest dimension, and numbers round up");
    cohort_geometry_fini(&geometry);
    ok(cohort_items_source(volume, s, &source) == COHORT_OK, "there is a kernel of them");
    has_text(source,
             "long i = (long)get_global_id(2); long local = (long)get_global_id(1); "
             "long k = (long)get_global_id(0); if (i < cohort_0 && local < cohort_3 && "
             "k < cohort_4) do { ",
             "in which the last index is get_global_id(0)");
    has_text(source, "#define local cohort_name_local", "and a keyword is a name");
    cohort_free(source);
    cohort_signature_release(s);
    float y[7][4][3] = { { { 0 } } };
    volume_host(0, 7, 0, 4, 0, 3, 7, &y[0][0][0]);
    float sum = 0;
    for (int at = 0; at < 7 * 4 * 3; at++)
        sum += (&y[0][0][0])[at];
    ok(sum == 7 * 4 * 3, "the host runs them all");
}

static void test_matches(void)
{
    cohort_function function = items_of("(int n, float x[n])", "i", "n", "{ x[i] = 1; }"),
                    other = function;
    const cohort_signature *s = cohort_signature_create(&function);
    ok(s != NULL && cohort_signature_matches(s, &other), "the same texts are the same function");
    other.item_body = "{ x[i] = 2; }";
    ok(!cohort_signature_matches(s, &other), "another body is another one");
    other = function;
    other.item = "j";
    ok(!cohort_signature_matches(s, &other), "and another index");
    other = function;
    other.count = "1";
    ok(!cohort_signature_matches(s, &other), "and another number");
    other.item = other.count = other.item_body = NULL;
    ok(!cohort_signature_matches(s, &other), "and none");
    cohort_signature_release(s);
}

static void test_call(void)
{
    const cohort_signature *s = cohort_signature_create(axpy);
    cohort_call *call = NULL;
    ok(cohort_call_prepare(&s->item_sig, &call, NULL) == COHORT_OK, "a call is prepared");
    float x[4] = { 1, 2, 3, 4 }, y[4] = { 0 }, a = 2, *px = x, *py = y;
    int64_t begin = 1, end = 3, n = 4;
    cohort_call_native(call, axpy->host, (void *[]){ &begin, &end, &n, &a, &px, &py }, NULL);
    ok(y[0] == 0 && y[1] == 4 && y[2] == 6 && y[3] == 0, "and runs the items of the range");
    cohort_call_free(call);
    cohort_signature_release(s);
}

/* ---- The kernel */

static char *source_of(const cohort_function *function)
{
    char *source = NULL;
    const cohort_signature *s = cohort_signature_create(function);
    if (s == NULL || cohort_items_source(function, s, &source) != COHORT_OK)
        diag("%s", cohort_error_text());
    cohort_signature_release(s);
    return source != NULL ? source : calloc(1, 1);
}

static void test_source(void)
{
    char *source = source_of(axpy), place[600];
    has_text(source,
             "__kernel void cohort_item_axpy(long n, float a, __global const float *x, __global "
             "float *y) { const long "
             "cohort_0 = "
             "(long)n; long i = (long)get_global_id(0); if (i < cohort_0) do { { y[i] += a * x[i]; "
             "} } while (0); }\n",
             "the kernel has a guard and the body");
    (void)snprintf(place, sizeof place, "#line %d \"%s\"\n__kernel", (int)axpy->line, axpy->file);
    has_text(source, place, "its errors are those of the declaration's line");
    ok(strstr(source, "cohort_expf") == NULL,
       "functions of cohort/math.h that it does not call are not");
    has_text(source, "#ifndef uint8_t\n#define uint8_t uchar\n#endif\n",
             "and C's names of integers");
    ok(strstr(source, "cl_khr_fp64") != NULL && strstr(source, "__FILE__") == NULL,
       "doubles where the device has them");
    cohort_free(source);
    source = source_of(positive);
    has_text(source,
             "const long cohort_0 = (long)n; const long cohort_1 = 2L; const long cohort_2 = "
             "cohort_divide(cohort_0, "
             "cohort_1); long k = (long)get_global_id(0); if (k < cohort_2)",
             "the number of items rounds up");
    cohort_free(source);
    source = source_of(grey);
    has_text(source, "typedef int index_type;\n", "aliases have their type");
    const char *inner =
        strstr(source, "typedef struct pixel { uint8_t r, g, b, a; float weight[2]; } pixel;\n");
    const char *outer = strstr(source, "typedef struct frame { pixel corner; } frame;\n");
    ok(inner != NULL && outer > inner, "structs are in the order that they need");
    has_text(source, "[sizeof(pixel) == 12 ? 1 : -1];", "and their sizes are compared");
    has_text(source, "__kernel void cohort_item_grey(int n, frame f, __global pixel *x)",
             "parameters have their names");
    cohort_free(source);
}

static bool source_has(const char *body, const char *text)
{
    cohort_function function =
        items_of("(int64_t n, float f[n], double d[n], int k[n])", "i", "n", body);
    char *source = source_of(&function);
    bool has = strstr(source, text) != NULL;
    cohort_free(source);
    return has;
}

/* A text of Cohort's is there where one of its functions is called, after those that it takes. */
static void test_texts_of_source(void)
{
    static const char power[] = "float cohort_hypotf(float x, float y)\n{",
                      parts[] = "int cohort_math_parts_(int size, int *out_power)\n{",
                      math[] = "float cohort_expf(float x)\n{",
                      random[] = "float cohort_random_normalf(cohort_random *r)\n{";
    static const char calls[] = "{ f[i] = cohort_hypotf(f[i], 1); }";
    ok(source_has(calls, power) && source_has(calls, parts) && source_has(calls, math),
       "a function of cohort/math_power.h comes with what it takes");
    ok(!source_has(calls, random), "and no other text");
    ok(!source_has(calls, "#include <cohort"), "texts include nothing");
    ok(source_has("{ cohort_random r = cohort_random_at(1, 2, 3, i); f[i] = "
                  "cohort_random_normalf(&r); }",
                  random),
       "so do random numbers");
    ok(!source_has(calls, "cohort_math_sum_") &&
           !source_has("{ cohort_random r = cohort_random_at(1, 2, 3, i); f[i] = "
                       "cohort_random_normalf(&r); }",
                       "cohort_random_pair_"),
       "functions of floats take no text with doubles");
    ok(source_has("{ d[i] = cohort_erfc(d[i]); }", "double cohort_exp(double x)\n{"),
       "functions of doubles come with what they take");
}

/* OpenCL's functions are called by the types of their arguments, C's by their one type. */
static void test_functions_of_source(void)
{
    static const char no_doubles[] = "#error the body computes with doubles";
    ok(source_has("{ d[i] = sqrt(d[i]); }",
                  "static inline double cohort_c_sqrt(double a) { return sqrt(a); }\n"
                  "#undef sqrt\n#define sqrt cohort_c_sqrt\n"),
       "a function of doubles is one");
    ok(source_has("{ f[i] = fmaf(f[i], 2, 1); }",
                  "static inline float cohort_c_fmaf(float a, float b, float c) { return fma(a, b, "
                  "c); }\n#undef fmaf\n"),
       "and one of floats");
    ok(source_has("{ f[i] = sqrtf(f[i]) + sqrt(d[i]); }", "#define sqrtf cohort_c_sqrtf\n"
                                                          "static inline double cohort_c_sqrt("),
       "which calls that of OpenCL, before its name is C's");
    ok(source_has("{ k[i] = abs(k[i]); }",
                  "static inline int cohort_c_abs(int a) { return a < 0 ? -a : a; }\n"),
       "abs is an int");
    ok(source_has("{ k[i] = llabs(k[i]); }", "static inline long cohort_c_llabs(long a)"),
       "llabs a long");
    ok(source_has("{ int e; d[i] = frexp(d[i], &e); }", "cohort_c_frexp(double a, int *b)") &&
           source_has("{ float w; f[i] = modff(f[i], &w); }", "cohort_c_modff(float a, float *b)"),
       "results by address have their types");
    ok(!source_has("{ float sqrt = f[i], abs = 2; f[i] = sqrt * abs; }", "cohort_c_"),
       "names that are not called stay");
    ok(source_has("{ }", "#define NAN as_float(0x7fc00000)\n"), "NAN is the canonical one");
    ok(source_has("{ d[i] = f[i] * 0.5; }", no_doubles) &&
           source_has("{ d[i] = 1e3; }", no_doubles) &&
           source_has("{ d[i] = 0x1p3; }", no_doubles) &&
           source_has("{ d[i] = (double)f[i]; }", no_doubles) &&
           source_has("{ f[i] = M_PI * 2; }", no_doubles) &&
           source_has("{ f[i] = pow(k[i], 2); }", no_doubles),
       "a device without doubles refuses a body that computes with them");
    ok(source_has("{ f[i] = cohort_exp(f[i]); }",
                  "#error the body calls cohort_exp(), which computes with doubles, and this "
                  "device has none; of floats there is cohort_expf()\n") &&
           source_has("{ cohort_random r = cohort_random_at(1, 2, 3, i); f[i] = "
                      "cohort_random_uniform(&r); }",
                      "#error the body calls cohort_random_uniform(), which"),
       "and names the function of doubles that it calls");
    ok(!source_has("{ f[i] = 0.5f * sqrtf(0x1p3f) + 3 + 0x1e; f[i] += 'e' + sizeof \"1.5\"; }",
                   no_doubles),
       "and takes one with floats alone");
    ok(source_has("{ k[i] = sizeof(int); }", "[sizeof(size_t) == ") &&
           source_has("{ size_t a = 1; k[i] = a; }", "[sizeof(size_t) == ") &&
           !source_has("{ k[i] = 1; }", "[sizeof(size_t) == "),
       "size_t has the host's size, where a body has one");
}

static void test_odd_source(void)
{
    cohort_function function =
        items_of("(size_t n, half x[n], global const float4 *v, float4 w, int k COHORT_IS(2 * n))",
                 "i", "k - n + 1 * 3", "x[i] = 0;");
    function.file = "a \"b\"\\\n.c";
    function.line = 7;
    char *source = source_of(&function);
    has_text(source, "#line 7 \"a \\\"b\\\"\\\\?.c\"\n", "a file's name is escaped");
    has_text(source,
             "__kernel void cohort_item_f(ulong n, __global half *x, __global const float *v, "
             "float4 w, int k)",
             "size_t is an integer, half a half, a vector a vector");
    has_text(source, "cohort_0 - cohort_1; ", "differences");
    has_text(source, "= cohort_3 * cohort_4; ", "products");
    has_text(source, "= cohort_2 + cohort_5; ", "sums");
    has_text(source, "do { x[i] = 0; } while (0)", "a body may have no braces");
    cohort_free(source);
    function = items_of("(int n, float x[n])", "i", "n", "{ }");
    source = source_of(&function);
    ok(strstr(source, "#line") == NULL, "a text has no line");
    cohort_free(source);
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_bad_items();
    test_words_that_leave();
    test_changed_names();
    test_unlike_names();
    test_unlike_values();
    test_types_of_the_host();
    test_deep_bodies();
    test_incompatible();
    test_host();
    test_signature();
    test_ranges();
    test_matches();
    test_call();
    test_source();
    test_texts_of_source();
    test_functions_of_source();
    test_odd_source();
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
