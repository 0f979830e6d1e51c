/* SPDX-License-Identifier: BSD-3-Clause */
/* Signatures: what prototypes say, and what is wrong with the others. */
#include "config.h"

#include <cohort/cohort.h>

#include "runtime/base/limits.h"
#include "runtime/base/memory.h"
#include "runtime/function/prototype.h"
#include "runtime/function/signature.h"
#include "tests/tap.h"

#include <complex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

static const cohort_type *const no_types[] = { NULL };

static cohort_function function_of(const char *returns, const char *prototype,
                                   const cohort_type *const *types)
{
    return (cohort_function){ .struct_size = sizeof(cohort_function),
                              .name = "sgd",
                              .returns = returns,
                              .prototype = prototype,
                              .types = types };
}

static const cohort_signature *parse(const char *prototype)
{
    cohort_function function = function_of("void", prototype, NULL);
    return cohort_signature_create(&function);
}

static void refuses_types(const char *returns, const char *prototype,
                          const cohort_type *const *types, const char *message)
{
    cohort_function function = function_of(returns, prototype, types);
    const cohort_signature *signature = cohort_signature_create(&function);
    ok(signature == NULL, "%s f%.60s is refused", returns, prototype);
    has_text(cohort_error_text(), message, "because: %.*s", (int)strcspn(message, "\n"), message);
    cohort_signature_release(signature);
}

static void refuses(const char *prototype, const char *message)
{
    refuses_types("void", prototype, NULL, message);
}

/* ---- Errors */

static void test_bad_descriptors(void)
{
    cohort_function function = function_of("void", "(int n)", no_types);
    ok(cohort_signature_create(NULL) == NULL, "no descriptor is refused");
    ok(cohort_signature_of(NULL) == NULL, "also when looked up");
    function.struct_size = 8;
    ok(cohort_signature_create(&function) == NULL, "a descriptor of another age is refused");
    function.struct_size = sizeof function;
    function.name = NULL;
    ok(cohort_signature_create(&function) == NULL, "a descriptor without a name is refused");
    function.name = "two words";
    ok(cohort_signature_create(&function) == NULL, "a name that is none is refused");
    function.name = "";
    ok(cohort_signature_create(&function) == NULL, "an empty name is refused");
    function.name = "sgd";
    function.prototype = NULL;
    ok(cohort_signature_create(&function) == NULL, "a descriptor without a prototype is refused");
    cohort_signature_release(NULL);
}

static void test_caret(void)
{
    (void)parse("(int64_t n, const flaot g[n])");
    is_text(cohort_error_text(),
            "sgd: unknown type 'flaot'; did you mean 'float'?\n"
            "(int64_t n, const flaot g[n])\n"
            "                  ^",
            "the caret stands under the token");
    (void)parse("(int64_t n,\n\tconst \xc3\xa4 x)");
    is_text(cohort_error_text(),
            "sgd: unexpected byte 0xc3\n(int64_t n,  const ?? x)\n                   ^",
            "tabs and newlines are shown as spaces, foreign bytes as question marks");
    char text[1200] = "(";
    for (int i = 0; i < 30; i++)
        snprintf(text + strlen(text), 32, "int parameter%d, ", i);
    strcat(text, "wrong x, int last_parameter_of_the_list_0, int last_parameter_of_the_list_1, int "
                 "last_parameter_of_the_list_2, int last_parameter_of_the_list_3)");
    (void)parse(text);
    const char *shown = strchr(cohort_error_text(), '\n'),
               *caret = shown != NULL ? strchr(shown + 1, '\n') : NULL;
    ok(caret != NULL && strncmp(shown + 1, "...", 3) == 0 && caret[-1] == '.',
       "a long text is shown in part");
    ok(caret != NULL && shown[strlen(caret + 1)] == 'w', "with the caret under the token");
}

static void test_bad_lists(void)
{
    refuses("", "expected '(' before the parameters, but the text ends");
    refuses("int n", "expected '('");
    refuses("(int n", "expected ')' or ',' after a parameter, but the text ends");
    refuses("(int n) x", "the prototype ends before this");
    refuses("(int n)(", "expected a type, but the text ends");
    refuses("(int n)(int n)", "a second parameter 'n'");
    refuses("(int n)(int m) x", "the prototype ends before this");
    refuses("(int n,)", "expected a type, found ')'");
    refuses("(int n; int m)", "found ';'");
    refuses("(int a, ...)", "variable number of arguments");
    refuses("(int n /* )", "this comment never ends");
    refuses("(int n$)", "unexpected '$'");
    refuses("(int \"n\")", "unexpected '\"'");
    refuses("(int)", "parameter 1 has no name");
    refuses("(int n, float)", "parameter 2 has no name");
    refuses("(float *)", "parameter 1 has no name");
    refuses("(int n, float n)", "a second parameter 'n'");
    refuses("(void, int n)", "parameter 1 has no name");
    refuses("(void v)", "v has the type void");
}

