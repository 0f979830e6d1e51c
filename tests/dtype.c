/* SPDX-License-Identifier: BSD-3-Clause */
/* dtypes: names and kinds, elements as another dtype, and how many elements an array has. */
#include "cohort/cohort.h"
#include "tests/dtypes.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <math.h>

/* ------------------------------------------------------------------ names and kinds */

static void test_names(void)
{
    ok(cohort_dtype_parse(NULL) == COHORT_VOID && cohort_dtype_parse("") == COHORT_VOID &&
           cohort_dtype_parse("float") == COHORT_VOID &&
           cohort_dtype_parse("Float32") == COHORT_VOID &&
           cohort_dtype_parse("float32 ") == COHORT_VOID &&
           cohort_dtype_parse("unknown dtype") == COHORT_VOID,
       "what is no dtype's name is none");
    for (uint32_t i = next_named(0); i != 0; i = next_named(i))
        ok(cohort_dtype_parse(cohort_dtype_name((cohort_dtype)i)) == (cohort_dtype)i,
           "%s is found by its name", cohort_dtype_name((cohort_dtype)i));
}

static void test_kinds(void)
{
    static const int none[] = { COHORT_VOID, COHORT_POINTER, -1, 63, 77, 256, 300 };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ok(cohort_dtype_kind((cohort_dtype)none[i]) == '\0', "%d has no kind", none[i]);
    char kinds[COHORT_STRUCT_BASE] = "";
    size_t n = 0;
    for (uint32_t i = next_named(0); i != 0; i = next_named(i))
        if (i != COHORT_POINTER)
            kinds[n++] = cohort_dtype_kind((cohort_dtype)i);
    is_text(kinds, "biuiuiuiuffffccffVfc", "the others have NumPy's letters");
}

static void test_parts(void)
{
    ok(cohort_dtype_part(COHORT_C64) == COHORT_F32 &&
           cohort_dtype_part(COHORT_C128) == COHORT_F64 &&
           cohort_dtype_part(COHORT_COMPLEX_LONG_DOUBLE) == COHORT_LONG_DOUBLE,
       "complex dtypes have parts");
    ok(cohort_dtype_part(COHORT_I8) == COHORT_I8 &&
           cohort_dtype_part(COHORT_RECORD) == COHORT_RECORD &&
           cohort_dtype_part((cohort_dtype)77) == (cohort_dtype)77,
       "others are their own");
}

/* ------------------------------------------------------------------ what is refused */

/* The slot's text after the error, which left `out` as it was. */
static const char *refused(cohort_dtype from, const void *element, cohort_dtype to)
{
    unsigned char out[32], before[32];
    memset(out, 0xa5, sizeof out);
    memcpy(before, out, sizeof out);
    if (cohort_dtype_convert(from, element, to, out) != COHORT_EINVAL)
        return "it was not refused";
    return memcmp(out, before, sizeof out) == 0 ? cohort_error_text() : "it wrote into out";
}

static void test_bad_calls(void)
{
    double x = 1;
    static const int none[] = { COHORT_VOID, COHORT_RECORD, COHORT_POINTER, -1, 77, 256 };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        has_text(refused((cohort_dtype)none[i], &x, COHORT_F64), "is no number",
                 "dtype %d is converted from", none[i]);
        has_text(refused(COHORT_F64, &x, (cohort_dtype)none[i]), "a number cannot become ",
                 "nor to %d", none[i]);
    }
    is_text(refused(COHORT_F64, NULL, COHORT_F64), "cohort_dtype_convert: element is NULL",
            "no element");
    ok(cohort_dtype_convert(COHORT_F64, &x, COHORT_F64, NULL) == COHORT_EINVAL, "no room");
    is_text(cohort_error_text(), "cohort_dtype_convert: out is NULL", "which it says");
}

