/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers, constants and tables of bodies, as their texts tell: what is refused when a function is
 * parsed, and what a kernel gets. */
#include <cohort/cohort.h>

#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/items.h"
#include "runtime/function/items_expansion.h"
#include "runtime/function/items_helper.h"
#include "tests/tap.h"

const char cohort_math_source[] = ""; /* instead of what the build embeds */

#define FUNCTION(name, type, parameters, text)                                                     \
    {                                                                                              \
        sizeof(cohort_helper), 7, "helpers.h", name, type, parameters, "", text, "", NULL          \
    }
#define TABLE(name, type, extents, text)                                                           \
    {                                                                                              \
        sizeof(cohort_helper), 8, "helpers.h", name, type, NULL, extents, text, "", NULL           \
    }
enum { MOST = 3 };

/* What the program has beside the body of the case. */
typedef struct wrong {
    const char *body, *message;
    cohort_helper helpers[MOST]; /* those without a name are none */
} wrong;

static cohort_function function_with(const char *body, cohort_helper *const *newest)
{
    return (cohort_function){
        .struct_size = sizeof(cohort_function),
        .name = "f",
        .returns = "void",
        .prototype = "(int64_t n, float a, const int32_t k[n], const float x[n], float y[n])",
        .item = "i",
        .count = "n",
        .item_body = body,
        .helpers = newest
    };
}

/* A list in which the last one is the newest, as in a program. */
static cohort_helper *joined(cohort_helper list[MOST])
{
    cohort_helper *newest = NULL;
    for (int i = 0; i < MOST && list[i].name != NULL; i++) {
        list[i].next = newest;
        newest = &list[i];
    }
    return newest;
}

static cohort_status parse(const char *body, cohort_helper list[MOST])
{
    cohort_helper *newest = joined(list);
    cohort_function function = function_with(body, &newest);
    const cohort_signature *signature = cohort_signature_create(&function);
    cohort_signature_release(signature);
    return signature != NULL ? COHORT_OK : cohort_error_status();
}

/* ---- Wrong forms */