static void test_bad_types(void)
{
    refuses("(flaot x)", "did you mean 'float'?");
    refuses("(uint33_t x)", "did you mean 'uint32_t'?");
    refuses("(quaternion q)", "unknown type 'quaternion'\n");
    refuses("(unsigned float x)", "these words make no type");
    refuses("(long long long x)", "makes no type");
    refuses("(short double x)", "these words make no type");
    refuses("(int int x)", "these words make no type");
    refuses("(signed unsigned x)", "these words make no type");
    refuses("(size_t int x)", "'int' makes no type together");
    refuses("(complex z)", "complex of what?");
    refuses("(const x)", "unknown type 'x'");
    refuses("(struct pixel p)", "unknown struct 'pixel'");
    refuses("(struct *p)", "a struct needs a name here");
    refuses("(union u x)", "union types are not understood");
    refuses("(enum order o)", "unknown enum 'order'; define it with COHORT_TYPE_ALIAS");
    refuses("(enum *o)", "an enum needs a name here");
    refuses("(half h)", "16-bit float, which is passed in arrays only");
    refuses("(__bf16 h)", "16-bit float");
    refuses("(int (*f)(int))", "pointers to functions and to arrays are not understood");
    refuses("(float **x)", "a pointer to a pointer");
    refuses("(float *x[3])", "array of pointers");
    refuses("(float *x[] COHORT_SHAPE(3))", "array of pointers");
}

static void test_bad_arrays(void)
{
    refuses("(float *x)", "write x[n], or *x COHORT_SHAPE(n), or void *x for an opaque pointer");
    refuses("(float x[])", "a pointer without a shape");
    refuses("(float x[][3])", "only one bracket may be empty");
    refuses("(float x[3][])", "expected a name or an integer");
    refuses("(void x[3])", "elements of type void");
    refuses("(void *x COHORT_SHAPE(3))", "elements of type void");
    refuses("(int n COHORT_SHAPE(3))", "n has a COHORT_SHAPE, but is no pointer");
    refuses("(float x[3] COHORT_SHAPE(3))", "a second shape of x");
    refuses("(float *x COHORT_SHAPE(3) COHORT_SHAPE(3))", "a second shape of x");
    refuses("(float *x COHORT_SHAPE(3)[3])", "found '['");
    refuses("(float *x COHORT_SHAPE())", "expected a name or an integer");
    refuses("(float *x COHORT_SHAPE 3)", "expected '(' after COHORT_SHAPE");
    refuses("(float *x COHORT_SHAPE(3)", "expected ')' or ',' after a parameter");
    refuses("(COHORT_OUT const float x[3])", "an output, which cannot be const");
    refuses("(COHORT_LOCAL const float x[3])", "scratch, which cannot be const");
    refuses("(COHORT_OUT float x)", "is an output, but no array");
    refuses("(COHORT_LOCAL int n)", "is scratch, but no array");
    refuses("(COHORT_OUT void *p)", "an opaque pointer, which has no direction");
    refuses("(float x[1][1][1][1][1][1][1][1][1])", "more than 8 axes");
}