static void test_lost_numbers(void)
{
    const double half = 1.5, large = 1e300, nan = (double)NAN, infinity = (double)INFINITY;
    const int32_t thousand = 1000, minus = -1;
    const uint64_t most = UINT64_MAX;
    const double complex_number[2] = { 1, 2 };
    is_text(refused(COHORT_F64, &half, COHORT_I32),
            "cohort_dtype_convert: 1.5 has a fraction, the new dtype is int32", "a fraction");
    is_text(refused(COHORT_F64, &nan, COHORT_U8),
            "cohort_dtype_convert: nan is out of the range of uint8", "no number, for an integer");
    is_text(refused(COHORT_F64, &infinity, COHORT_BOOL),
            "cohort_dtype_convert: inf is out of the range of bool", "infinity, for a bool");
    is_text(refused(COHORT_I32, &thousand, COHORT_I8),
            "cohort_dtype_convert: 1000 is out of the range of int8", "a large integer");
    is_text(refused(COHORT_I32, &minus, COHORT_U64),
            "cohort_dtype_convert: -1 is out of the range of uint64", "a negative one");
    is_text(refused(COHORT_I32, &thousand, COHORT_BOOL),
            "cohort_dtype_convert: 1000 is out of the range of bool", "1000, for a bool");
    is_text(refused(COHORT_U64, &most, COHORT_I64),
            "cohort_dtype_convert: 18446744073709551615 is out of the range of int64", "2^64 - 1");
    has_text(refused(COHORT_F64, &large, COHORT_F32), " is out of the range of float32",
             "a double beyond float");
    has_text(refused(COHORT_F64, &large, COHORT_C64), " is out of the range of complex64",
             "as a part as well");
    is_text(refused(COHORT_C128, complex_number, COHORT_F64),
            "cohort_dtype_convert: 1 has an imaginary part, the new dtype is float64",
            "an imaginary part");
    is_text(refused(COHORT_C128, complex_number, COHORT_I8),
            "cohort_dtype_convert: 1 has an imaginary part, the new dtype is int8",
            "also for an integer");
    float limit = 65520;
    has_text(refused(COHORT_F32, &limit, COHORT_F16), "65520 is out of the range of float16",
             "what float16 would round to infinity");
}

/* ------------------------------------------------------------------ what is converted */

static bool comes_back(cohort_dtype dtype, int64_t x)
{
    unsigned char element[33] = { 0 }, *unaligned = element + 1;
    int64_t back = ~x;
    return cohort_dtype_convert(COHORT_I64, &x, dtype, unaligned) == COHORT_OK &&
           cohort_dtype_convert(dtype, unaligned, COHORT_I64, &back) == COHORT_OK && back == x;
}

static void test_small_numbers(void)
{
    for (uint32_t i = next_named(0); i != 0; i = next_named(i)) {
        cohort_dtype dtype = (cohort_dtype)i;
        if (dtype == COHORT_RECORD || dtype == COHORT_POINTER)
            continue;
        ok(comes_back(dtype, 0) && comes_back(dtype, 1), "0 and 1 are %s and come back",
           cohort_dtype_name(dtype));
        if (cohort_dtype_kind(dtype) != 'b' && cohort_dtype_kind(dtype) != 'u')
            ok(comes_back(dtype, -128) && comes_back(dtype, -1), "so do -128 and -1");
    }
}

static void test_limits(void)
{
    ok(comes_back(COHORT_I8, 127) && comes_back(COHORT_U8, 255) && comes_back(COHORT_I16, -32768) &&
           comes_back(COHORT_U16, 65535) && comes_back(COHORT_I32, INT32_MIN) &&
           comes_back(COHORT_U32, UINT32_MAX) && comes_back(COHORT_I64, INT64_MIN) &&
           comes_back(COHORT_I64, INT64_MAX) && comes_back(COHORT_U64, INT64_MAX),
       "the largest and smallest integers are converted");
    ok(!comes_back(COHORT_I8, 128) && !comes_back(COHORT_I8, -129) && !comes_back(COHORT_U8, 256) &&
           !comes_back(COHORT_U32, INT64_C(1) << 32) && !comes_back(COHORT_I32, INT64_C(1) << 31),
       "those beside them are not");
    uint64_t most = UINT64_MAX, again = 0;
    double rounded;
    ok(cohort_dtype_convert(COHORT_U64, &most, COHORT_U64, &again) == COHORT_OK && again == most,
       "uint64 keeps 64 bits");
    ok(cohort_dtype_convert(COHORT_U64, &most, COHORT_F64, &rounded) == COHORT_OK &&
           rounded == 0x1p64,
       "and is rounded as a double");
    unsigned char two = 2;
    int8_t one = 0;
    ok(cohort_dtype_convert(COHORT_BOOL, &two, COHORT_I8, &one) == COHORT_OK && one == 1,
       "a bool that is not 0 is 1");
}

static void test_complex(void)
{
    const double z[2] = { 1.5, -2 };
    float narrow[2];
    long double wide[2];
    ok(cohort_dtype_convert(COHORT_C128, z, COHORT_C64, narrow) == COHORT_OK && narrow[0] == 1.5f &&
           narrow[1] == -2.0f,
       "both parts become narrow");
    ok(cohort_dtype_convert(COHORT_C64, narrow, COHORT_COMPLEX_LONG_DOUBLE, wide) == COHORT_OK &&
           wide[0] == 1.5L && wide[1] == -2.0L,
       "and wide");
    double in_place[2] = { 3, 4 };
    int16_t seven = 7;
    ok(cohort_dtype_convert(COHORT_I16, &seven, COHORT_C128, in_place) == COHORT_OK &&
           in_place[0] == 7 && in_place[1] == 0,
       "a real number has no imaginary part");
    int64_t same = 0;
    cohort_status status = cohort_dtype_convert(COHORT_C128, in_place, COHORT_I64, in_place);
    memcpy(&same, in_place, sizeof same);
    ok(status == COHORT_OK && same == 7, "element and out may be the same");
}