static wrong names[] = {
    { "{ y[i] = own(x[i]); }",
      "calls own(), which no kernel has: declare it by COHORT_HELPER",
      { { 0 } } },
    { "{ y[i] = RATE; }",
      "names 'RATE', which no kernel has: make it a parameter, a macro",
      { { 0 } } },
    { "{ y[i] = x[counter++]; }", "names 'counter', which no kernel has", { { 0 } } },
    { "{ do y[i] += 1; while (y[i] < limit); }", "names 'limit', which no kernel has", { { 0 } } },
    { "{ _Static_assert(LIMIT == 4, \"\"); }", "names 'LIMIT', which no kernel has", { { 0 } } },
    { "{ y[i] = x[i] * N / 2; }", "names 'N', which no kernel has", { { 0 } } },
    { "{ y[i] = (real)x[i]; }", "names 'real', which no kernel has", { { 0 } } },
    { "{ real z = x[i]; y[i] = z; }",
      "has the type 'real', which no kernel has: describe it by COHORT_STRUCT",
      { { 0 } } },
    { "{ struct pair p; y[i] = p.a; }", "has the type 'pair', which no kernel has", { { 0 } } },
    { "{ enum color c = 0; y[i] = c; }",
      "has the type 'enum color', which no kernel has: write int, and its constants as macros",
      { { 0 } } },
    { "{ y[i] = __builtin_popcount(k[i]); }",
      "has __builtin_popcount, of this compiler or its library alone",
      { { 0 } } },
    { "{ y[i] = _Generic(x[i], float: 1, default: 2); }",
      "has _Generic, of this compiler",
      { { 0 } } },
    { "{ y[i] = std::sqrt(x[i]); }", "has std, of C++ alone", { { 0 } } },
    { "{ static int seen; y[i] = seen++; }",
      "has a variable that is 'static', which no kernel has",
      { { 0 } } },
    { "{ register float z = x[i]; y[i] = z; }", "has a variable that is 'register'", { { 0 } } },
    { "{ const float *p = x; y[i] = p[i]; }",
      "hands on 'x', a pointer into an array of the prototype",
      { { 0 } } },
    { "{ const float *p; p = x + i; y[i] = *p; }", "hands on 'x + i', a pointer into", { { 0 } } },
    { "{ y[i] = ((const int32_t *)&x[i])[0]; }", "hands on '&x[i]', a pointer into", { { 0 } } },
    { "{ y[i] = modff(x[i], y + i); }", "hands on 'y + i', a pointer into", { { 0 } } },
    { "{ float &z = y[i]; z = x[i]; }", "has a reference, of C++ alone", { { 0 } } },
    { "{ extern float z; y[i] = z; }", "has a variable that is 'extern'", { { 0 } } },
};
static wrong helpers[] = {
    { "{ y[i] = sum(x, n); }",
      "f: its helper 'sum' takes a pointer or an array, 'x', and a kernel's pointers lead",
      { FUNCTION("sum", "float", "(const float *x, int64_t n)", "{ return x[n - 1]; }") } },
    { "{ y[i] = sum(x); }",
      "its helper 'sum' takes a pointer or an array, 'v'",
      { FUNCTION("sum", "float", "(const float v[3])", "{ return v[0]; }") } },
    { "{ y[i] = *at(i); }",
      "its helper 'at' has the type 'float *', and only numbers and structs",
      { FUNCTION("at", "float *", "(int64_t i)", "{ return 0; }") } },
    { "{ y[i] = down(x[i]); }",
      "its helper 'down' calls itself, by 'down', which a kernel cannot",
      { FUNCTION("down", "float", "(float x)", "{ return x > 0 ? down(x - 1) : x; }") } },
    { "{ y[i] = odd(k[i]); }",
      "its helper 'even' calls itself, by 'odd'",
      { FUNCTION("even", "int", "(int k)", "{ return k == 0 ? 1 : odd(k - 1); }"),
        FUNCTION("odd", "int", "(int k)", "{ return k == 0 ? 0 : even(k - 1); }") } },
    { "{ y[i] = sq(x[i]); }",
      "its helper 'sq' calls own(), which no kernel has",
      { FUNCTION("sq", "float", "(float x)", "{ return own(x) * x; }") } },
    { "{ y[i] = sq(x[i]); }",
      "its helper 'inner' names 'scale', which no kernel has",
      { FUNCTION("inner", "float", "(float x)", "{ return scale * x; }"),
        FUNCTION("sq", "float", "(float x)", "{ return inner(x) * x; }") } },
    { "{ y[i] = sq(x[i]); }",
      "its helper 'sq' names 'i', which no kernel has",
      { FUNCTION("sq", "float", "(float x)", "{ return x * i; }") } },
    { "{ y[i] = count(); }",
      "its helper 'count' has a variable that is 'static'",
      { FUNCTION("count", "int", "(void)", "{ static int n; return n++; }") } },
    { "{ y[i] = jump(x[i]); }",
      "its helper 'jump' has 'goto'",
      { FUNCTION("jump", "float", "(float x)",
                 "{ again: if (x > 1) { x /= 2; goto again; } return x; }") } },
    { "{ float (*g)(float) = sq; y[i] = g(x[i]); }",
      "names the helper 'sq' without calling it",
      { FUNCTION("sq", "float", "(float x)", "{ return x * x; }") } },
    { "{ y[i] = root(x[i]); }",
      "its helper 'root' calls sqrt() with a float",
      { FUNCTION("root", "float", "(float x)", "{ return sqrt(x); }") } },
    { "{ y[i] = sign_of(x[i]); }",
      "its helper 'sign_of' computes with what signbit() gives",
      { FUNCTION("sign_of", "int", "(float x)", "{ return signbit(x); }") } },
    { "{ y[i] = wide(x[i]); }",
      "its helper 'wide' has a long double",
      { FUNCTION("wide", "float", "(float x)", "{ long double z = x; return z; }") } },
    { "{ y[i] = wide(x[i]); }",
      "its helper 'wide' has a long double",
      { FUNCTION("wide", "long double", "(float x)", "{ return x; }") } },
    { "{ y[i] = real_of(x[i]); }",
      "its helper 'real_of' has the type 'real', which no kernel has",
      { FUNCTION("real_of", "float", "(real x)", "{ return x; }") } },
    { "{ y[i] = real_of(x[i]); }",
      "its helper 'real_of' has the type 'real', which no kernel has",
      { FUNCTION("real_of", "real", "(float x)", "{ return x; }") } },
    { "{ y[i] = hypotf(x[i], a); }",
      "its helper 'hypotf' has a name that is C's or Cohort's in kernels",
      { FUNCTION("hypotf", "float", "(float x, float y)", "{ return x + y; }") } },
    { "{ y[i] = cohort_sq(x[i]); }",
      "its helper 'cohort_sq' has a name that is C's or Cohort's",
      { FUNCTION("cohort_sq", "float", "(float x)", "{ return x * x; }") } },
};
static wrong tables[] = {
    { "{ const float *p = w; y[i] = p[0]; }",
      "has the table 'w' without an index for each of its axes",
      { TABLE("w", "float", "[2]", "{ 1, 2 }") } },
    { "{ y[i] = sizeof w + *w; }",
      "has the table 'w' without an index",
      { TABLE("w", "float", "[2]", "{ 1, 2 }") } },
    { "{ y[i] = *w; }",
      "has the table 'w' without an index",
      { TABLE("w", "float", "[2]", "{ 1, 2 }") } },
    { "{ const int *row = grid[1]; y[i] = row[0]; }",
      "has the table 'grid[1]' without an index",
      { TABLE("grid", "int", "[2][2]", "{ { 1, 2 }, { 3, 4 } }") } },
    { "{ const float *p = &w[1]; y[i] = *p; }",
      "takes an address of a constant or a table",
      { TABLE("w", "float", "[2]", "{ 1, 2 }") } },
    { "{ const float *p = &rate; y[i] = *p; }",
      "takes an address of a constant or a table",
      { TABLE("rate", "float", "", "0.5f") } },
    { "{ y[i] = root2; }",
      "its helper 'root2' is made by a call of sqrtf(), which a kernel cannot compute",
      { TABLE("root2", "float", "", "sqrtf(2.0f)") } },
    { "{ y[i] = twice; }",
      "its helper 'twice' is made of 'rate', and C takes no other constant",
      { TABLE("rate", "float", "", "0.5f"), TABLE("twice", "float", "", "2 * rate") } },
    { "{ y[i] = w[0]; }",
      "its helper 'w' names 'own', which no kernel has",
      { TABLE("w", "float", "[2]", "{ own, 2 }") } },
    { "{ y[i] = words[k[i]][0]; }",
      "its helper 'words' has the type 'char *', and only numbers",
      { TABLE("words", "char *", "[2]", "{ \"a\", \"b\" }") } },
    { "{ y[i] = none; }",
      "its helper 'none' has '0.0f / 0.0f', a NaN whose bits each compiler chooses",
      { TABLE("none", "float", "", "0.0f / 0.0f") } },
    { "{ y[i] = w[0]; }",
      "its helper 'w' has NAN, whose bits a kernel knows in bodies",
      { TABLE("w", "float", "[2]", "{ 1, NAN }") } },
    { "{ y[i] = w[0]; }",
      "its helper 'w' has the long double '1.0L'",
      { TABLE("w", "double", "[1]", "{ 1.0L }") } },
};