static void test_bad_extents(void)
{
    refuses("(float x[m])", "'m' is no parameter; macros and enum constants are not known here");
    refuses("(int rows, float x[row])", "did you mean 'rows'?");
    refuses("(float n, float x[n])", "n is no integer parameter");
    refuses("(bool n, float x[n])", "n is no integer parameter");
    refuses("(const int n[1], float x[n])", "n is no integer parameter");
    refuses("(void *n, float x[n])", "n is no integer parameter");
    refuses("(float x[x])", "x is no integer parameter");
    refuses("(float x[3)", "expected ']' after the extent");
    refuses("(float x[(3])", "expected ')' to close the parenthesis");
    refuses("(float x[3 +])", "expected a name or an integer");
    refuses("(float x[*])", "expected a name or an integer");
    refuses("(int n, float x[n % 2])", "unexpected '%'");
    refuses("(int n, float x[n 2])", "expected ']'");
    refuses("(float x[3.5])", "expected ']'");
    refuses("(float x[08])", "'08' is no integer");
    refuses("(float x[0x])", "'0x' is no integer");
    refuses("(float x[3f])", "'3f' is no integer");
    refuses("(float x[9223372036854775808])", "is no integer, or too large");
    refuses("(float x[99999999999999999999999999999999])", "is no integer, or too large");
    refuses("(float a COHORT_IS(3))", "COHORT_IS computes integers");
    refuses("(float a[3] COHORT_IS(3))", "COHORT_IS computes integers");
    refuses("(int a COHORT_IS(3) COHORT_IS(3))", "a second COHORT_IS");
    refuses("(int a COHORT_IS)", "expected '(' after COHORT_IS");
    refuses("(int a COHORT_IS(a))", "a is itself computed");
    refuses("(int n, int a COHORT_IS(n), int b COHORT_IS(a), float x[n])", "a is itself computed");
}

static void test_bad_results(void)
{
    refuses_types("float *", "(void)", NULL, "a pointer cannot be returned");
    refuses_types("flaot", "(void)", NULL, "did you mean 'float'?\nflaot\n^");
    refuses_types("float float", "(void)", NULL, "make");
    refuses_types("float x", "(void)", NULL, "ends before this");
    refuses_types("half", "(void)", NULL, "a 16-bit float cannot be returned");
    refuses_types("COHORT_OUT float", "(void)", NULL, "a result has no direction");
    refuses_types("", "(void)", NULL, "expected a type, but the text ends");
}

static void refuses_struct(const char *is, size_t size, size_t align, const char *message)
{
    const cohort_type type = { "thing", is, size, align };
    refuses_types("void", "(thing t)", (const cohort_type *const[]){ &type, NULL }, message);
}

static void test_bad_structs(void)
{
    refuses_struct("{ char a; int b; }", 5, 1,
                   "the text gives 8 bytes aligned to 4, the compiler 5 aligned to 1");
    refuses_struct("{ }", 0, 1, "a struct without members");
    refuses_struct("{ int a }", 4, 4, "expected ';' after a member");
    refuses_struct("{ int a;", 4, 4, "expected a type, but the text ends");
    refuses_struct("{ int a; } b", 4, 4, "the struct ends before this");
    refuses_struct("{ flaot a; }", 4, 4, "sgd: type thing: unknown type 'flaot'");
    refuses_struct("{ int a : 3; }", 4, 4, "bit-fields");
    refuses_struct("{ int; }", 4, 4, "expected the name of a member");
    refuses_struct("{ void a; }", 4, 4, "'a' is void");
    refuses_struct("{ int a[n]; }", 4, 4, "'n' is unknown in a struct");
    refuses_struct("{ int a[0]; }", 4, 4, "an array of 0 elements has no layout");
    refuses_struct("{ int a[1 / 0]; }", 4, 4, "has no layout");
    refuses_struct("{ int a[70000][70000]; }", 4, 4, "more than 2147483647 elements");
    refuses_struct("{ double a[2147483647]; }", 4, 4, "more than 2147483647 bytes");
    refuses_struct("{ out int a; }", 4, 4, "have no direction");
    refuses_struct("{ thing t; }", 4, 4, "type thing contains itself");
    refuses_struct("{ struct { int a; } b; }", 4, 4, "a struct needs a name here");
    refuses_struct("{ char a[5000]; }", 5000, 1, "a struct too large to be passed by value");
    refuses_struct("", 4, 4, "expected a type");
    refuses_struct("int x", 4, 4, "the type ends before this");
    refuses_struct("int", 8, 8, "the text gives 4 bytes, the compiler 8");
    refuses_struct("void", 0, 1, "the text gives 0 bytes");
    const cohort_type nameless = { NULL, "int", 4, 4 };
    refuses_types("void", "(int n)", (const cohort_type *const[]){ &nameless, NULL },
                  "has no name or no text");
}

/* ---- Caps */