static void test_special(void)
{
    static const cohort_dtype floats[] = { COHORT_F16, COHORT_BF16, COHORT_F32,
                                           COHORT_LONG_DOUBLE };
    const double specials[] = { (double)INFINITY, -(double)INFINITY, (double)NAN, -0.0 };
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        int right = 0;
        for (size_t k = 0; k < 4; k++) {
            unsigned char element[16];
            double back = 1;
            right += cohort_dtype_convert(COHORT_F64, &specials[k], floats[i], element) >= 0 &&
                     cohort_dtype_convert(floats[i], element, COHORT_F64, &back) >= 0 &&
                     (isnan(back) ? k == 2 : back == specials[k]) &&
                     (k == 2 || signbit(back) == signbit(specials[k]));
        }
        ok(right == 4, "%s has infinities, NaN and -0", cohort_dtype_name(floats[i]));
    }
}

/* ------------------------------------------------------------------ 16 bits */

static double widened(cohort_dtype dtype, uint16_t bits)
{
    double x = -1;
    (void)cohort_dtype_convert(dtype, &bits, COHORT_F64, &x);
    return x;
}

static uint16_t narrowed(cohort_dtype dtype, long double x)
{
    uint16_t bits = 0xffff;
    (void)cohort_dtype_convert(COHORT_LONG_DOUBLE, &x, dtype, &bits);
    return bits;
}

/* Between two neighbours: halfway to the even one, and a little more or less to the nearer one,
 * however little that is. A double has 29 bits more than a float, in which it can be lost. */
static bool is_rounded_once(cohort_dtype dtype, uint16_t bits)
{
    double low = widened(dtype, bits), high = widened(dtype, (uint16_t)(bits + 1)),
           half = low + (high - low) / 2;
    uint16_t even = (uint16_t)(bits + (bits & 1));
    return narrowed(dtype, (long double)low) == bits &&
           narrowed(dtype, (long double)half) == even &&
           narrowed(dtype, (long double)nextafter(half, low)) == bits &&
           narrowed(dtype, (long double)nextafter(half, high)) == bits + 1 &&
           narrowed(dtype, (long double)-nextafter(half, high)) == ((bits + 1) | 0x8000);
}

static void test_halves(cohort_dtype dtype, uint16_t infinity)
{
    int wrong = 0;
    for (uint16_t bits = 0; bits + 1 < infinity; bits++)
        if (!is_rounded_once(dtype, bits) && wrong++ == 0)
            diag("beside %04x", bits);
    ok(wrong == 0, "whatever becomes %s is rounded once", cohort_dtype_name(dtype));
}

/* ------------------------------------------------------------------ elements of an array */

static void test_items(void)
{
    const int64_t huge = INT64_C(1) << 40;
    cohort_array a = { .dtype = COHORT_F32, .rank = -1 };
    ok(cohort_array_items(NULL) == -1, "NULL has no elements to count");
    ok(cohort_array_items(&a) == -1, "nor has a negative rank");
    a.rank = COHORT_MAX_RANK + 1;
    ok(cohort_array_items(&a) == -1, "or one beyond the extents");
    a = (cohort_array){ .rank = 2, .shape = { 3, -1 } };
    ok(cohort_array_items(&a) == -1, "or a negative extent");
    a = (cohort_array){ .rank = 3, .shape = { 0, 3, -1 } };
    ok(cohort_array_items(&a) == -1, "also beside one of 0");
    a = (cohort_array){ .rank = 2, .shape = { huge, huge } };
    ok(cohort_array_items(&a) == -1, "or more than 63 bits count");
    a = (cohort_array){ .rank = 3, .shape = { huge, huge, 0 } };
    ok(cohort_array_items(&a) == 0, "an extent of 0 makes none of them");
    a = (cohort_array){ .rank = 0 };
    ok(cohort_array_items(&a) == 1, "rank 0 is one element");
    a = (cohort_array){ .rank = 3, .shape = { 2, 3, 4 } };
    ok(cohort_array_items(&a) == 24, "2 x 3 x 4 are 24");
}

int main(void)
{
    test_names();
    test_kinds();
    test_parts();
    test_bad_calls();
    test_lost_numbers();
    test_small_numbers();
    test_limits();
    test_complex();
    test_special();
    test_halves(COHORT_F16, 0x7c00);
    test_halves(COHORT_BF16, 0x7f80);
    test_items();
    return tap_done();
}