static void test_wrong(wrong list[], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        cohort_status status = parse(list[i].body, list[i].helpers);
        ok(status == COHORT_EINVAL, "%s%s%s is refused", list[i].body,
           list[i].helpers[0].text != NULL ? " with " : "",
           list[i].helpers[0].text != NULL ? list[i].helpers[0].text : "");
        has_text(cohort_error_text(), list[i].message, "and says so");
    }
}

/* Each uses the next one; the last nothing. */
static void test_many(void)
{
    enum { MANY = COHORT_LIMIT_HELPERS + 1 };
    static cohort_helper many[MANY];
    static char texts[MANY][64], body[64 * MANY];
    cohort_helper *newest = NULL;
    size_t used = (size_t)snprintf(body, sizeof body, "{ y[i] = 0");
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "h%d", i);
        many[i] = (cohort_helper)FUNCTION(texts[i], "float", "(float x)", "{ return x; }");
        many[i].next = newest, newest = &many[i];
        used += (size_t)snprintf(body + used, sizeof body - used, " + h%d(x[i])", i);
    }
    (void)snprintf(body + used, sizeof body - used, "; }");
    cohort_function function = function_with(body, &newest);
    ok(cohort_signature_create(&function) == NULL, "a body may use no more than %d helpers",
       COHORT_LIMIT_HELPERS);
    has_text(cohort_error_text(), "is one more than the 256 helpers that a body may use",
             "it says");
    for (int i = 0; i + 1 < MANY; i++) {
        static char calls[MANY][64];
        (void)snprintf(calls[i], sizeof calls[i], "{ return h%d(x); }", i + 1);
        many[i].text = calls[i];
    }
    function.item_body = "{ y[i] = h0(x[i]); }";
    ok(cohort_signature_create(&function) == NULL, "nor helpers of helpers without end");
    has_text(cohort_error_text(), "inside each other: divide it", "it says");
}