static void test_caps(void)
{
    static char text[3 * COHORT_LIMIT_PROTOTYPE_BYTES];
    strcpy(text, "(int a0");
    for (int i = 1; i < 40; i++)
        snprintf(text + strlen(text), 24, ", int a%d", i);
    strcat(text, ")");
    const cohort_signature *signature = parse(text);
    ok(signature != NULL && signature->n_parameters == 40, "40 parameters are taken");
    cohort_signature_release(signature);
    text[strlen(text) - 1] = '\0';
    strcat(text, ", int a40)");
    refuses(text, "more than 40 parameters");
    memset(text, ' ', sizeof text - 1);
    refuses(text, "a text of more than 16384 bytes");
    snprintf(text, sizeof text, "(int %0129d)", 0);
    memset(text + 5, 'x', 129);
    refuses(text, "a name of 129 bytes; at most 128");
    text[133] = ')', text[134] = '\0';
    signature = parse(text);
    ok(signature != NULL, "a name of 128 bytes is taken");
    cohort_signature_release(signature);
    strcpy(text, "(float x[1");
    for (int i = 0; i < 32; i++)
        strcat(text, "+1");
    strcat(text, "])");
    refuses(text, "more than 64 names, numbers and operators");
    strcpy(text, "(float x[");
    memset(text + 9, '(', 5000);
    text[5009] = '\0';
    refuses(text, "more than 64 parentheses and signs inside each other");
    memset(text + 9, '-', 5000);
    refuses(text, "more than 64");
    static cohort_type many[COHORT_LIMIT_STRUCTS + 1];
    static const cohort_type *list[COHORT_LIMIT_STRUCTS + 2];
    for (int i = 0; i <= COHORT_LIMIT_STRUCTS; i++)
        many[i] = (cohort_type){ "t", "int", 4, 4 }, list[i] = &many[i];
    refuses_types("void", "(int n)", list, "more than 64 types");
    strcpy(text, "{ int a0");
    for (int i = 1; i <= COHORT_LIMIT_STRUCT_MEMBERS; i++)
        snprintf(text + strlen(text), 24, ", a%d", i);
    strcat(text, "; }");
    refuses_struct(text, 4 * 257, 4, "more than 256 members");
    const cohort_type block = { "block", "{ char a[4000]; }", 4000, 1 };
    refuses_types("void", "(block a, block b, block c, block d, block e)",
                  (const cohort_type *const[]){ &block, NULL }, "20000 bytes; at most 16384");
}

/* A struct in a struct in a struct ... */
static void test_deep_structs(void)
{
    static char names[40][16], texts[40][32];
    static cohort_type types[40];
    static const cohort_type *list[41];
    for (int i = 0; i < 40; i++) {
        snprintf(names[i], sizeof names[i], "t%d", i);
        snprintf(texts[i], sizeof texts[i], i == 0 ? "{ int a; }" : "{ t%d a; }", i - 1);
        types[i] = (cohort_type){ names[i], texts[i], 4, 4 };
        list[i] = &types[i];
    }
    cohort_function function = function_of("void", "(t31 x)", list);
    const cohort_signature *signature = cohort_signature_create(&function);
    ok(signature != NULL && signature->sig.ntypes == 32, "32 structs inside each other are taken");
    cohort_signature_release(signature);
    refuses_types("void", "(t32 x)", list, "more than 32 structs inside each other");
}

/* ---- What prototypes say */

typedef struct spelling {
    const char *text;
    uint32_t type, bytes;
} spelling;

#define ROW(type)                                                                                  \
    {                                                                                              \
#type, COHORT_DTYPE_OF_((type)0), sizeof(type)                                             \
    }