/* ---- Right forms */

static void test_axes(void)
{
    cohort_helper *none = NULL;
    cohort_function function = function_with("{ y[i] = abs(k[i]) + abs(k[i / m * m]); }", &none);
    function.prototype = "(int64_t n, int64_t m, const int32_t *k COHORT_SHAPE(n, m), "
                         "int32_t *y COHORT_SHAPE(n, m))";
    function.count = "n * m";
    const cohort_signature *signature = cohort_signature_create(&function);
    if (!ok(signature != NULL, "an array of two axes is indexed flat"))
        diag("%s", cohort_error_text());
    cohort_signature_release(signature);
}

static void test_taken(void)
{
    static wrong taken[] = {
        { "{ float v[2] = { x[i], *(x + i) }, *p = v; y[i] = *&y[i] + p[1] + (&x[i])[0]; }",
          NULL,
          { { 0 } } },
        { "{ for (int j = 0, m = 2; j < m; j++) if (x[j] > 0) y[i] += m; "
          "else if (j > 0) y[i] += j; else y[i] -= m; }",
          NULL,
          { { 0 } } },
        { "{ int j = 3; do y[i] += j; while (--j > 0); while (j < 3) for (int m = 0; m < 2; m++) "
          "switch (m) { case 0: j += m; break; default: j++; } }",
          NULL,
          { { 0 } } },
        { "{ for (int j = 0; j < 3; j++) do y[i] += j; while (y[i] < j); "
          "if (x[i] > 0) do { y[i] = 1; } while (0); else y[i] = 2; "
          "if (x[i] < 0) do y[i]++; while (y[i] < 0); else for (int m = 0; m < 2; m++) y[i] += m; "
          "}",
          NULL,
          { { 0 } } },
        { "{ for (int j = 0; j < 3; j++) switch (j & 1) case 0: case 2: y[i] += j; "
          "switch (k[i]) { case 0: default: { y[i] = 1; } case 1: for (;;) break; case 3: } }",
          NULL,
          { { 0 } } },
        { "{ _Static_assert(sizeof(float) == 4, \"floats\"); static_assert(sizeof(int) == 4, "
          "\"\"); "
          "_Alignas(16) float v[4] = { 1 }; alignas(8) int m = 2; y[i] = v[0] + m; }",
          NULL,
          { { 0 } } },
        { "{ for (size_t j = 0; j < sizeof w / sizeof *w; j++) y[i] += w[j]; "
          "y[i] += sizeof(grid) / sizeof grid[0]; }",
          NULL,
          { TABLE("w", "float", "[2]", "{ 1, 2 }"),
            TABLE("grid", "int", "[][2]", "{ { 1, 2 }, { 3, 4 } }") } },
        { "{ y[i] = sq(x[i]) + sq(2); }",
          NULL,
          { FUNCTION("sq", "float", "(float x)", "{ return x * x; }") } },
        { "{ y[i] = zero(); nothing(); }",
          NULL,
          { FUNCTION("zero", "int", "(void)", "{ return 0; }"),
            FUNCTION("nothing", "void", "()", "{ return; }") } },
        { "{ y[i] = clamp(x[i], 0, 1) + min(a, 2); }",
          NULL,
          { FUNCTION("clamp", "float", "(float x, float low, float high)",
                     "{ return x < low ? low : x > high ? high : x; }"),
            FUNCTION("min", "float", "(float a, float b)", "{ return a < b ? a : b; }") } },
        { "{ float sq = x[i]; y[i] = sq; }",
          NULL,
          { FUNCTION("sq", "float", "(own x)", "{ return x * x; }") } },
        { "{ y[i] = far(x[i]) ? 1 : 0; }",
          NULL,
          { FUNCTION("far", "bool", "(float x)",
                     "{ x -= 1; if (x > 2) return signbit(x); return false; }") } },
        { "{ y[i] = rate * w[k[i] & 1] + grid[k[i] & 1][i & 1]; }",
          NULL,
          { TABLE("rate", "float", "", "0.5f"), TABLE("w", "float", "[2]", "{ 1, (float)2 }"),
            TABLE("grid", "int", "[][2]", "{ { 1, 2 }, { [1] = 4 } }") } },
        { "{ y[i] = sqrt((double)half_of(x[i])) > rate; }",
          NULL,
          { TABLE("rate", "double", "", "0.5"),
            FUNCTION("half_of", "float", "(float x)", "{ return x * (float)rate; }") } },
    };
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!ok(parse(taken[i].body, taken[i].helpers) == COHORT_OK, "%s is taken", taken[i].body))
            diag("%s", cohort_error_text());
}

static void test_source(void)
{
    cohort_helper list[MOST] = {
        TABLE("w", "float", "[2]", "{ 1, 2 }"),
        FUNCTION("inner", "double", "(double x)", "{ return fabs(x) * w[1]; }"),
        FUNCTION("mix", "float", "(float x)", "{ return (float)inner(x); }")
    };
    cohort_helper *newest = joined(list);
    cohort_function function = function_with("{ y[i] = mix(x[i]) + w[0]; }", &newest);
    const cohort_signature *signature = cohort_signature_create(&function);
    char *source = NULL;
    ok(signature != NULL && cohort_items_source(&function, signature, &source) == COHORT_OK,
       "a body with helpers has a kernel");
    has_text(source, "#undef mix\n#define mix cohort_helper_mix\n", "where a name is not OpenCL's");
    has_text(
        source,
        "#line 8 \"helpers.h\"\n__constant float w[2] = { 1, 2 };\n"
        "#line 7 \"helpers.h\"\nstatic inline double inner(double x) { return fabs(x) * w[1]; }\n"
        "#line 7 \"helpers.h\"\nstatic inline float mix(float x) {",
        "each behind those that it uses");
    has_text(source, "static inline double cohort_c_fabs(",
             "with the functions of C that they call");
    has_text(source, "#error the body computes with doubles", "and the demand for doubles");
    uint64_t digest = signature->digest;
    ok(cohort_signature_matches(signature, &function), "the signature is that of the function");
    list[0].text = "{ 1, 3 }";
    ok(!cohort_signature_matches(signature, &function), "and with another table not");
    cohort_free(source);
    cohort_signature_release(signature);
    signature = cohort_signature_create(&function);
    ok(signature->digest != digest, "which has another digest");
    cohort_signature_release(signature);
    function.item_body = "{ y[i] = x[i]; }";
    signature = cohort_signature_create(&function);
    ok(signature != NULL && cohort_items_source(&function, signature, &source) == COHORT_OK &&
           strstr(source, "inner") == NULL,
       "a body that uses none has none");
    cohort_free(source);
    cohort_signature_release(signature);
}

/* A helper reads no element of an array, so an update's rollback stays the cheap one. */
static void test_own(void)
{
    cohort_helper list[MOST] = { FUNCTION("sq", "float", "(float x)", "{ return x * x; }") };
    cohort_helper *newest = joined(list);
    cohort_function function = function_with("{ y[i] += sq(x[i]); }", &newest);
    const cohort_signature *signature = cohort_signature_create(&function);
    ok(signature != NULL && signature->own_axes[4] == 1, "y[i] is the only element of y still");
    cohort_signature_release(signature);
}

/* ---- Expansions */