static const spelling spellings[] = {
    ROW(char),
    ROW(signed char),
    ROW(char signed),
    ROW(unsigned char),
    ROW(char unsigned),
    ROW(short),
    ROW(short int),
    ROW(int short),
    ROW(signed short),
    ROW(short signed int),
    ROW(unsigned short),
    ROW(int unsigned short),
    ROW(int),
    ROW(signed),
    ROW(signed int),
    ROW(int signed),
    ROW(unsigned),
    ROW(unsigned int),
    ROW(int unsigned),
    ROW(long),
    ROW(long int),
    ROW(int long),
    ROW(signed long),
    ROW(long int signed),
    ROW(unsigned long),
    ROW(unsigned long int),
    ROW(int long unsigned),
    ROW(long long),
    ROW(long int long),
    ROW(signed long long),
    ROW(long signed int long),
    ROW(unsigned long long),
    ROW(long unsigned long int),
    ROW(size_t),
    ROW(ssize_t),
    ROW(ptrdiff_t),
    ROW(intptr_t),
    ROW(uintptr_t),
    ROW(intmax_t),
    ROW(uintmax_t),
    ROW(int8_t),
    ROW(uint8_t),
    ROW(int16_t),
    ROW(uint16_t),
    ROW(int32_t),
    ROW(uint32_t),
    ROW(int64_t),
    ROW(uint64_t),
    ROW(bool),
    ROW(_Bool),
    ROW(cohort_status),
    ROW(float),
    ROW(double),
    ROW(float complex),
    ROW(complex float),
    ROW(float _Complex),
    ROW(double complex),
    ROW(_Complex double),
    ROW(const int),
    ROW(int const),
    ROW(long const int),
    ROW(volatile float),
    { "register int", COHORT_I32, 4 },
    ROW(unsigned const long volatile int),
    { "long double", COHORT_LONG_DOUBLE, sizeof(long double) },
    { "double long", COHORT_LONG_DOUBLE, sizeof(long double) },
    { "long double complex", COHORT_COMPLEX_LONG_DOUBLE, 2 * sizeof(long double) },
    { "double _Complex long", COHORT_COMPLEX_LONG_DOUBLE, 2 * sizeof(long double) },
};

static void test_spellings(void)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const spelling *s = &spellings[i];
        char text[80];
        (void)snprintf(text, sizeof text, "(%s x, %s y[2])", s->text, s->text);
        cohort_function function = function_of(s->text, text, NULL);
        const cohort_signature *f = cohort_signature_create(&function);
        ok(f != NULL && f->parameters[0].type == s->type && f->parameters[0].bytes == s->bytes &&
               f->parameters[1].type == s->type && f->parameters[1].role == COHORT_ROLE_ARRAY &&
               f->result_type == s->type && f->result_bytes == s->bytes && f->sig.ret == s->type,
           "%s is a type of numbers, elements and results", s->text);
        cohort_signature_release(f);
    }
    const cohort_signature *f = parse("(half a[2], _Float16 b[2], bfloat16 c[2], __bf16 d[2])");
    ok(f != NULL && f->parameters[0].type == COHORT_F16 && f->parameters[1].type == COHORT_F16 &&
           f->parameters[2].type == COHORT_BF16 && f->parameters[3].type == COHORT_BF16 &&
           f->parameters[3].bytes == 2,
       "16-bit floats are elements of arrays");
    cohort_signature_release(f);
    f = parse("(float complex[2], int local, int out, float half, int bool)");
    ok(f != NULL && strcmp(f->parameters[0].name, "complex") == 0 &&
           f->parameters[0].type == COHORT_F32 && strcmp(f->parameters[1].name, "local") == 0 &&
           strcmp(f->parameters[3].name, "half") == 0,
       "words that are no keywords of C can be names");
    cohort_signature_release(f);
}