static void test_expansions(void)
{
    static const char
        glibc[] = "NAN\t(__builtin_nanf (\"\"))\nDBL_MAX\t((double)1.79e+308L)\n"
                  "isnan(cohort_a)\t__builtin_isnan (cohort_a)\n"
                  "isless(cohort_a, cohort_b)\t__builtin_isless(cohort_a, cohort_b)\n",
        musl[] =
            "INFINITY\t1e5000f\nHUGE_VAL\t((double)1e5000f)\n"
            "isnan(cohort_a)\t( sizeof(cohort_a) == sizeof(float) ? (__FLOAT_BITS(cohort_a) & "
            "0x7fffffff) > 0x7f800000 : sizeof(cohort_a) == sizeof(double) ? "
            "(__DOUBLE_BITS(cohort_a) & -1ULL>>1) > 0x7ffULL<<52 : __fpclassifyl(cohort_a) == 0)\n",
        own[] = "INFINITY\t1e30f\nNAN\tNAN\nisnan(cohort_a)\t((cohort_a) != (cohort_a))\n";
    static const struct {
        const char *expansions, *text, *wanted;
    } cases[] = {
        { "", "{ y[i] = (x); }", "{ y[i] = (x); }" },
        { glibc, "{ y = (__builtin_nanf (\"\")); }", "{ y = NAN ; }" },
        { glibc, "{ y = ((double)1.79e+308L) + 1e308; }", "{ y = DBL_MAX + 1e308; }" },
        { glibc, "y = __builtin_isnan (f(a, b)[1]) ;", "y = isnan(f(a, b)[1]) ;" },
        { glibc, "y = __builtin_isnan (__builtin_isless((__builtin_nanf (\"\")), (a, b)));",
          "y = isnan(isless(NAN ,(a, b)) ) ;" },
        { glibc, "y = __builtin_isinf (x);", "y = __builtin_isinf (x);" },
        { glibc, "y = __builtin_isnan x;", "y = __builtin_isnan x;" },
        { glibc, "y = __builtin_isnan (", "y = __builtin_isnan (" },
        { musl,
          "y = ( sizeof(x[i]) == sizeof(float) ? (__FLOAT_BITS(x[i]) & 0x7fffffff) > 0x7f800000 "
          ": sizeof(x[i]) == sizeof(double) ? (__DOUBLE_BITS(x[i]) & -1ULL>>1) > 0x7ffULL<<52 "
          ": __fpclassifyl(x[i]) == 0);",
          "y = isnan(x[i]) ;" },
        { musl, "y = ( sizeof(x[i]) == sizeof(float) ? (__FLOAT_BITS(x[j]) & 0x7fffffff) > 0 : 1);",
          "y = ( sizeof(x[i]) == sizeof(float) ? (__FLOAT_BITS(x[j]) & 0x7fffffff) > 0 : 1);" },
        { musl, "y = 1e5000f < ((double)1e5000f);", "y = INFINITY < HUGE_VAL ;" },
        { own, "y = ((x) != (x)) ? 1e30f : 2;", "y = ((x) != (x)) ? 1e30f : 2;" },
        { "", "y = __builtin_tgmath (sqrtf, sqrt, sqrtl, csqrtf, csqrt, csqrtl, ((x[i])));",
          "y = sqrt(((x[i]))) ;" },
        { "",
          "y = __builtin_tgmath (powf, pow, powl, ((x)), (__builtin_tgmath (expf, exp, expl, "
          "((k)))));",
          "y = pow(((x)), (exp(((k))) )) ;" },
        { "", "y = __tg_pow((__typeof__(__tg_promote((x)) + __tg_promote((y))))(x), k);",
          "y = pow((x), k) ;" },
        { "", "y = __builtin_tgmath (sqrtf);", "y = __builtin_tgmath (sqrtf);" },
        { "", "y = __tg_sqrt();", "y = __tg_sqrt();" },
        { "", "y = 9223372036854775807LL + 3ull;", "y = 9223372036854775807L + 3ul;" },
        { "NAN", "y = 1;", "y = 1;" },
        { "", "", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cohort_arena arena = { NULL };
        const char *found = NULL;
        cohort_status status =
            cohort_items_expansion_undo(&arena, cases[i].text, cases[i].expansions, &found);
        is_text(status == COHORT_OK ? found : "", cases[i].wanted, "%.40s becomes %s",
                cases[i].text, cases[i].wanted);
        cohort_arena_free(&arena);
    }
}

int main(void)
{
    (void)parse("{ }", names[0].helpers); /* what stays for the process */
    int64_t blocks = cohort_memory_blocks();
    test_wrong(names, sizeof names / sizeof *names);
    test_wrong(helpers, sizeof helpers / sizeof *helpers);
    test_wrong(tables, sizeof tables / sizeof *tables);
    test_many();
    test_taken();
    test_axes();
    test_source();
    test_own();
    test_expansions();
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