static void test_roles(void)
{
    const cohort_signature *f =
        parse("(int64_t n, int d, int lda COHORT_IS(2 * d), float rate, const float x[static "
              "n][d], float w[n],\n"
              "  /* a comment */ COHORT_OUT double z[(n + 1) / 2], // another\n"
              "  out float *restrict y COHORT_SHAPE(n, d), COHORT_LOCAL int t[n], local float *u "
              "COHORT_SHAPE(n, 2),\n"
              "  void *p, const void *q, const char *const s COHORT_SHAPE(n))");
    static const struct {
        const char *name;
        cohort_role role;
        uint32_t type, direction;
        int32_t rank;
        uint32_t kind;
    } wanted[] = {
        { "n", COHORT_ROLE_BOUND, COHORT_I64, 0, 0, COHORT_ARG_VALUE },
        { "d", COHORT_ROLE_BOUND, COHORT_I32, 0, 0, COHORT_ARG_VALUE },
        { "lda", COHORT_ROLE_COMPUTED, COHORT_I32, 0, 0, COHORT_ARG_VALUE },
        { "rate", COHORT_ROLE_NUMBER, COHORT_F32, 0, 0, COHORT_ARG_VALUE },
        { "x", COHORT_ROLE_ARRAY, COHORT_F32, COHORT_READ, 2, COHORT_ARG_MEM },
        { "w", COHORT_ROLE_ARRAY, COHORT_F32, COHORT_READ | COHORT_WRITE, 1, COHORT_ARG_MEM },
        { "z", COHORT_ROLE_ARRAY, COHORT_F64, COHORT_WRITE, 1, COHORT_ARG_MEM },
        { "y", COHORT_ROLE_ARRAY, COHORT_F32, COHORT_WRITE, 2, COHORT_ARG_MEM },
        { "t", COHORT_ROLE_LOCAL, COHORT_I32, 0, 1, COHORT_ARG_LOCAL },
        { "u", COHORT_ROLE_LOCAL, COHORT_F32, 0, 2, COHORT_ARG_LOCAL },
        { "p", COHORT_ROLE_POINTER, COHORT_POINTER, 0, 0, COHORT_ARG_VALUE },
        { "q", COHORT_ROLE_POINTER, COHORT_POINTER, 0, 0, COHORT_ARG_VALUE },
        { "s", COHORT_ROLE_ARRAY, COHORT_DTYPE_OF_((char)0), COHORT_READ, 1, COHORT_ARG_MEM },
    };
    if (!ok(f != NULL && f->n_parameters == 13, "a prototype with every role parses"))
        return;
    for (int i = 0; i < 13; i++) {
        const cohort_parameter *p = &f->parameters[i];
        ok(strcmp(p->name, wanted[i].name) == 0 && p->role == wanted[i].role &&
               p->type == wanted[i].type && p->direction == wanted[i].direction &&
               p->rank == wanted[i].rank,
           "%s has its role, type and direction", wanted[i].name);
        ok(f->sig.args[i].kind == wanted[i].kind && f->sig.args[i].type == p->type &&
               f->sig.args[i].dir == p->direction && f->sig.args[i].size == p->bytes &&
               strcmp(f->sig.names[i], p->name) == 0,
           "and plugins see it so");
    }
    ok(f->n_passed == 8, "bounds, computed integers and scratch are not passed");
    ok(f->value_bytes == 8 * 16, "every value and scratch size has 16 bytes");
    is_text(f->parameters[6].extents[0].text, "(n + 1) / 2", "an extent is kept as written");
    ok(f->parameters[4].extents[1].bare == 1 && f->parameters[6].extents[0].bare == -1,
       "bare names are told apart");
    ok(f->parameters[6].extents[0].count == 5, "an expression is in reverse Polish order");
    ok(!f->has_result && !f->returns_status && f->sig.struct_size == sizeof(cohort_sig) &&
           f->sig.nargs == 13,
       "void gives no result");
    cohort_signature_release(f);
}

static void test_order(void)
{
    const cohort_signature *f = parse("(const float *x COHORT_SHAPE(2*n+1, (m)), int n, int m)");
    ok(f != NULL && f->parameters[1].role == COHORT_ROLE_BOUND &&
           f->parameters[0].extents[1].bare == 2,
       "bounds may stand behind their arrays, and in parentheses");
    cohort_signature_release(f);
    f = parse("(float x[0x10], float y[010], float z[3ul])");
    ok(f != NULL && f->parameters[0].extents[0].nodes[0].operand == 16 &&
           f->parameters[1].extents[0].nodes[0].operand == 8 &&
           f->parameters[2].extents[0].nodes[0].operand == 3,
       "integers are read as C reads them");
    cohort_signature_release(f);
    const char *const empty[] = { "()", "(void)", " ( void ) ", "(/* none */)" };
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        f = parse(empty[i]);
        ok(f != NULL && f->n_parameters == 0 && f->sig.nargs == 0, "%s has no parameters",
           empty[i]);
        cohort_signature_release(f);
    }
}

static void test_results(void)
{
    cohort_function function = function_of("cohort_status", "(void)", NULL);
    const cohort_signature *f = cohort_signature_create(&function);
    ok(f != NULL && f->returns_status && !f->has_result && f->result_type == COHORT_I32,
       "cohort_status is a verdict");
    cohort_signature_release(f);
    function.returns = "const double";
    f = cohort_signature_create(&function);
    ok(f != NULL && f->has_result && !f->returns_status && f->result_bytes == 8,
       "double is an output");
    is_text(cohort_signature_type_name(f, f->result_type), "float64", "with a name");
    cohort_signature_release(f);
    function.returns = NULL;
    f = cohort_signature_create(&function);
    ok(f != NULL && !f->has_result, "no text for the result is void");
    cohort_signature_release(f);
}

/* ---- Structs */

typedef enum order { ROW_MAJOR = 101 } order;
typedef long wide;
COHORT_STRUCT(pixel, {
    uint8_t r, g;
    float w[4];
});
COHORT_STRUCT(image, {
    pixel corner[2][3];
    double scale;
    const char *name;
    struct pixel *next;
    wide size;
});
COHORT_STRUCT(halves, {
    uint16_t a;
    long double b;
    float complex c;
});
COHORT_STRUCT(rgb, { unsigned char r, g, b; });
COHORT_TYPE_ALIAS(order);
COHORT_TYPE_ALIAS(wide);
COHORT_FUNCTION_RETURNING(pixel, draw,
                          (int64_t n, order o COHORT_IS(101), const image picture, struct pixel p,
                           wide k, halves h, const rgb x[n]),
                          COHORT_HOST_ONLY,
                          .types = COHORT_TYPES(image, pixel, order, wide, halves, rgb))
{
    (void)n, (void)o, (void)picture, (void)k, (void)h, (void)x;
    return p;
}

static void test_structs(void)
{
    const cohort_signature *f = cohort_signature_create(draw);
    if (!ok(f != NULL, "a function with structs and aliases parses")) {
        diag("%s", cohort_error_text());
        return;
    }
    ok(f->sig.ntypes == 4, "it names four structs");
    ok(f->result_type == COHORT_STRUCT_BASE && f->result_bytes == sizeof(pixel) && f->has_result,
       "the struct that it returns was met first");
    ok(f->parameters[1].type == COHORT_DTYPE_OF_((unsigned)0) ||
           f->parameters[1].type == COHORT_I32,
       "an enum is an integer");
    ok(f->parameters[2].role == COHORT_ROLE_STRUCT && f->parameters[2].bytes == sizeof(image),
       "a struct by value");
    ok(f->parameters[3].type == COHORT_STRUCT_BASE, "struct pixel and pixel are one type");
    ok(f->parameters[4].type == COHORT_DTYPE_OF_(0l) && f->parameters[4].role == COHORT_ROLE_NUMBER,
       "an alias of a long is a number");
    const cohort_layout *layout = &f->sig.types[f->parameters[2].type - COHORT_STRUCT_BASE];
    ok(layout->size == sizeof(image) && layout->align == _Alignof(image) && layout->nmembers == 5,
       "the layout is the compiler's");
    ok(layout->members[0].type == COHORT_STRUCT_BASE && layout->members[0].count == 6,
       "arrays of structs inside");
    ok(layout->members[1].offset == offsetof(image, scale) &&
           layout->members[3].offset == offsetof(image, next) &&
           layout->members[3].type == COHORT_POINTER &&
           layout->members[4].offset == offsetof(image, size),
       "members have their offsets, pointers have no target");
    ok(f->parameters[6].role == COHORT_ROLE_ARRAY && f->parameters[6].bytes == 3,
       "structs are elements of arrays");
    is_text(cohort_signature_type_name(f, f->parameters[6].type), "rgb", "structs have names");
    is_text(cohort_signature_type_name(f, 999), "struct", "a code that is none has a name too");
    cohort_signature_release(f);
}

/* ---- Lifetime */

COHORT_FUNCTION(plain, (int64_t n, const float x[n]), COHORT_HOST_ONLY)
{
    (void)n, (void)x;
}

static void *look_up(void *unused)
{
    (void)unused;
    return (void *)cohort_signature_of(plain);
}

enum { N_PASSING = 2000 };

static void *look_up_often(void *is_over)
{
    const cohort_signature *first = cohort_signature_of(plain);
    bool is_same = first != NULL;
    while (!atomic_load((atomic_bool *)is_over))
        is_same = is_same && cohort_signature_of(plain) == first;
    return is_same ? (void *)first : NULL;
}

/* Two for each bucket of the registry, so that entries are made, left and taken again in the chain
 * on which the readers are. */
static bool come_and_go(void)
{
    static cohort_function passing[N_PASSING];
    bool are_found = true;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < N_PASSING; i++) {
            passing[i] = function_of("void", i % 2 == 0 ? "(int n)" : "(int n, int m)", NULL);
            const cohort_signature *made = cohort_signature_of(&passing[i]);
            are_found = are_found && made != NULL && made->n_parameters == 1 + i % 2;
        }
        for (int i = 0; i < N_PASSING; i++)
            cohort_signature_forget(&passing[i]);
    }
    return are_found;
}

static void test_readers(void)
{
    int64_t blocks = cohort_memory_blocks();
    atomic_bool is_over = false;
    pthread_t threads[2];
    void *found[2] = { NULL };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, look_up_often, &is_over);
    ok(come_and_go(), "functions come and go while others are looked up");
    atomic_store(&is_over, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &found[i]);
    ok(found[0] != NULL && found[0] == found[1], "who looks up finds the same one all the time");
    cohort_signature_forget(plain);
    ok(cohort_memory_blocks() == blocks, "what came and went leaves nothing");
}

static void test_registry(void)
{
    int64_t blocks = cohort_memory_blocks();
    pthread_t threads[4];
    void *found[4] = { NULL };
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, look_up, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], &found[i]);
    const cohort_signature *first = cohort_signature_of(plain);
    ok(first != NULL && found[0] == first && found[1] == first && found[2] == first &&
           found[3] == first,
       "all threads get one signature of a function");
    const cohort_signature *other = cohort_signature_create(plain);
    ok(other != first && other->uid != first->uid && first->uid != 0,
       "a signature made apart has its own uid");
    cohort_signature_release(other);
    cohort_function function = function_of("void", "(int n)", NULL);
    const cohort_signature *before = cohort_signature_of(&function);
    cohort_signature_retain(before);
    function.prototype = "(int n, int m)";
    const cohort_signature *after = cohort_signature_of(&function);
    ok(after != NULL && after->n_parameters == 2,
       "another text at the same address is another function");
    ok(before->n_parameters == 1, "while the first one lives as long as somebody has it");
    cohort_signature_release(before);
    function.prototype = "(int n)";
    ok(cohort_signature_of(&function) == before, "and is found again with its text");
    const cohort_type type = { "t", "int", 4, 4 }, wider = { "t", "long long", 8, 8 };
    const cohort_type *list[] = { &type, NULL };
    function = function_of("void", "(t x)", list);
    ok(cohort_signature_of(&function)->parameters[0].bytes == 4, "a type of the list is used");
    list[0] = &wider;
    ok(cohort_signature_of(&function)->parameters[0].bytes == 8,
       "and another type of that name is seen");
    cohort_signature_forget(&function);
    cohort_signature_forget(&function);
    cohort_signature_forget(plain);
    ok(cohort_memory_blocks() == blocks, "what was forgotten leaves nothing");
}

/* ---- Text form */

static void splits(const char *text, const char *returns, const char *name, const char *prototype)
{
    char *parts[3];
    ok(cohort_prototype_split(text, &parts[0], &parts[1], &parts[2]) == COHORT_OK &&
           strcmp(parts[0], returns) == 0 && strcmp(parts[1], name) == 0 &&
           strcmp(parts[2], prototype) == 0,
       "the text form of %s has its parts", name);
    cohort_free(parts[0]);
}

static void does_not_split(const char *text, const char *message)
{
    char *parts[3];
    ok(cohort_prototype_split(text, &parts[0], &parts[1], &parts[2]) == COHORT_EINVAL &&
           parts[0] == NULL,
       "%s is refused", text != NULL ? text : "no text");
    has_text(cohort_error_text(), message, "because: %s", message);
}

static void test_text_form(void)
{
    does_not_split(NULL, "NULL");
    does_not_split("", "expected a function");
    does_not_split("cos", "expected a function");
    does_not_split("double cos", "expected a function");
    does_not_split("cos(double x)", "the type of the result is missing: write void cos(...)");
    does_not_split("(double x)", "expected a function");
    does_not_split("double cos(double x", "this parenthesis is never closed");
    does_not_split("double cos(double x) y", "the prototype ends before this");
    does_not_split("double *3(double x)", "expected a function");
    does_not_split("double @(double x)", "unexpected '@'");
    splits("double cos(double x)", "double ", "cos", "(double x)");
    splits("  extern unsigned long\n f (float *x COHORT_SHAPE((n)));", "extern unsigned long\n ",
           "f", "(float *x COHORT_SHAPE((n)))");
}

int main(void)
{
    int64_t blocks = cohort_memory_blocks();
    test_bad_descriptors();
    test_caret();
    test_bad_lists();
    test_bad_types();
    test_bad_arrays();
    test_bad_extents();
    test_bad_results();
    test_bad_structs();
    test_caps();
    test_deep_structs();
    test_spellings();
    test_roles();
    test_order();
    test_results();
    test_structs();
    test_registry();
    test_readers();
    test_text_form();
    ok(cohort_memory_blocks() == blocks, "all memory is given back");
    return tap_done();
}
