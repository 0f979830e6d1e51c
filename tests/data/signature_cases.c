/* SPDX-License-Identifier: BSD-3-Clause */
/* Written by scripts/make_signature_cases.py: change that. Included by tests/call.c. */
COHORT_STRUCT(b1, { int8_t a; });
static bool same_b1(b1 x, b1 y)
{
    return x.a == y.a;
}
COHORT_STRUCT(b2, { uint8_t a[2]; });
static bool same_b2(b2 x, b2 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1];
}
COHORT_STRUCT(b3, { int8_t a[3]; });
static bool same_b3(b3 x, b3 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2];
}
COHORT_STRUCT(b5, { uint8_t a[5]; });
static bool same_b5(b5 x, b5 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4];
}
COHORT_STRUCT(b7, { int8_t a[7]; });
static bool same_b7(b7 x, b7 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4] &&
           x.a[5] == y.a[5] && x.a[6] == y.a[6];
}
COHORT_STRUCT(b9, { uint8_t a[9]; });
static bool same_b9(b9 x, b9 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4] &&
           x.a[5] == y.a[5] && x.a[6] == y.a[6] && x.a[7] == y.a[7] && x.a[8] == y.a[8];
}
COHORT_STRUCT(b15, { uint8_t a[15]; });
static bool same_b15(b15 x, b15 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4] &&
           x.a[5] == y.a[5] && x.a[6] == y.a[6] && x.a[7] == y.a[7] && x.a[8] == y.a[8] && x.a[9] == y.a[9] &&
           x.a[10] == y.a[10] && x.a[11] == y.a[11] && x.a[12] == y.a[12] && x.a[13] == y.a[13] &&
           x.a[14] == y.a[14];
}
COHORT_STRUCT(b16, { int8_t a[16]; });
static bool same_b16(b16 x, b16 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4] &&
           x.a[5] == y.a[5] && x.a[6] == y.a[6] && x.a[7] == y.a[7] && x.a[8] == y.a[8] && x.a[9] == y.a[9] &&
           x.a[10] == y.a[10] && x.a[11] == y.a[11] && x.a[12] == y.a[12] && x.a[13] == y.a[13] &&
           x.a[14] == y.a[14] && x.a[15] == y.a[15];
}
COHORT_STRUCT(b17, { uint8_t a[17]; });
static bool same_b17(b17 x, b17 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4] &&
           x.a[5] == y.a[5] && x.a[6] == y.a[6] && x.a[7] == y.a[7] && x.a[8] == y.a[8] && x.a[9] == y.a[9] &&
           x.a[10] == y.a[10] && x.a[11] == y.a[11] && x.a[12] == y.a[12] && x.a[13] == y.a[13] &&
           x.a[14] == y.a[14] && x.a[15] == y.a[15] && x.a[16] == y.a[16];
}
COHORT_STRUCT(b64, { uint8_t a[64]; });
static bool same_b64(b64 x, b64 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4] &&
           x.a[5] == y.a[5] && x.a[6] == y.a[6] && x.a[7] == y.a[7] && x.a[8] == y.a[8] && x.a[9] == y.a[9] &&
           x.a[10] == y.a[10] && x.a[11] == y.a[11] && x.a[12] == y.a[12] && x.a[13] == y.a[13] &&
           x.a[14] == y.a[14] && x.a[15] == y.a[15] && x.a[16] == y.a[16] && x.a[17] == y.a[17] &&
           x.a[18] == y.a[18] && x.a[19] == y.a[19] && x.a[20] == y.a[20] && x.a[21] == y.a[21] &&
           x.a[22] == y.a[22] && x.a[23] == y.a[23] && x.a[24] == y.a[24] && x.a[25] == y.a[25] &&
           x.a[26] == y.a[26] && x.a[27] == y.a[27] && x.a[28] == y.a[28] && x.a[29] == y.a[29] &&
           x.a[30] == y.a[30] && x.a[31] == y.a[31] && x.a[32] == y.a[32] && x.a[33] == y.a[33] &&
           x.a[34] == y.a[34] && x.a[35] == y.a[35] && x.a[36] == y.a[36] && x.a[37] == y.a[37] &&
           x.a[38] == y.a[38] && x.a[39] == y.a[39] && x.a[40] == y.a[40] && x.a[41] == y.a[41] &&
           x.a[42] == y.a[42] && x.a[43] == y.a[43] && x.a[44] == y.a[44] && x.a[45] == y.a[45] &&
           x.a[46] == y.a[46] && x.a[47] == y.a[47] && x.a[48] == y.a[48] && x.a[49] == y.a[49] &&
           x.a[50] == y.a[50] && x.a[51] == y.a[51] && x.a[52] == y.a[52] && x.a[53] == y.a[53] &&
           x.a[54] == y.a[54] && x.a[55] == y.a[55] && x.a[56] == y.a[56] && x.a[57] == y.a[57] &&
           x.a[58] == y.a[58] && x.a[59] == y.a[59] && x.a[60] == y.a[60] && x.a[61] == y.a[61] &&
           x.a[62] == y.a[62] && x.a[63] == y.a[63];
}
COHORT_STRUCT(flag, { _Bool a; int16_t b; });
static bool same_flag(flag x, flag y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(f1, { float a; });
static bool same_f1(f1 x, f1 y)
{
    return x.a == y.a;
}
COHORT_STRUCT(f2, { float a; float b; });
static bool same_f2(f2 x, f2 y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(f3, { float a[3]; });
static bool same_f3(f3 x, f3 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2];
}
COHORT_STRUCT(f4, { float a[4]; });
static bool same_f4(f4 x, f4 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3];
}
COHORT_STRUCT(f5, { float a[5]; });
static bool same_f5(f5 x, f5 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4];
}
COHORT_STRUCT(d1, { double a; });
static bool same_d1(d1 x, d1 y)
{
    return x.a == y.a;
}
COHORT_STRUCT(d2, { double a[2]; });
static bool same_d2(d2 x, d2 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1];
}
COHORT_STRUCT(d3, { double a[3]; });
static bool same_d3(d3 x, d3 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2];
}
COHORT_STRUCT(d8, { double a[8]; });
static bool same_d8(d8 x, d8 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4] &&
           x.a[5] == y.a[5] && x.a[6] == y.a[6] && x.a[7] == y.a[7];
}
COHORT_STRUCT(l1, { int64_t a; });
static bool same_l1(l1 x, l1 y)
{
    return x.a == y.a;
}
COHORT_STRUCT(l2, { int64_t a[2]; });
static bool same_l2(l2 x, l2 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1];
}
COHORT_STRUCT(l3, { int64_t a[3]; });
static bool same_l3(l3 x, l3 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2];
}
COHORT_STRUCT(l8, { uint64_t a[8]; });
static bool same_l8(l8 x, l8 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.a[2] == y.a[2] && x.a[3] == y.a[3] && x.a[4] == y.a[4] &&
           x.a[5] == y.a[5] && x.a[6] == y.a[6] && x.a[7] == y.a[7];
}
COHORT_STRUCT(ld, { int64_t a; double b; });
static bool same_ld(ld x, ld y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(dl, { double a; int64_t b; });
static bool same_dl(dl x, dl y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(iff, { int32_t a; float b; float c; });
static bool same_iff(iff x, iff y)
{
    return x.a == y.a && x.b == y.b && x.c == y.c;
}
COHORT_STRUCT(hff, { int16_t a[2]; float b[2]; });
static bool same_hff(hff x, hff y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.b[0] == y.b[0] && x.b[1] == y.b[1];
}
COHORT_STRUCT(cd, { char a; double b; });
static bool same_cd(cd x, cd y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(lf, { uint64_t a; float b; });
static bool same_lf(lf x, lf y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(ffl, { float a[2]; int64_t b; });
static bool same_ffl(ffl x, ffl y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1] && x.b == y.b;
}
COHORT_STRUCT(fi, { float a; int32_t b; });
static bool same_fi(fi x, fi y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(z1, { float _Complex a; });
static bool same_z1(z1 x, z1 y)
{
    return x.a == y.a;
}
COHORT_STRUCT(z2, { double _Complex a; });
static bool same_z2(z2 x, z2 y)
{
    return x.a == y.a;
}
COHORT_STRUCT(fz, { float a; float _Complex b; });
static bool same_fz(fz x, fz y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(x2, { long double a[2]; });
static bool same_x2(x2 x, x2 y)
{
    return x.a[0] == y.a[0] && x.a[1] == y.a[1];
}
COHORT_STRUCT(xl, { long double a; int8_t b; });
static bool same_xl(xl x, xl y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(inner, { int8_t a; int32_t b; });
static bool same_inner(inner x, inner y)
{
    return x.a == y.a && x.b == y.b;
}
COHORT_STRUCT(nest, { inner a; double b; });
static bool same_nest(nest x, nest y)
{
    return same_inner(x.a, y.a) && x.b == y.b;
}
COHORT_STRUCT(pairs, { inner a[2]; });
static bool same_pairs(pairs x, pairs y)
{
    return same_inner(x.a[0], y.a[0]) && same_inner(x.a[1], y.a[1]);
}
COHORT_STRUCT(floats, { f2 a[2]; });
static bool same_floats(floats x, floats y)
{
    return same_f2(x.a[0], y.a[0]) && same_f2(x.a[1], y.a[1]);
}
COHORT_STRUCT(deep, { nest a; b3 b[3]; f2 c; });
static bool same_deep(deep x, deep y)
{
    return same_nest(x.a, y.a) && same_b3(x.b[0], y.b[0]) && same_b3(x.b[1], y.b[1]) && same_b3(x.b[2], y.b[2]) &&
           same_f2(x.c, y.c);
}
COHORT_STRUCT(deeper, { nest a[2]; iff b[2]; });
static bool same_deeper(deeper x, deeper y)
{
    return same_nest(x.a[0], y.a[0]) && same_nest(x.a[1], y.a[1]) && same_iff(x.b[0], y.b[0]) &&
           same_iff(x.b[1], y.b[1]);
}
static const cohort_type *const struct_types[] = {
    &b1_cohort_type, &b2_cohort_type, &b3_cohort_type, &b5_cohort_type, &b7_cohort_type, &b9_cohort_type,
    &b15_cohort_type, &b16_cohort_type, &b17_cohort_type, &b64_cohort_type, &flag_cohort_type, &f1_cohort_type,
    &f2_cohort_type, &f3_cohort_type, &f4_cohort_type, &f5_cohort_type, &d1_cohort_type, &d2_cohort_type,
    &d3_cohort_type, &d8_cohort_type, &l1_cohort_type, &l2_cohort_type, &l3_cohort_type, &l8_cohort_type,
    &ld_cohort_type, &dl_cohort_type, &iff_cohort_type, &hff_cohort_type, &cd_cohort_type, &lf_cohort_type,
    &ffl_cohort_type, &fi_cohort_type, &z1_cohort_type, &z2_cohort_type, &fz_cohort_type, &x2_cohort_type,
    &xl_cohort_type, &inner_cohort_type, &nest_cohort_type, &pairs_cohort_type, &floats_cohort_type, &deep_cohort_type,
    &deeper_cohort_type,
    NULL
};
static const float numbers[8] = { 0 };
static int called, wrong_argument;
#define A(n, i) (void *)&v##n.a##i
#define SAME(n, i) if (a##i != v##n.a##i) wrong_argument = (i) + 1;
#define SAME_STRUCT(type, n, i) if (!same_##type(a##i, v##n.a##i)) wrong_argument = (i) + 1;
#define NO_RESULT(n) static bool result##n(const void *p) { return p != NULL; }
#define RESULT(n, type) static bool result##n(const void *p) { type x; memcpy(&x, p, sizeof x); return x == r##n; }
#define RESULT_STRUCT(n, type) \
    static bool result##n(const void *p) { type x; memcpy(&x, p, sizeof x); return same_##type(x, r##n); }
static const struct {
    _Bool a0;
} v0 = {
    1
};
static void *const argv0[] = {
    A(0, 0)
};
static const _Bool r0 = 0;
COHORT_FUNCTION_RETURNING(_Bool, case0,
    (_Bool a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 0;
    SAME(0, 0)
    return r0;
}
RESULT(0, _Bool)
static const struct {
    int8_t a0;
} v1 = {
    -128
};
static void *const argv1[] = {
    A(1, 0)
};
static const int8_t r1 = -51;
COHORT_FUNCTION_RETURNING(int8_t, case1,
    (int8_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 1;
    SAME(1, 0)
    return r1;
}
RESULT(1, int8_t)
static const struct {
    uint8_t a0;
} v2 = {
    91
};
static void *const argv2[] = {
    A(2, 0)
};
static const uint8_t r2 = 97;
COHORT_FUNCTION_RETURNING(uint8_t, case2,
    (uint8_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 2;
    SAME(2, 0)
    return r2;
}
RESULT(2, uint8_t)
static const struct {
    int16_t a0;
} v3 = {
    -45
};
static void *const argv3[] = {
    A(3, 0)
};
static const int16_t r3 = -32768;
COHORT_FUNCTION_RETURNING(int16_t, case3,
    (int16_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 3;
    SAME(3, 0)
    return r3;
}
RESULT(3, int16_t)
static const struct {
    uint16_t a0;
} v4 = {
    58127
};
static void *const argv4[] = {
    A(4, 0)
};
static const uint16_t r4 = 0;
COHORT_FUNCTION_RETURNING(uint16_t, case4,
    (uint16_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 4;
    SAME(4, 0)
    return r4;
}
RESULT(4, uint16_t)
static const struct {
    int32_t a0;
} v5 = {
    2147483647
};
static void *const argv5[] = {
    A(5, 0)
};
static const int32_t r5 = 2147483647;
COHORT_FUNCTION_RETURNING(int32_t, case5,
    (int32_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 5;
    SAME(5, 0)
    return r5;
}
RESULT(5, int32_t)
static const struct {
    uint32_t a0;
} v6 = {
    1494674010
};
static void *const argv6[] = {
    A(6, 0)
};
static const uint32_t r6 = 0;
COHORT_FUNCTION_RETURNING(uint32_t, case6,
    (uint32_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 6;
    SAME(6, 0)
    return r6;
}
RESULT(6, uint32_t)
static const struct {
    int64_t a0;
} v7 = {
    4090566588140604640
};
static void *const argv7[] = {
    A(7, 0)
};
static const int64_t r7 = -5089695681060830388;
COHORT_FUNCTION_RETURNING(int64_t, case7,
    (int64_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 7;
    SAME(7, 0)
    return r7;
}
RESULT(7, int64_t)
static const struct {
    uint64_t a0;
} v8 = {
    20u
};
static void *const argv8[] = {
    A(8, 0)
};
static const uint64_t r8 = 0u;
COHORT_FUNCTION_RETURNING(uint64_t, case8,
    (uint64_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 8;
    SAME(8, 0)
    return r8;
}
RESULT(8, uint64_t)
static const struct {
    char a0;
} v9 = {
    101
};
static void *const argv9[] = {
    A(9, 0)
};
static const char r9 = 0;
COHORT_FUNCTION_RETURNING(char, case9,
    (char a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 9;
    SAME(9, 0)
    return r9;
}
RESULT(9, char)
static const struct {
    signed char a0;
} v10 = {
    5
};
static void *const argv10[] = {
    A(10, 0)
};
static const signed char r10 = 40;
COHORT_FUNCTION_RETURNING(signed char, case10,
    (signed char a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 10;
    SAME(10, 0)
    return r10;
}
RESULT(10, signed char)
static const struct {
    unsigned char a0;
} v11 = {
    255
};
static void *const argv11[] = {
    A(11, 0)
};
static const unsigned char r11 = 207;
COHORT_FUNCTION_RETURNING(unsigned char, case11,
    (unsigned char a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 11;
    SAME(11, 0)
    return r11;
}
RESULT(11, unsigned char)
static const struct {
    short a0;
} v12 = {
    -86
};
static void *const argv12[] = {
    A(12, 0)
};
static const short r12 = -32768;
COHORT_FUNCTION_RETURNING(short, case12,
    (short a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 12;
    SAME(12, 0)
    return r12;
}
RESULT(12, short)
static const struct {
    unsigned short int a0;
} v13 = {
    7
};
static void *const argv13[] = {
    A(13, 0)
};
static const unsigned short int r13 = 38942;
COHORT_FUNCTION_RETURNING(unsigned short int, case13,
    (unsigned short int a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 13;
    SAME(13, 0)
    return r13;
}
RESULT(13, unsigned short int)
static const struct {
    int a0;
} v14 = {
    56
};
static void *const argv14[] = {
    A(14, 0)
};
static const int r14 = -2147483647;
COHORT_FUNCTION_RETURNING(int, case14,
    (int a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 14;
    SAME(14, 0)
    return r14;
}
RESULT(14, int)
static const struct {
    unsigned a0;
} v15 = {
    0
};
static void *const argv15[] = {
    A(15, 0)
};
static const unsigned r15 = 4294967295;
COHORT_FUNCTION_RETURNING(unsigned, case15,
    (unsigned a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 15;
    SAME(15, 0)
    return r15;
}
RESULT(15, unsigned)
static const struct {
    long a0;
} v16 = {
    -2147483647
};
static void *const argv16[] = {
    A(16, 0)
};
static const long r16 = 18;
COHORT_FUNCTION_RETURNING(long, case16,
    (long a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 16;
    SAME(16, 0)
    return r16;
}
RESULT(16, long)
static const struct {
    int long unsigned a0;
} v17 = {
    0
};
static void *const argv17[] = {
    A(17, 0)
};
static const int long unsigned r17 = 64;
COHORT_FUNCTION_RETURNING(int long unsigned, case17,
    (int long unsigned a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 17;
    SAME(17, 0)
    return r17;
}
RESULT(17, int long unsigned)
static const struct {
    long long a0;
} v18 = {
    -9223372036854775807ll
};
static void *const argv18[] = {
    A(18, 0)
};
static const long long r18 = 9223372036854775807ll;
COHORT_FUNCTION_RETURNING(long long, case18,
    (long long a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 18;
    SAME(18, 0)
    return r18;
}
RESULT(18, long long)
static const struct {
    unsigned long long int a0;
} v19 = {
    37u
};
static void *const argv19[] = {
    A(19, 0)
};
static const unsigned long long int r19 = 18446744073709551615u;
COHORT_FUNCTION_RETURNING(unsigned long long int, case19,
    (unsigned long long int a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 19;
    SAME(19, 0)
    return r19;
}
RESULT(19, unsigned long long int)
static const struct {
    size_t a0;
} v20 = {
    0
};
static void *const argv20[] = {
    A(20, 0)
};
static const size_t r20 = 203867882;
COHORT_FUNCTION_RETURNING(size_t, case20,
    (size_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 20;
    SAME(20, 0)
    return r20;
}
RESULT(20, size_t)
static const struct {
    ptrdiff_t a0;
} v21 = {
    84
};
static void *const argv21[] = {
    A(21, 0)
};
static const ptrdiff_t r21 = 2147483647;
COHORT_FUNCTION_RETURNING(ptrdiff_t, case21,
    (ptrdiff_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 21;
    SAME(21, 0)
    return r21;
}
RESULT(21, ptrdiff_t)
static const struct {
    intptr_t a0;
} v22 = {
    1379538852
};
static void *const argv22[] = {
    A(22, 0)
};
static const intptr_t r22 = -949527911;
COHORT_FUNCTION_RETURNING(intptr_t, case22,
    (intptr_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 22;
    SAME(22, 0)
    return r22;
}
RESULT(22, intptr_t)
static const struct {
    uintptr_t a0;
} v23 = {
    4294967295
};
static void *const argv23[] = {
    A(23, 0)
};
static const uintptr_t r23 = 4294967295;
COHORT_FUNCTION_RETURNING(uintptr_t, case23,
    (uintptr_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 23;
    SAME(23, 0)
    return r23;
}
RESULT(23, uintptr_t)
static const struct {
    float a0;
} v24 = {
    -38.0f
};
static void *const argv24[] = {
    A(24, 0)
};
static const float r24 = 7.25f;
COHORT_FUNCTION_RETURNING(float, case24,
    (float a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 24;
    SAME(24, 0)
    return r24;
}
RESULT(24, float)
static const struct {
    double a0;
} v25 = {
    108.125
};
static void *const argv25[] = {
    A(25, 0)
};
static const double r25 = -497.5;
COHORT_FUNCTION_RETURNING(double, case25,
    (double a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 25;
    SAME(25, 0)
    return r25;
}
RESULT(25, double)
static const struct {
    long double a0;
} v26 = {
    -412.375L
};
static void *const argv26[] = {
    A(26, 0)
};
static const long double r26 = 449.5L;
COHORT_FUNCTION_RETURNING(long double, case26,
    (long double a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 26;
    SAME(26, 0)
    return r26;
}
RESULT(26, long double)
static const struct {
    float _Complex a0;
} v27 = {
    11.875f + -0.25f * I
};
static void *const argv27[] = {
    A(27, 0)
};
static const float _Complex r27 = -473.0f + -416.875f * I;
COHORT_FUNCTION_RETURNING(float _Complex, case27,
    (float _Complex a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 27;
    SAME(27, 0)
    return r27;
}
RESULT(27, float _Complex)
static const struct {
    double _Complex a0;
} v28 = {
    -128.5 + -71.375 * I
};
static void *const argv28[] = {
    A(28, 0)
};
static const double _Complex r28 = -301.0 + 407.25 * I;
COHORT_FUNCTION_RETURNING(double _Complex, case28,
    (double _Complex a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 28;
    SAME(28, 0)
    return r28;
}
RESULT(28, double _Complex)
static const struct {
    _Complex long double a0;
} v29 = {
    -408.75L + 263.75L * I
};
static void *const argv29[] = {
    A(29, 0)
};
static const _Complex long double r29 = 163.25L + 73.375L * I;
COHORT_FUNCTION_RETURNING(_Complex long double, case29,
    (_Complex long double a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 29;
    SAME(29, 0)
    return r29;
}
RESULT(29, _Complex long double)
static const struct {
    b1 a0;
} v30 = {
    { -128 }
};
static void *const argv30[] = {
    A(30, 0)
};
static const b1 r30 = { 127 };
COHORT_FUNCTION_RETURNING(b1, case30,
    (b1 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 30;
    SAME_STRUCT(b1, 30, 0)
    return r30;
}
RESULT_STRUCT(30, b1)
static const struct {
    b2 a0;
} v31 = {
    { { 0, 124 } }
};
static void *const argv31[] = {
    A(31, 0)
};
static const b2 r31 = { { 46, 255 } };
COHORT_FUNCTION_RETURNING(b2, case31,
    (b2 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 31;
    SAME_STRUCT(b2, 31, 0)
    return r31;
}
RESULT_STRUCT(31, b2)
static const struct {
    b3 a0;
} v32 = {
    { { 35, 49, -10 } }
};
static void *const argv32[] = {
    A(32, 0)
};
static const b3 r32 = { { 27, -128, 126 } };
COHORT_FUNCTION_RETURNING(b3, case32,
    (b3 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 32;
    SAME_STRUCT(b3, 32, 0)
    return r32;
}
RESULT_STRUCT(32, b3)
static const struct {
    b5 a0;
} v33 = {
    { { 255, 255, 14, 48, 255 } }
};
static void *const argv33[] = {
    A(33, 0)
};
static const b5 r33 = { { 23, 0, 0, 88, 148 } };
COHORT_FUNCTION_RETURNING(b5, case33,
    (b5 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 33;
    SAME_STRUCT(b5, 33, 0)
    return r33;
}
RESULT_STRUCT(33, b5)
static const struct {
    b7 a0;
} v34 = {
    { { 127, -128, 127, 120, 127, -74, 40 } }
};
static void *const argv34[] = {
    A(34, 0)
};
static const b7 r34 = { { 38, -128, 40, 89, 127, -128, -15 } };
COHORT_FUNCTION_RETURNING(b7, case34,
    (b7 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 34;
    SAME_STRUCT(b7, 34, 0)
    return r34;
}
RESULT_STRUCT(34, b7)
static const struct {
    b9 a0;
} v35 = {
    { { 91, 255, 84, 251, 232, 0, 27, 148, 0 } }
};
static void *const argv35[] = {
    A(35, 0)
};
static const b9 r35 = { { 1, 255, 185, 71, 255, 255, 3, 1, 98 } };
COHORT_FUNCTION_RETURNING(b9, case35,
    (b9 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 35;
    SAME_STRUCT(b9, 35, 0)
    return r35;
}
RESULT_STRUCT(35, b9)
static const struct {
    b15 a0;
} v36 = {
    { { 242, 162, 186, 255, 237, 137, 255, 0, 255, 0, 89, 255, 61, 89, 255 } }
};
static void *const argv36[] = {
    A(36, 0)
};
static const b15 r36 = { { 255, 143, 255, 4, 60, 75, 255, 255, 0, 0, 40, 255, 72, 255, 255 } };
COHORT_FUNCTION_RETURNING(b15, case36,
    (b15 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 36;
    SAME_STRUCT(b15, 36, 0)
    return r36;
}
RESULT_STRUCT(36, b15)
static const struct {
    b16 a0;
} v37 = {
    { { -79, 127, 110, -128, -128, -3, -128, -128, 127, 127, -128, -128, 94, -128, 127, 66 } }
};
static void *const argv37[] = {
    A(37, 0)
};
static const b16 r37 = { { 127, 11, 127, -94, 127, -128, -128, 127, 127, -128, 21, -128, 78, -128, -128, -128 } };
COHORT_FUNCTION_RETURNING(b16, case37,
    (b16 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 37;
    SAME_STRUCT(b16, 37, 0)
    return r37;
}
RESULT_STRUCT(37, b16)
static const struct {
    b17 a0;
} v38 = {
    { { 0, 86, 255, 92, 0, 61, 0, 255, 255, 255, 255, 246, 73, 113, 0, 255, 246 } }
};
static void *const argv38[] = {
    A(38, 0)
};
static const b17 r38 = { { 0, 116, 212, 38, 30, 255, 91, 249, 151, 0, 0, 255, 97, 0, 255, 94, 78 } };
COHORT_FUNCTION_RETURNING(b17, case38,
    (b17 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 38;
    SAME_STRUCT(b17, 38, 0)
    return r38;
}
RESULT_STRUCT(38, b17)
static const struct {
    b64 a0;
} v39 = {
    { { 255, 69, 1, 0, 255, 255, 255, 0, 255, 78, 0, 12, 40, 0, 0, 187, 41, 0, 255, 0, 62, 0, 0, 90, 50, 226, 255, 64, 61, 0, 0, 0, 83, 0, 92, 52, 255, 0, 16, 255, 255, 0, 255, 255, 0, 56, 18, 255, 255, 255, 21, 0, 52, 255, 0, 0, 66, 255, 27, 28, 255, 65, 117, 0 } }
};
static void *const argv39[] = {
    A(39, 0)
};
static const b64 r39 = { { 255, 43, 0, 76, 92, 255, 93, 255, 0, 201, 0, 0, 255, 8, 0, 0, 22, 146, 0, 0, 0, 59, 206, 0, 255, 0, 2, 255, 0, 255, 60, 15, 96, 25, 0, 188, 238, 255, 255, 146, 234, 6, 255, 0, 255, 145, 189, 255, 255, 0, 255, 77, 255, 0, 0, 240, 255, 27, 106, 0, 255, 0, 0, 41 } };
COHORT_FUNCTION_RETURNING(b64, case39,
    (b64 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 39;
    SAME_STRUCT(b64, 39, 0)
    return r39;
}
RESULT_STRUCT(39, b64)
static const struct {
    flag a0;
} v40 = {
    { 0, 32767 }
};
static void *const argv40[] = {
    A(40, 0)
};
static const flag r40 = { 0, -32768 };
COHORT_FUNCTION_RETURNING(flag, case40,
    (flag a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 40;
    SAME_STRUCT(flag, 40, 0)
    return r40;
}
RESULT_STRUCT(40, flag)
static const struct {
    f1 a0;
} v41 = {
    { 278.375f }
};
static void *const argv41[] = {
    A(41, 0)
};
static const f1 r41 = { -202.5f };
COHORT_FUNCTION_RETURNING(f1, case41,
    (f1 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 41;
    SAME_STRUCT(f1, 41, 0)
    return r41;
}
RESULT_STRUCT(41, f1)
static const struct {
    f2 a0;
} v42 = {
    { 93.125f, 352.5f }
};
static void *const argv42[] = {
    A(42, 0)
};
static const f2 r42 = { -79.625f, -97.875f };
COHORT_FUNCTION_RETURNING(f2, case42,
    (f2 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 42;
    SAME_STRUCT(f2, 42, 0)
    return r42;
}
RESULT_STRUCT(42, f2)
static const struct {
    f3 a0;
} v43 = {
    { { -83.5f, -203.375f, 169.75f } }
};
static void *const argv43[] = {
    A(43, 0)
};
static const f3 r43 = { { 165.125f, -419.125f, -433.375f } };
COHORT_FUNCTION_RETURNING(f3, case43,
    (f3 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 43;
    SAME_STRUCT(f3, 43, 0)
    return r43;
}
RESULT_STRUCT(43, f3)
static const struct {
    f4 a0;
} v44 = {
    { { 22.5f, -397.0f, -212.125f, 457.125f } }
};
static void *const argv44[] = {
    A(44, 0)
};
static const f4 r44 = { { 427.75f, 155.375f, 3.0f, -170.25f } };
COHORT_FUNCTION_RETURNING(f4, case44,
    (f4 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 44;
    SAME_STRUCT(f4, 44, 0)
    return r44;
}
RESULT_STRUCT(44, f4)
static const struct {
    f5 a0;
} v45 = {
    { { 291.25f, 459.875f, 384.875f, 317.25f, 52.0f } }
};
static void *const argv45[] = {
    A(45, 0)
};
static const f5 r45 = { { -242.875f, -467.625f, -329.875f, -20.25f, -1.0f } };
COHORT_FUNCTION_RETURNING(f5, case45,
    (f5 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 45;
    SAME_STRUCT(f5, 45, 0)
    return r45;
}
RESULT_STRUCT(45, f5)
static const struct {
    d1 a0;
} v46 = {
    { 440.5 }
};
static void *const argv46[] = {
    A(46, 0)
};
static const d1 r46 = { -57.0 };
COHORT_FUNCTION_RETURNING(d1, case46,
    (d1 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 46;
    SAME_STRUCT(d1, 46, 0)
    return r46;
}
RESULT_STRUCT(46, d1)
static const struct {
    d2 a0;
} v47 = {
    { { -299.875, -41.25 } }
};
static void *const argv47[] = {
    A(47, 0)
};
static const d2 r47 = { { -253.5, 44.25 } };
COHORT_FUNCTION_RETURNING(d2, case47,
    (d2 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 47;
    SAME_STRUCT(d2, 47, 0)
    return r47;
}
RESULT_STRUCT(47, d2)
static const struct {
    d3 a0;
} v48 = {
    { { 315.125, 208.375, 312.875 } }
};
static void *const argv48[] = {
    A(48, 0)
};
static const d3 r48 = { { -256.0, 168.625, -17.125 } };
COHORT_FUNCTION_RETURNING(d3, case48,
    (d3 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 48;
    SAME_STRUCT(d3, 48, 0)
    return r48;
}
RESULT_STRUCT(48, d3)
static const struct {
    d8 a0;
} v49 = {
    { { -190.25, -77.625, 208.0, -99.5, 228.375, -406.625, -345.0, 128.625 } }
};
static void *const argv49[] = {
    A(49, 0)
};
static const d8 r49 = { { -342.5, -26.0, -418.75, -237.0, 225.0, 364.375, 191.75, -171.125 } };
COHORT_FUNCTION_RETURNING(d8, case49,
    (d8 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 49;
    SAME_STRUCT(d8, 49, 0)
    return r49;
}
RESULT_STRUCT(49, d8)
static const struct {
    l1 a0;
} v50 = {
    { -9223372036854775807 }
};
static void *const argv50[] = {
    A(50, 0)
};
static const l1 r50 = { 9223372036854775807 };
COHORT_FUNCTION_RETURNING(l1, case50,
    (l1 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 50;
    SAME_STRUCT(l1, 50, 0)
    return r50;
}
RESULT_STRUCT(50, l1)
static const struct {
    l2 a0;
} v51 = {
    { { 9223372036854775807, -9223372036854775807 } }
};
static void *const argv51[] = {
    A(51, 0)
};
static const l2 r51 = { { 5206265518496666771, 3477246073397556901 } };
COHORT_FUNCTION_RETURNING(l2, case51,
    (l2 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 51;
    SAME_STRUCT(l2, 51, 0)
    return r51;
}
RESULT_STRUCT(51, l2)
static const struct {
    l3 a0;
} v52 = {
    { { 7454741084435906641, -35, -6769224215845769178 } }
};
static void *const argv52[] = {
    A(52, 0)
};
static const l3 r52 = { { 23, -82, 1591590325306918386 } };
COHORT_FUNCTION_RETURNING(l3, case52,
    (l3 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 52;
    SAME_STRUCT(l3, 52, 0)
    return r52;
}
RESULT_STRUCT(52, l3)
static const struct {
    l8 a0;
} v53 = {
    { { 46u, 0u, 8222499584731833011u, 10153597556482330811u, 0u, 0u, 18446744073709551615u, 68u } }
};
static void *const argv53[] = {
    A(53, 0)
};
static const l8 r53 = { { 0u, 9081977007715845899u, 0u, 10507175889250932343u, 0u, 18446744073709551615u, 18446744073709551615u, 0u } };
COHORT_FUNCTION_RETURNING(l8, case53,
    (l8 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 53;
    SAME_STRUCT(l8, 53, 0)
    return r53;
}
RESULT_STRUCT(53, l8)
static const struct {
    ld a0;
} v54 = {
    { 9223372036854775807, -329.125 }
};
static void *const argv54[] = {
    A(54, 0)
};
static const ld r54 = { 9223372036854775807, -174.0 };
COHORT_FUNCTION_RETURNING(ld, case54,
    (ld a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 54;
    SAME_STRUCT(ld, 54, 0)
    return r54;
}
RESULT_STRUCT(54, ld)
static const struct {
    dl a0;
} v55 = {
    { -293.75, 18 }
};
static void *const argv55[] = {
    A(55, 0)
};
static const dl r55 = { -482.25, -56 };
COHORT_FUNCTION_RETURNING(dl, case55,
    (dl a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 55;
    SAME_STRUCT(dl, 55, 0)
    return r55;
}
RESULT_STRUCT(55, dl)
static const struct {
    iff a0;
} v56 = {
    { -2147483647, 250.75f, -108.0f }
};
static void *const argv56[] = {
    A(56, 0)
};
static const iff r56 = { 2147483647, 422.125f, -459.25f };
COHORT_FUNCTION_RETURNING(iff, case56,
    (iff a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 56;
    SAME_STRUCT(iff, 56, 0)
    return r56;
}
RESULT_STRUCT(56, iff)
static const struct {
    hff a0;
} v57 = {
    { { -32768, 1734 }, { -59.0f, -481.125f } }
};
static void *const argv57[] = {
    A(57, 0)
};
static const hff r57 = { { -32768, 10 }, { 335.25f, 262.5f } };
COHORT_FUNCTION_RETURNING(hff, case57,
    (hff a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 57;
    SAME_STRUCT(hff, 57, 0)
    return r57;
}
RESULT_STRUCT(57, hff)
static const struct {
    cd a0;
} v58 = {
    { 0, 404.5 }
};
static void *const argv58[] = {
    A(58, 0)
};
static const cd r58 = { 78, -71.875 };
COHORT_FUNCTION_RETURNING(cd, case58,
    (cd a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 58;
    SAME_STRUCT(cd, 58, 0)
    return r58;
}
RESULT_STRUCT(58, cd)
static const struct {
    lf a0;
} v59 = {
    { 60u, 79.0f }
};
static void *const argv59[] = {
    A(59, 0)
};
static const lf r59 = { 72u, -74.375f };
COHORT_FUNCTION_RETURNING(lf, case59,
    (lf a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 59;
    SAME_STRUCT(lf, 59, 0)
    return r59;
}
RESULT_STRUCT(59, lf)
static const struct {
    ffl a0;
} v60 = {
    { { 372.125f, 122.75f }, -83 }
};
static void *const argv60[] = {
    A(60, 0)
};
static const ffl r60 = { { 216.625f, 388.875f }, -9223372036854775807 };
COHORT_FUNCTION_RETURNING(ffl, case60,
    (ffl a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 60;
    SAME_STRUCT(ffl, 60, 0)
    return r60;
}
RESULT_STRUCT(60, ffl)
static const struct {
    fi a0;
} v61 = {
    { -343.25f, -1018707353 }
};
static void *const argv61[] = {
    A(61, 0)
};
static const fi r61 = { 493.5f, -2147483647 };
COHORT_FUNCTION_RETURNING(fi, case61,
    (fi a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 61;
    SAME_STRUCT(fi, 61, 0)
    return r61;
}
RESULT_STRUCT(61, fi)
static const struct {
    z1 a0;
} v62 = {
    { -187.375f + 427.625f * I }
};
static void *const argv62[] = {
    A(62, 0)
};
static const z1 r62 = { -480.625f + 60.25f * I };
COHORT_FUNCTION_RETURNING(z1, case62,
    (z1 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 62;
    SAME_STRUCT(z1, 62, 0)
    return r62;
}
RESULT_STRUCT(62, z1)
static const struct {
    z2 a0;
} v63 = {
    { 383.5 + 449.0 * I }
};
static void *const argv63[] = {
    A(63, 0)
};
static const z2 r63 = { 291.75 + -132.0 * I };
COHORT_FUNCTION_RETURNING(z2, case63,
    (z2 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 63;
    SAME_STRUCT(z2, 63, 0)
    return r63;
}
RESULT_STRUCT(63, z2)
static const struct {
    fz a0;
} v64 = {
    { -388.25f, -168.75f + 116.625f * I }
};
static void *const argv64[] = {
    A(64, 0)
};
static const fz r64 = { -66.625f, -262.0f + -447.0f * I };
COHORT_FUNCTION_RETURNING(fz, case64,
    (fz a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 64;
    SAME_STRUCT(fz, 64, 0)
    return r64;
}
RESULT_STRUCT(64, fz)
static const struct {
    x2 a0;
} v65 = {
    { { 304.625L, -319.875L } }
};
static void *const argv65[] = {
    A(65, 0)
};
static const x2 r65 = { { -300.375L, -106.875L } };
COHORT_FUNCTION_RETURNING(x2, case65,
    (x2 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 65;
    SAME_STRUCT(x2, 65, 0)
    return r65;
}
RESULT_STRUCT(65, x2)
static const struct {
    xl a0;
} v66 = {
    { -15.75L, -115 }
};
static void *const argv66[] = {
    A(66, 0)
};
static const xl r66 = { -266.25L, 84 };
COHORT_FUNCTION_RETURNING(xl, case66,
    (xl a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 66;
    SAME_STRUCT(xl, 66, 0)
    return r66;
}
RESULT_STRUCT(66, xl)
static const struct {
    inner a0;
} v67 = {
    { -128, 2147483647 }
};
static void *const argv67[] = {
    A(67, 0)
};
static const inner r67 = { 127, 83 };
COHORT_FUNCTION_RETURNING(inner, case67,
    (inner a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 67;
    SAME_STRUCT(inner, 67, 0)
    return r67;
}
RESULT_STRUCT(67, inner)
static const struct {
    nest a0;
} v68 = {
    { { -128, 1605060038 }, -401.625 }
};
static void *const argv68[] = {
    A(68, 0)
};
static const nest r68 = { { -128, -5 }, 57.0 };
COHORT_FUNCTION_RETURNING(nest, case68,
    (nest a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 68;
    SAME_STRUCT(nest, 68, 0)
    return r68;
}
RESULT_STRUCT(68, nest)
static const struct {
    pairs a0;
} v69 = {
    { { { 95, -2147483647 }, { 37, -97872535 } } }
};
static void *const argv69[] = {
    A(69, 0)
};
static const pairs r69 = { { { -128, 1276482032 }, { 127, -2147483647 } } };
COHORT_FUNCTION_RETURNING(pairs, case69,
    (pairs a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 69;
    SAME_STRUCT(pairs, 69, 0)
    return r69;
}
RESULT_STRUCT(69, pairs)
static const struct {
    floats a0;
} v70 = {
    { { { -96.0f, 150.125f }, { -134.875f, -129.75f } } }
};
static void *const argv70[] = {
    A(70, 0)
};
static const floats r70 = { { { 281.875f, -304.375f }, { -173.75f, -82.25f } } };
COHORT_FUNCTION_RETURNING(floats, case70,
    (floats a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 70;
    SAME_STRUCT(floats, 70, 0)
    return r70;
}
RESULT_STRUCT(70, floats)
static const struct {
    deep a0;
} v71 = {
    { { { -68, -289357221 }, -295.0 }, { { { 21, 127, 127 } }, { { -128, 29, -128 } }, { { -46, 127, -128 } } }, { -25.5f, 34.25f } }
};
static void *const argv71[] = {
    A(71, 0)
};
static const deep r71 = { { { -128, 2147483647 }, -158.25 }, { { { -128, -128, -92 } }, { { -128, 127, 127 } }, { { 77, 24, -128 } } }, { 465.875f, 349.0f } };
COHORT_FUNCTION_RETURNING(deep, case71,
    (deep a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 71;
    SAME_STRUCT(deep, 71, 0)
    return r71;
}
RESULT_STRUCT(71, deep)
static const struct {
    deeper a0;
} v72 = {
    { { { { -98, 2147483647 }, -354.75 }, { { -128, 2147483647 }, 189.75 } }, { { 1417077120, 433.25f, -299.125f }, { 2147483647, -118.5f, 408.375f } } }
};
static void *const argv72[] = {
    A(72, 0)
};
static const deeper r72 = { { { { 127, -1408548694 }, -165.5 }, { { -128, -2147483647 }, 380.25 } }, { { -2147483647, -275.125f, -106.0f }, { -2147483647, 336.375f, -71.75f } } };
COHORT_FUNCTION_RETURNING(deeper, case72,
    (deeper a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 72;
    SAME_STRUCT(deeper, 72, 0)
    return r72;
}
RESULT_STRUCT(72, deeper)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b1 a12; int32_t a13; float a14; b1 a15;
} v73 = {
    -4055564623780921390, -9223372036854775807, 9223372036854775807, 9223372036854775807, -62, 457.375, -398.875,
    -35.625, 412.625, 104.0, 109.25, 30.875, { 74 }, 2147483647, -267.125f, { 127 }
};
static void *const argv73[] = {
    A(73, 0), A(73, 1), A(73, 2), A(73, 3), A(73, 4), A(73, 5), A(73, 6), A(73, 7), A(73, 8), A(73, 9), A(73, 10),
    A(73, 11), A(73, 12), A(73, 13), A(73, 14), A(73, 15)
};
static const long double r73 = 490.375L;
COHORT_FUNCTION_RETURNING(long double, case73,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b1 a12, int32_t a13, float a14, b1 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 73;
    SAME(73, 0) SAME(73, 1) SAME(73, 2) SAME(73, 3) SAME(73, 4) SAME(73, 5) SAME(73, 6) SAME(73, 7) SAME(73, 8)
    SAME(73, 9) SAME(73, 10) SAME(73, 11) SAME_STRUCT(b1, 73, 12) SAME(73, 13) SAME(73, 14) SAME_STRUCT(b1, 73, 15)
    return r73;
}
RESULT(73, long double)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b2 a12; int32_t a13; float a14; b2 a15;
} v74 = {
    39, -88, -6060427536699591585, 9223372036854775807, -7495038533145997835, 482.75, -373.875, -300.375, -346.625,
    -412.125, 369.75, -286.5, { { 0, 0 } }, 820080226, -327.5f, { { 255, 86 } }
};
static void *const argv74[] = {
    A(74, 0), A(74, 1), A(74, 2), A(74, 3), A(74, 4), A(74, 5), A(74, 6), A(74, 7), A(74, 8), A(74, 9), A(74, 10),
    A(74, 11), A(74, 12), A(74, 13), A(74, 14), A(74, 15)
};
static const int long unsigned r74 = 1302085268;
COHORT_FUNCTION_RETURNING(int long unsigned, case74,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b2 a12, int32_t a13, float a14, b2 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 74;
    SAME(74, 0) SAME(74, 1) SAME(74, 2) SAME(74, 3) SAME(74, 4) SAME(74, 5) SAME(74, 6) SAME(74, 7) SAME(74, 8)
    SAME(74, 9) SAME(74, 10) SAME(74, 11) SAME_STRUCT(b2, 74, 12) SAME(74, 13) SAME(74, 14) SAME_STRUCT(b2, 74, 15)
    return r74;
}
RESULT(74, int long unsigned)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b3 a12; int32_t a13; float a14; b3 a15;
} v75 = {
    9223372036854775807, -9223372036854775807, -2404449397264826621, -8280632654745573405, -3844545521819702634,
    498.875, -456.25, 12.125, 311.0, -7.375, -138.75, -81.125, { { -128, 127, -128 } }, 2147483647, -456.875f,
    { { -128, -128, 83 } }
};
static void *const argv75[] = {
    A(75, 0), A(75, 1), A(75, 2), A(75, 3), A(75, 4), A(75, 5), A(75, 6), A(75, 7), A(75, 8), A(75, 9), A(75, 10),
    A(75, 11), A(75, 12), A(75, 13), A(75, 14), A(75, 15)
};
static const long double r75 = -305.5L;
COHORT_FUNCTION_RETURNING(long double, case75,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b3 a12, int32_t a13, float a14, b3 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 75;
    SAME(75, 0) SAME(75, 1) SAME(75, 2) SAME(75, 3) SAME(75, 4) SAME(75, 5) SAME(75, 6) SAME(75, 7) SAME(75, 8)
    SAME(75, 9) SAME(75, 10) SAME(75, 11) SAME_STRUCT(b3, 75, 12) SAME(75, 13) SAME(75, 14) SAME_STRUCT(b3, 75, 15)
    return r75;
}
RESULT(75, long double)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b5 a12; int32_t a13; float a14; b5 a15;
} v76 = {
    9223372036854775807, 20, 3006176251128232949, -8595464635750591321, -9223372036854775807, 223.75, -398.875,
    -433.75, 49.875, -434.5, -397.375, -46.625, { { 75, 9, 237, 255, 255 } }, 2147483647, -400.875f,
    { { 174, 122, 255, 0, 50 } }
};
static void *const argv76[] = {
    A(76, 0), A(76, 1), A(76, 2), A(76, 3), A(76, 4), A(76, 5), A(76, 6), A(76, 7), A(76, 8), A(76, 9), A(76, 10),
    A(76, 11), A(76, 12), A(76, 13), A(76, 14), A(76, 15)
};
static const int16_t r76 = 11794;
COHORT_FUNCTION_RETURNING(int16_t, case76,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b5 a12, int32_t a13, float a14, b5 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 76;
    SAME(76, 0) SAME(76, 1) SAME(76, 2) SAME(76, 3) SAME(76, 4) SAME(76, 5) SAME(76, 6) SAME(76, 7) SAME(76, 8)
    SAME(76, 9) SAME(76, 10) SAME(76, 11) SAME_STRUCT(b5, 76, 12) SAME(76, 13) SAME(76, 14) SAME_STRUCT(b5, 76, 15)
    return r76;
}
RESULT(76, int16_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b7 a12; int32_t a13; float a14; b7 a15;
} v77 = {
    1340416457403413812, -74, 9223372036854775807, 9223372036854775807, -9223372036854775807, 130.75, 286.25, 409.125,
    -391.0, -179.625, -244.875, 21.5, { { -128, -128, 33, 127, -128, 98, 127 } }, -67, -468.25f,
    { { -128, -22, -3, 127, -128, 127, -14 } }
};
static void *const argv77[] = {
    A(77, 0), A(77, 1), A(77, 2), A(77, 3), A(77, 4), A(77, 5), A(77, 6), A(77, 7), A(77, 8), A(77, 9), A(77, 10),
    A(77, 11), A(77, 12), A(77, 13), A(77, 14), A(77, 15)
};
static const int16_t r77 = -32768;
COHORT_FUNCTION_RETURNING(int16_t, case77,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b7 a12, int32_t a13, float a14, b7 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 77;
    SAME(77, 0) SAME(77, 1) SAME(77, 2) SAME(77, 3) SAME(77, 4) SAME(77, 5) SAME(77, 6) SAME(77, 7) SAME(77, 8)
    SAME(77, 9) SAME(77, 10) SAME(77, 11) SAME_STRUCT(b7, 77, 12) SAME(77, 13) SAME(77, 14) SAME_STRUCT(b7, 77, 15)
    return r77;
}
RESULT(77, int16_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b9 a12; int32_t a13; float a14; b9 a15;
} v78 = {
    9223372036854775807, -9223372036854775807, -5532563646664627385, 9223372036854775807, -7805720391160011461, -21.5,
    96.125, 479.75, -490.625, -235.625, 370.625, 411.25, { { 241, 255, 0, 255, 7, 125, 0, 0, 69 } }, -2147483647,
    263.625f, { { 0, 255, 255, 169, 255, 0, 75, 63, 255 } }
};
static void *const argv78[] = {
    A(78, 0), A(78, 1), A(78, 2), A(78, 3), A(78, 4), A(78, 5), A(78, 6), A(78, 7), A(78, 8), A(78, 9), A(78, 10),
    A(78, 11), A(78, 12), A(78, 13), A(78, 14), A(78, 15)
};
static const double r78 = -439.625;
COHORT_FUNCTION_RETURNING(double, case78,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b9 a12, int32_t a13, float a14, b9 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 78;
    SAME(78, 0) SAME(78, 1) SAME(78, 2) SAME(78, 3) SAME(78, 4) SAME(78, 5) SAME(78, 6) SAME(78, 7) SAME(78, 8)
    SAME(78, 9) SAME(78, 10) SAME(78, 11) SAME_STRUCT(b9, 78, 12) SAME(78, 13) SAME(78, 14) SAME_STRUCT(b9, 78, 15)
    return r78;
}
RESULT(78, double)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b15 a12; int32_t a13; float a14; b15 a15;
} v79 = {
    9223372036854775807, -9223372036854775807, 261542091266128349, -9223372036854775807, 8398823622319450378, -199.125,
    -459.875, 441.125, 139.625, 448.0, -40.125, -352.75,
    { { 86, 18, 23, 48, 255, 255, 86, 17, 12, 255, 255, 34, 255, 255, 0 } }, -2147483647, 159.0f,
    { { 0, 0, 203, 0, 52, 70, 19, 255, 218, 255, 92, 116, 255, 33, 57 } }
};
static void *const argv79[] = {
    A(79, 0), A(79, 1), A(79, 2), A(79, 3), A(79, 4), A(79, 5), A(79, 6), A(79, 7), A(79, 8), A(79, 9), A(79, 10),
    A(79, 11), A(79, 12), A(79, 13), A(79, 14), A(79, 15)
};
static const uint64_t r79 = 73u;
COHORT_FUNCTION_RETURNING(uint64_t, case79,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b15 a12, int32_t a13, float a14, b15 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 79;
    SAME(79, 0) SAME(79, 1) SAME(79, 2) SAME(79, 3) SAME(79, 4) SAME(79, 5) SAME(79, 6) SAME(79, 7) SAME(79, 8)
    SAME(79, 9) SAME(79, 10) SAME(79, 11) SAME_STRUCT(b15, 79, 12) SAME(79, 13) SAME(79, 14) SAME_STRUCT(b15, 79, 15)
    return r79;
}
RESULT(79, uint64_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b16 a12; int32_t a13; float a14; b16 a15;
} v80 = {
    4246090994273724093, 2219926373793581879, -9223372036854775807, -63, 6765456717150003267, -337.125, -222.625,
    -296.125, 215.5, -414.5, 387.125, 383.625,
    { { -128, 62, -78, 127, 127, -128, 15, 127, -20, 127, 75, -128, 127, 40, -85, -128 } }, -31, 261.875f,
    { { 3, 26, 69, -96, -61, 17, -128, 97, 127, 127, 50, 127, 127, -128, -30, 41 } }
};
static void *const argv80[] = {
    A(80, 0), A(80, 1), A(80, 2), A(80, 3), A(80, 4), A(80, 5), A(80, 6), A(80, 7), A(80, 8), A(80, 9), A(80, 10),
    A(80, 11), A(80, 12), A(80, 13), A(80, 14), A(80, 15)
};
static const long r80 = -1082061503;
COHORT_FUNCTION_RETURNING(long, case80,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b16 a12, int32_t a13, float a14, b16 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 80;
    SAME(80, 0) SAME(80, 1) SAME(80, 2) SAME(80, 3) SAME(80, 4) SAME(80, 5) SAME(80, 6) SAME(80, 7) SAME(80, 8)
    SAME(80, 9) SAME(80, 10) SAME(80, 11) SAME_STRUCT(b16, 80, 12) SAME(80, 13) SAME(80, 14) SAME_STRUCT(b16, 80, 15)
    return r80;
}
RESULT(80, long)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b17 a12; int32_t a13; float a14; b17 a15;
} v81 = {
    9223372036854775807, -9223372036854775807, 9223372036854775807, 1826952287766522202, -9223372036854775807, -7.75,
    316.25, -474.25, -281.5, -270.875, 246.25, 102.125,
    { { 0, 0, 75, 255, 76, 167, 0, 26, 255, 255, 255, 99, 0, 255, 0, 255, 0 } }, -2147483647, 122.375f,
    { { 32, 0, 0, 255, 63, 255, 97, 255, 255, 255, 255, 0, 79, 88, 245, 255, 17 } }
};
static void *const argv81[] = {
    A(81, 0), A(81, 1), A(81, 2), A(81, 3), A(81, 4), A(81, 5), A(81, 6), A(81, 7), A(81, 8), A(81, 9), A(81, 10),
    A(81, 11), A(81, 12), A(81, 13), A(81, 14), A(81, 15)
};
static const unsigned r81 = 3695163336;
COHORT_FUNCTION_RETURNING(unsigned, case81,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b17 a12, int32_t a13, float a14, b17 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 81;
    SAME(81, 0) SAME(81, 1) SAME(81, 2) SAME(81, 3) SAME(81, 4) SAME(81, 5) SAME(81, 6) SAME(81, 7) SAME(81, 8)
    SAME(81, 9) SAME(81, 10) SAME(81, 11) SAME_STRUCT(b17, 81, 12) SAME(81, 13) SAME(81, 14) SAME_STRUCT(b17, 81, 15)
    return r81;
}
RESULT(81, unsigned)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; b64 a12; int32_t a13; float a14; b64 a15;
} v82 = {
    -9223372036854775807, 3705761845978806220, -87, 9223372036854775807, -9223372036854775807, -194.875, 457.75,
    136.375, -390.625, -107.5, -236.125, -330.5,
    { { 0, 255, 255, 8, 255, 255, 255, 255, 0, 217, 43, 139, 36, 89, 255, 255, 0, 255, 255, 0, 0, 94, 19, 56, 229, 97, 255, 76, 30, 255, 69, 42, 125, 255, 96, 26, 247, 91, 255, 240, 0, 139, 0, 0, 255, 50, 66, 78, 255, 66, 27, 53, 232, 68, 114, 82, 79, 32, 117, 3, 0, 224, 144, 255 } },
    2147483647, 1.875f,
    { { 255, 213, 139, 17, 169, 255, 64, 255, 0, 255, 255, 255, 0, 255, 75, 163, 208, 156, 24, 99, 0, 87, 255, 0, 201, 255, 20, 97, 177, 255, 255, 0, 255, 191, 129, 255, 62, 9, 0, 1, 69, 54, 139, 20, 143, 152, 255, 132, 66, 240, 0, 255, 18, 62, 0, 252, 244, 255, 0, 185, 0, 0, 0, 0 } }
};
static void *const argv82[] = {
    A(82, 0), A(82, 1), A(82, 2), A(82, 3), A(82, 4), A(82, 5), A(82, 6), A(82, 7), A(82, 8), A(82, 9), A(82, 10),
    A(82, 11), A(82, 12), A(82, 13), A(82, 14), A(82, 15)
};
static const long r82 = 2147483647;
COHORT_FUNCTION_RETURNING(long, case82,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, b64 a12, int32_t a13, float a14, b64 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 82;
    SAME(82, 0) SAME(82, 1) SAME(82, 2) SAME(82, 3) SAME(82, 4) SAME(82, 5) SAME(82, 6) SAME(82, 7) SAME(82, 8)
    SAME(82, 9) SAME(82, 10) SAME(82, 11) SAME_STRUCT(b64, 82, 12) SAME(82, 13) SAME(82, 14) SAME_STRUCT(b64, 82, 15)
    return r82;
}
RESULT(82, long)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; flag a12; int32_t a13; float a14; flag a15;
} v83 = {
    -23, -5472725849131827309, -9223372036854775807, -9223372036854775807, -9223372036854775807, -325.625, 383.875,
    64.375, 481.75, -143.625, -43.875, 420.625, { 0, 32767 }, -2147483647, 363.375f, { 0, -3279 }
};
static void *const argv83[] = {
    A(83, 0), A(83, 1), A(83, 2), A(83, 3), A(83, 4), A(83, 5), A(83, 6), A(83, 7), A(83, 8), A(83, 9), A(83, 10),
    A(83, 11), A(83, 12), A(83, 13), A(83, 14), A(83, 15)
};
static const long double r83 = 10.25L;
COHORT_FUNCTION_RETURNING(long double, case83,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, flag a12, int32_t a13, float a14, flag a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 83;
    SAME(83, 0) SAME(83, 1) SAME(83, 2) SAME(83, 3) SAME(83, 4) SAME(83, 5) SAME(83, 6) SAME(83, 7) SAME(83, 8)
    SAME(83, 9) SAME(83, 10) SAME(83, 11) SAME_STRUCT(flag, 83, 12) SAME(83, 13) SAME(83, 14) SAME_STRUCT(flag, 83, 15)
    return r83;
}
RESULT(83, long double)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; f1 a12; int32_t a13; float a14; f1 a15;
} v84 = {
    -690870270840365597, -9223372036854775807, -9223372036854775807, 4794540814189818354, -3587180904460287695, 294.75,
    420.375, -254.875, -334.25, 283.875, 363.125, 406.75, { 9.875f }, -2147483647, 121.375f, { -94.875f }
};
static void *const argv84[] = {
    A(84, 0), A(84, 1), A(84, 2), A(84, 3), A(84, 4), A(84, 5), A(84, 6), A(84, 7), A(84, 8), A(84, 9), A(84, 10),
    A(84, 11), A(84, 12), A(84, 13), A(84, 14), A(84, 15)
};
static const uintptr_t r84 = 0;
COHORT_FUNCTION_RETURNING(uintptr_t, case84,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, f1 a12, int32_t a13, float a14, f1 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 84;
    SAME(84, 0) SAME(84, 1) SAME(84, 2) SAME(84, 3) SAME(84, 4) SAME(84, 5) SAME(84, 6) SAME(84, 7) SAME(84, 8)
    SAME(84, 9) SAME(84, 10) SAME(84, 11) SAME_STRUCT(f1, 84, 12) SAME(84, 13) SAME(84, 14) SAME_STRUCT(f1, 84, 15)
    return r84;
}
RESULT(84, uintptr_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; f2 a12; int32_t a13; float a14; f2 a15;
} v85 = {
    16, 91, 9223372036854775807, 9223372036854775807, -9223372036854775807, 162.875, -413.375, 48.625, 94.25, 340.25,
    -87.0, -471.125, { -205.125f, -307.125f }, -2147483647, 458.5f, { 110.0f, 170.0f }
};
static void *const argv85[] = {
    A(85, 0), A(85, 1), A(85, 2), A(85, 3), A(85, 4), A(85, 5), A(85, 6), A(85, 7), A(85, 8), A(85, 9), A(85, 10),
    A(85, 11), A(85, 12), A(85, 13), A(85, 14), A(85, 15)
};
static const size_t r85 = 14;
COHORT_FUNCTION_RETURNING(size_t, case85,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, f2 a12, int32_t a13, float a14, f2 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 85;
    SAME(85, 0) SAME(85, 1) SAME(85, 2) SAME(85, 3) SAME(85, 4) SAME(85, 5) SAME(85, 6) SAME(85, 7) SAME(85, 8)
    SAME(85, 9) SAME(85, 10) SAME(85, 11) SAME_STRUCT(f2, 85, 12) SAME(85, 13) SAME(85, 14) SAME_STRUCT(f2, 85, 15)
    return r85;
}
RESULT(85, size_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; f3 a12; int32_t a13; float a14; f3 a15;
} v86 = {
    -76, -9223372036854775807, -8990445370877856021, 63, 9223372036854775807, 492.25, -206.5, -197.375, 28.625, -238.0,
    313.875, 442.0, { { 306.625f, 297.125f, 51.0f } }, -1126888870, 146.75f, { { 195.0f, 438.875f, -200.125f } }
};
static void *const argv86[] = {
    A(86, 0), A(86, 1), A(86, 2), A(86, 3), A(86, 4), A(86, 5), A(86, 6), A(86, 7), A(86, 8), A(86, 9), A(86, 10),
    A(86, 11), A(86, 12), A(86, 13), A(86, 14), A(86, 15)
};
static const float _Complex r86 = 410.75f + 72.125f * I;
COHORT_FUNCTION_RETURNING(float _Complex, case86,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, f3 a12, int32_t a13, float a14, f3 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 86;
    SAME(86, 0) SAME(86, 1) SAME(86, 2) SAME(86, 3) SAME(86, 4) SAME(86, 5) SAME(86, 6) SAME(86, 7) SAME(86, 8)
    SAME(86, 9) SAME(86, 10) SAME(86, 11) SAME_STRUCT(f3, 86, 12) SAME(86, 13) SAME(86, 14) SAME_STRUCT(f3, 86, 15)
    return r86;
}
RESULT(86, float _Complex)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; f4 a12; int32_t a13; float a14; f4 a15;
} v87 = {
    57, 9223372036854775807, -8, -9223372036854775807, -9223372036854775807, -375.375, -139.375, 220.875, 128.875,
    -89.0, -278.375, 174.0, { { 314.0f, -63.625f, -108.875f, -105.875f } }, -2147483647, -317.375f,
    { { 346.375f, 488.75f, -398.25f, 406.0f } }
};
static void *const argv87[] = {
    A(87, 0), A(87, 1), A(87, 2), A(87, 3), A(87, 4), A(87, 5), A(87, 6), A(87, 7), A(87, 8), A(87, 9), A(87, 10),
    A(87, 11), A(87, 12), A(87, 13), A(87, 14), A(87, 15)
};
static const float _Complex r87 = -407.125f + -437.5f * I;
COHORT_FUNCTION_RETURNING(float _Complex, case87,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, f4 a12, int32_t a13, float a14, f4 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 87;
    SAME(87, 0) SAME(87, 1) SAME(87, 2) SAME(87, 3) SAME(87, 4) SAME(87, 5) SAME(87, 6) SAME(87, 7) SAME(87, 8)
    SAME(87, 9) SAME(87, 10) SAME(87, 11) SAME_STRUCT(f4, 87, 12) SAME(87, 13) SAME(87, 14) SAME_STRUCT(f4, 87, 15)
    return r87;
}
RESULT(87, float _Complex)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; f5 a12; int32_t a13; float a14; f5 a15;
} v88 = {
    -9223372036854775807, -9223372036854775807, -9223372036854775807, -9223372036854775807, -9223372036854775807,
    20.875, 484.75, -478.125, 394.375, 458.25, -398.0, 305.625, { { 167.375f, 275.125f, -4.5f, -224.0f, -150.25f } },
    -2147483647, 415.5f, { { -312.75f, 17.0f, -492.125f, 176.125f, -120.625f } }
};
static void *const argv88[] = {
    A(88, 0), A(88, 1), A(88, 2), A(88, 3), A(88, 4), A(88, 5), A(88, 6), A(88, 7), A(88, 8), A(88, 9), A(88, 10),
    A(88, 11), A(88, 12), A(88, 13), A(88, 14), A(88, 15)
};
static const _Complex long double r88 = 304.0L + 429.875L * I;
COHORT_FUNCTION_RETURNING(_Complex long double, case88,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, f5 a12, int32_t a13, float a14, f5 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 88;
    SAME(88, 0) SAME(88, 1) SAME(88, 2) SAME(88, 3) SAME(88, 4) SAME(88, 5) SAME(88, 6) SAME(88, 7) SAME(88, 8)
    SAME(88, 9) SAME(88, 10) SAME(88, 11) SAME_STRUCT(f5, 88, 12) SAME(88, 13) SAME(88, 14) SAME_STRUCT(f5, 88, 15)
    return r88;
}
RESULT(88, _Complex long double)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; d1 a12; int32_t a13; float a14; d1 a15;
} v89 = {
    9223372036854775807, -9223372036854775807, -4440704413928950688, 9223372036854775807, 9223372036854775807, 173.625,
    18.875, 499.625, 495.25, -298.875, -179.375, 265.75, { 169.0 }, -1485281224, 434.875f, { 241.125 }
};
static void *const argv89[] = {
    A(89, 0), A(89, 1), A(89, 2), A(89, 3), A(89, 4), A(89, 5), A(89, 6), A(89, 7), A(89, 8), A(89, 9), A(89, 10),
    A(89, 11), A(89, 12), A(89, 13), A(89, 14), A(89, 15)
};
static const long long r89 = 122307111549911412ll;
COHORT_FUNCTION_RETURNING(long long, case89,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, d1 a12, int32_t a13, float a14, d1 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 89;
    SAME(89, 0) SAME(89, 1) SAME(89, 2) SAME(89, 3) SAME(89, 4) SAME(89, 5) SAME(89, 6) SAME(89, 7) SAME(89, 8)
    SAME(89, 9) SAME(89, 10) SAME(89, 11) SAME_STRUCT(d1, 89, 12) SAME(89, 13) SAME(89, 14) SAME_STRUCT(d1, 89, 15)
    return r89;
}
RESULT(89, long long)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; d2 a12; int32_t a13; float a14; d2 a15;
} v90 = {
    20, 18, -9223372036854775807, 32, 9223372036854775807, -365.625, -112.375, -76.0, 455.875, -275.625, -96.625,
    249.75, { { -209.125, -475.875 } }, -25, 223.5f, { { -52.0, -278.5 } }
};
static void *const argv90[] = {
    A(90, 0), A(90, 1), A(90, 2), A(90, 3), A(90, 4), A(90, 5), A(90, 6), A(90, 7), A(90, 8), A(90, 9), A(90, 10),
    A(90, 11), A(90, 12), A(90, 13), A(90, 14), A(90, 15)
};
static const uint64_t r90 = 0u;
COHORT_FUNCTION_RETURNING(uint64_t, case90,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, d2 a12, int32_t a13, float a14, d2 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 90;
    SAME(90, 0) SAME(90, 1) SAME(90, 2) SAME(90, 3) SAME(90, 4) SAME(90, 5) SAME(90, 6) SAME(90, 7) SAME(90, 8)
    SAME(90, 9) SAME(90, 10) SAME(90, 11) SAME_STRUCT(d2, 90, 12) SAME(90, 13) SAME(90, 14) SAME_STRUCT(d2, 90, 15)
    return r90;
}
RESULT(90, uint64_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; d3 a12; int32_t a13; float a14; d3 a15;
} v91 = {
    9223372036854775807, 9223372036854775807, 9223372036854775807, -99, 86, -481.125, 407.625, 392.5, 144.875, 481.125,
    -466.5, 48.5, { { -56.0, 129.375, -5.5 } }, -2147483647, -123.875f, { { 352.375, 387.0, 493.875 } }
};
static void *const argv91[] = {
    A(91, 0), A(91, 1), A(91, 2), A(91, 3), A(91, 4), A(91, 5), A(91, 6), A(91, 7), A(91, 8), A(91, 9), A(91, 10),
    A(91, 11), A(91, 12), A(91, 13), A(91, 14), A(91, 15)
};
static const float _Complex r91 = 459.625f + 228.25f * I;
COHORT_FUNCTION_RETURNING(float _Complex, case91,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, d3 a12, int32_t a13, float a14, d3 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 91;
    SAME(91, 0) SAME(91, 1) SAME(91, 2) SAME(91, 3) SAME(91, 4) SAME(91, 5) SAME(91, 6) SAME(91, 7) SAME(91, 8)
    SAME(91, 9) SAME(91, 10) SAME(91, 11) SAME_STRUCT(d3, 91, 12) SAME(91, 13) SAME(91, 14) SAME_STRUCT(d3, 91, 15)
    return r91;
}
RESULT(91, float _Complex)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; d8 a12; int32_t a13; float a14; d8 a15;
} v92 = {
    9223372036854775807, -9223372036854775807, -21, 4506265670236834716, -9223372036854775807, 348.5, -212.875,
    -114.75, -379.375, 166.125, 154.0, 395.375,
    { { -294.0, -264.25, -349.25, -282.0, 296.625, 381.75, 192.625, -142.625 } }, -2147483647, 390.125f,
    { { -352.5, -329.125, 16.875, -230.625, 212.25, -247.875, 220.0, 161.0 } }
};
static void *const argv92[] = {
    A(92, 0), A(92, 1), A(92, 2), A(92, 3), A(92, 4), A(92, 5), A(92, 6), A(92, 7), A(92, 8), A(92, 9), A(92, 10),
    A(92, 11), A(92, 12), A(92, 13), A(92, 14), A(92, 15)
};
static const int r92 = 1303061727;
COHORT_FUNCTION_RETURNING(int, case92,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, d8 a12, int32_t a13, float a14, d8 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 92;
    SAME(92, 0) SAME(92, 1) SAME(92, 2) SAME(92, 3) SAME(92, 4) SAME(92, 5) SAME(92, 6) SAME(92, 7) SAME(92, 8)
    SAME(92, 9) SAME(92, 10) SAME(92, 11) SAME_STRUCT(d8, 92, 12) SAME(92, 13) SAME(92, 14) SAME_STRUCT(d8, 92, 15)
    return r92;
}
RESULT(92, int)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; l1 a12; int32_t a13; float a14; l1 a15;
} v93 = {
    -7899223753216716019, -2897857018480933259, -9223372036854775807, -8237239006990301718, -9223372036854775807,
    -315.125, 27.0, 353.875, -488.125, -395.875, 310.125, -57.25, { -9223372036854775807 }, 52, -51.625f,
    { -9223372036854775807 }
};
static void *const argv93[] = {
    A(93, 0), A(93, 1), A(93, 2), A(93, 3), A(93, 4), A(93, 5), A(93, 6), A(93, 7), A(93, 8), A(93, 9), A(93, 10),
    A(93, 11), A(93, 12), A(93, 13), A(93, 14), A(93, 15)
};
static const int8_t r93 = -128;
COHORT_FUNCTION_RETURNING(int8_t, case93,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, l1 a12, int32_t a13, float a14, l1 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 93;
    SAME(93, 0) SAME(93, 1) SAME(93, 2) SAME(93, 3) SAME(93, 4) SAME(93, 5) SAME(93, 6) SAME(93, 7) SAME(93, 8)
    SAME(93, 9) SAME(93, 10) SAME(93, 11) SAME_STRUCT(l1, 93, 12) SAME(93, 13) SAME(93, 14) SAME_STRUCT(l1, 93, 15)
    return r93;
}
RESULT(93, int8_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; l2 a12; int32_t a13; float a14; l2 a15;
} v94 = {
    9223372036854775807, -68, 6464085086122628291, 9223372036854775807, -10, 131.375, 451.0, 40.375, -300.25, 445.375,
    114.0, 8.75, { { 8, -9223372036854775807 } }, -765398753, 120.75f, { { 51, 9223372036854775807 } }
};
static void *const argv94[] = {
    A(94, 0), A(94, 1), A(94, 2), A(94, 3), A(94, 4), A(94, 5), A(94, 6), A(94, 7), A(94, 8), A(94, 9), A(94, 10),
    A(94, 11), A(94, 12), A(94, 13), A(94, 14), A(94, 15)
};
static const unsigned char r94 = 230;
COHORT_FUNCTION_RETURNING(unsigned char, case94,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, l2 a12, int32_t a13, float a14, l2 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 94;
    SAME(94, 0) SAME(94, 1) SAME(94, 2) SAME(94, 3) SAME(94, 4) SAME(94, 5) SAME(94, 6) SAME(94, 7) SAME(94, 8)
    SAME(94, 9) SAME(94, 10) SAME(94, 11) SAME_STRUCT(l2, 94, 12) SAME(94, 13) SAME(94, 14) SAME_STRUCT(l2, 94, 15)
    return r94;
}
RESULT(94, unsigned char)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; l3 a12; int32_t a13; float a14; l3 a15;
} v95 = {
    -9223372036854775807, -9223372036854775807, 9223372036854775807, 60, -9223372036854775807, 248.25, 60.125, 201.0,
    -363.0, 141.5, -6.25, 361.5, { { -2756053153111896378, -9223372036854775807, -17 } }, 86, -214.5f,
    { { 9223372036854775807, -70, 3759966844967054069 } }
};
static void *const argv95[] = {
    A(95, 0), A(95, 1), A(95, 2), A(95, 3), A(95, 4), A(95, 5), A(95, 6), A(95, 7), A(95, 8), A(95, 9), A(95, 10),
    A(95, 11), A(95, 12), A(95, 13), A(95, 14), A(95, 15)
};
static const ptrdiff_t r95 = 851349383;
COHORT_FUNCTION_RETURNING(ptrdiff_t, case95,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, l3 a12, int32_t a13, float a14, l3 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 95;
    SAME(95, 0) SAME(95, 1) SAME(95, 2) SAME(95, 3) SAME(95, 4) SAME(95, 5) SAME(95, 6) SAME(95, 7) SAME(95, 8)
    SAME(95, 9) SAME(95, 10) SAME(95, 11) SAME_STRUCT(l3, 95, 12) SAME(95, 13) SAME(95, 14) SAME_STRUCT(l3, 95, 15)
    return r95;
}
RESULT(95, ptrdiff_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; l8 a12; int32_t a13; float a14; l8 a15;
} v96 = {
    -65, -9223372036854775807, 9223372036854775807, 9223372036854775807, -63, 398.375, -367.75, -71.25, 39.5, -46.125,
    105.125, -320.0,
    { { 939314402808850492u, 14179633148525351100u, 18446744073709551615u, 7327867412100790961u, 4854700511094201211u, 18446744073709551615u, 10u, 18446744073709551615u } },
    -2147483647, -321.75f,
    { { 18446744073709551615u, 74u, 18446744073709551615u, 21u, 63u, 7620625250514475655u, 0u, 65u } }
};
static void *const argv96[] = {
    A(96, 0), A(96, 1), A(96, 2), A(96, 3), A(96, 4), A(96, 5), A(96, 6), A(96, 7), A(96, 8), A(96, 9), A(96, 10),
    A(96, 11), A(96, 12), A(96, 13), A(96, 14), A(96, 15)
};
static const int16_t r96 = -11;
COHORT_FUNCTION_RETURNING(int16_t, case96,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, l8 a12, int32_t a13, float a14, l8 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 96;
    SAME(96, 0) SAME(96, 1) SAME(96, 2) SAME(96, 3) SAME(96, 4) SAME(96, 5) SAME(96, 6) SAME(96, 7) SAME(96, 8)
    SAME(96, 9) SAME(96, 10) SAME(96, 11) SAME_STRUCT(l8, 96, 12) SAME(96, 13) SAME(96, 14) SAME_STRUCT(l8, 96, 15)
    return r96;
}
RESULT(96, int16_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; ld a12; int32_t a13; float a14; ld a15;
} v97 = {
    9223372036854775807, 9223372036854775807, -9223372036854775807, 27, 55, 69.125, -74.5, 271.5, -176.5, 447.0,
    -483.5, 332.5, { -1535832133904949039, -348.625 }, 2038247176, 241.0f, { 0, 209.0 }
};
static void *const argv97[] = {
    A(97, 0), A(97, 1), A(97, 2), A(97, 3), A(97, 4), A(97, 5), A(97, 6), A(97, 7), A(97, 8), A(97, 9), A(97, 10),
    A(97, 11), A(97, 12), A(97, 13), A(97, 14), A(97, 15)
};
static const long r97 = -1619963929;
COHORT_FUNCTION_RETURNING(long, case97,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, ld a12, int32_t a13, float a14, ld a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 97;
    SAME(97, 0) SAME(97, 1) SAME(97, 2) SAME(97, 3) SAME(97, 4) SAME(97, 5) SAME(97, 6) SAME(97, 7) SAME(97, 8)
    SAME(97, 9) SAME(97, 10) SAME(97, 11) SAME_STRUCT(ld, 97, 12) SAME(97, 13) SAME(97, 14) SAME_STRUCT(ld, 97, 15)
    return r97;
}
RESULT(97, long)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; dl a12; int32_t a13; float a14; dl a15;
} v98 = {
    -5811425654551730613, 389397733250285770, -9223372036854775807, -9223372036854775807, -4680535871918800430, 143.0,
    271.25, -80.5, 293.375, 80.0, 42.375, 114.375, { 32.25, -9223372036854775807 }, 2147483647, -237.125f,
    { 395.625, 9223372036854775807 }
};
static void *const argv98[] = {
    A(98, 0), A(98, 1), A(98, 2), A(98, 3), A(98, 4), A(98, 5), A(98, 6), A(98, 7), A(98, 8), A(98, 9), A(98, 10),
    A(98, 11), A(98, 12), A(98, 13), A(98, 14), A(98, 15)
};
static const signed char r98 = 34;
COHORT_FUNCTION_RETURNING(signed char, case98,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, dl a12, int32_t a13, float a14, dl a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 98;
    SAME(98, 0) SAME(98, 1) SAME(98, 2) SAME(98, 3) SAME(98, 4) SAME(98, 5) SAME(98, 6) SAME(98, 7) SAME(98, 8)
    SAME(98, 9) SAME(98, 10) SAME(98, 11) SAME_STRUCT(dl, 98, 12) SAME(98, 13) SAME(98, 14) SAME_STRUCT(dl, 98, 15)
    return r98;
}
RESULT(98, signed char)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; iff a12; int32_t a13; float a14; iff a15;
} v99 = {
    9223372036854775807, -9223372036854775807, 9223372036854775807, 1493054405289085015, 7705438944434395164, 480.5,
    -186.375, -134.625, 227.75, 273.75, -290.5, -459.0, { 253842438, -67.125f, -52.0f }, -202667432, -433.625f,
    { 2147483647, 485.0f, -378.875f }
};
static void *const argv99[] = {
    A(99, 0), A(99, 1), A(99, 2), A(99, 3), A(99, 4), A(99, 5), A(99, 6), A(99, 7), A(99, 8), A(99, 9), A(99, 10),
    A(99, 11), A(99, 12), A(99, 13), A(99, 14), A(99, 15)
};
static const unsigned r99 = 4294967295;
COHORT_FUNCTION_RETURNING(unsigned, case99,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, iff a12, int32_t a13, float a14, iff a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 99;
    SAME(99, 0) SAME(99, 1) SAME(99, 2) SAME(99, 3) SAME(99, 4) SAME(99, 5) SAME(99, 6) SAME(99, 7) SAME(99, 8)
    SAME(99, 9) SAME(99, 10) SAME(99, 11) SAME_STRUCT(iff, 99, 12) SAME(99, 13) SAME(99, 14) SAME_STRUCT(iff, 99, 15)
    return r99;
}
RESULT(99, unsigned)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; hff a12; int32_t a13; float a14; hff a15;
} v100 = {
    -9223372036854775807, -9223372036854775807, 58, 9223372036854775807, 4207624507343764320, -205.0, -399.625,
    -413.875, -50.375, -362.25, -191.875, -443.75, { { 32767, 31503 }, { 450.125f, -395.75f } }, -2147483647, 253.875f,
    { { 32767, -32768 }, { -294.0f, -210.25f } }
};
static void *const argv100[] = {
    A(100, 0), A(100, 1), A(100, 2), A(100, 3), A(100, 4), A(100, 5), A(100, 6), A(100, 7), A(100, 8), A(100, 9),
    A(100, 10), A(100, 11), A(100, 12), A(100, 13), A(100, 14), A(100, 15)
};
static const int8_t r100 = -128;
COHORT_FUNCTION_RETURNING(int8_t, case100,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, hff a12, int32_t a13, float a14, hff a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 100;
    SAME(100, 0) SAME(100, 1) SAME(100, 2) SAME(100, 3) SAME(100, 4) SAME(100, 5) SAME(100, 6) SAME(100, 7)
    SAME(100, 8) SAME(100, 9) SAME(100, 10) SAME(100, 11) SAME_STRUCT(hff, 100, 12) SAME(100, 13) SAME(100, 14)
    SAME_STRUCT(hff, 100, 15)
    return r100;
}
RESULT(100, int8_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; cd a12; int32_t a13; float a14; cd a15;
} v101 = {
    -9223372036854775807, 9223372036854775807, -9223372036854775807, -5402692621986422129, 9223372036854775807,
    213.125, -60.5, -439.875, -396.125, 59.625, 216.375, 216.125, { 82, -352.25 }, 32, -40.875f, { 0, -407.25 }
};
static void *const argv101[] = {
    A(101, 0), A(101, 1), A(101, 2), A(101, 3), A(101, 4), A(101, 5), A(101, 6), A(101, 7), A(101, 8), A(101, 9),
    A(101, 10), A(101, 11), A(101, 12), A(101, 13), A(101, 14), A(101, 15)
};
static const uint32_t r101 = 0;
COHORT_FUNCTION_RETURNING(uint32_t, case101,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, cd a12, int32_t a13, float a14, cd a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 101;
    SAME(101, 0) SAME(101, 1) SAME(101, 2) SAME(101, 3) SAME(101, 4) SAME(101, 5) SAME(101, 6) SAME(101, 7)
    SAME(101, 8) SAME(101, 9) SAME(101, 10) SAME(101, 11) SAME_STRUCT(cd, 101, 12) SAME(101, 13) SAME(101, 14)
    SAME_STRUCT(cd, 101, 15)
    return r101;
}
RESULT(101, uint32_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; lf a12; int32_t a13; float a14; lf a15;
} v102 = {
    1612572810944710850, 9223372036854775807, -4423631252660862293, 47, -13, 431.75, 243.375, 162.75, 337.625, -13.25,
    390.375, -326.25, { 0u, -193.375f }, -70, -68.375f, { 7600784536573850727u, 148.75f }
};
static void *const argv102[] = {
    A(102, 0), A(102, 1), A(102, 2), A(102, 3), A(102, 4), A(102, 5), A(102, 6), A(102, 7), A(102, 8), A(102, 9),
    A(102, 10), A(102, 11), A(102, 12), A(102, 13), A(102, 14), A(102, 15)
};
static const uintptr_t r102 = 0;
COHORT_FUNCTION_RETURNING(uintptr_t, case102,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, lf a12, int32_t a13, float a14, lf a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 102;
    SAME(102, 0) SAME(102, 1) SAME(102, 2) SAME(102, 3) SAME(102, 4) SAME(102, 5) SAME(102, 6) SAME(102, 7)
    SAME(102, 8) SAME(102, 9) SAME(102, 10) SAME(102, 11) SAME_STRUCT(lf, 102, 12) SAME(102, 13) SAME(102, 14)
    SAME_STRUCT(lf, 102, 15)
    return r102;
}
RESULT(102, uintptr_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; ffl a12; int32_t a13; float a14; ffl a15;
} v103 = {
    -58, -847743667480001071, -8262053577697893243, -8450642008837066396, -16, -467.875, 499.5, 363.375, -434.125,
    -47.625, -324.625, 179.5, { { 1.5f, 383.625f }, -8641605178678867018 }, 2147483647, 251.875f,
    { { 130.125f, 220.0f }, 9223372036854775807 }
};
static void *const argv103[] = {
    A(103, 0), A(103, 1), A(103, 2), A(103, 3), A(103, 4), A(103, 5), A(103, 6), A(103, 7), A(103, 8), A(103, 9),
    A(103, 10), A(103, 11), A(103, 12), A(103, 13), A(103, 14), A(103, 15)
};
static const long r103 = -984933519;
COHORT_FUNCTION_RETURNING(long, case103,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, ffl a12, int32_t a13, float a14, ffl a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 103;
    SAME(103, 0) SAME(103, 1) SAME(103, 2) SAME(103, 3) SAME(103, 4) SAME(103, 5) SAME(103, 6) SAME(103, 7)
    SAME(103, 8) SAME(103, 9) SAME(103, 10) SAME(103, 11) SAME_STRUCT(ffl, 103, 12) SAME(103, 13) SAME(103, 14)
    SAME_STRUCT(ffl, 103, 15)
    return r103;
}
RESULT(103, long)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; fi a12; int32_t a13; float a14; fi a15;
} v104 = {
    9223372036854775807, 9223372036854775807, 9223372036854775807, 6, 9223372036854775807, -69.625, 439.0, -29.125,
    -354.75, -443.0, 200.75, -161.375, { 134.75f, 64 }, 2147483647, -195.0f, { 22.125f, -35 }
};
static void *const argv104[] = {
    A(104, 0), A(104, 1), A(104, 2), A(104, 3), A(104, 4), A(104, 5), A(104, 6), A(104, 7), A(104, 8), A(104, 9),
    A(104, 10), A(104, 11), A(104, 12), A(104, 13), A(104, 14), A(104, 15)
};
static const char r104 = 91;
COHORT_FUNCTION_RETURNING(char, case104,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, fi a12, int32_t a13, float a14, fi a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 104;
    SAME(104, 0) SAME(104, 1) SAME(104, 2) SAME(104, 3) SAME(104, 4) SAME(104, 5) SAME(104, 6) SAME(104, 7)
    SAME(104, 8) SAME(104, 9) SAME(104, 10) SAME(104, 11) SAME_STRUCT(fi, 104, 12) SAME(104, 13) SAME(104, 14)
    SAME_STRUCT(fi, 104, 15)
    return r104;
}
RESULT(104, char)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; z1 a12; int32_t a13; float a14; z1 a15;
} v105 = {
    -7175214716945768586, -9223372036854775807, -9223372036854775807, -9223372036854775807, -9223372036854775807,
    -73.875, 307.625, -471.5, -339.75, 464.125, -345.0, -28.875, { -463.875f + -45.875f * I }, 25, -83.375f,
    { 5.875f + -95.625f * I }
};
static void *const argv105[] = {
    A(105, 0), A(105, 1), A(105, 2), A(105, 3), A(105, 4), A(105, 5), A(105, 6), A(105, 7), A(105, 8), A(105, 9),
    A(105, 10), A(105, 11), A(105, 12), A(105, 13), A(105, 14), A(105, 15)
};
static const int32_t r105 = 72;
COHORT_FUNCTION_RETURNING(int32_t, case105,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, z1 a12, int32_t a13, float a14, z1 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 105;
    SAME(105, 0) SAME(105, 1) SAME(105, 2) SAME(105, 3) SAME(105, 4) SAME(105, 5) SAME(105, 6) SAME(105, 7)
    SAME(105, 8) SAME(105, 9) SAME(105, 10) SAME(105, 11) SAME_STRUCT(z1, 105, 12) SAME(105, 13) SAME(105, 14)
    SAME_STRUCT(z1, 105, 15)
    return r105;
}
RESULT(105, int32_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; z2 a12; int32_t a13; float a14; z2 a15;
} v106 = {
    -26, -9223372036854775807, -9223372036854775807, 93, -9223372036854775807, -384.5, 110.125, 254.0, -342.75, 276.75,
    447.5, -248.25, { 166.0 + -43.5 * I }, -31, -272.25f, { 485.875 + 271.625 * I }
};
static void *const argv106[] = {
    A(106, 0), A(106, 1), A(106, 2), A(106, 3), A(106, 4), A(106, 5), A(106, 6), A(106, 7), A(106, 8), A(106, 9),
    A(106, 10), A(106, 11), A(106, 12), A(106, 13), A(106, 14), A(106, 15)
};
static const _Bool r106 = 1;
COHORT_FUNCTION_RETURNING(_Bool, case106,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, z2 a12, int32_t a13, float a14, z2 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 106;
    SAME(106, 0) SAME(106, 1) SAME(106, 2) SAME(106, 3) SAME(106, 4) SAME(106, 5) SAME(106, 6) SAME(106, 7)
    SAME(106, 8) SAME(106, 9) SAME(106, 10) SAME(106, 11) SAME_STRUCT(z2, 106, 12) SAME(106, 13) SAME(106, 14)
    SAME_STRUCT(z2, 106, 15)
    return r106;
}
RESULT(106, _Bool)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; fz a12; int32_t a13; float a14; fz a15;
} v107 = {
    2008623342438006238, 64, -9223372036854775807, -9223372036854775807, 3846861217562163084, 136.5, 200.75, 187.375,
    323.625, 1.75, -375.375, 23.875, { 413.625f, -282.0f + -306.125f * I }, -1662216437, -466.0f,
    { -5.0f, 111.625f + 297.75f * I }
};
static void *const argv107[] = {
    A(107, 0), A(107, 1), A(107, 2), A(107, 3), A(107, 4), A(107, 5), A(107, 6), A(107, 7), A(107, 8), A(107, 9),
    A(107, 10), A(107, 11), A(107, 12), A(107, 13), A(107, 14), A(107, 15)
};
static const int32_t r107 = -19;
COHORT_FUNCTION_RETURNING(int32_t, case107,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, fz a12, int32_t a13, float a14, fz a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 107;
    SAME(107, 0) SAME(107, 1) SAME(107, 2) SAME(107, 3) SAME(107, 4) SAME(107, 5) SAME(107, 6) SAME(107, 7)
    SAME(107, 8) SAME(107, 9) SAME(107, 10) SAME(107, 11) SAME_STRUCT(fz, 107, 12) SAME(107, 13) SAME(107, 14)
    SAME_STRUCT(fz, 107, 15)
    return r107;
}
RESULT(107, int32_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; x2 a12; int32_t a13; float a14; x2 a15;
} v108 = {
    -9223372036854775807, -95, -5127505015731278372, 9223372036854775807, 9223372036854775807, -144.875, -367.5,
    -95.875, 254.125, 176.625, -286.25, 303.625, { { 27.5L, -204.375L } }, 2147483647, -262.875f,
    { { 288.0L, -92.125L } }
};
static void *const argv108[] = {
    A(108, 0), A(108, 1), A(108, 2), A(108, 3), A(108, 4), A(108, 5), A(108, 6), A(108, 7), A(108, 8), A(108, 9),
    A(108, 10), A(108, 11), A(108, 12), A(108, 13), A(108, 14), A(108, 15)
};
static const char r108 = 127;
COHORT_FUNCTION_RETURNING(char, case108,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, x2 a12, int32_t a13, float a14, x2 a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 108;
    SAME(108, 0) SAME(108, 1) SAME(108, 2) SAME(108, 3) SAME(108, 4) SAME(108, 5) SAME(108, 6) SAME(108, 7)
    SAME(108, 8) SAME(108, 9) SAME(108, 10) SAME(108, 11) SAME_STRUCT(x2, 108, 12) SAME(108, 13) SAME(108, 14)
    SAME_STRUCT(x2, 108, 15)
    return r108;
}
RESULT(108, char)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; xl a12; int32_t a13; float a14; xl a15;
} v109 = {
    1768166730170312769, -9223372036854775807, 72, 9223372036854775807, -37, -198.5, 211.25, 423.125, -341.25, -309.25,
    -187.75, 72.5, { 415.0L, 127 }, 67, -460.125f, { 400.75L, -128 }
};
static void *const argv109[] = {
    A(109, 0), A(109, 1), A(109, 2), A(109, 3), A(109, 4), A(109, 5), A(109, 6), A(109, 7), A(109, 8), A(109, 9),
    A(109, 10), A(109, 11), A(109, 12), A(109, 13), A(109, 14), A(109, 15)
};
static const signed char r109 = -86;
COHORT_FUNCTION_RETURNING(signed char, case109,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, xl a12, int32_t a13, float a14, xl a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 109;
    SAME(109, 0) SAME(109, 1) SAME(109, 2) SAME(109, 3) SAME(109, 4) SAME(109, 5) SAME(109, 6) SAME(109, 7)
    SAME(109, 8) SAME(109, 9) SAME(109, 10) SAME(109, 11) SAME_STRUCT(xl, 109, 12) SAME(109, 13) SAME(109, 14)
    SAME_STRUCT(xl, 109, 15)
    return r109;
}
RESULT(109, signed char)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; inner a12; int32_t a13; float a14; inner a15;
} v110 = {
    14, -82, -9223372036854775807, 3182317298711134927, 9223372036854775807, -195.625, -8.125, 284.375, -126.875,
    -376.5, 141.25, 369.75, { -128, 14 }, -10, -66.0f, { 49, -70 }
};
static void *const argv110[] = {
    A(110, 0), A(110, 1), A(110, 2), A(110, 3), A(110, 4), A(110, 5), A(110, 6), A(110, 7), A(110, 8), A(110, 9),
    A(110, 10), A(110, 11), A(110, 12), A(110, 13), A(110, 14), A(110, 15)
};
static const _Complex long double r110 = -272.875L + 41.75L * I;
COHORT_FUNCTION_RETURNING(_Complex long double, case110,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, inner a12, int32_t a13, float a14, inner a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 110;
    SAME(110, 0) SAME(110, 1) SAME(110, 2) SAME(110, 3) SAME(110, 4) SAME(110, 5) SAME(110, 6) SAME(110, 7)
    SAME(110, 8) SAME(110, 9) SAME(110, 10) SAME(110, 11) SAME_STRUCT(inner, 110, 12) SAME(110, 13) SAME(110, 14)
    SAME_STRUCT(inner, 110, 15)
    return r110;
}
RESULT(110, _Complex long double)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; nest a12; int32_t a13; float a14; nest a15;
} v111 = {
    9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, -70, -379.625, 62.5, 390.875,
    -311.375, -125.0, 117.875, -76.25, { { -128, -1111143891 }, 171.875 }, -1597884857, -209.125f,
    { { 127, -2147483647 }, -355.375 }
};
static void *const argv111[] = {
    A(111, 0), A(111, 1), A(111, 2), A(111, 3), A(111, 4), A(111, 5), A(111, 6), A(111, 7), A(111, 8), A(111, 9),
    A(111, 10), A(111, 11), A(111, 12), A(111, 13), A(111, 14), A(111, 15)
};
static const int64_t r111 = -5968326204166788019;
COHORT_FUNCTION_RETURNING(int64_t, case111,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, nest a12, int32_t a13, float a14, nest a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 111;
    SAME(111, 0) SAME(111, 1) SAME(111, 2) SAME(111, 3) SAME(111, 4) SAME(111, 5) SAME(111, 6) SAME(111, 7)
    SAME(111, 8) SAME(111, 9) SAME(111, 10) SAME(111, 11) SAME_STRUCT(nest, 111, 12) SAME(111, 13) SAME(111, 14)
    SAME_STRUCT(nest, 111, 15)
    return r111;
}
RESULT(111, int64_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; pairs a12; int32_t a13; float a14; pairs a15;
} v112 = {
    -8181900857753033296, 86, 9223372036854775807, -19, 9223372036854775807, -344.125, 323.25, 487.5, -118.875,
    349.125, -34.0, -362.0, { { { 106, -2147483647 }, { -52, -57 } } }, -2147483647, 297.25f,
    { { { 3, -592795881 }, { -26, 2147483647 } } }
};
static void *const argv112[] = {
    A(112, 0), A(112, 1), A(112, 2), A(112, 3), A(112, 4), A(112, 5), A(112, 6), A(112, 7), A(112, 8), A(112, 9),
    A(112, 10), A(112, 11), A(112, 12), A(112, 13), A(112, 14), A(112, 15)
};
static const int32_t r112 = -2147483647;
COHORT_FUNCTION_RETURNING(int32_t, case112,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, pairs a12, int32_t a13, float a14, pairs a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 112;
    SAME(112, 0) SAME(112, 1) SAME(112, 2) SAME(112, 3) SAME(112, 4) SAME(112, 5) SAME(112, 6) SAME(112, 7)
    SAME(112, 8) SAME(112, 9) SAME(112, 10) SAME(112, 11) SAME_STRUCT(pairs, 112, 12) SAME(112, 13) SAME(112, 14)
    SAME_STRUCT(pairs, 112, 15)
    return r112;
}
RESULT(112, int32_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; floats a12; int32_t a13; float a14; floats a15;
} v113 = {
    -9223372036854775807, 60, -27, -7464446119073913955, 9223372036854775807, -334.25, 345.875, 62.0, 304.875,
    -120.125, -137.0, -466.875, { { { -354.875f, -222.25f }, { 171.0f, 364.75f } } }, 2147483647, 166.875f,
    { { { -181.625f, -436.625f }, { 272.0f, 67.125f } } }
};
static void *const argv113[] = {
    A(113, 0), A(113, 1), A(113, 2), A(113, 3), A(113, 4), A(113, 5), A(113, 6), A(113, 7), A(113, 8), A(113, 9),
    A(113, 10), A(113, 11), A(113, 12), A(113, 13), A(113, 14), A(113, 15)
};
static const short r113 = 69;
COHORT_FUNCTION_RETURNING(short, case113,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, floats a12, int32_t a13, float a14, floats a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 113;
    SAME(113, 0) SAME(113, 1) SAME(113, 2) SAME(113, 3) SAME(113, 4) SAME(113, 5) SAME(113, 6) SAME(113, 7)
    SAME(113, 8) SAME(113, 9) SAME(113, 10) SAME(113, 11) SAME_STRUCT(floats, 113, 12) SAME(113, 13) SAME(113, 14)
    SAME_STRUCT(floats, 113, 15)
    return r113;
}
RESULT(113, short)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; deep a12; int32_t a13; float a14; deep a15;
} v114 = {
    2058150994126751166, 5, 9223372036854775807, 4925369793282473626, -53, 255.5, 470.375, -488.5, -205.25, 493.125,
    -155.875, -348.25,
    { { { 127, -2147483647 }, 303.0 }, { { { 35, -128, -16 } }, { { 127, -49, 127 } }, { { -109, 127, -128 } } }, { 136.125f, -114.375f } },
    1963781776, 405.625f,
    { { { -128, 2147483647 }, -345.875 }, { { { -96, 127, -2 } }, { { -128, -74, 127 } }, { { -128, -1, 127 } } }, { -430.25f, -262.25f } }
};
static void *const argv114[] = {
    A(114, 0), A(114, 1), A(114, 2), A(114, 3), A(114, 4), A(114, 5), A(114, 6), A(114, 7), A(114, 8), A(114, 9),
    A(114, 10), A(114, 11), A(114, 12), A(114, 13), A(114, 14), A(114, 15)
};
static const uint32_t r114 = 4118758586;
COHORT_FUNCTION_RETURNING(uint32_t, case114,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, deep a12, int32_t a13, float a14, deep a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 114;
    SAME(114, 0) SAME(114, 1) SAME(114, 2) SAME(114, 3) SAME(114, 4) SAME(114, 5) SAME(114, 6) SAME(114, 7)
    SAME(114, 8) SAME(114, 9) SAME(114, 10) SAME(114, 11) SAME_STRUCT(deep, 114, 12) SAME(114, 13) SAME(114, 14)
    SAME_STRUCT(deep, 114, 15)
    return r114;
}
RESULT(114, uint32_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; deeper a12; int32_t a13; float a14; deeper a15;
} v115 = {
    9223372036854775807, -9223372036854775807, -9223372036854775807, -90, -9223372036854775807, 45.75, -249.5, 385.875,
    498.75, -176.875, 107.25, -272.0,
    { { { { 66, 40 }, 104.125 }, { { 127, -899447434 }, -208.625 } }, { { -2147483647, -201.125f, -2.875f }, { -2147483647, -395.125f, -361.75f } } },
    -957573761, 38.125f,
    { { { { -128, -2147483647 }, -48.5 }, { { -128, 5 }, 137.125 } }, { { -2147483647, 114.125f, -372.25f }, { 664962250, -382.25f, 365.625f } } }
};
static void *const argv115[] = {
    A(115, 0), A(115, 1), A(115, 2), A(115, 3), A(115, 4), A(115, 5), A(115, 6), A(115, 7), A(115, 8), A(115, 9),
    A(115, 10), A(115, 11), A(115, 12), A(115, 13), A(115, 14), A(115, 15)
};
static const uint8_t r115 = 64;
COHORT_FUNCTION_RETURNING(uint8_t, case115,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, deeper a12, int32_t a13, float a14, deeper a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 115;
    SAME(115, 0) SAME(115, 1) SAME(115, 2) SAME(115, 3) SAME(115, 4) SAME(115, 5) SAME(115, 6) SAME(115, 7)
    SAME(115, 8) SAME(115, 9) SAME(115, 10) SAME(115, 11) SAME_STRUCT(deeper, 115, 12) SAME(115, 13) SAME(115, 14)
    SAME_STRUCT(deeper, 115, 15)
    return r115;
}
RESULT(115, uint8_t)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; ld a3; float a4; int32_t a5;
} v116 = {
    -9223372036854775807, 3411391263928078918, 3792706543366599573, { 34, -268.25 }, -225.5f, 52
};
static void *const argv116[] = {
    A(116, 0), A(116, 1), A(116, 2), A(116, 3), A(116, 4), A(116, 5)
};
static const l3 r116 = { { -6473148992268581419, -77, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case116,
    (int64_t a0, int64_t a1, int64_t a2, ld a3, float a4, int32_t a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 116;
    SAME(116, 0) SAME(116, 1) SAME(116, 2) SAME_STRUCT(ld, 116, 3) SAME(116, 4) SAME(116, 5)
    return r116;
}
RESULT_STRUCT(116, l3)
static const struct {
    int64_t a0; int64_t a1; double a2; int64_t a3; ld a4; float a5; int32_t a6;
} v117 = {
    7, -9223372036854775807, -499.375, -9223372036854775807, { -32, 311.625 }, 206.625f, 710342270
};
static void *const argv117[] = {
    A(117, 0), A(117, 1), A(117, 2), A(117, 3), A(117, 4), A(117, 5), A(117, 6)
};
static const l3 r117 = { { -4119065161571266397, -9223372036854775807, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case117,
    (int64_t a0, int64_t a1, double a2, int64_t a3, ld a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 117;
    SAME(117, 0) SAME(117, 1) SAME(117, 2) SAME(117, 3) SAME_STRUCT(ld, 117, 4) SAME(117, 5) SAME(117, 6)
    return r117;
}
RESULT_STRUCT(117, l3)
static const struct {
    double a0; double a1; double a2; double a3; double a4; int64_t a5; int64_t a6; double a7; int64_t a8; double a9;
    ld a10; float a11; int32_t a12;
} v118 = {
    -461.875, -19.875, -73.75, 139.625, 322.0, 4659732415590855927, 9223372036854775807, -59.875, 9223372036854775807,
    -149.0, { 9223372036854775807, 111.625 }, -366.25f, -2147483647
};
static void *const argv118[] = {
    A(118, 0), A(118, 1), A(118, 2), A(118, 3), A(118, 4), A(118, 5), A(118, 6), A(118, 7), A(118, 8), A(118, 9),
    A(118, 10), A(118, 11), A(118, 12)
};
static const l3 r118 = { { 9223372036854775807, -9223372036854775807, 30 } };
COHORT_FUNCTION_RETURNING(l3, case118,
    (double a0, double a1, double a2, double a3, double a4, int64_t a5, int64_t a6, double a7, int64_t a8, double a9,
     ld a10, float a11, int32_t a12), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 118;
    SAME(118, 0) SAME(118, 1) SAME(118, 2) SAME(118, 3) SAME(118, 4) SAME(118, 5) SAME(118, 6) SAME(118, 7)
    SAME(118, 8) SAME(118, 9) SAME_STRUCT(ld, 118, 10) SAME(118, 11) SAME(118, 12)
    return r118;
}
RESULT_STRUCT(118, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; double a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; ld a11; float a12; int32_t a13;
} v119 = {
    9223372036854775807, 22, -87, -408.375, -183.875, 358.25, 492.625, 433.0, 112.125, -77.375, 275.25,
    { 9223372036854775807, -227.25 }, 379.25f, 2147483647
};
static void *const argv119[] = {
    A(119, 0), A(119, 1), A(119, 2), A(119, 3), A(119, 4), A(119, 5), A(119, 6), A(119, 7), A(119, 8), A(119, 9),
    A(119, 10), A(119, 11), A(119, 12), A(119, 13)
};
static const l3 r119 = { { -9223372036854775807, -15, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case119,
    (int64_t a0, int64_t a1, int64_t a2, double a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, ld a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 119;
    SAME(119, 0) SAME(119, 1) SAME(119, 2) SAME(119, 3) SAME(119, 4) SAME(119, 5) SAME(119, 6) SAME(119, 7)
    SAME(119, 8) SAME(119, 9) SAME(119, 10) SAME_STRUCT(ld, 119, 11) SAME(119, 12) SAME(119, 13)
    return r119;
}
RESULT_STRUCT(119, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; ld a4; float a5; int32_t a6;
} v120 = {
    67, 9223372036854775807, 9223372036854775807, -6974932524460919445, { -9223372036854775807, -367.5 }, -53.5f,
    -1413807895
};
static void *const argv120[] = {
    A(120, 0), A(120, 1), A(120, 2), A(120, 3), A(120, 4), A(120, 5), A(120, 6)
};
static const l3 r120 = { { 38, 9223372036854775807, 42 } };
COHORT_FUNCTION_RETURNING(l3, case120,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, ld a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 120;
    SAME(120, 0) SAME(120, 1) SAME(120, 2) SAME(120, 3) SAME_STRUCT(ld, 120, 4) SAME(120, 5) SAME(120, 6)
    return r120;
}
RESULT_STRUCT(120, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; ld a5; float a6; int32_t a7;
} v121 = {
    -3399417507746499222, 9223372036854775807, 83, 31, 235.125, { -7, 41.125 }, 2.5f, -2147483647
};
static void *const argv121[] = {
    A(121, 0), A(121, 1), A(121, 2), A(121, 3), A(121, 4), A(121, 5), A(121, 6), A(121, 7)
};
static const l3 r121 = { { 9223372036854775807, 9223372036854775807, 4249703572086543095 } };
COHORT_FUNCTION_RETURNING(l3, case121,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, ld a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 121;
    SAME(121, 0) SAME(121, 1) SAME(121, 2) SAME(121, 3) SAME(121, 4) SAME_STRUCT(ld, 121, 5) SAME(121, 6) SAME(121, 7)
    return r121;
}
RESULT_STRUCT(121, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; ld a11; float a12; int32_t a13;
} v122 = {
    -9223372036854775807, -9223372036854775807, -9223372036854775807, 8444873167535314794, -179.5, 202.125, 133.25,
    -66.25, -271.5, 122.375, 393.0, { 4908143135454463166, 402.625 }, 60.625f, -2147483647
};
static void *const argv122[] = {
    A(122, 0), A(122, 1), A(122, 2), A(122, 3), A(122, 4), A(122, 5), A(122, 6), A(122, 7), A(122, 8), A(122, 9),
    A(122, 10), A(122, 11), A(122, 12), A(122, 13)
};
static const l3 r122 = { { -77, 9223372036854775807, -76 } };
COHORT_FUNCTION_RETURNING(l3, case122,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, ld a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 122;
    SAME(122, 0) SAME(122, 1) SAME(122, 2) SAME(122, 3) SAME(122, 4) SAME(122, 5) SAME(122, 6) SAME(122, 7)
    SAME(122, 8) SAME(122, 9) SAME(122, 10) SAME_STRUCT(ld, 122, 11) SAME(122, 12) SAME(122, 13)
    return r122;
}
RESULT_STRUCT(122, l3)
static const struct {
    double a0; int64_t a1; double a2; double a3; double a4; double a5; int64_t a6; double a7; int64_t a8; int64_t a9;
    double a10; double a11; ld a12; float a13; int32_t a14;
} v123 = {
    492.375, -9223372036854775807, -197.25, 74.375, -398.625, -62.875, 9223372036854775807, 278.375,
    1784930598695032529, -83, 341.125, -167.125, { 9223372036854775807, 117.25 }, 320.0f, -1144517832
};
static void *const argv123[] = {
    A(123, 0), A(123, 1), A(123, 2), A(123, 3), A(123, 4), A(123, 5), A(123, 6), A(123, 7), A(123, 8), A(123, 9),
    A(123, 10), A(123, 11), A(123, 12), A(123, 13), A(123, 14)
};
static const l3 r123 = { { -7266716853139880597, 371422702615362818, 65 } };
COHORT_FUNCTION_RETURNING(l3, case123,
    (double a0, int64_t a1, double a2, double a3, double a4, double a5, int64_t a6, double a7, int64_t a8, int64_t a9,
     double a10, double a11, ld a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 123;
    SAME(123, 0) SAME(123, 1) SAME(123, 2) SAME(123, 3) SAME(123, 4) SAME(123, 5) SAME(123, 6) SAME(123, 7)
    SAME(123, 8) SAME(123, 9) SAME(123, 10) SAME(123, 11) SAME_STRUCT(ld, 123, 12) SAME(123, 13) SAME(123, 14)
    return r123;
}
RESULT_STRUCT(123, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; ld a5; float a6; int32_t a7;
} v124 = {
    -8700250640789430630, 3311750883276875475, 7039051039821910201, 9223372036854775807, -9223372036854775807,
    { -9223372036854775807, 209.5 }, 58.125f, -1151794358
};
static void *const argv124[] = {
    A(124, 0), A(124, 1), A(124, 2), A(124, 3), A(124, 4), A(124, 5), A(124, 6), A(124, 7)
};
COHORT_FUNCTION_RETURNING(void, case124,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, ld a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 124;
    SAME(124, 0) SAME(124, 1) SAME(124, 2) SAME(124, 3) SAME(124, 4) SAME_STRUCT(ld, 124, 5) SAME(124, 6) SAME(124, 7)
}
NO_RESULT(124)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; ld a6; float a7; int32_t a8;
} v125 = {
    4522281431032499265, 9223372036854775807, 42, -5244126988102264852, 9223372036854775807, -482.75, { 74, -34.5 },
    -30.625f, 70
};
static void *const argv125[] = {
    A(125, 0), A(125, 1), A(125, 2), A(125, 3), A(125, 4), A(125, 5), A(125, 6), A(125, 7), A(125, 8)
};
COHORT_FUNCTION_RETURNING(void, case125,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, ld a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 125;
    SAME(125, 0) SAME(125, 1) SAME(125, 2) SAME(125, 3) SAME(125, 4) SAME(125, 5) SAME_STRUCT(ld, 125, 6) SAME(125, 7)
    SAME(125, 8)
}
NO_RESULT(125)
static const struct {
    double a0; double a1; double a2; double a3; double a4; double a5; double a6; int64_t a7; int64_t a8; int64_t a9;
    int64_t a10; int64_t a11; ld a12; float a13; int32_t a14;
} v126 = {
    -274.125, -19.625, 38.625, 395.125, 451.25, 31.5, -288.75, 9223372036854775807, 58, 5170953474490243224, 14,
    4710822411136988755, { -7643016893884571863, 227.125 }, 380.5f, 12
};
static void *const argv126[] = {
    A(126, 0), A(126, 1), A(126, 2), A(126, 3), A(126, 4), A(126, 5), A(126, 6), A(126, 7), A(126, 8), A(126, 9),
    A(126, 10), A(126, 11), A(126, 12), A(126, 13), A(126, 14)
};
COHORT_FUNCTION_RETURNING(void, case126,
    (double a0, double a1, double a2, double a3, double a4, double a5, double a6, int64_t a7, int64_t a8, int64_t a9,
     int64_t a10, int64_t a11, ld a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 126;
    SAME(126, 0) SAME(126, 1) SAME(126, 2) SAME(126, 3) SAME(126, 4) SAME(126, 5) SAME(126, 6) SAME(126, 7)
    SAME(126, 8) SAME(126, 9) SAME(126, 10) SAME(126, 11) SAME_STRUCT(ld, 126, 12) SAME(126, 13) SAME(126, 14)
}
NO_RESULT(126)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; ld a13; float a14; int32_t a15;
} v127 = {
    5721203826636079623, 9223372036854775807, 5020728392106840493, -9223372036854775807, 9223372036854775807, 274.625,
    -443.5, 110.125, -12.125, -26.125, 457.5, 92.875, -217.0, { -7520371166747766385, 456.25 }, 299.125f, 7
};
static void *const argv127[] = {
    A(127, 0), A(127, 1), A(127, 2), A(127, 3), A(127, 4), A(127, 5), A(127, 6), A(127, 7), A(127, 8), A(127, 9),
    A(127, 10), A(127, 11), A(127, 12), A(127, 13), A(127, 14), A(127, 15)
};
COHORT_FUNCTION_RETURNING(void, case127,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, double a12, ld a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 127;
    SAME(127, 0) SAME(127, 1) SAME(127, 2) SAME(127, 3) SAME(127, 4) SAME(127, 5) SAME(127, 6) SAME(127, 7)
    SAME(127, 8) SAME(127, 9) SAME(127, 10) SAME(127, 11) SAME(127, 12) SAME_STRUCT(ld, 127, 13) SAME(127, 14)
    SAME(127, 15)
}
NO_RESULT(127)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; ld a6; float a7; int32_t a8;
} v128 = {
    -9223372036854775807, 9223372036854775807, -9223372036854775807, -63, -53, -85, { -5032749691689987777, -320.75 },
    492.875f, 94
};
static void *const argv128[] = {
    A(128, 0), A(128, 1), A(128, 2), A(128, 3), A(128, 4), A(128, 5), A(128, 6), A(128, 7), A(128, 8)
};
COHORT_FUNCTION_RETURNING(void, case128,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, ld a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 128;
    SAME(128, 0) SAME(128, 1) SAME(128, 2) SAME(128, 3) SAME(128, 4) SAME(128, 5) SAME_STRUCT(ld, 128, 6) SAME(128, 7)
    SAME(128, 8)
}
NO_RESULT(128)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; ld a7; float a8; int32_t a9;
} v129 = {
    9223372036854775807, -68, -5814789639394080508, 9223372036854775807, 9223372036854775807, 9223372036854775807,
    286.25, { 9223372036854775807, -250.25 }, -118.5f, 1136960928
};
static void *const argv129[] = {
    A(129, 0), A(129, 1), A(129, 2), A(129, 3), A(129, 4), A(129, 5), A(129, 6), A(129, 7), A(129, 8), A(129, 9)
};
COHORT_FUNCTION_RETURNING(void, case129,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, ld a7, float a8, int32_t a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 129;
    SAME(129, 0) SAME(129, 1) SAME(129, 2) SAME(129, 3) SAME(129, 4) SAME(129, 5) SAME(129, 6) SAME_STRUCT(ld, 129, 7)
    SAME(129, 8) SAME(129, 9)
}
NO_RESULT(129)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; ld a13; float a14; int32_t a15;
} v130 = {
    63, 5744019286572123268, 230734994440903078, 81, 46, -9223372036854775807, -273.125, 245.625, 267.625, 182.5,
    398.25, -214.75, 301.875, { -9223372036854775807, -111.875 }, 447.625f, -2147483647
};
static void *const argv130[] = {
    A(130, 0), A(130, 1), A(130, 2), A(130, 3), A(130, 4), A(130, 5), A(130, 6), A(130, 7), A(130, 8), A(130, 9),
    A(130, 10), A(130, 11), A(130, 12), A(130, 13), A(130, 14), A(130, 15)
};
COHORT_FUNCTION_RETURNING(void, case130,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, double a7, double a8,
     double a9, double a10, double a11, double a12, ld a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 130;
    SAME(130, 0) SAME(130, 1) SAME(130, 2) SAME(130, 3) SAME(130, 4) SAME(130, 5) SAME(130, 6) SAME(130, 7)
    SAME(130, 8) SAME(130, 9) SAME(130, 10) SAME(130, 11) SAME(130, 12) SAME_STRUCT(ld, 130, 13) SAME(130, 14)
    SAME(130, 15)
}
NO_RESULT(130)
static const struct {
    double a0; double a1; int64_t a2; double a3; double a4; int64_t a5; double a6; int64_t a7; int64_t a8; double a9;
    int64_t a10; double a11; double a12; int64_t a13; ld a14; float a15; int32_t a16;
} v131 = {
    70.25, -69.25, 9223372036854775807, 464.0, -323.375, 7458680516295126780, -295.0, 16, -86, 49.5,
    -2572502548382301504, -153.875, -499.375, -9223372036854775807, { -78, -462.0 }, -272.875f, -2147483647
};
static void *const argv131[] = {
    A(131, 0), A(131, 1), A(131, 2), A(131, 3), A(131, 4), A(131, 5), A(131, 6), A(131, 7), A(131, 8), A(131, 9),
    A(131, 10), A(131, 11), A(131, 12), A(131, 13), A(131, 14), A(131, 15), A(131, 16)
};
COHORT_FUNCTION_RETURNING(void, case131,
    (double a0, double a1, int64_t a2, double a3, double a4, int64_t a5, double a6, int64_t a7, int64_t a8, double a9,
     int64_t a10, double a11, double a12, int64_t a13, ld a14, float a15, int32_t a16), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 131;
    SAME(131, 0) SAME(131, 1) SAME(131, 2) SAME(131, 3) SAME(131, 4) SAME(131, 5) SAME(131, 6) SAME(131, 7)
    SAME(131, 8) SAME(131, 9) SAME(131, 10) SAME(131, 11) SAME(131, 12) SAME(131, 13) SAME_STRUCT(ld, 131, 14)
    SAME(131, 15) SAME(131, 16)
}
NO_RESULT(131)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; iff a3; float a4; int32_t a5;
} v132 = {
    9223372036854775807, -4035271161209455569, 1114454125095323026, { 2147483647, 96.625f, -266.625f }, -290.125f, -11
};
static void *const argv132[] = {
    A(132, 0), A(132, 1), A(132, 2), A(132, 3), A(132, 4), A(132, 5)
};
static const l3 r132 = { { -9223372036854775807, -3222656389750653271, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case132,
    (int64_t a0, int64_t a1, int64_t a2, iff a3, float a4, int32_t a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 132;
    SAME(132, 0) SAME(132, 1) SAME(132, 2) SAME_STRUCT(iff, 132, 3) SAME(132, 4) SAME(132, 5)
    return r132;
}
RESULT_STRUCT(132, l3)
static const struct {
    int64_t a0; int64_t a1; double a2; int64_t a3; iff a4; float a5; int32_t a6;
} v133 = {
    9223372036854775807, 52, -326.125, -72, { 902859984, -326.625f, -1.625f }, 209.875f, -1738512894
};
static void *const argv133[] = {
    A(133, 0), A(133, 1), A(133, 2), A(133, 3), A(133, 4), A(133, 5), A(133, 6)
};
static const l3 r133 = { { -3027459912465319842, 63, -56 } };
COHORT_FUNCTION_RETURNING(l3, case133,
    (int64_t a0, int64_t a1, double a2, int64_t a3, iff a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 133;
    SAME(133, 0) SAME(133, 1) SAME(133, 2) SAME(133, 3) SAME_STRUCT(iff, 133, 4) SAME(133, 5) SAME(133, 6)
    return r133;
}
RESULT_STRUCT(133, l3)
static const struct {
    double a0; double a1; double a2; int64_t a3; double a4; double a5; double a6; double a7; int64_t a8; int64_t a9;
    iff a10; float a11; int32_t a12;
} v134 = {
    -41.875, 234.875, -88.125, 9223372036854775807, -495.875, -201.0, 490.25, 319.625, 9223372036854775807,
    -9223372036854775807, { 2147483647, 327.5f, -184.125f }, -312.375f, 65
};
static void *const argv134[] = {
    A(134, 0), A(134, 1), A(134, 2), A(134, 3), A(134, 4), A(134, 5), A(134, 6), A(134, 7), A(134, 8), A(134, 9),
    A(134, 10), A(134, 11), A(134, 12)
};
static const l3 r134 = { { -9223372036854775807, 7996154964932436220, -5448012898679268508 } };
COHORT_FUNCTION_RETURNING(l3, case134,
    (double a0, double a1, double a2, int64_t a3, double a4, double a5, double a6, double a7, int64_t a8, int64_t a9,
     iff a10, float a11, int32_t a12), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 134;
    SAME(134, 0) SAME(134, 1) SAME(134, 2) SAME(134, 3) SAME(134, 4) SAME(134, 5) SAME(134, 6) SAME(134, 7)
    SAME(134, 8) SAME(134, 9) SAME_STRUCT(iff, 134, 10) SAME(134, 11) SAME(134, 12)
    return r134;
}
RESULT_STRUCT(134, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; double a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; iff a11; float a12; int32_t a13;
} v135 = {
    9223372036854775807, -1433084721196961459, 30, 466.75, -443.875, -68.5, 382.5, -411.0, -241.875, 340.625, 167.125,
    { 46, 402.0f, -318.25f }, 326.625f, 10
};
static void *const argv135[] = {
    A(135, 0), A(135, 1), A(135, 2), A(135, 3), A(135, 4), A(135, 5), A(135, 6), A(135, 7), A(135, 8), A(135, 9),
    A(135, 10), A(135, 11), A(135, 12), A(135, 13)
};
static const l3 r135 = { { -9223372036854775807, -9223372036854775807, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case135,
    (int64_t a0, int64_t a1, int64_t a2, double a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, iff a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 135;
    SAME(135, 0) SAME(135, 1) SAME(135, 2) SAME(135, 3) SAME(135, 4) SAME(135, 5) SAME(135, 6) SAME(135, 7)
    SAME(135, 8) SAME(135, 9) SAME(135, 10) SAME_STRUCT(iff, 135, 11) SAME(135, 12) SAME(135, 13)
    return r135;
}
RESULT_STRUCT(135, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; iff a4; float a5; int32_t a6;
} v136 = {
    4772608142711296102, -9223372036854775807, 28, -3534792098458959259, { 2147483647, -11.0f, 262.875f }, -467.375f,
    -2147483647
};
static void *const argv136[] = {
    A(136, 0), A(136, 1), A(136, 2), A(136, 3), A(136, 4), A(136, 5), A(136, 6)
};
static const l3 r136 = { { -9223372036854775807, 9223372036854775807, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case136,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, iff a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 136;
    SAME(136, 0) SAME(136, 1) SAME(136, 2) SAME(136, 3) SAME_STRUCT(iff, 136, 4) SAME(136, 5) SAME(136, 6)
    return r136;
}
RESULT_STRUCT(136, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; iff a5; float a6; int32_t a7;
} v137 = {
    -9223372036854775807, -6536786428474070744, 9223372036854775807, 9223372036854775807, 259.0,
    { -2147483647, -359.25f, -460.0f }, -483.125f, 68
};
static void *const argv137[] = {
    A(137, 0), A(137, 1), A(137, 2), A(137, 3), A(137, 4), A(137, 5), A(137, 6), A(137, 7)
};
static const l3 r137 = { { 9223372036854775807, -62, 4231407554219730222 } };
COHORT_FUNCTION_RETURNING(l3, case137,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, iff a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 137;
    SAME(137, 0) SAME(137, 1) SAME(137, 2) SAME(137, 3) SAME(137, 4) SAME_STRUCT(iff, 137, 5) SAME(137, 6) SAME(137, 7)
    return r137;
}
RESULT_STRUCT(137, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; iff a11; float a12; int32_t a13;
} v138 = {
    -9223372036854775807, 9223372036854775807, -5237974158965014024, -1560685971949975438, -227.625, -371.375, -6.375,
    34.125, -437.625, 383.75, 465.125, { 2135346109, -197.625f, 201.5f }, 195.125f, 2147483647
};
static void *const argv138[] = {
    A(138, 0), A(138, 1), A(138, 2), A(138, 3), A(138, 4), A(138, 5), A(138, 6), A(138, 7), A(138, 8), A(138, 9),
    A(138, 10), A(138, 11), A(138, 12), A(138, 13)
};
static const l3 r138 = { { 9223372036854775807, 9223372036854775807, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case138,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, iff a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 138;
    SAME(138, 0) SAME(138, 1) SAME(138, 2) SAME(138, 3) SAME(138, 4) SAME(138, 5) SAME(138, 6) SAME(138, 7)
    SAME(138, 8) SAME(138, 9) SAME(138, 10) SAME_STRUCT(iff, 138, 11) SAME(138, 12) SAME(138, 13)
    return r138;
}
RESULT_STRUCT(138, l3)
static const struct {
    int64_t a0; double a1; int64_t a2; double a3; double a4; double a5; int64_t a6; double a7; double a8; double a9;
    int64_t a10; double a11; iff a12; float a13; int32_t a14;
} v139 = {
    -22, 172.375, 9223372036854775807, -267.125, 62.75, 44.5, -9223372036854775807, 244.625, -140.5, -71.0,
    9223372036854775807, -10.75, { 45, -488.875f, -23.5f }, 36.875f, -745035285
};
static void *const argv139[] = {
    A(139, 0), A(139, 1), A(139, 2), A(139, 3), A(139, 4), A(139, 5), A(139, 6), A(139, 7), A(139, 8), A(139, 9),
    A(139, 10), A(139, 11), A(139, 12), A(139, 13), A(139, 14)
};
static const l3 r139 = { { 699266842055630612, 13, 8006715948246054114 } };
COHORT_FUNCTION_RETURNING(l3, case139,
    (int64_t a0, double a1, int64_t a2, double a3, double a4, double a5, int64_t a6, double a7, double a8, double a9,
     int64_t a10, double a11, iff a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 139;
    SAME(139, 0) SAME(139, 1) SAME(139, 2) SAME(139, 3) SAME(139, 4) SAME(139, 5) SAME(139, 6) SAME(139, 7)
    SAME(139, 8) SAME(139, 9) SAME(139, 10) SAME(139, 11) SAME_STRUCT(iff, 139, 12) SAME(139, 13) SAME(139, 14)
    return r139;
}
RESULT_STRUCT(139, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; iff a5; float a6; int32_t a7;
} v140 = {
    -9223372036854775807, -9223372036854775807, 9223372036854775807, -9223372036854775807, -9223372036854775807,
    { -1588235999, -358.625f, -324.125f }, 407.625f, 23
};
static void *const argv140[] = {
    A(140, 0), A(140, 1), A(140, 2), A(140, 3), A(140, 4), A(140, 5), A(140, 6), A(140, 7)
};
COHORT_FUNCTION_RETURNING(void, case140,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, iff a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 140;
    SAME(140, 0) SAME(140, 1) SAME(140, 2) SAME(140, 3) SAME(140, 4) SAME_STRUCT(iff, 140, 5) SAME(140, 6) SAME(140, 7)
}
NO_RESULT(140)
static const struct {
    int64_t a0; double a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; iff a6; float a7; int32_t a8;
} v141 = {
    46, 98.375, 9223372036854775807, 9223372036854775807, 68, -4697630112121731042, { 2147483647, 238.375f, 448.375f },
    163.875f, 67
};
static void *const argv141[] = {
    A(141, 0), A(141, 1), A(141, 2), A(141, 3), A(141, 4), A(141, 5), A(141, 6), A(141, 7), A(141, 8)
};
COHORT_FUNCTION_RETURNING(void, case141,
    (int64_t a0, double a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, iff a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 141;
    SAME(141, 0) SAME(141, 1) SAME(141, 2) SAME(141, 3) SAME(141, 4) SAME(141, 5) SAME_STRUCT(iff, 141, 6) SAME(141, 7)
    SAME(141, 8)
}
NO_RESULT(141)
static const struct {
    int64_t a0; double a1; int64_t a2; double a3; int64_t a4; double a5; double a6; double a7; double a8; int64_t a9;
    double a10; int64_t a11; iff a12; float a13; int32_t a14;
} v142 = {
    9223372036854775807, -324.375, 42, -265.25, -9223372036854775807, 325.75, -286.0, 488.75, -95.0,
    -9223372036854775807, -101.625, 85, { 2147483647, -353.5f, -378.375f }, -415.0f, 2147483647
};
static void *const argv142[] = {
    A(142, 0), A(142, 1), A(142, 2), A(142, 3), A(142, 4), A(142, 5), A(142, 6), A(142, 7), A(142, 8), A(142, 9),
    A(142, 10), A(142, 11), A(142, 12), A(142, 13), A(142, 14)
};
COHORT_FUNCTION_RETURNING(void, case142,
    (int64_t a0, double a1, int64_t a2, double a3, int64_t a4, double a5, double a6, double a7, double a8, int64_t a9,
     double a10, int64_t a11, iff a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 142;
    SAME(142, 0) SAME(142, 1) SAME(142, 2) SAME(142, 3) SAME(142, 4) SAME(142, 5) SAME(142, 6) SAME(142, 7)
    SAME(142, 8) SAME(142, 9) SAME(142, 10) SAME(142, 11) SAME_STRUCT(iff, 142, 12) SAME(142, 13) SAME(142, 14)
}
NO_RESULT(142)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; iff a13; float a14; int32_t a15;
} v143 = {
    9223372036854775807, 9223372036854775807, 1653771034478145315, 9223372036854775807, 9098383271025367263, -393.375,
    -304.375, -400.75, -441.625, 305.5, -365.25, -109.5, -370.625, { -454136482, -226.5f, -63.5f }, 148.25f,
    -2147483647
};
static void *const argv143[] = {
    A(143, 0), A(143, 1), A(143, 2), A(143, 3), A(143, 4), A(143, 5), A(143, 6), A(143, 7), A(143, 8), A(143, 9),
    A(143, 10), A(143, 11), A(143, 12), A(143, 13), A(143, 14), A(143, 15)
};
COHORT_FUNCTION_RETURNING(void, case143,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, double a12, iff a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 143;
    SAME(143, 0) SAME(143, 1) SAME(143, 2) SAME(143, 3) SAME(143, 4) SAME(143, 5) SAME(143, 6) SAME(143, 7)
    SAME(143, 8) SAME(143, 9) SAME(143, 10) SAME(143, 11) SAME(143, 12) SAME_STRUCT(iff, 143, 13) SAME(143, 14)
    SAME(143, 15)
}
NO_RESULT(143)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; iff a6; float a7; int32_t a8;
} v144 = {
    1856138442518069730, -9223372036854775807, 9223372036854775807, 8296039230913274083, 9223372036854775807,
    -9223372036854775807, { -2147483647, 476.625f, -200.0f }, -348.625f, 2147483647
};
static void *const argv144[] = {
    A(144, 0), A(144, 1), A(144, 2), A(144, 3), A(144, 4), A(144, 5), A(144, 6), A(144, 7), A(144, 8)
};
COHORT_FUNCTION_RETURNING(void, case144,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, iff a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 144;
    SAME(144, 0) SAME(144, 1) SAME(144, 2) SAME(144, 3) SAME(144, 4) SAME(144, 5) SAME_STRUCT(iff, 144, 6) SAME(144, 7)
    SAME(144, 8)
}
NO_RESULT(144)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; iff a7; float a8; int32_t a9;
} v145 = {
    -9223372036854775807, -89, 40, -9223372036854775807, 1180206948870689467, -672233562831810956, 486.0,
    { 47329172, 417.75f, 133.5f }, -252.25f, 22000866
};
static void *const argv145[] = {
    A(145, 0), A(145, 1), A(145, 2), A(145, 3), A(145, 4), A(145, 5), A(145, 6), A(145, 7), A(145, 8), A(145, 9)
};
COHORT_FUNCTION_RETURNING(void, case145,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, iff a7, float a8, int32_t a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 145;
    SAME(145, 0) SAME(145, 1) SAME(145, 2) SAME(145, 3) SAME(145, 4) SAME(145, 5) SAME(145, 6) SAME_STRUCT(iff, 145, 7)
    SAME(145, 8) SAME(145, 9)
}
NO_RESULT(145)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; iff a13; float a14; int32_t a15;
} v146 = {
    -9223372036854775807, -9223372036854775807, -9223372036854775807, 4976974055753898012, -29, -4244387997170407152,
    -102.5, 366.875, -33.75, -273.0, -484.625, -40.5, -396.375, { 2147483647, 140.625f, 94.75f }, 479.375f, -726307530
};
static void *const argv146[] = {
    A(146, 0), A(146, 1), A(146, 2), A(146, 3), A(146, 4), A(146, 5), A(146, 6), A(146, 7), A(146, 8), A(146, 9),
    A(146, 10), A(146, 11), A(146, 12), A(146, 13), A(146, 14), A(146, 15)
};
COHORT_FUNCTION_RETURNING(void, case146,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, double a7, double a8,
     double a9, double a10, double a11, double a12, iff a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 146;
    SAME(146, 0) SAME(146, 1) SAME(146, 2) SAME(146, 3) SAME(146, 4) SAME(146, 5) SAME(146, 6) SAME(146, 7)
    SAME(146, 8) SAME(146, 9) SAME(146, 10) SAME(146, 11) SAME(146, 12) SAME_STRUCT(iff, 146, 13) SAME(146, 14)
    SAME(146, 15)
}
NO_RESULT(146)
static const struct {
    int64_t a0; double a1; int64_t a2; double a3; double a4; double a5; double a6; int64_t a7; int64_t a8; double a9;
    double a10; double a11; int64_t a12; int64_t a13; iff a14; float a15; int32_t a16;
} v147 = {
    9223372036854775807, -407.75, -9223372036854775807, 85.0, -437.875, -391.125, -89.0, -9223372036854775807,
    -9223372036854775807, -432.125, 172.375, 193.75, -9223372036854775807, 9223372036854775807,
    { -2147483647, 464.625f, 395.375f }, 358.0f, 2147483647
};
static void *const argv147[] = {
    A(147, 0), A(147, 1), A(147, 2), A(147, 3), A(147, 4), A(147, 5), A(147, 6), A(147, 7), A(147, 8), A(147, 9),
    A(147, 10), A(147, 11), A(147, 12), A(147, 13), A(147, 14), A(147, 15), A(147, 16)
};
COHORT_FUNCTION_RETURNING(void, case147,
    (int64_t a0, double a1, int64_t a2, double a3, double a4, double a5, double a6, int64_t a7, int64_t a8, double a9,
     double a10, double a11, int64_t a12, int64_t a13, iff a14, float a15, int32_t a16), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 147;
    SAME(147, 0) SAME(147, 1) SAME(147, 2) SAME(147, 3) SAME(147, 4) SAME(147, 5) SAME(147, 6) SAME(147, 7)
    SAME(147, 8) SAME(147, 9) SAME(147, 10) SAME(147, 11) SAME(147, 12) SAME(147, 13) SAME_STRUCT(iff, 147, 14)
    SAME(147, 15) SAME(147, 16)
}
NO_RESULT(147)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; hff a3; float a4; int32_t a5;
} v148 = {
    9223372036854775807, 28, 7452231452096393844, { { -96, 32767 }, { -212.25f, -178.875f } }, 330.375f, 1516838843
};
static void *const argv148[] = {
    A(148, 0), A(148, 1), A(148, 2), A(148, 3), A(148, 4), A(148, 5)
};
static const l3 r148 = { { -4390375360265083677, 5419539824076441433, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case148,
    (int64_t a0, int64_t a1, int64_t a2, hff a3, float a4, int32_t a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 148;
    SAME(148, 0) SAME(148, 1) SAME(148, 2) SAME_STRUCT(hff, 148, 3) SAME(148, 4) SAME(148, 5)
    return r148;
}
RESULT_STRUCT(148, l3)
static const struct {
    int64_t a0; int64_t a1; double a2; int64_t a3; hff a4; float a5; int32_t a6;
} v149 = {
    9223372036854775807, -9223372036854775807, 205.125, -7345128900901027377,
    { { -20906, -32768 }, { -280.875f, 149.875f } }, -329.0f, -68
};
static void *const argv149[] = {
    A(149, 0), A(149, 1), A(149, 2), A(149, 3), A(149, 4), A(149, 5), A(149, 6)
};
static const l3 r149 = { { 9223372036854775807, 5201142273444741526, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case149,
    (int64_t a0, int64_t a1, double a2, int64_t a3, hff a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 149;
    SAME(149, 0) SAME(149, 1) SAME(149, 2) SAME(149, 3) SAME_STRUCT(hff, 149, 4) SAME(149, 5) SAME(149, 6)
    return r149;
}
RESULT_STRUCT(149, l3)
static const struct {
    double a0; double a1; double a2; int64_t a3; double a4; double a5; double a6; int64_t a7; double a8; int64_t a9;
    hff a10; float a11; int32_t a12;
} v150 = {
    -130.625, 192.125, -390.75, -9223372036854775807, 70.5, 377.0, -429.875, 9223372036854775807, -141.5, 23,
    { { -4, 32767 }, { -384.125f, -475.0f } }, -459.375f, 2147483647
};
static void *const argv150[] = {
    A(150, 0), A(150, 1), A(150, 2), A(150, 3), A(150, 4), A(150, 5), A(150, 6), A(150, 7), A(150, 8), A(150, 9),
    A(150, 10), A(150, 11), A(150, 12)
};
static const l3 r150 = { { -1297708575243261413, 9223372036854775807, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case150,
    (double a0, double a1, double a2, int64_t a3, double a4, double a5, double a6, int64_t a7, double a8, int64_t a9,
     hff a10, float a11, int32_t a12), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 150;
    SAME(150, 0) SAME(150, 1) SAME(150, 2) SAME(150, 3) SAME(150, 4) SAME(150, 5) SAME(150, 6) SAME(150, 7)
    SAME(150, 8) SAME(150, 9) SAME_STRUCT(hff, 150, 10) SAME(150, 11) SAME(150, 12)
    return r150;
}
RESULT_STRUCT(150, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; double a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; hff a11; float a12; int32_t a13;
} v151 = {
    -9223372036854775807, -1873774822684203441, -62, 281.625, 198.5, -115.125, -226.125, 328.375, 312.25, 497.875,
    202.25, { { 32767, -32768 }, { -469.5f, 86.75f } }, 493.625f, 2147483647
};
static void *const argv151[] = {
    A(151, 0), A(151, 1), A(151, 2), A(151, 3), A(151, 4), A(151, 5), A(151, 6), A(151, 7), A(151, 8), A(151, 9),
    A(151, 10), A(151, 11), A(151, 12), A(151, 13)
};
static const l3 r151 = { { -9223372036854775807, 9223372036854775807, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case151,
    (int64_t a0, int64_t a1, int64_t a2, double a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, hff a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 151;
    SAME(151, 0) SAME(151, 1) SAME(151, 2) SAME(151, 3) SAME(151, 4) SAME(151, 5) SAME(151, 6) SAME(151, 7)
    SAME(151, 8) SAME(151, 9) SAME(151, 10) SAME_STRUCT(hff, 151, 11) SAME(151, 12) SAME(151, 13)
    return r151;
}
RESULT_STRUCT(151, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; hff a4; float a5; int32_t a6;
} v152 = {
    -9223372036854775807, -9223372036854775807, -706579138465358619, -81, { { -76, 32767 }, { -468.75f, 317.5f } },
    14.0f, 2147483647
};
static void *const argv152[] = {
    A(152, 0), A(152, 1), A(152, 2), A(152, 3), A(152, 4), A(152, 5), A(152, 6)
};
static const l3 r152 = { { 11, -9223372036854775807, 6684429190043847663 } };
COHORT_FUNCTION_RETURNING(l3, case152,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, hff a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 152;
    SAME(152, 0) SAME(152, 1) SAME(152, 2) SAME(152, 3) SAME_STRUCT(hff, 152, 4) SAME(152, 5) SAME(152, 6)
    return r152;
}
RESULT_STRUCT(152, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; hff a5; float a6; int32_t a7;
} v153 = {
    2892943228726235736, 5460519476373715907, -1654468071178601746, 1527855230574863886, 140.25,
    { { 12611, -32768 }, { 95.125f, 44.375f } }, -435.625f, 2033246052
};
static void *const argv153[] = {
    A(153, 0), A(153, 1), A(153, 2), A(153, 3), A(153, 4), A(153, 5), A(153, 6), A(153, 7)
};
static const l3 r153 = { { 9223372036854775807, 44381643431676121, -14 } };
COHORT_FUNCTION_RETURNING(l3, case153,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, hff a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 153;
    SAME(153, 0) SAME(153, 1) SAME(153, 2) SAME(153, 3) SAME(153, 4) SAME_STRUCT(hff, 153, 5) SAME(153, 6) SAME(153, 7)
    return r153;
}
RESULT_STRUCT(153, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; hff a11; float a12; int32_t a13;
} v154 = {
    9223372036854775807, -69, 9223372036854775807, 8309926123687405802, 219.875, 164.125, -90.25, 144.875, 428.25,
    -111.625, -99.625, { { 32767, -69 }, { 352.5f, -271.375f } }, 272.875f, 2147483647
};
static void *const argv154[] = {
    A(154, 0), A(154, 1), A(154, 2), A(154, 3), A(154, 4), A(154, 5), A(154, 6), A(154, 7), A(154, 8), A(154, 9),
    A(154, 10), A(154, 11), A(154, 12), A(154, 13)
};
static const l3 r154 = { { 9223372036854775807, -9223372036854775807, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case154,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, hff a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 154;
    SAME(154, 0) SAME(154, 1) SAME(154, 2) SAME(154, 3) SAME(154, 4) SAME(154, 5) SAME(154, 6) SAME(154, 7)
    SAME(154, 8) SAME(154, 9) SAME(154, 10) SAME_STRUCT(hff, 154, 11) SAME(154, 12) SAME(154, 13)
    return r154;
}
RESULT_STRUCT(154, l3)
static const struct {
    double a0; double a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; double a7; double a8; double a9;
    double a10; double a11; hff a12; float a13; int32_t a14;
} v155 = {
    -496.375, 280.625, -9223372036854775807, -2211545373392527915, 9223372036854775807, 9223372036854775807, -213.875,
    -272.25, -427.25, 252.25, 144.5, -454.75, { { -32768, 32767 }, { 487.25f, -33.375f } }, -162.5f, 19
};
static void *const argv155[] = {
    A(155, 0), A(155, 1), A(155, 2), A(155, 3), A(155, 4), A(155, 5), A(155, 6), A(155, 7), A(155, 8), A(155, 9),
    A(155, 10), A(155, 11), A(155, 12), A(155, 13), A(155, 14)
};
static const l3 r155 = { { 2, 8156955492047880893, 93 } };
COHORT_FUNCTION_RETURNING(l3, case155,
    (double a0, double a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, double a7, double a8, double a9,
     double a10, double a11, hff a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 155;
    SAME(155, 0) SAME(155, 1) SAME(155, 2) SAME(155, 3) SAME(155, 4) SAME(155, 5) SAME(155, 6) SAME(155, 7)
    SAME(155, 8) SAME(155, 9) SAME(155, 10) SAME(155, 11) SAME_STRUCT(hff, 155, 12) SAME(155, 13) SAME(155, 14)
    return r155;
}
RESULT_STRUCT(155, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; hff a5; float a6; int32_t a7;
} v156 = {
    9223372036854775807, 9223372036854775807, -9223372036854775807, 5904270810254487466, 9223372036854775807,
    { { 32767, 14610 }, { -285.875f, 138.75f } }, 131.625f, 2147483647
};
static void *const argv156[] = {
    A(156, 0), A(156, 1), A(156, 2), A(156, 3), A(156, 4), A(156, 5), A(156, 6), A(156, 7)
};
COHORT_FUNCTION_RETURNING(void, case156,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, hff a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 156;
    SAME(156, 0) SAME(156, 1) SAME(156, 2) SAME(156, 3) SAME(156, 4) SAME_STRUCT(hff, 156, 5) SAME(156, 6) SAME(156, 7)
}
NO_RESULT(156)
static const struct {
    int64_t a0; int64_t a1; double a2; int64_t a3; int64_t a4; int64_t a5; hff a6; float a7; int32_t a8;
} v157 = {
    9223372036854775807, 9223372036854775807, -250.75, -9223372036854775807, 28, 79,
    { { 59, -32768 }, { -347.625f, 388.875f } }, 329.125f, 2147483647
};
static void *const argv157[] = {
    A(157, 0), A(157, 1), A(157, 2), A(157, 3), A(157, 4), A(157, 5), A(157, 6), A(157, 7), A(157, 8)
};
COHORT_FUNCTION_RETURNING(void, case157,
    (int64_t a0, int64_t a1, double a2, int64_t a3, int64_t a4, int64_t a5, hff a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 157;
    SAME(157, 0) SAME(157, 1) SAME(157, 2) SAME(157, 3) SAME(157, 4) SAME(157, 5) SAME_STRUCT(hff, 157, 6) SAME(157, 7)
    SAME(157, 8)
}
NO_RESULT(157)
static const struct {
    double a0; double a1; double a2; double a3; double a4; int64_t a5; int64_t a6; double a7; int64_t a8; int64_t a9;
    double a10; int64_t a11; hff a12; float a13; int32_t a14;
} v158 = {
    -150.125, -244.0, 259.25, -208.0, 265.25, -264217630763527561, 9223372036854775807, -371.75, 9223372036854775807,
    9223372036854775807, -81.25, 9223372036854775807, { { -14, 26868 }, { 142.875f, 485.125f } }, 124.625f, -92
};
static void *const argv158[] = {
    A(158, 0), A(158, 1), A(158, 2), A(158, 3), A(158, 4), A(158, 5), A(158, 6), A(158, 7), A(158, 8), A(158, 9),
    A(158, 10), A(158, 11), A(158, 12), A(158, 13), A(158, 14)
};
COHORT_FUNCTION_RETURNING(void, case158,
    (double a0, double a1, double a2, double a3, double a4, int64_t a5, int64_t a6, double a7, int64_t a8, int64_t a9,
     double a10, int64_t a11, hff a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 158;
    SAME(158, 0) SAME(158, 1) SAME(158, 2) SAME(158, 3) SAME(158, 4) SAME(158, 5) SAME(158, 6) SAME(158, 7)
    SAME(158, 8) SAME(158, 9) SAME(158, 10) SAME(158, 11) SAME_STRUCT(hff, 158, 12) SAME(158, 13) SAME(158, 14)
}
NO_RESULT(158)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; hff a13; float a14; int32_t a15;
} v159 = {
    -5953442938057137234, 5961044666473227677, -9223372036854775807, 7258985464258213190, 9223372036854775807, 79.125,
    -14.625, -281.25, -78.625, 208.75, -42.25, -291.125, -298.625, { { 32767, -37 }, { -248.875f, -367.25f } },
    488.75f, -78
};
static void *const argv159[] = {
    A(159, 0), A(159, 1), A(159, 2), A(159, 3), A(159, 4), A(159, 5), A(159, 6), A(159, 7), A(159, 8), A(159, 9),
    A(159, 10), A(159, 11), A(159, 12), A(159, 13), A(159, 14), A(159, 15)
};
COHORT_FUNCTION_RETURNING(void, case159,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, double a12, hff a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 159;
    SAME(159, 0) SAME(159, 1) SAME(159, 2) SAME(159, 3) SAME(159, 4) SAME(159, 5) SAME(159, 6) SAME(159, 7)
    SAME(159, 8) SAME(159, 9) SAME(159, 10) SAME(159, 11) SAME(159, 12) SAME_STRUCT(hff, 159, 13) SAME(159, 14)
    SAME(159, 15)
}
NO_RESULT(159)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; hff a6; float a7; int32_t a8;
} v160 = {
    60, 715376498925387058, -1042609243494028134, -9223372036854775807, -6, 83,
    { { 51, 3243 }, { -184.375f, -445.875f } }, -421.375f, 2147483647
};
static void *const argv160[] = {
    A(160, 0), A(160, 1), A(160, 2), A(160, 3), A(160, 4), A(160, 5), A(160, 6), A(160, 7), A(160, 8)
};
COHORT_FUNCTION_RETURNING(void, case160,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, hff a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 160;
    SAME(160, 0) SAME(160, 1) SAME(160, 2) SAME(160, 3) SAME(160, 4) SAME(160, 5) SAME_STRUCT(hff, 160, 6) SAME(160, 7)
    SAME(160, 8)
}
NO_RESULT(160)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; hff a7; float a8; int32_t a9;
} v161 = {
    -9223372036854775807, -9223372036854775807, 778077754968899123, 91, -82, -9223372036854775807, 447.0,
    { { 32767, 32767 }, { -141.0f, 485.75f } }, 456.625f, -34
};
static void *const argv161[] = {
    A(161, 0), A(161, 1), A(161, 2), A(161, 3), A(161, 4), A(161, 5), A(161, 6), A(161, 7), A(161, 8), A(161, 9)
};
COHORT_FUNCTION_RETURNING(void, case161,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, hff a7, float a8, int32_t a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 161;
    SAME(161, 0) SAME(161, 1) SAME(161, 2) SAME(161, 3) SAME(161, 4) SAME(161, 5) SAME(161, 6) SAME_STRUCT(hff, 161, 7)
    SAME(161, 8) SAME(161, 9)
}
NO_RESULT(161)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; hff a13; float a14; int32_t a15;
} v162 = {
    -9223372036854775807, 9223372036854775807, 23, 6078147271917879201, -69, 8518505488665324770, 183.0, -307.875,
    11.5, -44.625, 485.0, -284.25, -69.5, { { -32768, 32767 }, { -239.625f, -410.625f } }, 211.375f, 2147483647
};
static void *const argv162[] = {
    A(162, 0), A(162, 1), A(162, 2), A(162, 3), A(162, 4), A(162, 5), A(162, 6), A(162, 7), A(162, 8), A(162, 9),
    A(162, 10), A(162, 11), A(162, 12), A(162, 13), A(162, 14), A(162, 15)
};
COHORT_FUNCTION_RETURNING(void, case162,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, double a7, double a8,
     double a9, double a10, double a11, double a12, hff a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 162;
    SAME(162, 0) SAME(162, 1) SAME(162, 2) SAME(162, 3) SAME(162, 4) SAME(162, 5) SAME(162, 6) SAME(162, 7)
    SAME(162, 8) SAME(162, 9) SAME(162, 10) SAME(162, 11) SAME(162, 12) SAME_STRUCT(hff, 162, 13) SAME(162, 14)
    SAME(162, 15)
}
NO_RESULT(162)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; double a5; double a6; int64_t a7; double a8; double a9;
    int64_t a10; double a11; double a12; double a13; hff a14; float a15; int32_t a16;
} v163 = {
    -9223372036854775807, -2329694781161234454, -9223372036854775807, -12, -471.375, 96.875, -434.625,
    -9223372036854775807, 62.75, 402.625, -7785439008235752486, -115.25, -158.625, -195.375,
    { { -32768, 11016 }, { 460.25f, 25.0f } }, 387.0f, -1830345008
};
static void *const argv163[] = {
    A(163, 0), A(163, 1), A(163, 2), A(163, 3), A(163, 4), A(163, 5), A(163, 6), A(163, 7), A(163, 8), A(163, 9),
    A(163, 10), A(163, 11), A(163, 12), A(163, 13), A(163, 14), A(163, 15), A(163, 16)
};
COHORT_FUNCTION_RETURNING(void, case163,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, double a5, double a6, int64_t a7, double a8, double a9,
     int64_t a10, double a11, double a12, double a13, hff a14, float a15, int32_t a16), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 163;
    SAME(163, 0) SAME(163, 1) SAME(163, 2) SAME(163, 3) SAME(163, 4) SAME(163, 5) SAME(163, 6) SAME(163, 7)
    SAME(163, 8) SAME(163, 9) SAME(163, 10) SAME(163, 11) SAME(163, 12) SAME(163, 13) SAME_STRUCT(hff, 163, 14)
    SAME(163, 15) SAME(163, 16)
}
NO_RESULT(163)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; cd a3; float a4; int32_t a5;
} v164 = {
    6948610202972892195, -9223372036854775807, -9223372036854775807, { 0, -385.875 }, -415.125f, 22
};
static void *const argv164[] = {
    A(164, 0), A(164, 1), A(164, 2), A(164, 3), A(164, 4), A(164, 5)
};
static const l3 r164 = { { -22, 9223372036854775807, 84 } };
COHORT_FUNCTION_RETURNING(l3, case164,
    (int64_t a0, int64_t a1, int64_t a2, cd a3, float a4, int32_t a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 164;
    SAME(164, 0) SAME(164, 1) SAME(164, 2) SAME_STRUCT(cd, 164, 3) SAME(164, 4) SAME(164, 5)
    return r164;
}
RESULT_STRUCT(164, l3)
static const struct {
    int64_t a0; int64_t a1; double a2; int64_t a3; cd a4; float a5; int32_t a6;
} v165 = {
    9223372036854775807, -9223372036854775807, -38.375, 6840998439394898783, { 85, -488.125 }, 247.0f, 682889937
};
static void *const argv165[] = {
    A(165, 0), A(165, 1), A(165, 2), A(165, 3), A(165, 4), A(165, 5), A(165, 6)
};
static const l3 r165 = { { 9223372036854775807, 4271196178449215234, 59 } };
COHORT_FUNCTION_RETURNING(l3, case165,
    (int64_t a0, int64_t a1, double a2, int64_t a3, cd a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 165;
    SAME(165, 0) SAME(165, 1) SAME(165, 2) SAME(165, 3) SAME_STRUCT(cd, 165, 4) SAME(165, 5) SAME(165, 6)
    return r165;
}
RESULT_STRUCT(165, l3)
static const struct {
    int64_t a0; double a1; int64_t a2; double a3; double a4; int64_t a5; double a6; double a7; double a8; double a9;
    cd a10; float a11; int32_t a12;
} v166 = {
    923490178133333823, -434.375, -4196602094854097583, -216.75, 458.25, -76, 273.125, 331.0, -21.0, -201.0,
    { 0, -212.125 }, 180.25f, 2147483647
};
static void *const argv166[] = {
    A(166, 0), A(166, 1), A(166, 2), A(166, 3), A(166, 4), A(166, 5), A(166, 6), A(166, 7), A(166, 8), A(166, 9),
    A(166, 10), A(166, 11), A(166, 12)
};
static const l3 r166 = { { -9223372036854775807, 7, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case166,
    (int64_t a0, double a1, int64_t a2, double a3, double a4, int64_t a5, double a6, double a7, double a8, double a9,
     cd a10, float a11, int32_t a12), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 166;
    SAME(166, 0) SAME(166, 1) SAME(166, 2) SAME(166, 3) SAME(166, 4) SAME(166, 5) SAME(166, 6) SAME(166, 7)
    SAME(166, 8) SAME(166, 9) SAME_STRUCT(cd, 166, 10) SAME(166, 11) SAME(166, 12)
    return r166;
}
RESULT_STRUCT(166, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; double a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; cd a11; float a12; int32_t a13;
} v167 = {
    9223372036854775807, -9223372036854775807, 382324882939275415, -241.375, 109.5, -402.625, 360.625, -166.25, 147.75,
    -266.375, -385.875, { 0, -331.125 }, 271.625f, 405202566
};
static void *const argv167[] = {
    A(167, 0), A(167, 1), A(167, 2), A(167, 3), A(167, 4), A(167, 5), A(167, 6), A(167, 7), A(167, 8), A(167, 9),
    A(167, 10), A(167, 11), A(167, 12), A(167, 13)
};
static const l3 r167 = { { 9223372036854775807, -9223372036854775807, -87 } };
COHORT_FUNCTION_RETURNING(l3, case167,
    (int64_t a0, int64_t a1, int64_t a2, double a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, cd a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 167;
    SAME(167, 0) SAME(167, 1) SAME(167, 2) SAME(167, 3) SAME(167, 4) SAME(167, 5) SAME(167, 6) SAME(167, 7)
    SAME(167, 8) SAME(167, 9) SAME(167, 10) SAME_STRUCT(cd, 167, 11) SAME(167, 12) SAME(167, 13)
    return r167;
}
RESULT_STRUCT(167, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; cd a4; float a5; int32_t a6;
} v168 = {
    22, 9223372036854775807, -9223372036854775807, 5063685399328642197, { 35, 201.625 }, -97.25f, 2147483647
};
static void *const argv168[] = {
    A(168, 0), A(168, 1), A(168, 2), A(168, 3), A(168, 4), A(168, 5), A(168, 6)
};
static const l3 r168 = { { 9223372036854775807, -97, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case168,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, cd a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 168;
    SAME(168, 0) SAME(168, 1) SAME(168, 2) SAME(168, 3) SAME_STRUCT(cd, 168, 4) SAME(168, 5) SAME(168, 6)
    return r168;
}
RESULT_STRUCT(168, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; cd a5; float a6; int32_t a7;
} v169 = {
    9223372036854775807, -9223372036854775807, 6332297883642266866, -5254615124521712724, 30.375, { 28, 135.125 },
    -77.375f, -1393316200
};
static void *const argv169[] = {
    A(169, 0), A(169, 1), A(169, 2), A(169, 3), A(169, 4), A(169, 5), A(169, 6), A(169, 7)
};
static const l3 r169 = { { 1673923705405535106, 6211022995346956772, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case169,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, cd a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 169;
    SAME(169, 0) SAME(169, 1) SAME(169, 2) SAME(169, 3) SAME(169, 4) SAME_STRUCT(cd, 169, 5) SAME(169, 6) SAME(169, 7)
    return r169;
}
RESULT_STRUCT(169, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; cd a11; float a12; int32_t a13;
} v170 = {
    38, 5011964942185857132, 3609593613914400707, 32, -265.0, -231.375, -331.625, 247.0, 387.0, -464.25, 97.875,
    { 72, 284.375 }, -302.0f, -2147483647
};
static void *const argv170[] = {
    A(170, 0), A(170, 1), A(170, 2), A(170, 3), A(170, 4), A(170, 5), A(170, 6), A(170, 7), A(170, 8), A(170, 9),
    A(170, 10), A(170, 11), A(170, 12), A(170, 13)
};
static const l3 r170 = { { -2916352363404477263, -44, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case170,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, cd a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 170;
    SAME(170, 0) SAME(170, 1) SAME(170, 2) SAME(170, 3) SAME(170, 4) SAME(170, 5) SAME(170, 6) SAME(170, 7)
    SAME(170, 8) SAME(170, 9) SAME(170, 10) SAME_STRUCT(cd, 170, 11) SAME(170, 12) SAME(170, 13)
    return r170;
}
RESULT_STRUCT(170, l3)
static const struct {
    double a0; double a1; int64_t a2; double a3; int64_t a4; double a5; double a6; double a7; int64_t a8; int64_t a9;
    double a10; double a11; cd a12; float a13; int32_t a14;
} v171 = {
    -197.0, 207.625, -9223372036854775807, -372.0, 9223372036854775807, 237.875, 95.75, 407.875, -9223372036854775807,
    1728735982566148817, 251.75, 277.125, { 127, 230.25 }, -118.75f, -2147483647
};
static void *const argv171[] = {
    A(171, 0), A(171, 1), A(171, 2), A(171, 3), A(171, 4), A(171, 5), A(171, 6), A(171, 7), A(171, 8), A(171, 9),
    A(171, 10), A(171, 11), A(171, 12), A(171, 13), A(171, 14)
};
static const l3 r171 = { { -9223372036854775807, -291857132300066589, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case171,
    (double a0, double a1, int64_t a2, double a3, int64_t a4, double a5, double a6, double a7, int64_t a8, int64_t a9,
     double a10, double a11, cd a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 171;
    SAME(171, 0) SAME(171, 1) SAME(171, 2) SAME(171, 3) SAME(171, 4) SAME(171, 5) SAME(171, 6) SAME(171, 7)
    SAME(171, 8) SAME(171, 9) SAME(171, 10) SAME(171, 11) SAME_STRUCT(cd, 171, 12) SAME(171, 13) SAME(171, 14)
    return r171;
}
RESULT_STRUCT(171, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; cd a5; float a6; int32_t a7;
} v172 = {
    82, -9223372036854775807, 24, -80, 3602971183419946818, { 75, -464.125 }, 246.75f, 2147483647
};
static void *const argv172[] = {
    A(172, 0), A(172, 1), A(172, 2), A(172, 3), A(172, 4), A(172, 5), A(172, 6), A(172, 7)
};
COHORT_FUNCTION_RETURNING(void, case172,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, cd a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 172;
    SAME(172, 0) SAME(172, 1) SAME(172, 2) SAME(172, 3) SAME(172, 4) SAME_STRUCT(cd, 172, 5) SAME(172, 6) SAME(172, 7)
}
NO_RESULT(172)
static const struct {
    int64_t a0; double a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; cd a6; float a7; int32_t a8;
} v173 = {
    7117341152623385248, 496.375, -9223372036854775807, 88, 9223372036854775807, 9223372036854775807, { 4, 224.125 },
    338.0f, -2147483647
};
static void *const argv173[] = {
    A(173, 0), A(173, 1), A(173, 2), A(173, 3), A(173, 4), A(173, 5), A(173, 6), A(173, 7), A(173, 8)
};
COHORT_FUNCTION_RETURNING(void, case173,
    (int64_t a0, double a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, cd a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 173;
    SAME(173, 0) SAME(173, 1) SAME(173, 2) SAME(173, 3) SAME(173, 4) SAME(173, 5) SAME_STRUCT(cd, 173, 6) SAME(173, 7)
    SAME(173, 8)
}
NO_RESULT(173)
static const struct {
    double a0; double a1; int64_t a2; int64_t a3; double a4; double a5; int64_t a6; double a7; int64_t a8; double a9;
    double a10; int64_t a11; cd a12; float a13; int32_t a14;
} v174 = {
    -375.375, -369.75, 9223372036854775807, -9223372036854775807, 22.625, -479.75, -7638578823549854762, 98.875,
    -6743915559695501362, -260.75, -489.25, 4372498666827000864, { 6, -395.25 }, 34.0f, 2147483647
};
static void *const argv174[] = {
    A(174, 0), A(174, 1), A(174, 2), A(174, 3), A(174, 4), A(174, 5), A(174, 6), A(174, 7), A(174, 8), A(174, 9),
    A(174, 10), A(174, 11), A(174, 12), A(174, 13), A(174, 14)
};
COHORT_FUNCTION_RETURNING(void, case174,
    (double a0, double a1, int64_t a2, int64_t a3, double a4, double a5, int64_t a6, double a7, int64_t a8, double a9,
     double a10, int64_t a11, cd a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 174;
    SAME(174, 0) SAME(174, 1) SAME(174, 2) SAME(174, 3) SAME(174, 4) SAME(174, 5) SAME(174, 6) SAME(174, 7)
    SAME(174, 8) SAME(174, 9) SAME(174, 10) SAME(174, 11) SAME_STRUCT(cd, 174, 12) SAME(174, 13) SAME(174, 14)
}
NO_RESULT(174)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; cd a13; float a14; int32_t a15;
} v175 = {
    -3312935496501073178, 3343565501410373309, -9102479168804869917, 9223372036854775807, 9223372036854775807, 215.625,
    404.5, -401.625, 75.75, -150.125, -79.75, -93.25, 121.5, { 0, 433.5 }, -78.5f, 2147483647
};
static void *const argv175[] = {
    A(175, 0), A(175, 1), A(175, 2), A(175, 3), A(175, 4), A(175, 5), A(175, 6), A(175, 7), A(175, 8), A(175, 9),
    A(175, 10), A(175, 11), A(175, 12), A(175, 13), A(175, 14), A(175, 15)
};
COHORT_FUNCTION_RETURNING(void, case175,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, double a12, cd a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 175;
    SAME(175, 0) SAME(175, 1) SAME(175, 2) SAME(175, 3) SAME(175, 4) SAME(175, 5) SAME(175, 6) SAME(175, 7)
    SAME(175, 8) SAME(175, 9) SAME(175, 10) SAME(175, 11) SAME(175, 12) SAME_STRUCT(cd, 175, 13) SAME(175, 14)
    SAME(175, 15)
}
NO_RESULT(175)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; cd a6; float a7; int32_t a8;
} v176 = {
    3128476462577176675, 9223372036854775807, -9223372036854775807, 7940401547401264063, -9223372036854775807,
    9223372036854775807, { 127, 344.5 }, -218.125f, -2147483647
};
static void *const argv176[] = {
    A(176, 0), A(176, 1), A(176, 2), A(176, 3), A(176, 4), A(176, 5), A(176, 6), A(176, 7), A(176, 8)
};
COHORT_FUNCTION_RETURNING(void, case176,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, cd a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 176;
    SAME(176, 0) SAME(176, 1) SAME(176, 2) SAME(176, 3) SAME(176, 4) SAME(176, 5) SAME_STRUCT(cd, 176, 6) SAME(176, 7)
    SAME(176, 8)
}
NO_RESULT(176)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; cd a7; float a8; int32_t a9;
} v177 = {
    -25, -9223372036854775807, 9223372036854775807, 9204082588480423412, -3, 9223372036854775807, -59.125,
    { 0, -68.0 }, -283.75f, -2147483647
};
static void *const argv177[] = {
    A(177, 0), A(177, 1), A(177, 2), A(177, 3), A(177, 4), A(177, 5), A(177, 6), A(177, 7), A(177, 8), A(177, 9)
};
COHORT_FUNCTION_RETURNING(void, case177,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, cd a7, float a8, int32_t a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 177;
    SAME(177, 0) SAME(177, 1) SAME(177, 2) SAME(177, 3) SAME(177, 4) SAME(177, 5) SAME(177, 6) SAME_STRUCT(cd, 177, 7)
    SAME(177, 8) SAME(177, 9)
}
NO_RESULT(177)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; cd a13; float a14; int32_t a15;
} v178 = {
    7900752172874093936, -96, 9223372036854775807, -9223372036854775807, -9223372036854775807, 26, -450.75, -133.125,
    479.375, -341.625, -277.125, 358.75, 46.375, { 127, 134.25 }, 337.75f, 2147483647
};
static void *const argv178[] = {
    A(178, 0), A(178, 1), A(178, 2), A(178, 3), A(178, 4), A(178, 5), A(178, 6), A(178, 7), A(178, 8), A(178, 9),
    A(178, 10), A(178, 11), A(178, 12), A(178, 13), A(178, 14), A(178, 15)
};
COHORT_FUNCTION_RETURNING(void, case178,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, double a7, double a8,
     double a9, double a10, double a11, double a12, cd a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 178;
    SAME(178, 0) SAME(178, 1) SAME(178, 2) SAME(178, 3) SAME(178, 4) SAME(178, 5) SAME(178, 6) SAME(178, 7)
    SAME(178, 8) SAME(178, 9) SAME(178, 10) SAME(178, 11) SAME(178, 12) SAME_STRUCT(cd, 178, 13) SAME(178, 14)
    SAME(178, 15)
}
NO_RESULT(178)
static const struct {
    int64_t a0; double a1; double a2; double a3; int64_t a4; double a5; double a6; double a7; int64_t a8; int64_t a9;
    int64_t a10; double a11; int64_t a12; double a13; cd a14; float a15; int32_t a16;
} v179 = {
    -77, -130.5, 312.625, -93.875, 9223372036854775807, 137.375, 132.625, -190.5, 55, -883828779030044611,
    9223372036854775807, -345.625, -64, -291.125, { 0, -164.125 }, -243.625f, -2147483647
};
static void *const argv179[] = {
    A(179, 0), A(179, 1), A(179, 2), A(179, 3), A(179, 4), A(179, 5), A(179, 6), A(179, 7), A(179, 8), A(179, 9),
    A(179, 10), A(179, 11), A(179, 12), A(179, 13), A(179, 14), A(179, 15), A(179, 16)
};
COHORT_FUNCTION_RETURNING(void, case179,
    (int64_t a0, double a1, double a2, double a3, int64_t a4, double a5, double a6, double a7, int64_t a8, int64_t a9,
     int64_t a10, double a11, int64_t a12, double a13, cd a14, float a15, int32_t a16), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 179;
    SAME(179, 0) SAME(179, 1) SAME(179, 2) SAME(179, 3) SAME(179, 4) SAME(179, 5) SAME(179, 6) SAME(179, 7)
    SAME(179, 8) SAME(179, 9) SAME(179, 10) SAME(179, 11) SAME(179, 12) SAME(179, 13) SAME_STRUCT(cd, 179, 14)
    SAME(179, 15) SAME(179, 16)
}
NO_RESULT(179)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; lf a3; float a4; int32_t a5;
} v180 = {
    -9223372036854775807, 9223372036854775807, -9223372036854775807, { 13362951978012521724u, 26.125f }, -359.75f,
    -2047305251
};
static void *const argv180[] = {
    A(180, 0), A(180, 1), A(180, 2), A(180, 3), A(180, 4), A(180, 5)
};
static const l3 r180 = { { -2497957996693938059, -9223372036854775807, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case180,
    (int64_t a0, int64_t a1, int64_t a2, lf a3, float a4, int32_t a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 180;
    SAME(180, 0) SAME(180, 1) SAME(180, 2) SAME_STRUCT(lf, 180, 3) SAME(180, 4) SAME(180, 5)
    return r180;
}
RESULT_STRUCT(180, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; double a3; lf a4; float a5; int32_t a6;
} v181 = {
    -5, 4740815262018559303, -3763507652380573058, 353.875, { 18446744073709551615u, -345.25f }, -422.75f, 2147483647
};
static void *const argv181[] = {
    A(181, 0), A(181, 1), A(181, 2), A(181, 3), A(181, 4), A(181, 5), A(181, 6)
};
static const l3 r181 = { { 72, 9223372036854775807, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case181,
    (int64_t a0, int64_t a1, int64_t a2, double a3, lf a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 181;
    SAME(181, 0) SAME(181, 1) SAME(181, 2) SAME(181, 3) SAME_STRUCT(lf, 181, 4) SAME(181, 5) SAME(181, 6)
    return r181;
}
RESULT_STRUCT(181, l3)
static const struct {
    double a0; int64_t a1; double a2; int64_t a3; double a4; double a5; int64_t a6; double a7; double a8; double a9;
    lf a10; float a11; int32_t a12;
} v182 = {
    -38.625, 9223372036854775807, 155.125, 29, 499.75, 369.75, -37, 225.25, 42.75, 316.0, { 56u, -27.625f }, 3.875f,
    -501879844
};
static void *const argv182[] = {
    A(182, 0), A(182, 1), A(182, 2), A(182, 3), A(182, 4), A(182, 5), A(182, 6), A(182, 7), A(182, 8), A(182, 9),
    A(182, 10), A(182, 11), A(182, 12)
};
static const l3 r182 = { { 9223372036854775807, -6, -3149387237069455597 } };
COHORT_FUNCTION_RETURNING(l3, case182,
    (double a0, int64_t a1, double a2, int64_t a3, double a4, double a5, int64_t a6, double a7, double a8, double a9,
     lf a10, float a11, int32_t a12), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 182;
    SAME(182, 0) SAME(182, 1) SAME(182, 2) SAME(182, 3) SAME(182, 4) SAME(182, 5) SAME(182, 6) SAME(182, 7)
    SAME(182, 8) SAME(182, 9) SAME_STRUCT(lf, 182, 10) SAME(182, 11) SAME(182, 12)
    return r182;
}
RESULT_STRUCT(182, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; double a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; lf a11; float a12; int32_t a13;
} v183 = {
    -9223372036854775807, 63, 9223372036854775807, 444.375, -354.5, 213.875, 37.375, -121.875, 88.5, 362.5, -280.625,
    { 40u, -284.375f }, 421.125f, -57
};
static void *const argv183[] = {
    A(183, 0), A(183, 1), A(183, 2), A(183, 3), A(183, 4), A(183, 5), A(183, 6), A(183, 7), A(183, 8), A(183, 9),
    A(183, 10), A(183, 11), A(183, 12), A(183, 13)
};
static const l3 r183 = { { -2261295204106742097, 25, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case183,
    (int64_t a0, int64_t a1, int64_t a2, double a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, lf a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 183;
    SAME(183, 0) SAME(183, 1) SAME(183, 2) SAME(183, 3) SAME(183, 4) SAME(183, 5) SAME(183, 6) SAME(183, 7)
    SAME(183, 8) SAME(183, 9) SAME(183, 10) SAME_STRUCT(lf, 183, 11) SAME(183, 12) SAME(183, 13)
    return r183;
}
RESULT_STRUCT(183, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; lf a4; float a5; int32_t a6;
} v184 = {
    121825708823243799, -9223372036854775807, 10980227786695329, 9223372036854775807, { 0u, -292.0f }, -296.5f,
    -2147483647
};
static void *const argv184[] = {
    A(184, 0), A(184, 1), A(184, 2), A(184, 3), A(184, 4), A(184, 5), A(184, 6)
};
static const l3 r184 = { { 9223372036854775807, 8, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case184,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, lf a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 184;
    SAME(184, 0) SAME(184, 1) SAME(184, 2) SAME(184, 3) SAME_STRUCT(lf, 184, 4) SAME(184, 5) SAME(184, 6)
    return r184;
}
RESULT_STRUCT(184, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; lf a5; float a6; int32_t a7;
} v185 = {
    -9223372036854775807, 9223372036854775807, 9223372036854775807, -9223372036854775807, -309.875, { 55u, -159.0f },
    -202.5f, 2147483647
};
static void *const argv185[] = {
    A(185, 0), A(185, 1), A(185, 2), A(185, 3), A(185, 4), A(185, 5), A(185, 6), A(185, 7)
};
static const l3 r185 = { { -1742728158198013607, -79, -39 } };
COHORT_FUNCTION_RETURNING(l3, case185,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, lf a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 185;
    SAME(185, 0) SAME(185, 1) SAME(185, 2) SAME(185, 3) SAME(185, 4) SAME_STRUCT(lf, 185, 5) SAME(185, 6) SAME(185, 7)
    return r185;
}
RESULT_STRUCT(185, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; lf a11; float a12; int32_t a13;
} v186 = {
    -9223372036854775807, 9223372036854775807, -68, -9223372036854775807, -174.0, 393.375, 91.25, -11.25, 401.75,
    422.0, 106.125, { 18446744073709551615u, -17.375f }, 99.0f, 2147483647
};
static void *const argv186[] = {
    A(186, 0), A(186, 1), A(186, 2), A(186, 3), A(186, 4), A(186, 5), A(186, 6), A(186, 7), A(186, 8), A(186, 9),
    A(186, 10), A(186, 11), A(186, 12), A(186, 13)
};
static const l3 r186 = { { -28, -5325757260844399006, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case186,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, lf a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 186;
    SAME(186, 0) SAME(186, 1) SAME(186, 2) SAME(186, 3) SAME(186, 4) SAME(186, 5) SAME(186, 6) SAME(186, 7)
    SAME(186, 8) SAME(186, 9) SAME(186, 10) SAME_STRUCT(lf, 186, 11) SAME(186, 12) SAME(186, 13)
    return r186;
}
RESULT_STRUCT(186, l3)
static const struct {
    double a0; int64_t a1; int64_t a2; double a3; int64_t a4; double a5; double a6; double a7; double a8; int64_t a9;
    double a10; double a11; lf a12; float a13; int32_t a14;
} v187 = {
    -406.125, 0, 9223372036854775807, -388.0, 9223372036854775807, 146.0, 241.125, 55.625, 40.5, -9223372036854775807,
    371.125, -415.75, { 18446744073709551615u, -96.125f }, -15.5f, 1470839730
};
static void *const argv187[] = {
    A(187, 0), A(187, 1), A(187, 2), A(187, 3), A(187, 4), A(187, 5), A(187, 6), A(187, 7), A(187, 8), A(187, 9),
    A(187, 10), A(187, 11), A(187, 12), A(187, 13), A(187, 14)
};
static const l3 r187 = { { 36, -97, 7314028155672079835 } };
COHORT_FUNCTION_RETURNING(l3, case187,
    (double a0, int64_t a1, int64_t a2, double a3, int64_t a4, double a5, double a6, double a7, double a8, int64_t a9,
     double a10, double a11, lf a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 187;
    SAME(187, 0) SAME(187, 1) SAME(187, 2) SAME(187, 3) SAME(187, 4) SAME(187, 5) SAME(187, 6) SAME(187, 7)
    SAME(187, 8) SAME(187, 9) SAME(187, 10) SAME(187, 11) SAME_STRUCT(lf, 187, 12) SAME(187, 13) SAME(187, 14)
    return r187;
}
RESULT_STRUCT(187, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; lf a5; float a6; int32_t a7;
} v188 = {
    9223372036854775807, 7273797436981945595, 496030152472490875, 2131695360384041189, 9223372036854775807,
    { 1613392574982309565u, 178.375f }, 179.625f, -19
};
static void *const argv188[] = {
    A(188, 0), A(188, 1), A(188, 2), A(188, 3), A(188, 4), A(188, 5), A(188, 6), A(188, 7)
};
COHORT_FUNCTION_RETURNING(void, case188,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, lf a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 188;
    SAME(188, 0) SAME(188, 1) SAME(188, 2) SAME(188, 3) SAME(188, 4) SAME_STRUCT(lf, 188, 5) SAME(188, 6) SAME(188, 7)
}
NO_RESULT(188)
static const struct {
    int64_t a0; int64_t a1; double a2; int64_t a3; int64_t a4; int64_t a5; lf a6; float a7; int32_t a8;
} v189 = {
    9223372036854775807, -9223372036854775807, 46.125, 48, 8919226914189532214, -9223372036854775807, { 69u, 122.0f },
    -36.625f, -2147483647
};
static void *const argv189[] = {
    A(189, 0), A(189, 1), A(189, 2), A(189, 3), A(189, 4), A(189, 5), A(189, 6), A(189, 7), A(189, 8)
};
COHORT_FUNCTION_RETURNING(void, case189,
    (int64_t a0, int64_t a1, double a2, int64_t a3, int64_t a4, int64_t a5, lf a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 189;
    SAME(189, 0) SAME(189, 1) SAME(189, 2) SAME(189, 3) SAME(189, 4) SAME(189, 5) SAME_STRUCT(lf, 189, 6) SAME(189, 7)
    SAME(189, 8)
}
NO_RESULT(189)
static const struct {
    int64_t a0; double a1; double a2; double a3; double a4; double a5; int64_t a6; double a7; int64_t a8; int64_t a9;
    int64_t a10; double a11; lf a12; float a13; int32_t a14;
} v190 = {
    9223372036854775807, 313.875, 229.875, 59.125, 274.375, 248.875, -9223372036854775807, 472.875,
    9223372036854775807, -9223372036854775807, 4445703727157447238, -389.875, { 2571237114606185950u, -310.0f },
    3.125f, -1007456622
};
static void *const argv190[] = {
    A(190, 0), A(190, 1), A(190, 2), A(190, 3), A(190, 4), A(190, 5), A(190, 6), A(190, 7), A(190, 8), A(190, 9),
    A(190, 10), A(190, 11), A(190, 12), A(190, 13), A(190, 14)
};
COHORT_FUNCTION_RETURNING(void, case190,
    (int64_t a0, double a1, double a2, double a3, double a4, double a5, int64_t a6, double a7, int64_t a8, int64_t a9,
     int64_t a10, double a11, lf a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 190;
    SAME(190, 0) SAME(190, 1) SAME(190, 2) SAME(190, 3) SAME(190, 4) SAME(190, 5) SAME(190, 6) SAME(190, 7)
    SAME(190, 8) SAME(190, 9) SAME(190, 10) SAME(190, 11) SAME_STRUCT(lf, 190, 12) SAME(190, 13) SAME(190, 14)
}
NO_RESULT(190)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; lf a13; float a14; int32_t a15;
} v191 = {
    4563362961366833589, 3096567398892325976, 9223372036854775807, 9223372036854775807, -969525794542726038, -269.375,
    165.75, 403.25, 22.5, 194.625, 125.5, 484.0, -53.625, { 0u, 225.375f }, -380.625f, 64
};
static void *const argv191[] = {
    A(191, 0), A(191, 1), A(191, 2), A(191, 3), A(191, 4), A(191, 5), A(191, 6), A(191, 7), A(191, 8), A(191, 9),
    A(191, 10), A(191, 11), A(191, 12), A(191, 13), A(191, 14), A(191, 15)
};
COHORT_FUNCTION_RETURNING(void, case191,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, double a12, lf a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 191;
    SAME(191, 0) SAME(191, 1) SAME(191, 2) SAME(191, 3) SAME(191, 4) SAME(191, 5) SAME(191, 6) SAME(191, 7)
    SAME(191, 8) SAME(191, 9) SAME(191, 10) SAME(191, 11) SAME(191, 12) SAME_STRUCT(lf, 191, 13) SAME(191, 14)
    SAME(191, 15)
}
NO_RESULT(191)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; lf a6; float a7; int32_t a8;
} v192 = {
    51, 36, -9223372036854775807, 2658238186242643572, -9223372036854775807, -58, { 0u, -256.0f }, 404.125f,
    -2147483647
};
static void *const argv192[] = {
    A(192, 0), A(192, 1), A(192, 2), A(192, 3), A(192, 4), A(192, 5), A(192, 6), A(192, 7), A(192, 8)
};
COHORT_FUNCTION_RETURNING(void, case192,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, lf a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 192;
    SAME(192, 0) SAME(192, 1) SAME(192, 2) SAME(192, 3) SAME(192, 4) SAME(192, 5) SAME_STRUCT(lf, 192, 6) SAME(192, 7)
    SAME(192, 8)
}
NO_RESULT(192)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; lf a7; float a8; int32_t a9;
} v193 = {
    50, 92, -9223372036854775807, 2618548541117191051, -9223372036854775807, -5053608112475367644, -457.875,
    { 15116181589682726313u, 221.625f }, -276.875f, -2127759108
};
static void *const argv193[] = {
    A(193, 0), A(193, 1), A(193, 2), A(193, 3), A(193, 4), A(193, 5), A(193, 6), A(193, 7), A(193, 8), A(193, 9)
};
COHORT_FUNCTION_RETURNING(void, case193,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, lf a7, float a8, int32_t a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 193;
    SAME(193, 0) SAME(193, 1) SAME(193, 2) SAME(193, 3) SAME(193, 4) SAME(193, 5) SAME(193, 6) SAME_STRUCT(lf, 193, 7)
    SAME(193, 8) SAME(193, 9)
}
NO_RESULT(193)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; lf a13; float a14; int32_t a15;
} v194 = {
    -3695421196530300116, 9223372036854775807, 5967295321781986588, 9223372036854775807, -6087625723626513789, 18,
    -194.375, -11.875, -29.25, 111.875, 231.25, 82.25, -334.625, { 18446744073709551615u, 479.0f }, 383.375f,
    -37919970
};
static void *const argv194[] = {
    A(194, 0), A(194, 1), A(194, 2), A(194, 3), A(194, 4), A(194, 5), A(194, 6), A(194, 7), A(194, 8), A(194, 9),
    A(194, 10), A(194, 11), A(194, 12), A(194, 13), A(194, 14), A(194, 15)
};
COHORT_FUNCTION_RETURNING(void, case194,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, double a7, double a8,
     double a9, double a10, double a11, double a12, lf a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 194;
    SAME(194, 0) SAME(194, 1) SAME(194, 2) SAME(194, 3) SAME(194, 4) SAME(194, 5) SAME(194, 6) SAME(194, 7)
    SAME(194, 8) SAME(194, 9) SAME(194, 10) SAME(194, 11) SAME(194, 12) SAME_STRUCT(lf, 194, 13) SAME(194, 14)
    SAME(194, 15)
}
NO_RESULT(194)
static const struct {
    int64_t a0; double a1; double a2; double a3; int64_t a4; double a5; double a6; int64_t a7; int64_t a8; int64_t a9;
    double a10; int64_t a11; double a12; double a13; lf a14; float a15; int32_t a16;
} v195 = {
    4042559290848933779, 70.0, -178.75, -234.125, -20, 48.75, 206.5, 9223372036854775807, -7477401322662872372,
    9223372036854775807, -336.75, -9223372036854775807, -365.5, 315.375, { 18446744073709551615u, -211.25f },
    -460.375f, 2147483647
};
static void *const argv195[] = {
    A(195, 0), A(195, 1), A(195, 2), A(195, 3), A(195, 4), A(195, 5), A(195, 6), A(195, 7), A(195, 8), A(195, 9),
    A(195, 10), A(195, 11), A(195, 12), A(195, 13), A(195, 14), A(195, 15), A(195, 16)
};
COHORT_FUNCTION_RETURNING(void, case195,
    (int64_t a0, double a1, double a2, double a3, int64_t a4, double a5, double a6, int64_t a7, int64_t a8, int64_t a9,
     double a10, int64_t a11, double a12, double a13, lf a14, float a15, int32_t a16), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 195;
    SAME(195, 0) SAME(195, 1) SAME(195, 2) SAME(195, 3) SAME(195, 4) SAME(195, 5) SAME(195, 6) SAME(195, 7)
    SAME(195, 8) SAME(195, 9) SAME(195, 10) SAME(195, 11) SAME(195, 12) SAME(195, 13) SAME_STRUCT(lf, 195, 14)
    SAME(195, 15) SAME(195, 16)
}
NO_RESULT(195)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; nest a3; float a4; int32_t a5;
} v196 = {
    -9223372036854775807, -9223372036854775807, 30, { { -128, 1355353365 }, -320.125 }, -230.5f, -2147483647
};
static void *const argv196[] = {
    A(196, 0), A(196, 1), A(196, 2), A(196, 3), A(196, 4), A(196, 5)
};
static const l3 r196 = { { -1688781277762409697, 9223372036854775807, -68 } };
COHORT_FUNCTION_RETURNING(l3, case196,
    (int64_t a0, int64_t a1, int64_t a2, nest a3, float a4, int32_t a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 196;
    SAME(196, 0) SAME(196, 1) SAME(196, 2) SAME_STRUCT(nest, 196, 3) SAME(196, 4) SAME(196, 5)
    return r196;
}
RESULT_STRUCT(196, l3)
static const struct {
    double a0; int64_t a1; int64_t a2; int64_t a3; nest a4; float a5; int32_t a6;
} v197 = {
    420.625, 9223372036854775807, -9223372036854775807, -9223372036854775807, { { 48, -18 }, -107.5 }, -84.375f,
    2147483647
};
static void *const argv197[] = {
    A(197, 0), A(197, 1), A(197, 2), A(197, 3), A(197, 4), A(197, 5), A(197, 6)
};
static const l3 r197 = { { -9223372036854775807, -9223372036854775807, 51 } };
COHORT_FUNCTION_RETURNING(l3, case197,
    (double a0, int64_t a1, int64_t a2, int64_t a3, nest a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 197;
    SAME(197, 0) SAME(197, 1) SAME(197, 2) SAME(197, 3) SAME_STRUCT(nest, 197, 4) SAME(197, 5) SAME(197, 6)
    return r197;
}
RESULT_STRUCT(197, l3)
static const struct {
    double a0; double a1; int64_t a2; double a3; double a4; int64_t a5; int64_t a6; double a7; double a8; double a9;
    nest a10; float a11; int32_t a12;
} v198 = {
    423.5, -147.375, 9223372036854775807, 432.125, 291.75, 9223372036854775807, -9223372036854775807, 289.5, -165.125,
    -242.125, { { 127, -2147483647 }, 367.75 }, 339.25f, 2147483647
};
static void *const argv198[] = {
    A(198, 0), A(198, 1), A(198, 2), A(198, 3), A(198, 4), A(198, 5), A(198, 6), A(198, 7), A(198, 8), A(198, 9),
    A(198, 10), A(198, 11), A(198, 12)
};
static const l3 r198 = { { 9223372036854775807, 9223372036854775807, -6 } };
COHORT_FUNCTION_RETURNING(l3, case198,
    (double a0, double a1, int64_t a2, double a3, double a4, int64_t a5, int64_t a6, double a7, double a8, double a9,
     nest a10, float a11, int32_t a12), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 198;
    SAME(198, 0) SAME(198, 1) SAME(198, 2) SAME(198, 3) SAME(198, 4) SAME(198, 5) SAME(198, 6) SAME(198, 7)
    SAME(198, 8) SAME(198, 9) SAME_STRUCT(nest, 198, 10) SAME(198, 11) SAME(198, 12)
    return r198;
}
RESULT_STRUCT(198, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; double a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; nest a11; float a12; int32_t a13;
} v199 = {
    -9223372036854775807, 9223372036854775807, -3552772970952013459, 102.5, -414.125, 457.75, 270.375, 394.0, 309.125,
    388.375, -244.25, { { -128, 476312518 }, 431.625 }, 486.375f, 2147483647
};
static void *const argv199[] = {
    A(199, 0), A(199, 1), A(199, 2), A(199, 3), A(199, 4), A(199, 5), A(199, 6), A(199, 7), A(199, 8), A(199, 9),
    A(199, 10), A(199, 11), A(199, 12), A(199, 13)
};
static const l3 r199 = { { -6906668679630074364, -9223372036854775807, 28 } };
COHORT_FUNCTION_RETURNING(l3, case199,
    (int64_t a0, int64_t a1, int64_t a2, double a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, nest a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 199;
    SAME(199, 0) SAME(199, 1) SAME(199, 2) SAME(199, 3) SAME(199, 4) SAME(199, 5) SAME(199, 6) SAME(199, 7)
    SAME(199, 8) SAME(199, 9) SAME(199, 10) SAME_STRUCT(nest, 199, 11) SAME(199, 12) SAME(199, 13)
    return r199;
}
RESULT_STRUCT(199, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; nest a4; float a5; int32_t a6;
} v200 = {
    -9223372036854775807, -9223372036854775807, -9223372036854775807, 6, { { -128, -2147483647 }, 2.125 }, 246.625f,
    12
};
static void *const argv200[] = {
    A(200, 0), A(200, 1), A(200, 2), A(200, 3), A(200, 4), A(200, 5), A(200, 6)
};
static const l3 r200 = { { 9223372036854775807, 23, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case200,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, nest a4, float a5, int32_t a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 200;
    SAME(200, 0) SAME(200, 1) SAME(200, 2) SAME(200, 3) SAME_STRUCT(nest, 200, 4) SAME(200, 5) SAME(200, 6)
    return r200;
}
RESULT_STRUCT(200, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; nest a5; float a6; int32_t a7;
} v201 = {
    9223372036854775807, -9223372036854775807, -9223372036854775807, -9223372036854775807, -444.75,
    { { -29, 86 }, 396.875 }, 444.75f, 1109995953
};
static void *const argv201[] = {
    A(201, 0), A(201, 1), A(201, 2), A(201, 3), A(201, 4), A(201, 5), A(201, 6), A(201, 7)
};
static const l3 r201 = { { -7526187987532130341, 9223372036854775807, -517066047414860599 } };
COHORT_FUNCTION_RETURNING(l3, case201,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, nest a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 201;
    SAME(201, 0) SAME(201, 1) SAME(201, 2) SAME(201, 3) SAME(201, 4) SAME_STRUCT(nest, 201, 5) SAME(201, 6)
    SAME(201, 7)
    return r201;
}
RESULT_STRUCT(201, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; double a4; double a5; double a6; double a7; double a8; double a9;
    double a10; nest a11; float a12; int32_t a13;
} v202 = {
    -9223372036854775807, 97916001427716644, -9223372036854775807, -96074451033478649, -39.625, 216.75, -71.875,
    476.25, -330.75, 464.375, -105.75, { { 57, -96 }, 390.375 }, -110.375f, 2030154309
};
static void *const argv202[] = {
    A(202, 0), A(202, 1), A(202, 2), A(202, 3), A(202, 4), A(202, 5), A(202, 6), A(202, 7), A(202, 8), A(202, 9),
    A(202, 10), A(202, 11), A(202, 12), A(202, 13)
};
static const l3 r202 = { { -8533521319564442719, -9223372036854775807, -9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case202,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, double a4, double a5, double a6, double a7, double a8, double a9,
     double a10, nest a11, float a12, int32_t a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 202;
    SAME(202, 0) SAME(202, 1) SAME(202, 2) SAME(202, 3) SAME(202, 4) SAME(202, 5) SAME(202, 6) SAME(202, 7)
    SAME(202, 8) SAME(202, 9) SAME(202, 10) SAME_STRUCT(nest, 202, 11) SAME(202, 12) SAME(202, 13)
    return r202;
}
RESULT_STRUCT(202, l3)
static const struct {
    int64_t a0; int64_t a1; double a2; double a3; double a4; double a5; double a6; int64_t a7; double a8; int64_t a9;
    double a10; double a11; nest a12; float a13; int32_t a14;
} v203 = {
    9223372036854775807, -9223372036854775807, 480.0, 69.0, 144.625, 41.75, 414.125, 9223372036854775807, -21.0,
    3752534777322221318, 268.25, -494.625, { { -34, 1889861102 }, -138.5 }, -348.125f, -2147483647
};
static void *const argv203[] = {
    A(203, 0), A(203, 1), A(203, 2), A(203, 3), A(203, 4), A(203, 5), A(203, 6), A(203, 7), A(203, 8), A(203, 9),
    A(203, 10), A(203, 11), A(203, 12), A(203, 13), A(203, 14)
};
static const l3 r203 = { { 9223372036854775807, -1735535278742533322, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case203,
    (int64_t a0, int64_t a1, double a2, double a3, double a4, double a5, double a6, int64_t a7, double a8, int64_t a9,
     double a10, double a11, nest a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 203;
    SAME(203, 0) SAME(203, 1) SAME(203, 2) SAME(203, 3) SAME(203, 4) SAME(203, 5) SAME(203, 6) SAME(203, 7)
    SAME(203, 8) SAME(203, 9) SAME(203, 10) SAME(203, 11) SAME_STRUCT(nest, 203, 12) SAME(203, 13) SAME(203, 14)
    return r203;
}
RESULT_STRUCT(203, l3)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; nest a5; float a6; int32_t a7;
} v204 = {
    -1827323005062235228, 31, -91, 9223372036854775807, 3751369044271777068, { { 127, 20301295 }, -498.25 }, 88.875f,
    2147483647
};
static void *const argv204[] = {
    A(204, 0), A(204, 1), A(204, 2), A(204, 3), A(204, 4), A(204, 5), A(204, 6), A(204, 7)
};
COHORT_FUNCTION_RETURNING(void, case204,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, nest a5, float a6, int32_t a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 204;
    SAME(204, 0) SAME(204, 1) SAME(204, 2) SAME(204, 3) SAME(204, 4) SAME_STRUCT(nest, 204, 5) SAME(204, 6)
    SAME(204, 7)
}
NO_RESULT(204)
static const struct {
    double a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; nest a6; float a7; int32_t a8;
} v205 = {
    -145.125, -44, 3501817331590557572, -9223372036854775807, -84, 5, { { 79, -2147483647 }, -53.5 }, -278.125f,
    2147483647
};
static void *const argv205[] = {
    A(205, 0), A(205, 1), A(205, 2), A(205, 3), A(205, 4), A(205, 5), A(205, 6), A(205, 7), A(205, 8)
};
COHORT_FUNCTION_RETURNING(void, case205,
    (double a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, nest a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 205;
    SAME(205, 0) SAME(205, 1) SAME(205, 2) SAME(205, 3) SAME(205, 4) SAME(205, 5) SAME_STRUCT(nest, 205, 6)
    SAME(205, 7) SAME(205, 8)
}
NO_RESULT(205)
static const struct {
    double a0; int64_t a1; double a2; double a3; int64_t a4; int64_t a5; double a6; int64_t a7; double a8; double a9;
    double a10; int64_t a11; nest a12; float a13; int32_t a14;
} v206 = {
    476.875, -9223372036854775807, 130.25, -147.875, 3994769200068038400, -15, 232.625, 5640670911321230177, -79.5,
    -430.5, 122.125, 9223372036854775807, { { -32, 41 }, -77.875 }, 217.5f, -83650625
};
static void *const argv206[] = {
    A(206, 0), A(206, 1), A(206, 2), A(206, 3), A(206, 4), A(206, 5), A(206, 6), A(206, 7), A(206, 8), A(206, 9),
    A(206, 10), A(206, 11), A(206, 12), A(206, 13), A(206, 14)
};
COHORT_FUNCTION_RETURNING(void, case206,
    (double a0, int64_t a1, double a2, double a3, int64_t a4, int64_t a5, double a6, int64_t a7, double a8, double a9,
     double a10, int64_t a11, nest a12, float a13, int32_t a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 206;
    SAME(206, 0) SAME(206, 1) SAME(206, 2) SAME(206, 3) SAME(206, 4) SAME(206, 5) SAME(206, 6) SAME(206, 7)
    SAME(206, 8) SAME(206, 9) SAME(206, 10) SAME(206, 11) SAME_STRUCT(nest, 206, 12) SAME(206, 13) SAME(206, 14)
}
NO_RESULT(206)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; nest a13; float a14; int32_t a15;
} v207 = {
    -34, -9223372036854775807, -9223372036854775807, 9223372036854775807, 9223372036854775807, -487.875, 387.0, -302.0,
    333.25, -192.75, 212.625, 260.125, 414.0, { { 72, 2147483647 }, 423.125 }, 245.625f, -2147483647
};
static void *const argv207[] = {
    A(207, 0), A(207, 1), A(207, 2), A(207, 3), A(207, 4), A(207, 5), A(207, 6), A(207, 7), A(207, 8), A(207, 9),
    A(207, 10), A(207, 11), A(207, 12), A(207, 13), A(207, 14), A(207, 15)
};
COHORT_FUNCTION_RETURNING(void, case207,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, double a7, double a8, double a9,
     double a10, double a11, double a12, nest a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 207;
    SAME(207, 0) SAME(207, 1) SAME(207, 2) SAME(207, 3) SAME(207, 4) SAME(207, 5) SAME(207, 6) SAME(207, 7)
    SAME(207, 8) SAME(207, 9) SAME(207, 10) SAME(207, 11) SAME(207, 12) SAME_STRUCT(nest, 207, 13) SAME(207, 14)
    SAME(207, 15)
}
NO_RESULT(207)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; nest a6; float a7; int32_t a8;
} v208 = {
    -9223372036854775807, -1446321720732649875, 51, 9183971038425661011, 9223372036854775807, 9223372036854775807,
    { { 127, 2147483647 }, -195.875 }, 323.25f, 1698908737
};
static void *const argv208[] = {
    A(208, 0), A(208, 1), A(208, 2), A(208, 3), A(208, 4), A(208, 5), A(208, 6), A(208, 7), A(208, 8)
};
COHORT_FUNCTION_RETURNING(void, case208,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, nest a6, float a7, int32_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 208;
    SAME(208, 0) SAME(208, 1) SAME(208, 2) SAME(208, 3) SAME(208, 4) SAME(208, 5) SAME_STRUCT(nest, 208, 6)
    SAME(208, 7) SAME(208, 8)
}
NO_RESULT(208)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; nest a7; float a8; int32_t a9;
} v209 = {
    9223372036854775807, -14, -4691599139021559792, 5603147234777787779, -88, 68, -319.25,
    { { -58, -2147483647 }, -154.75 }, 408.0f, -2147483647
};
static void *const argv209[] = {
    A(209, 0), A(209, 1), A(209, 2), A(209, 3), A(209, 4), A(209, 5), A(209, 6), A(209, 7), A(209, 8), A(209, 9)
};
COHORT_FUNCTION_RETURNING(void, case209,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, nest a7, float a8, int32_t a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 209;
    SAME(209, 0) SAME(209, 1) SAME(209, 2) SAME(209, 3) SAME(209, 4) SAME(209, 5) SAME(209, 6)
    SAME_STRUCT(nest, 209, 7) SAME(209, 8) SAME(209, 9)
}
NO_RESULT(209)
static const struct {
    int64_t a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; int64_t a5; double a6; double a7; double a8; double a9;
    double a10; double a11; double a12; nest a13; float a14; int32_t a15;
} v210 = {
    21, 9223372036854775807, 82, 9136168117569906851, -26, 9223372036854775807, 342.5, -283.375, -414.125, 323.375,
    255.5, -374.125, 120.625, { { -128, -2123661618 }, 318.875 }, 360.0f, 471666044
};
static void *const argv210[] = {
    A(210, 0), A(210, 1), A(210, 2), A(210, 3), A(210, 4), A(210, 5), A(210, 6), A(210, 7), A(210, 8), A(210, 9),
    A(210, 10), A(210, 11), A(210, 12), A(210, 13), A(210, 14), A(210, 15)
};
COHORT_FUNCTION_RETURNING(void, case210,
    (int64_t a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, int64_t a5, double a6, double a7, double a8,
     double a9, double a10, double a11, double a12, nest a13, float a14, int32_t a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 210;
    SAME(210, 0) SAME(210, 1) SAME(210, 2) SAME(210, 3) SAME(210, 4) SAME(210, 5) SAME(210, 6) SAME(210, 7)
    SAME(210, 8) SAME(210, 9) SAME(210, 10) SAME(210, 11) SAME(210, 12) SAME_STRUCT(nest, 210, 13) SAME(210, 14)
    SAME(210, 15)
}
NO_RESULT(210)
static const struct {
    double a0; int64_t a1; int64_t a2; int64_t a3; int64_t a4; double a5; double a6; int64_t a7; double a8; double a9;
    double a10; int64_t a11; double a12; double a13; nest a14; float a15; int32_t a16;
} v211 = {
    65.5, -9199133199501609814, -1060076063536107234, 69, -155033820381880107, 127.625, -175.5, -9223372036854775807,
    -154.875, -218.875, -296.5, -78, 264.0, -431.25, { { -72, 73 }, 281.0 }, 406.125f, 2147483647
};
static void *const argv211[] = {
    A(211, 0), A(211, 1), A(211, 2), A(211, 3), A(211, 4), A(211, 5), A(211, 6), A(211, 7), A(211, 8), A(211, 9),
    A(211, 10), A(211, 11), A(211, 12), A(211, 13), A(211, 14), A(211, 15), A(211, 16)
};
COHORT_FUNCTION_RETURNING(void, case211,
    (double a0, int64_t a1, int64_t a2, int64_t a3, int64_t a4, double a5, double a6, int64_t a7, double a8, double a9,
     double a10, int64_t a11, double a12, double a13, nest a14, float a15, int32_t a16), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 211;
    SAME(211, 0) SAME(211, 1) SAME(211, 2) SAME(211, 3) SAME(211, 4) SAME(211, 5) SAME(211, 6) SAME(211, 7)
    SAME(211, 8) SAME(211, 9) SAME(211, 10) SAME(211, 11) SAME(211, 12) SAME(211, 13) SAME_STRUCT(nest, 211, 14)
    SAME(211, 15) SAME(211, 16)
}
NO_RESULT(211)
static void *const argv212[] = { NULL };
static const int16_t r212 = -32768;
COHORT_FUNCTION_RETURNING(int16_t, case212,
    (void), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 212;
    return r212;
}
RESULT(212, int16_t)
static const struct {
    const void *a0;
} v213 = {
    &numbers[5]
};
static void *const argv213[] = {
    A(213, 0)
};
static const long long r213 = -99ll;
COHORT_FUNCTION_RETURNING(long long, case213,
    (const float a0[2]), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 213;
    SAME(213, 0)
    return r213;
}
RESULT(213, long long)
static const struct {
    uint64_t a0; int16_t a1;
} v214 = {
    18446744073709551615u, -32768
};
static void *const argv214[] = {
    A(214, 0), A(214, 1)
};
static const _Complex long double r214 = -198.25L + -169.0L * I;
COHORT_FUNCTION_RETURNING(_Complex long double, case214,
    (uint64_t a0, int16_t a1), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 214;
    SAME(214, 0) SAME(214, 1)
    return r214;
}
RESULT(214, _Complex long double)
static const struct {
    int64_t a0; unsigned char a1; long double a2;
} v215 = {
    -9223372036854775807, 0, 426.875L
};
static void *const argv215[] = {
    A(215, 0), A(215, 1), A(215, 2)
};
static const short r215 = 8121;
COHORT_FUNCTION_RETURNING(short, case215,
    (int64_t a0, unsigned char a1, long double a2), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 215;
    SAME(215, 0) SAME(215, 1) SAME(215, 2)
    return r215;
}
RESULT(215, short)
static const struct {
    uint16_t a0; long a1; unsigned char a2; long long a3;
} v216 = {
    65535, 1106685341, 176, -9223372036854775807ll
};
static void *const argv216[] = {
    A(216, 0), A(216, 1), A(216, 2), A(216, 3)
};
static const size_t r216 = 0;
COHORT_FUNCTION_RETURNING(size_t, case216,
    (uint16_t a0, long a1, unsigned char a2, long long a3), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 216;
    SAME(216, 0) SAME(216, 1) SAME(216, 2) SAME(216, 3)
    return r216;
}
RESULT(216, size_t)
static const struct {
    int64_t a0; intptr_t a1; const void *a2; const void *a3; const void *a4;
} v217 = {
    -9223372036854775807, -41, &numbers[6], &numbers[1], &numbers[0]
};
static void *const argv217[] = {
    A(217, 0), A(217, 1), A(217, 2), A(217, 3), A(217, 4)
};
static const _Bool r217 = 0;
COHORT_FUNCTION_RETURNING(_Bool, case217,
    (int64_t a0, intptr_t a1, const float a2[2], void *a3, void *a4), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 217;
    SAME(217, 0) SAME(217, 1) SAME(217, 2) SAME(217, 3) SAME(217, 4)
    return r217;
}
RESULT(217, _Bool)
static const struct {
    short a0; uint32_t a1; unsigned long long int a2; int64_t a3; const void *a4; const void *a5;
} v218 = {
    -32768, 4294967295, 15122708801035987947u, 49, &numbers[0], &numbers[0]
};
static void *const argv218[] = {
    A(218, 0), A(218, 1), A(218, 2), A(218, 3), A(218, 4), A(218, 5)
};
static const char r218 = 85;
COHORT_FUNCTION_RETURNING(char, case218,
    (short a0, uint32_t a1, unsigned long long int a2, int64_t a3, const float a4[2], void *a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 218;
    SAME(218, 0) SAME(218, 1) SAME(218, 2) SAME(218, 3) SAME(218, 4) SAME(218, 5)
    return r218;
}
RESULT(218, char)
static const struct {
    size_t a0; int8_t a1; _Bool a2; float _Complex a3; double a4; const void *a5; int long unsigned a6;
} v219 = {
    4294967295, -10, 0, -362.875f + 273.0f * I, -118.5, &numbers[3], 4294967295
};
static void *const argv219[] = {
    A(219, 0), A(219, 1), A(219, 2), A(219, 3), A(219, 4), A(219, 5), A(219, 6)
};
static const int32_t r219 = 12;
COHORT_FUNCTION_RETURNING(int32_t, case219,
    (size_t a0, int8_t a1, _Bool a2, float _Complex a3, double a4, const float a5[2], int long unsigned a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 219;
    SAME(219, 0) SAME(219, 1) SAME(219, 2) SAME(219, 3) SAME(219, 4) SAME(219, 5) SAME(219, 6)
    return r219;
}
RESULT(219, int32_t)
static const struct {
    unsigned short int a0; long double a1; _Bool a2; const void *a3; int32_t a4; int long unsigned a5; int64_t a6;
    unsigned long long int a7;
} v220 = {
    0, -456.5L, 0, &numbers[6], -2147483647, 2323036426, -9223372036854775807, 13377546701000172344u
};
static void *const argv220[] = {
    A(220, 0), A(220, 1), A(220, 2), A(220, 3), A(220, 4), A(220, 5), A(220, 6), A(220, 7)
};
static const int r220 = -2147483647;
COHORT_FUNCTION_RETURNING(int, case220,
    (unsigned short int a0, long double a1, _Bool a2, const float a3[2], int32_t a4, int long unsigned a5, int64_t a6,
     unsigned long long int a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 220;
    SAME(220, 0) SAME(220, 1) SAME(220, 2) SAME(220, 3) SAME(220, 4) SAME(220, 5) SAME(220, 6) SAME(220, 7)
    return r220;
}
RESULT(220, int)
static const struct {
    int a0; short a1; long double a2; double a3; long double a4; float a5; _Complex long double a6; size_t a7;
    int64_t a8;
} v221 = {
    -77, 16391, 62.5L, 387.875, -9.25L, 477.0f, 138.875L + -27.25L * I, 1819209908, 2493694653845945262
};
static void *const argv221[] = {
    A(221, 0), A(221, 1), A(221, 2), A(221, 3), A(221, 4), A(221, 5), A(221, 6), A(221, 7), A(221, 8)
};
static const int long unsigned r221 = 2431084236;
COHORT_FUNCTION_RETURNING(int long unsigned, case221,
    (int a0, short a1, long double a2, double a3, long double a4, float a5, _Complex long double a6, size_t a7,
     int64_t a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 221;
    SAME(221, 0) SAME(221, 1) SAME(221, 2) SAME(221, 3) SAME(221, 4) SAME(221, 5) SAME(221, 6) SAME(221, 7)
    SAME(221, 8)
    return r221;
}
RESULT(221, int long unsigned)
static const struct {
    long long a0; int32_t a1; char a2; const void *a3; long long a4; const void *a5; float _Complex a6; const void *a7;
    unsigned char a8; int64_t a9;
} v222 = {
    -9223372036854775807ll, -1935851788, 46, &numbers[6], -41ll, &numbers[1], 302.75f + 214.75f * I, &numbers[1], 255,
    -5978598885184663201
};
static void *const argv222[] = {
    A(222, 0), A(222, 1), A(222, 2), A(222, 3), A(222, 4), A(222, 5), A(222, 6), A(222, 7), A(222, 8), A(222, 9)
};
static const unsigned r222 = 3036517585;
COHORT_FUNCTION_RETURNING(unsigned, case222,
    (long long a0, int32_t a1, char a2, const float a3[2], long long a4, const float a5[2], float _Complex a6,
     const float a7[2], unsigned char a8, int64_t a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 222;
    SAME(222, 0) SAME(222, 1) SAME(222, 2) SAME(222, 3) SAME(222, 4) SAME(222, 5) SAME(222, 6) SAME(222, 7)
    SAME(222, 8) SAME(222, 9)
    return r222;
}
RESULT(222, unsigned)
static const struct {
    float a0; signed char a1; ptrdiff_t a2; size_t a3; unsigned a4; int64_t a5; long a6; uint64_t a7; float a8;
    uint32_t a9; int long unsigned a10;
} v223 = {
    371.75f, -45, -2147483647, 0, 71293091, -9223372036854775807, 4, 7742128199780860109u, 236.25f, 3208816997,
    1450882643
};
static void *const argv223[] = {
    A(223, 0), A(223, 1), A(223, 2), A(223, 3), A(223, 4), A(223, 5), A(223, 6), A(223, 7), A(223, 8), A(223, 9),
    A(223, 10)
};
static const uint8_t r223 = 28;
COHORT_FUNCTION_RETURNING(uint8_t, case223,
    (float a0, signed char a1, ptrdiff_t a2, size_t a3, unsigned a4, int64_t a5, long a6, uint64_t a7, float a8,
     uint32_t a9, int long unsigned a10), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 223;
    SAME(223, 0) SAME(223, 1) SAME(223, 2) SAME(223, 3) SAME(223, 4) SAME(223, 5) SAME(223, 6) SAME(223, 7)
    SAME(223, 8) SAME(223, 9) SAME(223, 10)
    return r223;
}
RESULT(223, uint8_t)
static const struct {
    int16_t a0; intptr_t a1; unsigned a2; int a3; long double a4; uint32_t a5; short a6; ptrdiff_t a7; uint64_t a8;
    long long a9; double _Complex a10; const void *a11;
} v224 = {
    32767, 2147483647, 1114664672, 2147483647, 183.625L, 3832909220, -78, 2147483647, 8111610280560106160u, 56ll,
    474.75 + -37.625 * I, &numbers[5]
};
static void *const argv224[] = {
    A(224, 0), A(224, 1), A(224, 2), A(224, 3), A(224, 4), A(224, 5), A(224, 6), A(224, 7), A(224, 8), A(224, 9),
    A(224, 10), A(224, 11)
};
static const float r224 = 430.375f;
COHORT_FUNCTION_RETURNING(float, case224,
    (int16_t a0, intptr_t a1, unsigned a2, int a3, long double a4, uint32_t a5, short a6, ptrdiff_t a7, uint64_t a8,
     long long a9, double _Complex a10, void *a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 224;
    SAME(224, 0) SAME(224, 1) SAME(224, 2) SAME(224, 3) SAME(224, 4) SAME(224, 5) SAME(224, 6) SAME(224, 7)
    SAME(224, 8) SAME(224, 9) SAME(224, 10) SAME(224, 11)
    return r224;
}
RESULT(224, float)
static const struct {
    unsigned long long int a0; double a1; size_t a2; ptrdiff_t a3; int8_t a4; char a5; unsigned a6; const void *a7;
    uint64_t a8; ptrdiff_t a9; int a10; unsigned a11; intptr_t a12;
} v225 = {
    18446744073709551615u, -457.25, 4294967295, -1858709171, -39, 74, 2, &numbers[2], 18446744073709551615u,
    -2147483647, -2147483647, 0, 46
};
static void *const argv225[] = {
    A(225, 0), A(225, 1), A(225, 2), A(225, 3), A(225, 4), A(225, 5), A(225, 6), A(225, 7), A(225, 8), A(225, 9),
    A(225, 10), A(225, 11), A(225, 12)
};
static const uint8_t r225 = 0;
COHORT_FUNCTION_RETURNING(uint8_t, case225,
    (unsigned long long int a0, double a1, size_t a2, ptrdiff_t a3, int8_t a4, char a5, unsigned a6, void *a7,
     uint64_t a8, ptrdiff_t a9, int a10, unsigned a11, intptr_t a12), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 225;
    SAME(225, 0) SAME(225, 1) SAME(225, 2) SAME(225, 3) SAME(225, 4) SAME(225, 5) SAME(225, 6) SAME(225, 7)
    SAME(225, 8) SAME(225, 9) SAME(225, 10) SAME(225, 11) SAME(225, 12)
    return r225;
}
RESULT(225, uint8_t)
static const struct {
    float a0; long long a1; char a2; signed char a3; int32_t a4; float _Complex a5; double a6; float _Complex a7;
    double _Complex a8; const void *a9; int8_t a10; int32_t a11; int8_t a12; unsigned long long int a13;
} v226 = {
    213.5f, 9223372036854775807ll, 83, -46, 2147483647, -125.125f + -259.375f * I, -364.5, 348.5f + 318.75f * I,
    -193.75 + 339.625 * I, &numbers[5], 127, 2147483647, 127, 0u
};
static void *const argv226[] = {
    A(226, 0), A(226, 1), A(226, 2), A(226, 3), A(226, 4), A(226, 5), A(226, 6), A(226, 7), A(226, 8), A(226, 9),
    A(226, 10), A(226, 11), A(226, 12), A(226, 13)
};
static const unsigned short int r226 = 25156;
COHORT_FUNCTION_RETURNING(unsigned short int, case226,
    (float a0, long long a1, char a2, signed char a3, int32_t a4, float _Complex a5, double a6, float _Complex a7,
     double _Complex a8, void *a9, int8_t a10, int32_t a11, int8_t a12, unsigned long long int a13), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 226;
    SAME(226, 0) SAME(226, 1) SAME(226, 2) SAME(226, 3) SAME(226, 4) SAME(226, 5) SAME(226, 6) SAME(226, 7)
    SAME(226, 8) SAME(226, 9) SAME(226, 10) SAME(226, 11) SAME(226, 12) SAME(226, 13)
    return r226;
}
RESULT(226, unsigned short int)
static const struct {
    const void *a0; const void *a1; const void *a2; const void *a3; unsigned short int a4; unsigned short int a5;
    unsigned long long int a6; char a7; unsigned long long int a8; int a9; uint64_t a10; size_t a11; intptr_t a12;
    long long a13; double _Complex a14;
} v227 = {
    &numbers[4], &numbers[4], &numbers[0], &numbers[0], 87, 40, 8516312418297432503u, 13, 18446744073709551615u,
    2147483647, 32u, 18, -2147483647, 21ll, 460.75 + -421.125 * I
};
static void *const argv227[] = {
    A(227, 0), A(227, 1), A(227, 2), A(227, 3), A(227, 4), A(227, 5), A(227, 6), A(227, 7), A(227, 8), A(227, 9),
    A(227, 10), A(227, 11), A(227, 12), A(227, 13), A(227, 14)
};
static const uint32_t r227 = 0;
COHORT_FUNCTION_RETURNING(uint32_t, case227,
    (void *a0, const float a1[2], const float a2[2], const float a3[2], unsigned short int a4, unsigned short int a5,
     unsigned long long int a6, char a7, unsigned long long int a8, int a9, uint64_t a10, size_t a11, intptr_t a12,
     long long a13, double _Complex a14), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 227;
    SAME(227, 0) SAME(227, 1) SAME(227, 2) SAME(227, 3) SAME(227, 4) SAME(227, 5) SAME(227, 6) SAME(227, 7)
    SAME(227, 8) SAME(227, 9) SAME(227, 10) SAME(227, 11) SAME(227, 12) SAME(227, 13) SAME(227, 14)
    return r227;
}
RESULT(227, uint32_t)
static const struct {
    int a0; const void *a1; float _Complex a2; int16_t a3; uint32_t a4; int8_t a5; int a6; int a7; uint64_t a8;
    int32_t a9; char a10; const void *a11; unsigned short int a12; int8_t a13; uint64_t a14; signed char a15;
} v228 = {
    -2147483647, &numbers[3], 27.5f + 486.375f * I, 7794, 3319365222, -128, -960872776, 2147483647, 22u, 2147483647, 0,
    &numbers[6], 0, -67, 8606068472291656806u, -48
};
static void *const argv228[] = {
    A(228, 0), A(228, 1), A(228, 2), A(228, 3), A(228, 4), A(228, 5), A(228, 6), A(228, 7), A(228, 8), A(228, 9),
    A(228, 10), A(228, 11), A(228, 12), A(228, 13), A(228, 14), A(228, 15)
};
static const size_t r228 = 4294967295;
COHORT_FUNCTION_RETURNING(size_t, case228,
    (int a0, const float a1[2], float _Complex a2, int16_t a3, uint32_t a4, int8_t a5, int a6, int a7, uint64_t a8,
     int32_t a9, char a10, const float a11[2], unsigned short int a12, int8_t a13, uint64_t a14, signed char a15), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 228;
    SAME(228, 0) SAME(228, 1) SAME(228, 2) SAME(228, 3) SAME(228, 4) SAME(228, 5) SAME(228, 6) SAME(228, 7)
    SAME(228, 8) SAME(228, 9) SAME(228, 10) SAME(228, 11) SAME(228, 12) SAME(228, 13) SAME(228, 14) SAME(228, 15)
    return r228;
}
RESULT(228, size_t)
static const struct {
    float a0; double _Complex a1; const void *a2; double _Complex a3; const void *a4; int64_t a5;
    _Complex long double a6; float _Complex a7; char a8; _Complex long double a9; uint8_t a10; double _Complex a11;
    float a12; int long unsigned a13; uint16_t a14; int32_t a15; const void *a16;
} v229 = {
    384.625f, 490.25 + -341.75 * I, &numbers[0], -307.875 + 186.375 * I, &numbers[5], -9223372036854775807,
    41.25L + 349.375L * I, -144.125f + -242.625f * I, 23, 358.5L + -286.625L * I, 255, -72.5 + -358.125 * I, 332.625f,
    662955821, 65535, 22, &numbers[2]
};
static void *const argv229[] = {
    A(229, 0), A(229, 1), A(229, 2), A(229, 3), A(229, 4), A(229, 5), A(229, 6), A(229, 7), A(229, 8), A(229, 9),
    A(229, 10), A(229, 11), A(229, 12), A(229, 13), A(229, 14), A(229, 15), A(229, 16)
};
static const uint16_t r229 = 42813;
COHORT_FUNCTION_RETURNING(uint16_t, case229,
    (float a0, double _Complex a1, void *a2, double _Complex a3, void *a4, int64_t a5, _Complex long double a6,
     float _Complex a7, char a8, _Complex long double a9, uint8_t a10, double _Complex a11, float a12,
     int long unsigned a13, uint16_t a14, int32_t a15, void *a16), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 229;
    SAME(229, 0) SAME(229, 1) SAME(229, 2) SAME(229, 3) SAME(229, 4) SAME(229, 5) SAME(229, 6) SAME(229, 7)
    SAME(229, 8) SAME(229, 9) SAME(229, 10) SAME(229, 11) SAME(229, 12) SAME(229, 13) SAME(229, 14) SAME(229, 15)
    SAME(229, 16)
    return r229;
}
RESULT(229, uint16_t)
static const struct {
    _Bool a0; int32_t a1; uint16_t a2; int32_t a3; unsigned char a4; int32_t a5; uint16_t a6; int32_t a7; double a8;
    int a9; double _Complex a10; const void *a11; long long a12; _Bool a13; unsigned long long int a14;
    const void *a15; const void *a16; float a17;
} v230 = {
    1, 2147483647, 36180, 2147483647, 255, -27, 39, -2147483647, -450.25, -30, 218.75 + -256.5 * I, &numbers[5],
    5783713155882917135ll, 1, 14193345684089974166u, &numbers[1], &numbers[6], -239.875f
};
static void *const argv230[] = {
    A(230, 0), A(230, 1), A(230, 2), A(230, 3), A(230, 4), A(230, 5), A(230, 6), A(230, 7), A(230, 8), A(230, 9),
    A(230, 10), A(230, 11), A(230, 12), A(230, 13), A(230, 14), A(230, 15), A(230, 16), A(230, 17)
};
static const int long unsigned r230 = 51;
COHORT_FUNCTION_RETURNING(int long unsigned, case230,
    (_Bool a0, int32_t a1, uint16_t a2, int32_t a3, unsigned char a4, int32_t a5, uint16_t a6, int32_t a7, double a8,
     int a9, double _Complex a10, void *a11, long long a12, _Bool a13, unsigned long long int a14, void *a15,
     void *a16, float a17), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 230;
    SAME(230, 0) SAME(230, 1) SAME(230, 2) SAME(230, 3) SAME(230, 4) SAME(230, 5) SAME(230, 6) SAME(230, 7)
    SAME(230, 8) SAME(230, 9) SAME(230, 10) SAME(230, 11) SAME(230, 12) SAME(230, 13) SAME(230, 14) SAME(230, 15)
    SAME(230, 16) SAME(230, 17)
    return r230;
}
RESULT(230, int long unsigned)
static const struct {
    intptr_t a0; intptr_t a1; long long a2; float _Complex a3; uint8_t a4; int64_t a5; signed char a6; int16_t a7;
    double _Complex a8; const void *a9; unsigned short int a10; int long unsigned a11; uint64_t a12; long double a13;
    uint64_t a14; uint16_t a15; _Complex long double a16; float _Complex a17; signed char a18;
} v231 = {
    -2147483647, -1659341336, 44ll, -28.875f + 202.0f * I, 56, -8780043731372926132, 127, 45, -500.0 + 337.0 * I,
    &numbers[2], 10003, 4294967295, 0u, -330.0L, 4972978105006793433u, 0, 249.625L + -417.25L * I,
    252.25f + 466.0f * I, -7
};
static void *const argv231[] = {
    A(231, 0), A(231, 1), A(231, 2), A(231, 3), A(231, 4), A(231, 5), A(231, 6), A(231, 7), A(231, 8), A(231, 9),
    A(231, 10), A(231, 11), A(231, 12), A(231, 13), A(231, 14), A(231, 15), A(231, 16), A(231, 17), A(231, 18)
};
static const double _Complex r231 = 29.375 + 181.0 * I;
COHORT_FUNCTION_RETURNING(double _Complex, case231,
    (intptr_t a0, intptr_t a1, long long a2, float _Complex a3, uint8_t a4, int64_t a5, signed char a6, int16_t a7,
     double _Complex a8, void *a9, unsigned short int a10, int long unsigned a11, uint64_t a12, long double a13,
     uint64_t a14, uint16_t a15, _Complex long double a16, float _Complex a17, signed char a18), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 231;
    SAME(231, 0) SAME(231, 1) SAME(231, 2) SAME(231, 3) SAME(231, 4) SAME(231, 5) SAME(231, 6) SAME(231, 7)
    SAME(231, 8) SAME(231, 9) SAME(231, 10) SAME(231, 11) SAME(231, 12) SAME(231, 13) SAME(231, 14) SAME(231, 15)
    SAME(231, 16) SAME(231, 17) SAME(231, 18)
    return r231;
}
RESULT(231, double _Complex)
static const struct {
    char a0; uintptr_t a1; short a2; uint8_t a3; intptr_t a4; intptr_t a5; double a6; float _Complex a7; int16_t a8;
    float _Complex a9; unsigned char a10; uint16_t a11; const void *a12; unsigned a13; int32_t a14;
    double _Complex a15; int long unsigned a16; uint16_t a17; size_t a18; const void *a19;
} v232 = {
    0, 0, -29, 0, 2147483647, -44, -53.5, -324.875f + 291.625f * I, -32768, -489.5f + 487.125f * I, 72, 10,
    &numbers[0], 2308167925, 2147483647, 284.25 + -210.125 * I, 4294967295, 65535, 0, &numbers[3]
};
static void *const argv232[] = {
    A(232, 0), A(232, 1), A(232, 2), A(232, 3), A(232, 4), A(232, 5), A(232, 6), A(232, 7), A(232, 8), A(232, 9),
    A(232, 10), A(232, 11), A(232, 12), A(232, 13), A(232, 14), A(232, 15), A(232, 16), A(232, 17), A(232, 18),
    A(232, 19)
};
static const ptrdiff_t r232 = 13;
COHORT_FUNCTION_RETURNING(ptrdiff_t, case232,
    (char a0, uintptr_t a1, short a2, uint8_t a3, intptr_t a4, intptr_t a5, double a6, float _Complex a7, int16_t a8,
     float _Complex a9, unsigned char a10, uint16_t a11, void *a12, unsigned a13, int32_t a14, double _Complex a15,
     int long unsigned a16, uint16_t a17, size_t a18, void *a19), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 232;
    SAME(232, 0) SAME(232, 1) SAME(232, 2) SAME(232, 3) SAME(232, 4) SAME(232, 5) SAME(232, 6) SAME(232, 7)
    SAME(232, 8) SAME(232, 9) SAME(232, 10) SAME(232, 11) SAME(232, 12) SAME(232, 13) SAME(232, 14) SAME(232, 15)
    SAME(232, 16) SAME(232, 17) SAME(232, 18) SAME(232, 19)
    return r232;
}
RESULT(232, ptrdiff_t)
static const struct {
    int8_t a0; uintptr_t a1; char a2; signed char a3; long double a4; int32_t a5; int32_t a6; unsigned a7; intptr_t a8;
    float _Complex a9; double a10; double _Complex a11; long a12; unsigned char a13; size_t a14; char a15; short a16;
    _Complex long double a17; _Complex long double a18; uint32_t a19; const void *a20;
} v233 = {
    -70, 49, 27, -128, -110.25L, 2147483647, 1215459794, 51, -2147483647, -432.625f + -144.5f * I, 365.625,
    280.0 + -263.0 * I, -2147483647, 255, 4294967295, 107, -9081, 152.625L + 496.25L * I, -183.5L + -287.0L * I, 0,
    &numbers[0]
};
static void *const argv233[] = {
    A(233, 0), A(233, 1), A(233, 2), A(233, 3), A(233, 4), A(233, 5), A(233, 6), A(233, 7), A(233, 8), A(233, 9),
    A(233, 10), A(233, 11), A(233, 12), A(233, 13), A(233, 14), A(233, 15), A(233, 16), A(233, 17), A(233, 18),
    A(233, 19), A(233, 20)
};
static const float r233 = -163.875f;
COHORT_FUNCTION_RETURNING(float, case233,
    (int8_t a0, uintptr_t a1, char a2, signed char a3, long double a4, int32_t a5, int32_t a6, unsigned a7,
     intptr_t a8, float _Complex a9, double a10, double _Complex a11, long a12, unsigned char a13, size_t a14,
     char a15, short a16, _Complex long double a17, _Complex long double a18, uint32_t a19, const float a20[2]), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 233;
    SAME(233, 0) SAME(233, 1) SAME(233, 2) SAME(233, 3) SAME(233, 4) SAME(233, 5) SAME(233, 6) SAME(233, 7)
    SAME(233, 8) SAME(233, 9) SAME(233, 10) SAME(233, 11) SAME(233, 12) SAME(233, 13) SAME(233, 14) SAME(233, 15)
    SAME(233, 16) SAME(233, 17) SAME(233, 18) SAME(233, 19) SAME(233, 20)
    return r233;
}
RESULT(233, float)
static const struct {
    const void *a0; _Complex long double a1; long long a2; int32_t a3; unsigned long long int a4; long a5; int64_t a6;
    const void *a7; signed char a8; signed char a9; unsigned short int a10; int long unsigned a11; int8_t a12;
    const void *a13; int8_t a14; signed char a15; int a16; long long a17; unsigned short int a18; ptrdiff_t a19;
    char a20; int long unsigned a21;
} v234 = {
    &numbers[4], -50.875L + 56.375L * I, -1031924654928962216ll, 2147483647, 0u, 2147483647, 97, &numbers[1], -128,
    -95, 0, 0, -128, &numbers[2], 99, 46, 2147483647, -1ll, 14655, -2147483647, 16, 4294967295
};
static void *const argv234[] = {
    A(234, 0), A(234, 1), A(234, 2), A(234, 3), A(234, 4), A(234, 5), A(234, 6), A(234, 7), A(234, 8), A(234, 9),
    A(234, 10), A(234, 11), A(234, 12), A(234, 13), A(234, 14), A(234, 15), A(234, 16), A(234, 17), A(234, 18),
    A(234, 19), A(234, 20), A(234, 21)
};
static const double _Complex r234 = -93.625 + 414.75 * I;
COHORT_FUNCTION_RETURNING(double _Complex, case234,
    (const float a0[2], _Complex long double a1, long long a2, int32_t a3, unsigned long long int a4, long a5,
     int64_t a6, const float a7[2], signed char a8, signed char a9, unsigned short int a10, int long unsigned a11,
     int8_t a12, void *a13, int8_t a14, signed char a15, int a16, long long a17, unsigned short int a18, ptrdiff_t a19,
     char a20, int long unsigned a21), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 234;
    SAME(234, 0) SAME(234, 1) SAME(234, 2) SAME(234, 3) SAME(234, 4) SAME(234, 5) SAME(234, 6) SAME(234, 7)
    SAME(234, 8) SAME(234, 9) SAME(234, 10) SAME(234, 11) SAME(234, 12) SAME(234, 13) SAME(234, 14) SAME(234, 15)
    SAME(234, 16) SAME(234, 17) SAME(234, 18) SAME(234, 19) SAME(234, 20) SAME(234, 21)
    return r234;
}
RESULT(234, double _Complex)
static const struct {
    const void *a0; const void *a1; const void *a2; long long a3; long long a4; uint64_t a5; double _Complex a6;
    uint16_t a7; intptr_t a8; double _Complex a9; const void *a10; const void *a11; int long unsigned a12; int64_t a13;
    int16_t a14; long long a15; const void *a16; unsigned char a17; double a18; int8_t a19; intptr_t a20; float a21;
    unsigned long long int a22;
} v235 = {
    &numbers[2], &numbers[0], &numbers[6], -19ll, -9223372036854775807ll, 6737168155221188535u, -36.875 + 112.375 * I,
    66, -2147483647, -441.125 + -399.875 * I, &numbers[6], &numbers[4], 4294967295, 9223372036854775807, 55,
    9223372036854775807ll, &numbers[4], 255, -442.0, 127, -2088154767, 373.625f, 0u
};
static void *const argv235[] = {
    A(235, 0), A(235, 1), A(235, 2), A(235, 3), A(235, 4), A(235, 5), A(235, 6), A(235, 7), A(235, 8), A(235, 9),
    A(235, 10), A(235, 11), A(235, 12), A(235, 13), A(235, 14), A(235, 15), A(235, 16), A(235, 17), A(235, 18),
    A(235, 19), A(235, 20), A(235, 21), A(235, 22)
};
static const int64_t r235 = 9223372036854775807;
COHORT_FUNCTION_RETURNING(int64_t, case235,
    (void *a0, const float a1[2], void *a2, long long a3, long long a4, uint64_t a5, double _Complex a6, uint16_t a7,
     intptr_t a8, double _Complex a9, void *a10, void *a11, int long unsigned a12, int64_t a13, int16_t a14,
     long long a15, const float a16[2], unsigned char a17, double a18, int8_t a19, intptr_t a20, float a21,
     unsigned long long int a22), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 235;
    SAME(235, 0) SAME(235, 1) SAME(235, 2) SAME(235, 3) SAME(235, 4) SAME(235, 5) SAME(235, 6) SAME(235, 7)
    SAME(235, 8) SAME(235, 9) SAME(235, 10) SAME(235, 11) SAME(235, 12) SAME(235, 13) SAME(235, 14) SAME(235, 15)
    SAME(235, 16) SAME(235, 17) SAME(235, 18) SAME(235, 19) SAME(235, 20) SAME(235, 21) SAME(235, 22)
    return r235;
}
RESULT(235, int64_t)
static const struct {
    char a0; uint32_t a1; int a2; float a3; uint8_t a4; uint8_t a5; const void *a6; const void *a7; const void *a8;
    const void *a9; const void *a10; unsigned long long int a11; int32_t a12; const void *a13; long a14;
    double _Complex a15; long long a16; size_t a17; unsigned a18; intptr_t a19; int16_t a20; ptrdiff_t a21; _Bool a22;
    double a23;
} v236 = {
    6, 19, 2038225900, 497.25f, 2, 0, &numbers[6], &numbers[5], &numbers[5], &numbers[3], &numbers[3],
    15454492558205815536u, -155971061, &numbers[0], -2147483647, -377.875 + -443.5 * I, -23ll, 10, 4294967295,
    -2147483647, 32767, -40, 0, 489.875
};
static void *const argv236[] = {
    A(236, 0), A(236, 1), A(236, 2), A(236, 3), A(236, 4), A(236, 5), A(236, 6), A(236, 7), A(236, 8), A(236, 9),
    A(236, 10), A(236, 11), A(236, 12), A(236, 13), A(236, 14), A(236, 15), A(236, 16), A(236, 17), A(236, 18),
    A(236, 19), A(236, 20), A(236, 21), A(236, 22), A(236, 23)
};
static const double _Complex r236 = 467.375 + -64.5 * I;
COHORT_FUNCTION_RETURNING(double _Complex, case236,
    (char a0, uint32_t a1, int a2, float a3, uint8_t a4, uint8_t a5, void *a6, const float a7[2], void *a8, void *a9,
     const float a10[2], unsigned long long int a11, int32_t a12, void *a13, long a14, double _Complex a15,
     long long a16, size_t a17, unsigned a18, intptr_t a19, int16_t a20, ptrdiff_t a21, _Bool a22, double a23), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 236;
    SAME(236, 0) SAME(236, 1) SAME(236, 2) SAME(236, 3) SAME(236, 4) SAME(236, 5) SAME(236, 6) SAME(236, 7)
    SAME(236, 8) SAME(236, 9) SAME(236, 10) SAME(236, 11) SAME(236, 12) SAME(236, 13) SAME(236, 14) SAME(236, 15)
    SAME(236, 16) SAME(236, 17) SAME(236, 18) SAME(236, 19) SAME(236, 20) SAME(236, 21) SAME(236, 22) SAME(236, 23)
    return r236;
}
RESULT(236, double _Complex)
static const struct {
    unsigned char a0; _Complex long double a1; const void *a2; uint32_t a3; long long a4; double _Complex a5;
    signed char a6; double a7; const void *a8; double a9; size_t a10; const void *a11; const void *a12; char a13;
    ptrdiff_t a14; unsigned long long int a15; int a16; int32_t a17; const void *a18; const void *a19;
    int long unsigned a20; short a21; int64_t a22; uintptr_t a23; uint32_t a24;
} v237 = {
    255, 58.5L + 251.75L * I, &numbers[6], 85601092, -9223372036854775807ll, -226.75 + -455.0 * I, 120, 31.5,
    &numbers[1], 477.125, 4141052482, &numbers[0], &numbers[2], 37, -495452755, 9803357481158112831u, 1747598639, 32,
    &numbers[1], &numbers[6], 28, -32768, -9223372036854775807, 4294967295, 0
};
static void *const argv237[] = {
    A(237, 0), A(237, 1), A(237, 2), A(237, 3), A(237, 4), A(237, 5), A(237, 6), A(237, 7), A(237, 8), A(237, 9),
    A(237, 10), A(237, 11), A(237, 12), A(237, 13), A(237, 14), A(237, 15), A(237, 16), A(237, 17), A(237, 18),
    A(237, 19), A(237, 20), A(237, 21), A(237, 22), A(237, 23), A(237, 24)
};
static const signed char r237 = -128;
COHORT_FUNCTION_RETURNING(signed char, case237,
    (unsigned char a0, _Complex long double a1, const float a2[2], uint32_t a3, long long a4, double _Complex a5,
     signed char a6, double a7, const float a8[2], double a9, size_t a10, const float a11[2], const float a12[2],
     char a13, ptrdiff_t a14, unsigned long long int a15, int a16, int32_t a17, void *a18, const float a19[2],
     int long unsigned a20, short a21, int64_t a22, uintptr_t a23, uint32_t a24), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 237;
    SAME(237, 0) SAME(237, 1) SAME(237, 2) SAME(237, 3) SAME(237, 4) SAME(237, 5) SAME(237, 6) SAME(237, 7)
    SAME(237, 8) SAME(237, 9) SAME(237, 10) SAME(237, 11) SAME(237, 12) SAME(237, 13) SAME(237, 14) SAME(237, 15)
    SAME(237, 16) SAME(237, 17) SAME(237, 18) SAME(237, 19) SAME(237, 20) SAME(237, 21) SAME(237, 22) SAME(237, 23)
    SAME(237, 24)
    return r237;
}
RESULT(237, signed char)
static const struct {
    int8_t a0; double a1; float a2; short a3; short a4; unsigned char a5; double a6; int32_t a7; int8_t a8;
    const void *a9; int64_t a10; long long a11; long double a12; unsigned short int a13; const void *a14; float a15;
    float a16; const void *a17; long a18; uint64_t a19; long a20; int a21; float _Complex a22; float a23;
    uintptr_t a24; uint16_t a25;
} v238 = {
    21, 36.75, 391.0f, 32767, -32768, 0, -291.125, -30, -128, &numbers[1], 67, -9223372036854775807ll, -471.375L, 8184,
    &numbers[6], -148.125f, 12.375f, &numbers[5], -2147483647, 92u, 2147483647, -2147483647, 484.375f + 194.0f * I,
    -226.25f, 0, 65535
};
static void *const argv238[] = {
    A(238, 0), A(238, 1), A(238, 2), A(238, 3), A(238, 4), A(238, 5), A(238, 6), A(238, 7), A(238, 8), A(238, 9),
    A(238, 10), A(238, 11), A(238, 12), A(238, 13), A(238, 14), A(238, 15), A(238, 16), A(238, 17), A(238, 18),
    A(238, 19), A(238, 20), A(238, 21), A(238, 22), A(238, 23), A(238, 24), A(238, 25)
};
static const unsigned long long int r238 = 15094916005883194845u;
COHORT_FUNCTION_RETURNING(unsigned long long int, case238,
    (int8_t a0, double a1, float a2, short a3, short a4, unsigned char a5, double a6, int32_t a7, int8_t a8,
     const float a9[2], int64_t a10, long long a11, long double a12, unsigned short int a13, void *a14, float a15,
     float a16, const float a17[2], long a18, uint64_t a19, long a20, int a21, float _Complex a22, float a23,
     uintptr_t a24, uint16_t a25), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 238;
    SAME(238, 0) SAME(238, 1) SAME(238, 2) SAME(238, 3) SAME(238, 4) SAME(238, 5) SAME(238, 6) SAME(238, 7)
    SAME(238, 8) SAME(238, 9) SAME(238, 10) SAME(238, 11) SAME(238, 12) SAME(238, 13) SAME(238, 14) SAME(238, 15)
    SAME(238, 16) SAME(238, 17) SAME(238, 18) SAME(238, 19) SAME(238, 20) SAME(238, 21) SAME(238, 22) SAME(238, 23)
    SAME(238, 24) SAME(238, 25)
    return r238;
}
RESULT(238, unsigned long long int)
static const struct {
    int long unsigned a0; const void *a1; const void *a2; int64_t a3; long long a4; uint64_t a5; long double a6;
    int8_t a7; unsigned long long int a8; intptr_t a9; const void *a10; int16_t a11; intptr_t a12;
    unsigned long long int a13; _Bool a14; const void *a15; int long unsigned a16; double _Complex a17; uint32_t a18;
    const void *a19; _Bool a20; long double a21; ptrdiff_t a22; float a23; unsigned short int a24; uint16_t a25;
    uint32_t a26;
} v239 = {
    4294967295, &numbers[4], &numbers[2], 9223372036854775807, -9223372036854775807ll, 18446744073709551615u,
    -380.125L, 21, 18339169032445635290u, 2147483647, &numbers[3], 32767, 2147483647, 18446744073709551615u, 1,
    &numbers[6], 21, -165.25 + -436.5 * I, 4294967295, &numbers[4], 1, -76.75L, 2147483647, -457.25f, 0, 61548, 0
};
static void *const argv239[] = {
    A(239, 0), A(239, 1), A(239, 2), A(239, 3), A(239, 4), A(239, 5), A(239, 6), A(239, 7), A(239, 8), A(239, 9),
    A(239, 10), A(239, 11), A(239, 12), A(239, 13), A(239, 14), A(239, 15), A(239, 16), A(239, 17), A(239, 18),
    A(239, 19), A(239, 20), A(239, 21), A(239, 22), A(239, 23), A(239, 24), A(239, 25), A(239, 26)
};
static const unsigned char r239 = 255;
COHORT_FUNCTION_RETURNING(unsigned char, case239,
    (int long unsigned a0, const float a1[2], void *a2, int64_t a3, long long a4, uint64_t a5, long double a6,
     int8_t a7, unsigned long long int a8, intptr_t a9, const float a10[2], int16_t a11, intptr_t a12,
     unsigned long long int a13, _Bool a14, const float a15[2], int long unsigned a16, double _Complex a17,
     uint32_t a18, void *a19, _Bool a20, long double a21, ptrdiff_t a22, float a23, unsigned short int a24,
     uint16_t a25, uint32_t a26), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 239;
    SAME(239, 0) SAME(239, 1) SAME(239, 2) SAME(239, 3) SAME(239, 4) SAME(239, 5) SAME(239, 6) SAME(239, 7)
    SAME(239, 8) SAME(239, 9) SAME(239, 10) SAME(239, 11) SAME(239, 12) SAME(239, 13) SAME(239, 14) SAME(239, 15)
    SAME(239, 16) SAME(239, 17) SAME(239, 18) SAME(239, 19) SAME(239, 20) SAME(239, 21) SAME(239, 22) SAME(239, 23)
    SAME(239, 24) SAME(239, 25) SAME(239, 26)
    return r239;
}
RESULT(239, unsigned char)
static const struct {
    double _Complex a0; int8_t a1; _Complex long double a2; const void *a3; ptrdiff_t a4; char a5; unsigned char a6;
    uint16_t a7; signed char a8; const void *a9; short a10; _Bool a11; unsigned long long int a12;
    unsigned short int a13; int a14; long long a15; long a16; unsigned short int a17; _Complex long double a18;
    ptrdiff_t a19; double _Complex a20; const void *a21; const void *a22; ptrdiff_t a23; const void *a24;
    unsigned char a25; const void *a26; short a27;
} v240 = {
    -241.75 + 137.625 * I, 127, -202.125L + 56.375L * I, &numbers[3], 1501573012, 102, 0, 49, 127, &numbers[2], -32768,
    0, 50u, 65535, 2147483647, -9223372036854775807ll, -2147483647, 41565, 487.375L + 45.5L * I, -32,
    298.625 + -475.25 * I, &numbers[4], &numbers[2], 2147483647, &numbers[2], 255, &numbers[3], -32768
};
static void *const argv240[] = {
    A(240, 0), A(240, 1), A(240, 2), A(240, 3), A(240, 4), A(240, 5), A(240, 6), A(240, 7), A(240, 8), A(240, 9),
    A(240, 10), A(240, 11), A(240, 12), A(240, 13), A(240, 14), A(240, 15), A(240, 16), A(240, 17), A(240, 18),
    A(240, 19), A(240, 20), A(240, 21), A(240, 22), A(240, 23), A(240, 24), A(240, 25), A(240, 26), A(240, 27)
};
static const float _Complex r240 = -280.625f + 214.25f * I;
COHORT_FUNCTION_RETURNING(float _Complex, case240,
    (double _Complex a0, int8_t a1, _Complex long double a2, void *a3, ptrdiff_t a4, char a5, unsigned char a6,
     uint16_t a7, signed char a8, void *a9, short a10, _Bool a11, unsigned long long int a12, unsigned short int a13,
     int a14, long long a15, long a16, unsigned short int a17, _Complex long double a18, ptrdiff_t a19,
     double _Complex a20, const float a21[2], void *a22, ptrdiff_t a23, void *a24, unsigned char a25, void *a26,
     short a27), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 240;
    SAME(240, 0) SAME(240, 1) SAME(240, 2) SAME(240, 3) SAME(240, 4) SAME(240, 5) SAME(240, 6) SAME(240, 7)
    SAME(240, 8) SAME(240, 9) SAME(240, 10) SAME(240, 11) SAME(240, 12) SAME(240, 13) SAME(240, 14) SAME(240, 15)
    SAME(240, 16) SAME(240, 17) SAME(240, 18) SAME(240, 19) SAME(240, 20) SAME(240, 21) SAME(240, 22) SAME(240, 23)
    SAME(240, 24) SAME(240, 25) SAME(240, 26) SAME(240, 27)
    return r240;
}
RESULT(240, float _Complex)
static const struct {
    const void *a0; unsigned char a1; int16_t a2; size_t a3; unsigned char a4; const void *a5; double a6;
    const void *a7; ptrdiff_t a8; int8_t a9; float _Complex a10; long double a11; int64_t a12; unsigned a13;
    signed char a14; signed char a15; char a16; int a17; double a18; long a19; _Bool a20; unsigned char a21; int a22;
    uint8_t a23; long double a24; short a25; short a26; unsigned a27; _Bool a28;
} v241 = {
    &numbers[3], 135, -32768, 55, 0, &numbers[2], 175.5, &numbers[5], 2147483647, 10, -493.75f + 66.625f * I, -152.25L,
    -4949838538606988900, 0, 127, -69, 0, -2147483647, -26.25, 2147483647, 0, 0, -74, 179, 100.125L, 32767, 3036,
    2146981360, 0
};
static void *const argv241[] = {
    A(241, 0), A(241, 1), A(241, 2), A(241, 3), A(241, 4), A(241, 5), A(241, 6), A(241, 7), A(241, 8), A(241, 9),
    A(241, 10), A(241, 11), A(241, 12), A(241, 13), A(241, 14), A(241, 15), A(241, 16), A(241, 17), A(241, 18),
    A(241, 19), A(241, 20), A(241, 21), A(241, 22), A(241, 23), A(241, 24), A(241, 25), A(241, 26), A(241, 27),
    A(241, 28)
};
static const intptr_t r241 = 768281732;
COHORT_FUNCTION_RETURNING(intptr_t, case241,
    (const float a0[2], unsigned char a1, int16_t a2, size_t a3, unsigned char a4, const float a5[2], double a6,
     const float a7[2], ptrdiff_t a8, int8_t a9, float _Complex a10, long double a11, int64_t a12, unsigned a13,
     signed char a14, signed char a15, char a16, int a17, double a18, long a19, _Bool a20, unsigned char a21, int a22,
     uint8_t a23, long double a24, short a25, short a26, unsigned a27, _Bool a28), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 241;
    SAME(241, 0) SAME(241, 1) SAME(241, 2) SAME(241, 3) SAME(241, 4) SAME(241, 5) SAME(241, 6) SAME(241, 7)
    SAME(241, 8) SAME(241, 9) SAME(241, 10) SAME(241, 11) SAME(241, 12) SAME(241, 13) SAME(241, 14) SAME(241, 15)
    SAME(241, 16) SAME(241, 17) SAME(241, 18) SAME(241, 19) SAME(241, 20) SAME(241, 21) SAME(241, 22) SAME(241, 23)
    SAME(241, 24) SAME(241, 25) SAME(241, 26) SAME(241, 27) SAME(241, 28)
    return r241;
}
RESULT(241, intptr_t)
static const struct {
    const void *a0; unsigned char a1; _Complex long double a2; uint8_t a3; _Bool a4; int8_t a5; long a6;
    const void *a7; int a8; size_t a9; unsigned char a10; const void *a11; int long unsigned a12; int16_t a13;
    ptrdiff_t a14; int32_t a15; const void *a16; uintptr_t a17; _Bool a18; ptrdiff_t a19; char a20; const void *a21;
    int long unsigned a22; int a23; int8_t a24; int long unsigned a25; unsigned long long int a26;
    _Complex long double a27; _Bool a28; const void *a29;
} v242 = {
    &numbers[1], 97, -252.625L + 278.125L * I, 255, 1, -41, 2147483647, &numbers[2], -2147483647, 4294967295, 255,
    &numbers[3], 78, 32767, -2147483647, -98, &numbers[0], 4086219432, 0, 2147483647, 49, &numbers[1], 17, -2147483647,
    127, 50, 64u, 93.75L + 222.75L * I, 0, &numbers[1]
};
static void *const argv242[] = {
    A(242, 0), A(242, 1), A(242, 2), A(242, 3), A(242, 4), A(242, 5), A(242, 6), A(242, 7), A(242, 8), A(242, 9),
    A(242, 10), A(242, 11), A(242, 12), A(242, 13), A(242, 14), A(242, 15), A(242, 16), A(242, 17), A(242, 18),
    A(242, 19), A(242, 20), A(242, 21), A(242, 22), A(242, 23), A(242, 24), A(242, 25), A(242, 26), A(242, 27),
    A(242, 28), A(242, 29)
};
static const int r242 = 2147483647;
COHORT_FUNCTION_RETURNING(int, case242,
    (const float a0[2], unsigned char a1, _Complex long double a2, uint8_t a3, _Bool a4, int8_t a5, long a6,
     const float a7[2], int a8, size_t a9, unsigned char a10, void *a11, int long unsigned a12, int16_t a13,
     ptrdiff_t a14, int32_t a15, void *a16, uintptr_t a17, _Bool a18, ptrdiff_t a19, char a20, void *a21,
     int long unsigned a22, int a23, int8_t a24, int long unsigned a25, unsigned long long int a26,
     _Complex long double a27, _Bool a28, const float a29[2]), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 242;
    SAME(242, 0) SAME(242, 1) SAME(242, 2) SAME(242, 3) SAME(242, 4) SAME(242, 5) SAME(242, 6) SAME(242, 7)
    SAME(242, 8) SAME(242, 9) SAME(242, 10) SAME(242, 11) SAME(242, 12) SAME(242, 13) SAME(242, 14) SAME(242, 15)
    SAME(242, 16) SAME(242, 17) SAME(242, 18) SAME(242, 19) SAME(242, 20) SAME(242, 21) SAME(242, 22) SAME(242, 23)
    SAME(242, 24) SAME(242, 25) SAME(242, 26) SAME(242, 27) SAME(242, 28) SAME(242, 29)
    return r242;
}
RESULT(242, int)
static const struct {
    _Bool a0; intptr_t a1; _Bool a2; const void *a3; int a4; unsigned short int a5; const void *a6; uint8_t a7;
    float a8; uint8_t a9; _Bool a10; long double a11; unsigned a12; uint16_t a13; _Complex long double a14;
    unsigned char a15; long double a16; double a17; uint64_t a18; uint8_t a19; const void *a20; float a21;
    uint32_t a22; ptrdiff_t a23; const void *a24; int long unsigned a25; int a26; long double a27; int16_t a28;
    float a29; unsigned short int a30;
} v243 = {
    1, 1326370681, 1, &numbers[4], 2147483647, 0, &numbers[6], 149, -455.375f, 69, 1, -437.75L, 81, 9200,
    -247.375L + 27.0L * I, 71, -350.5L, 274.25, 18446744073709551615u, 174, &numbers[1], -249.625f, 0, -2090118528,
    &numbers[2], 722998270, -2147483647, 301.625L, -32768, -273.75f, 65535
};
static void *const argv243[] = {
    A(243, 0), A(243, 1), A(243, 2), A(243, 3), A(243, 4), A(243, 5), A(243, 6), A(243, 7), A(243, 8), A(243, 9),
    A(243, 10), A(243, 11), A(243, 12), A(243, 13), A(243, 14), A(243, 15), A(243, 16), A(243, 17), A(243, 18),
    A(243, 19), A(243, 20), A(243, 21), A(243, 22), A(243, 23), A(243, 24), A(243, 25), A(243, 26), A(243, 27),
    A(243, 28), A(243, 29), A(243, 30)
};
static const size_t r243 = 4294967295;
COHORT_FUNCTION_RETURNING(size_t, case243,
    (_Bool a0, intptr_t a1, _Bool a2, const float a3[2], int a4, unsigned short int a5, void *a6, uint8_t a7, float a8,
     uint8_t a9, _Bool a10, long double a11, unsigned a12, uint16_t a13, _Complex long double a14, unsigned char a15,
     long double a16, double a17, uint64_t a18, uint8_t a19, void *a20, float a21, uint32_t a22, ptrdiff_t a23,
     const float a24[2], int long unsigned a25, int a26, long double a27, int16_t a28, float a29,
     unsigned short int a30), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 243;
    SAME(243, 0) SAME(243, 1) SAME(243, 2) SAME(243, 3) SAME(243, 4) SAME(243, 5) SAME(243, 6) SAME(243, 7)
    SAME(243, 8) SAME(243, 9) SAME(243, 10) SAME(243, 11) SAME(243, 12) SAME(243, 13) SAME(243, 14) SAME(243, 15)
    SAME(243, 16) SAME(243, 17) SAME(243, 18) SAME(243, 19) SAME(243, 20) SAME(243, 21) SAME(243, 22) SAME(243, 23)
    SAME(243, 24) SAME(243, 25) SAME(243, 26) SAME(243, 27) SAME(243, 28) SAME(243, 29) SAME(243, 30)
    return r243;
}
RESULT(243, size_t)
static const struct {
    const void *a0; _Complex long double a1; const void *a2; short a3; const void *a4; double _Complex a5; int8_t a6;
    long double a7; const void *a8; const void *a9; const void *a10; signed char a11; intptr_t a12; float a13;
    char a14; float _Complex a15; unsigned long long int a16; uint64_t a17; uint32_t a18; long double a19;
    long long a20; uint64_t a21; _Bool a22; int64_t a23; int long unsigned a24; intptr_t a25; int long unsigned a26;
    int16_t a27; float _Complex a28; intptr_t a29; uint32_t a30; char a31;
} v244 = {
    &numbers[2], 52.25L + 378.625L * I, &numbers[2], -32768, &numbers[0], 111.625 + -305.5 * I, -128, 99.0L,
    &numbers[6], &numbers[1], &numbers[1], -128, 56, -192.5f, 127, -152.5f + -83.875f * I, 18446744073709551615u,
    18446744073709551615u, 237642870, 287.75L, -9223372036854775807ll, 0u, 1, 33, 4294967295, -548234933, 38, 32767,
    395.5f + 348.875f * I, -51, 4294967295, 0
};
static void *const argv244[] = {
    A(244, 0), A(244, 1), A(244, 2), A(244, 3), A(244, 4), A(244, 5), A(244, 6), A(244, 7), A(244, 8), A(244, 9),
    A(244, 10), A(244, 11), A(244, 12), A(244, 13), A(244, 14), A(244, 15), A(244, 16), A(244, 17), A(244, 18),
    A(244, 19), A(244, 20), A(244, 21), A(244, 22), A(244, 23), A(244, 24), A(244, 25), A(244, 26), A(244, 27),
    A(244, 28), A(244, 29), A(244, 30), A(244, 31)
};
static const int64_t r244 = -54;
COHORT_FUNCTION_RETURNING(int64_t, case244,
    (const float a0[2], _Complex long double a1, void *a2, short a3, const float a4[2], double _Complex a5, int8_t a6,
     long double a7, void *a8, const float a9[2], const float a10[2], signed char a11, intptr_t a12, float a13,
     char a14, float _Complex a15, unsigned long long int a16, uint64_t a17, uint32_t a18, long double a19,
     long long a20, uint64_t a21, _Bool a22, int64_t a23, int long unsigned a24, intptr_t a25, int long unsigned a26,
     int16_t a27, float _Complex a28, intptr_t a29, uint32_t a30, char a31), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 244;
    SAME(244, 0) SAME(244, 1) SAME(244, 2) SAME(244, 3) SAME(244, 4) SAME(244, 5) SAME(244, 6) SAME(244, 7)
    SAME(244, 8) SAME(244, 9) SAME(244, 10) SAME(244, 11) SAME(244, 12) SAME(244, 13) SAME(244, 14) SAME(244, 15)
    SAME(244, 16) SAME(244, 17) SAME(244, 18) SAME(244, 19) SAME(244, 20) SAME(244, 21) SAME(244, 22) SAME(244, 23)
    SAME(244, 24) SAME(244, 25) SAME(244, 26) SAME(244, 27) SAME(244, 28) SAME(244, 29) SAME(244, 30) SAME(244, 31)
    return r244;
}
RESULT(244, int64_t)
static const struct {
    _Complex long double a0; long a1; const void *a2; _Complex long double a3; const void *a4; long a5; int8_t a6;
    ptrdiff_t a7; float _Complex a8; intptr_t a9; double _Complex a10; uintptr_t a11; double a12; char a13;
    uint32_t a14; float _Complex a15; int64_t a16; size_t a17; unsigned short int a18; unsigned long long int a19;
    size_t a20; int8_t a21; int long unsigned a22; int long unsigned a23; int64_t a24; const void *a25; size_t a26;
    const void *a27; int64_t a28; const void *a29; double _Complex a30; int16_t a31; signed char a32;
} v245 = {
    -62.375L + -109.75L * I, -2147483647, &numbers[4], -227.625L + 195.375L * I, &numbers[4], -2147483647, 60,
    -2147483647, 347.25f + 318.625f * I, -388357533, 175.0 + 277.0 * I, 0, -369.0, 37, 3110514806,
    293.25f + -303.375f * I, 9223372036854775807, 3018525780, 65535, 0u, 4221319878, -19, 4294967295, 4294967295,
    -9223372036854775807, &numbers[4], 51, &numbers[1], -9223372036854775807, &numbers[0], -203.125 + 282.5 * I, 32767,
    -1
};
static void *const argv245[] = {
    A(245, 0), A(245, 1), A(245, 2), A(245, 3), A(245, 4), A(245, 5), A(245, 6), A(245, 7), A(245, 8), A(245, 9),
    A(245, 10), A(245, 11), A(245, 12), A(245, 13), A(245, 14), A(245, 15), A(245, 16), A(245, 17), A(245, 18),
    A(245, 19), A(245, 20), A(245, 21), A(245, 22), A(245, 23), A(245, 24), A(245, 25), A(245, 26), A(245, 27),
    A(245, 28), A(245, 29), A(245, 30), A(245, 31), A(245, 32)
};
static const float _Complex r245 = 241.875f + 295.0f * I;
COHORT_FUNCTION_RETURNING(float _Complex, case245,
    (_Complex long double a0, long a1, void *a2, _Complex long double a3, void *a4, long a5, int8_t a6, ptrdiff_t a7,
     float _Complex a8, intptr_t a9, double _Complex a10, uintptr_t a11, double a12, char a13, uint32_t a14,
     float _Complex a15, int64_t a16, size_t a17, unsigned short int a18, unsigned long long int a19, size_t a20,
     int8_t a21, int long unsigned a22, int long unsigned a23, int64_t a24, void *a25, size_t a26, const float a27[2],
     int64_t a28, const float a29[2], double _Complex a30, int16_t a31, signed char a32), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 245;
    SAME(245, 0) SAME(245, 1) SAME(245, 2) SAME(245, 3) SAME(245, 4) SAME(245, 5) SAME(245, 6) SAME(245, 7)
    SAME(245, 8) SAME(245, 9) SAME(245, 10) SAME(245, 11) SAME(245, 12) SAME(245, 13) SAME(245, 14) SAME(245, 15)
    SAME(245, 16) SAME(245, 17) SAME(245, 18) SAME(245, 19) SAME(245, 20) SAME(245, 21) SAME(245, 22) SAME(245, 23)
    SAME(245, 24) SAME(245, 25) SAME(245, 26) SAME(245, 27) SAME(245, 28) SAME(245, 29) SAME(245, 30) SAME(245, 31)
    SAME(245, 32)
    return r245;
}
RESULT(245, float _Complex)
static const struct {
    const void *a0; _Bool a1; uint32_t a2; int64_t a3; long long a4; int long unsigned a5; unsigned long long int a6;
    char a7; int64_t a8; int64_t a9; const void *a10; const void *a11; float a12; unsigned long long int a13;
    int16_t a14; double _Complex a15; uint16_t a16; unsigned char a17; char a18; _Bool a19; int64_t a20; int64_t a21;
    uint64_t a22; unsigned char a23; unsigned char a24; uint16_t a25; char a26; _Bool a27; char a28; uint32_t a29;
    size_t a30; uint16_t a31; unsigned char a32; int64_t a33;
} v246 = {
    &numbers[1], 1, 4294967295, 9223372036854775807, 9223372036854775807ll, 67, 15190626436504235856u, 127,
    -6917345921817438878, 56, &numbers[4], &numbers[6], -465.75f, 36u, -32768, -40.25 + -426.5 * I, 0, 0, 0, 1,
    -420013460454358751, -9223372036854775807, 86u, 255, 0, 41052, 77, 0, 127, 0, 4294967295, 37, 63,
    -9223372036854775807
};
static void *const argv246[] = {
    A(246, 0), A(246, 1), A(246, 2), A(246, 3), A(246, 4), A(246, 5), A(246, 6), A(246, 7), A(246, 8), A(246, 9),
    A(246, 10), A(246, 11), A(246, 12), A(246, 13), A(246, 14), A(246, 15), A(246, 16), A(246, 17), A(246, 18),
    A(246, 19), A(246, 20), A(246, 21), A(246, 22), A(246, 23), A(246, 24), A(246, 25), A(246, 26), A(246, 27),
    A(246, 28), A(246, 29), A(246, 30), A(246, 31), A(246, 32), A(246, 33)
};
static const int8_t r246 = -54;
COHORT_FUNCTION_RETURNING(int8_t, case246,
    (void *a0, _Bool a1, uint32_t a2, int64_t a3, long long a4, int long unsigned a5, unsigned long long int a6,
     char a7, int64_t a8, int64_t a9, void *a10, const float a11[2], float a12, unsigned long long int a13,
     int16_t a14, double _Complex a15, uint16_t a16, unsigned char a17, char a18, _Bool a19, int64_t a20, int64_t a21,
     uint64_t a22, unsigned char a23, unsigned char a24, uint16_t a25, char a26, _Bool a27, char a28, uint32_t a29,
     size_t a30, uint16_t a31, unsigned char a32, int64_t a33), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 246;
    SAME(246, 0) SAME(246, 1) SAME(246, 2) SAME(246, 3) SAME(246, 4) SAME(246, 5) SAME(246, 6) SAME(246, 7)
    SAME(246, 8) SAME(246, 9) SAME(246, 10) SAME(246, 11) SAME(246, 12) SAME(246, 13) SAME(246, 14) SAME(246, 15)
    SAME(246, 16) SAME(246, 17) SAME(246, 18) SAME(246, 19) SAME(246, 20) SAME(246, 21) SAME(246, 22) SAME(246, 23)
    SAME(246, 24) SAME(246, 25) SAME(246, 26) SAME(246, 27) SAME(246, 28) SAME(246, 29) SAME(246, 30) SAME(246, 31)
    SAME(246, 32) SAME(246, 33)
    return r246;
}
RESULT(246, int8_t)
static const struct {
    const void *a0; uint16_t a1; double a2; _Bool a3; _Complex long double a4; int64_t a5; int32_t a6; const void *a7;
    int16_t a8; ptrdiff_t a9; float a10; int8_t a11; float _Complex a12; uint8_t a13; long long a14;
    unsigned short int a15; long a16; float _Complex a17; int8_t a18; double _Complex a19; uintptr_t a20;
    long long a21; int64_t a22; _Bool a23; int a24; intptr_t a25; const void *a26; unsigned char a27; size_t a28;
    long double a29; int long unsigned a30; _Bool a31; const void *a32; _Complex long double a33;
    unsigned short int a34;
} v247 = {
    &numbers[3], 29777, 42.125, 1, 234.5L + -418.25L * I, -49, 2147483647, &numbers[0], -62, 2147483647, -286.5f, -128,
    319.0f + -109.125f * I, 23, -9223372036854775807ll, 65535, -2147483647, -173.375f + 264.5f * I, -128,
    299.375 + -476.25 * I, 1087257949, -7869118036744810894ll, -64, 0, -2147483647, 2147483647, &numbers[6], 255,
    1749040443, -28.625L, 0, 1, &numbers[5], -116.75L + -46.125L * I, 67
};
static void *const argv247[] = {
    A(247, 0), A(247, 1), A(247, 2), A(247, 3), A(247, 4), A(247, 5), A(247, 6), A(247, 7), A(247, 8), A(247, 9),
    A(247, 10), A(247, 11), A(247, 12), A(247, 13), A(247, 14), A(247, 15), A(247, 16), A(247, 17), A(247, 18),
    A(247, 19), A(247, 20), A(247, 21), A(247, 22), A(247, 23), A(247, 24), A(247, 25), A(247, 26), A(247, 27),
    A(247, 28), A(247, 29), A(247, 30), A(247, 31), A(247, 32), A(247, 33), A(247, 34)
};
static const _Bool r247 = 0;
COHORT_FUNCTION_RETURNING(_Bool, case247,
    (const float a0[2], uint16_t a1, double a2, _Bool a3, _Complex long double a4, int64_t a5, int32_t a6, void *a7,
     int16_t a8, ptrdiff_t a9, float a10, int8_t a11, float _Complex a12, uint8_t a13, long long a14,
     unsigned short int a15, long a16, float _Complex a17, int8_t a18, double _Complex a19, uintptr_t a20,
     long long a21, int64_t a22, _Bool a23, int a24, intptr_t a25, const float a26[2], unsigned char a27, size_t a28,
     long double a29, int long unsigned a30, _Bool a31, const float a32[2], _Complex long double a33,
     unsigned short int a34), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 247;
    SAME(247, 0) SAME(247, 1) SAME(247, 2) SAME(247, 3) SAME(247, 4) SAME(247, 5) SAME(247, 6) SAME(247, 7)
    SAME(247, 8) SAME(247, 9) SAME(247, 10) SAME(247, 11) SAME(247, 12) SAME(247, 13) SAME(247, 14) SAME(247, 15)
    SAME(247, 16) SAME(247, 17) SAME(247, 18) SAME(247, 19) SAME(247, 20) SAME(247, 21) SAME(247, 22) SAME(247, 23)
    SAME(247, 24) SAME(247, 25) SAME(247, 26) SAME(247, 27) SAME(247, 28) SAME(247, 29) SAME(247, 30) SAME(247, 31)
    SAME(247, 32) SAME(247, 33) SAME(247, 34)
    return r247;
}
RESULT(247, _Bool)
static const struct {
    float _Complex a0; uint16_t a1; size_t a2; long long a3; size_t a4; const void *a5; int64_t a6; float _Complex a7;
    uint8_t a8; size_t a9; const void *a10; uintptr_t a11; int16_t a12; uint32_t a13; int8_t a14; int8_t a15;
    long long a16; int long unsigned a17; long long a18; long a19; int32_t a20; uint16_t a21; uintptr_t a22;
    int16_t a23; ptrdiff_t a24; double _Complex a25; const void *a26; long double a27; double _Complex a28;
    long double a29; const void *a30; int8_t a31; uint8_t a32; unsigned long long int a33; _Bool a34; long a35;
} v248 = {
    -477.375f + -280.75f * I, 53324, 925145405, -47ll, 41, &numbers[6], 91, 316.75f + 36.75f * I, 97, 2032714830,
    &numbers[6], 4233203282, 30748, 90, 127, 127, 9223372036854775807ll, 0, 54ll, 2147483647, -2147483647, 65535,
    3498220853, -29439, 2147483647, -487.125 + 9.875 * I, &numbers[0], 285.125L, 365.875 + 17.75 * I, 230.875L,
    &numbers[0], -128, 2, 18446744073709551615u, 0, -2108040731
};
static void *const argv248[] = {
    A(248, 0), A(248, 1), A(248, 2), A(248, 3), A(248, 4), A(248, 5), A(248, 6), A(248, 7), A(248, 8), A(248, 9),
    A(248, 10), A(248, 11), A(248, 12), A(248, 13), A(248, 14), A(248, 15), A(248, 16), A(248, 17), A(248, 18),
    A(248, 19), A(248, 20), A(248, 21), A(248, 22), A(248, 23), A(248, 24), A(248, 25), A(248, 26), A(248, 27),
    A(248, 28), A(248, 29), A(248, 30), A(248, 31), A(248, 32), A(248, 33), A(248, 34), A(248, 35)
};
static const unsigned short int r248 = 16;
COHORT_FUNCTION_RETURNING(unsigned short int, case248,
    (float _Complex a0, uint16_t a1, size_t a2, long long a3, size_t a4, const float a5[2], int64_t a6,
     float _Complex a7, uint8_t a8, size_t a9, void *a10, uintptr_t a11, int16_t a12, uint32_t a13, int8_t a14,
     int8_t a15, long long a16, int long unsigned a17, long long a18, long a19, int32_t a20, uint16_t a21,
     uintptr_t a22, int16_t a23, ptrdiff_t a24, double _Complex a25, void *a26, long double a27, double _Complex a28,
     long double a29, void *a30, int8_t a31, uint8_t a32, unsigned long long int a33, _Bool a34, long a35), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 248;
    SAME(248, 0) SAME(248, 1) SAME(248, 2) SAME(248, 3) SAME(248, 4) SAME(248, 5) SAME(248, 6) SAME(248, 7)
    SAME(248, 8) SAME(248, 9) SAME(248, 10) SAME(248, 11) SAME(248, 12) SAME(248, 13) SAME(248, 14) SAME(248, 15)
    SAME(248, 16) SAME(248, 17) SAME(248, 18) SAME(248, 19) SAME(248, 20) SAME(248, 21) SAME(248, 22) SAME(248, 23)
    SAME(248, 24) SAME(248, 25) SAME(248, 26) SAME(248, 27) SAME(248, 28) SAME(248, 29) SAME(248, 30) SAME(248, 31)
    SAME(248, 32) SAME(248, 33) SAME(248, 34) SAME(248, 35)
    return r248;
}
RESULT(248, unsigned short int)
static const struct {
    float _Complex a0; char a1; double _Complex a2; const void *a3; unsigned a4; double _Complex a5; signed char a6;
    long a7; short a8; signed char a9; short a10; uintptr_t a11; int16_t a12; float _Complex a13; int16_t a14;
    long long a15; short a16; _Complex long double a17; double _Complex a18; uint16_t a19; char a20; size_t a21;
    float _Complex a22; unsigned short int a23; const void *a24; unsigned a25; double a26; ptrdiff_t a27; int32_t a28;
    short a29; unsigned char a30; uint16_t a31; int long unsigned a32; const void *a33; uint64_t a34; ptrdiff_t a35;
    _Bool a36;
} v249 = {
    -161.625f + 376.25f * I, 55, -280.0 + -260.75 * I, &numbers[5], 297410743, -368.125 + 364.625 * I, -28, 2147483647,
    32767, -76, -19, 2, -2747, -469.625f + 131.875f * I, -32768, 64ll, -32768, -318.25L + 134.625L * I,
    457.5 + -232.75 * I, 43, 0, 69, -168.25f + -46.25f * I, 0, &numbers[0], 4294967295, 171.625, -2147483647,
    2147483647, 31, 255, 36787, 4294967295, &numbers[5], 8229650754884216866u, -2147483647, 0
};
static void *const argv249[] = {
    A(249, 0), A(249, 1), A(249, 2), A(249, 3), A(249, 4), A(249, 5), A(249, 6), A(249, 7), A(249, 8), A(249, 9),
    A(249, 10), A(249, 11), A(249, 12), A(249, 13), A(249, 14), A(249, 15), A(249, 16), A(249, 17), A(249, 18),
    A(249, 19), A(249, 20), A(249, 21), A(249, 22), A(249, 23), A(249, 24), A(249, 25), A(249, 26), A(249, 27),
    A(249, 28), A(249, 29), A(249, 30), A(249, 31), A(249, 32), A(249, 33), A(249, 34), A(249, 35), A(249, 36)
};
static const _Bool r249 = 0;
COHORT_FUNCTION_RETURNING(_Bool, case249,
    (float _Complex a0, char a1, double _Complex a2, void *a3, unsigned a4, double _Complex a5, signed char a6,
     long a7, short a8, signed char a9, short a10, uintptr_t a11, int16_t a12, float _Complex a13, int16_t a14,
     long long a15, short a16, _Complex long double a17, double _Complex a18, uint16_t a19, char a20, size_t a21,
     float _Complex a22, unsigned short int a23, void *a24, unsigned a25, double a26, ptrdiff_t a27, int32_t a28,
     short a29, unsigned char a30, uint16_t a31, int long unsigned a32, const float a33[2], uint64_t a34,
     ptrdiff_t a35, _Bool a36), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 249;
    SAME(249, 0) SAME(249, 1) SAME(249, 2) SAME(249, 3) SAME(249, 4) SAME(249, 5) SAME(249, 6) SAME(249, 7)
    SAME(249, 8) SAME(249, 9) SAME(249, 10) SAME(249, 11) SAME(249, 12) SAME(249, 13) SAME(249, 14) SAME(249, 15)
    SAME(249, 16) SAME(249, 17) SAME(249, 18) SAME(249, 19) SAME(249, 20) SAME(249, 21) SAME(249, 22) SAME(249, 23)
    SAME(249, 24) SAME(249, 25) SAME(249, 26) SAME(249, 27) SAME(249, 28) SAME(249, 29) SAME(249, 30) SAME(249, 31)
    SAME(249, 32) SAME(249, 33) SAME(249, 34) SAME(249, 35) SAME(249, 36)
    return r249;
}
RESULT(249, _Bool)
static const struct {
    uint8_t a0; const void *a1; long a2; int64_t a3; unsigned short int a4; char a5; _Complex long double a6;
    intptr_t a7; signed char a8; int long unsigned a9; unsigned a10; const void *a11; const void *a12; int a13;
    uint64_t a14; long long a15; int64_t a16; ptrdiff_t a17; signed char a18; short a19; signed char a20;
    const void *a21; const void *a22; int16_t a23; long long a24; uintptr_t a25; double a26; float a27;
    long double a28; const void *a29; uint16_t a30; int long unsigned a31; const void *a32; int16_t a33; char a34;
    const void *a35; unsigned a36; unsigned char a37;
} v250 = {
    255, &numbers[6], -30, -9223372036854775807, 65535, 65, -396.25L + -339.125L * I, 1210240706, 127, 4294967295, 0,
    &numbers[2], &numbers[0], 2061231075, 0u, 1856939600345127927ll, 1766455490585451666, 489455166, -102, -20, 127,
    &numbers[1], &numbers[6], -83, 9223372036854775807ll, 0, 88.75, 394.75f, -5.75L, &numbers[6], 0, 0, &numbers[2],
    27461, 0, &numbers[6], 4294967295, 0
};
static void *const argv250[] = {
    A(250, 0), A(250, 1), A(250, 2), A(250, 3), A(250, 4), A(250, 5), A(250, 6), A(250, 7), A(250, 8), A(250, 9),
    A(250, 10), A(250, 11), A(250, 12), A(250, 13), A(250, 14), A(250, 15), A(250, 16), A(250, 17), A(250, 18),
    A(250, 19), A(250, 20), A(250, 21), A(250, 22), A(250, 23), A(250, 24), A(250, 25), A(250, 26), A(250, 27),
    A(250, 28), A(250, 29), A(250, 30), A(250, 31), A(250, 32), A(250, 33), A(250, 34), A(250, 35), A(250, 36),
    A(250, 37)
};
static const float _Complex r250 = 118.375f + -177.0f * I;
COHORT_FUNCTION_RETURNING(float _Complex, case250,
    (uint8_t a0, void *a1, long a2, int64_t a3, unsigned short int a4, char a5, _Complex long double a6, intptr_t a7,
     signed char a8, int long unsigned a9, unsigned a10, const float a11[2], void *a12, int a13, uint64_t a14,
     long long a15, int64_t a16, ptrdiff_t a17, signed char a18, short a19, signed char a20, const float a21[2],
     const float a22[2], int16_t a23, long long a24, uintptr_t a25, double a26, float a27, long double a28, void *a29,
     uint16_t a30, int long unsigned a31, void *a32, int16_t a33, char a34, void *a35, unsigned a36, unsigned char a37), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 250;
    SAME(250, 0) SAME(250, 1) SAME(250, 2) SAME(250, 3) SAME(250, 4) SAME(250, 5) SAME(250, 6) SAME(250, 7)
    SAME(250, 8) SAME(250, 9) SAME(250, 10) SAME(250, 11) SAME(250, 12) SAME(250, 13) SAME(250, 14) SAME(250, 15)
    SAME(250, 16) SAME(250, 17) SAME(250, 18) SAME(250, 19) SAME(250, 20) SAME(250, 21) SAME(250, 22) SAME(250, 23)
    SAME(250, 24) SAME(250, 25) SAME(250, 26) SAME(250, 27) SAME(250, 28) SAME(250, 29) SAME(250, 30) SAME(250, 31)
    SAME(250, 32) SAME(250, 33) SAME(250, 34) SAME(250, 35) SAME(250, 36) SAME(250, 37)
    return r250;
}
RESULT(250, float _Complex)
static const struct {
    long double a0; const void *a1; double a2; _Complex long double a3; const void *a4; int a5; long double a6;
    unsigned short int a7; intptr_t a8; intptr_t a9; const void *a10; short a11; unsigned a12; const void *a13;
    uint16_t a14; int long unsigned a15; const void *a16; const void *a17; int8_t a18; short a19; size_t a20;
    unsigned a21; ptrdiff_t a22; _Bool a23; double _Complex a24; uintptr_t a25; long long a26; uint8_t a27;
    const void *a28; const void *a29; unsigned short int a30; short a31; uint16_t a32; const void *a33; int32_t a34;
    uint64_t a35; const void *a36; int8_t a37; int a38;
} v251 = {
    319.5L, &numbers[4], 368.875, -364.625L + 53.125L * I, &numbers[0], -2147483647, 95.5L, 22204, 91, -2147483647,
    &numbers[0], 32767, 1416497287, &numbers[0], 0, 95, &numbers[2], &numbers[4], -87, 32767, 7, 83, -76, 1,
    498.0 + -230.25 * I, 0, -9223372036854775807ll, 14, &numbers[6], &numbers[6], 18, 2717, 44012, &numbers[2],
    2147483647, 9694078290926493724u, &numbers[1], 127, 66
};
static void *const argv251[] = {
    A(251, 0), A(251, 1), A(251, 2), A(251, 3), A(251, 4), A(251, 5), A(251, 6), A(251, 7), A(251, 8), A(251, 9),
    A(251, 10), A(251, 11), A(251, 12), A(251, 13), A(251, 14), A(251, 15), A(251, 16), A(251, 17), A(251, 18),
    A(251, 19), A(251, 20), A(251, 21), A(251, 22), A(251, 23), A(251, 24), A(251, 25), A(251, 26), A(251, 27),
    A(251, 28), A(251, 29), A(251, 30), A(251, 31), A(251, 32), A(251, 33), A(251, 34), A(251, 35), A(251, 36),
    A(251, 37), A(251, 38)
};
static const long long r251 = -9223372036854775807ll;
COHORT_FUNCTION_RETURNING(long long, case251,
    (long double a0, void *a1, double a2, _Complex long double a3, void *a4, int a5, long double a6,
     unsigned short int a7, intptr_t a8, intptr_t a9, void *a10, short a11, unsigned a12, const float a13[2],
     uint16_t a14, int long unsigned a15, const float a16[2], const float a17[2], int8_t a18, short a19, size_t a20,
     unsigned a21, ptrdiff_t a22, _Bool a23, double _Complex a24, uintptr_t a25, long long a26, uint8_t a27,
     const float a28[2], void *a29, unsigned short int a30, short a31, uint16_t a32, void *a33, int32_t a34,
     uint64_t a35, const float a36[2], int8_t a37, int a38), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 251;
    SAME(251, 0) SAME(251, 1) SAME(251, 2) SAME(251, 3) SAME(251, 4) SAME(251, 5) SAME(251, 6) SAME(251, 7)
    SAME(251, 8) SAME(251, 9) SAME(251, 10) SAME(251, 11) SAME(251, 12) SAME(251, 13) SAME(251, 14) SAME(251, 15)
    SAME(251, 16) SAME(251, 17) SAME(251, 18) SAME(251, 19) SAME(251, 20) SAME(251, 21) SAME(251, 22) SAME(251, 23)
    SAME(251, 24) SAME(251, 25) SAME(251, 26) SAME(251, 27) SAME(251, 28) SAME(251, 29) SAME(251, 30) SAME(251, 31)
    SAME(251, 32) SAME(251, 33) SAME(251, 34) SAME(251, 35) SAME(251, 36) SAME(251, 37) SAME(251, 38)
    return r251;
}
RESULT(251, long long)
static const struct {
    const void *a0; unsigned short int a1; intptr_t a2; uint32_t a3; uint64_t a4; int64_t a5; const void *a6;
    uint64_t a7; float a8; uint8_t a9; unsigned char a10; const void *a11; size_t a12; int long unsigned a13;
    _Complex long double a14; int8_t a15; const void *a16; float a17; unsigned short int a18; const void *a19;
    short a20; long a21; const void *a22; int64_t a23; int32_t a24; uint32_t a25; uint32_t a26; int32_t a27; short a28;
    unsigned long long int a29; uint16_t a30; int32_t a31; _Bool a32; double a33; uint16_t a34; const void *a35;
    char a36; const void *a37; int16_t a38; _Bool a39;
} v252 = {
    &numbers[3], 55071, -234553507, 4, 4110542131862178315u, -6818455807868861972, &numbers[6], 18446744073709551615u,
    -150.0f, 255, 92, &numbers[1], 0, 0, 278.75L + 94.0L * I, 127, &numbers[0], 26.125f, 0, &numbers[6], -32,
    2147483647, &numbers[6], 36, -1934788591, 804520250, 4294967295, -2147483647, -16, 18446744073709551615u, 83, 18,
    1, 13.875, 23364, &numbers[1], 127, &numbers[2], -29796, 0
};
static void *const argv252[] = {
    A(252, 0), A(252, 1), A(252, 2), A(252, 3), A(252, 4), A(252, 5), A(252, 6), A(252, 7), A(252, 8), A(252, 9),
    A(252, 10), A(252, 11), A(252, 12), A(252, 13), A(252, 14), A(252, 15), A(252, 16), A(252, 17), A(252, 18),
    A(252, 19), A(252, 20), A(252, 21), A(252, 22), A(252, 23), A(252, 24), A(252, 25), A(252, 26), A(252, 27),
    A(252, 28), A(252, 29), A(252, 30), A(252, 31), A(252, 32), A(252, 33), A(252, 34), A(252, 35), A(252, 36),
    A(252, 37), A(252, 38), A(252, 39)
};
static const uint8_t r252 = 45;
COHORT_FUNCTION_RETURNING(uint8_t, case252,
    (const float a0[2], unsigned short int a1, intptr_t a2, uint32_t a3, uint64_t a4, int64_t a5, void *a6,
     uint64_t a7, float a8, uint8_t a9, unsigned char a10, const float a11[2], size_t a12, int long unsigned a13,
     _Complex long double a14, int8_t a15, void *a16, float a17, unsigned short int a18, void *a19, short a20,
     long a21, void *a22, int64_t a23, int32_t a24, uint32_t a25, uint32_t a26, int32_t a27, short a28,
     unsigned long long int a29, uint16_t a30, int32_t a31, _Bool a32, double a33, uint16_t a34, void *a35, char a36,
     void *a37, int16_t a38, _Bool a39), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 252;
    SAME(252, 0) SAME(252, 1) SAME(252, 2) SAME(252, 3) SAME(252, 4) SAME(252, 5) SAME(252, 6) SAME(252, 7)
    SAME(252, 8) SAME(252, 9) SAME(252, 10) SAME(252, 11) SAME(252, 12) SAME(252, 13) SAME(252, 14) SAME(252, 15)
    SAME(252, 16) SAME(252, 17) SAME(252, 18) SAME(252, 19) SAME(252, 20) SAME(252, 21) SAME(252, 22) SAME(252, 23)
    SAME(252, 24) SAME(252, 25) SAME(252, 26) SAME(252, 27) SAME(252, 28) SAME(252, 29) SAME(252, 30) SAME(252, 31)
    SAME(252, 32) SAME(252, 33) SAME(252, 34) SAME(252, 35) SAME(252, 36) SAME(252, 37) SAME(252, 38) SAME(252, 39)
    return r252;
}
RESULT(252, uint8_t)
static const struct {
    d3 a0; b16 a1; b3 a2;
} v253 = {
    { { 378.5, -415.0, 49.875 } },
    { { -124, 127, 4, -128, -128, -48, -104, 95, 127, -117, -128, -58, -35, 127, -57, -128 } }, { { -128, 7, -23 } }
};
static void *const argv253[] = {
    A(253, 0), A(253, 1), A(253, 2)
};
static const ptrdiff_t r253 = 33;
COHORT_FUNCTION_RETURNING(ptrdiff_t, case253,
    (d3 a0, b16 a1, b3 a2), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 253;
    SAME_STRUCT(d3, 253, 0) SAME_STRUCT(b16, 253, 1) SAME_STRUCT(b3, 253, 2)
    return r253;
}
RESULT(253, ptrdiff_t)
static const struct {
    l2 a0; d2 a1; iff a2; b64 a3; hff a4; const void *a5; d2 a6; hff a7; ld a8; int32_t a9;
} v254 = {
    { { 9223372036854775807, 9223372036854775807 } }, { { 20.875, -188.75 } }, { 2, -391.0f, 473.5f },
    { { 255, 255, 251, 0, 0, 193, 16, 113, 32, 0, 57, 106, 0, 147, 48, 0, 205, 9, 255, 213, 40, 0, 184, 9, 33, 94, 0, 0, 255, 0, 255, 40, 37, 255, 255, 0, 255, 255, 0, 54, 255, 119, 11, 0, 255, 163, 192, 160, 255, 229, 3, 0, 90, 42, 0, 0, 0, 49, 59, 69, 255, 0, 16, 255 } },
    { { -6351, -32768 }, { 190.5f, 285.75f } }, &numbers[4], { { 110.25, 449.5 } },
    { { 97, -32768 }, { 230.875f, 151.875f } }, { -9223372036854775807, -296.875 }, 2147483647
};
static void *const argv254[] = {
    A(254, 0), A(254, 1), A(254, 2), A(254, 3), A(254, 4), A(254, 5), A(254, 6), A(254, 7), A(254, 8), A(254, 9)
};
static const long double r254 = 251.125L;
COHORT_FUNCTION_RETURNING(long double, case254,
    (l2 a0, d2 a1, iff a2, b64 a3, hff a4, void *a5, d2 a6, hff a7, ld a8, int32_t a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 254;
    SAME_STRUCT(l2, 254, 0) SAME_STRUCT(d2, 254, 1) SAME_STRUCT(iff, 254, 2) SAME_STRUCT(b64, 254, 3)
    SAME_STRUCT(hff, 254, 4) SAME(254, 5) SAME_STRUCT(d2, 254, 6) SAME_STRUCT(hff, 254, 7) SAME_STRUCT(ld, 254, 8)
    SAME(254, 9)
    return r254;
}
RESULT(254, long double)
static const struct {
    f1 a0; cd a1; dl a2; b3 a3; unsigned char a4; ld a5; nest a6; hff a7; uintptr_t a8; b5 a9; b2 a10; b5 a11;
} v255 = {
    { 463.75f }, { 105, -101.875 }, { 356.5, 27 }, { { 81, -128, -128 } }, 82, { -82, -123.375 },
    { { 55, -2147483647 }, -228.875 }, { { 20592, -32768 }, { 482.375f, 467.25f } }, 41474219,
    { { 0, 0, 255, 0, 47 } }, { { 255, 0 } }, { { 44, 0, 255, 0, 0 } }
};
static void *const argv255[] = {
    A(255, 0), A(255, 1), A(255, 2), A(255, 3), A(255, 4), A(255, 5), A(255, 6), A(255, 7), A(255, 8), A(255, 9),
    A(255, 10), A(255, 11)
};
static const d8 r255 = { { -107.25, 107.125, -201.875, -138.875, 65.75, -363.625, 267.875, 94.5 } };
COHORT_FUNCTION_RETURNING(d8, case255,
    (f1 a0, cd a1, dl a2, b3 a3, unsigned char a4, ld a5, nest a6, hff a7, uintptr_t a8, b5 a9, b2 a10, b5 a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 255;
    SAME_STRUCT(f1, 255, 0) SAME_STRUCT(cd, 255, 1) SAME_STRUCT(dl, 255, 2) SAME_STRUCT(b3, 255, 3) SAME(255, 4)
    SAME_STRUCT(ld, 255, 5) SAME_STRUCT(nest, 255, 6) SAME_STRUCT(hff, 255, 7) SAME(255, 8) SAME_STRUCT(b5, 255, 9)
    SAME_STRUCT(b2, 255, 10) SAME_STRUCT(b5, 255, 11)
    return r255;
}
RESULT_STRUCT(255, d8)
static const struct {
    uint32_t a0;
} v256 = {
    30
};
static void *const argv256[] = {
    A(256, 0)
};
static const d1 r256 = { -31.25 };
COHORT_FUNCTION_RETURNING(d1, case256,
    (uint32_t a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 256;
    SAME(256, 0)
    return r256;
}
RESULT_STRUCT(256, d1)
static const struct {
    x2 a0; f5 a1; b15 a2; b5 a3; const void *a4; dl a5;
} v257 = {
    { { -341.75L, -324.125L } }, { { -45.0f, -16.875f, 347.75f, -209.625f, 364.25f } },
    { { 43, 16, 255, 255, 89, 20, 44, 0, 254, 0, 0, 0, 124, 39, 0 } }, { { 39, 0, 112, 13, 5 } }, &numbers[1],
    { 497.25, -41 }
};
static void *const argv257[] = {
    A(257, 0), A(257, 1), A(257, 2), A(257, 3), A(257, 4), A(257, 5)
};
static const hff r257 = { { 32767, 19811 }, { 208.5f, -466.25f } };
COHORT_FUNCTION_RETURNING(hff, case257,
    (x2 a0, f5 a1, b15 a2, b5 a3, void *a4, dl a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 257;
    SAME_STRUCT(x2, 257, 0) SAME_STRUCT(f5, 257, 1) SAME_STRUCT(b15, 257, 2) SAME_STRUCT(b5, 257, 3) SAME(257, 4)
    SAME_STRUCT(dl, 257, 5)
    return r257;
}
RESULT_STRUCT(257, hff)
static const struct {
    fi a0; fi a1; ffl a2; ptrdiff_t a3; uint32_t a4; z1 a5; f3 a6; f3 a7; inner a8;
} v258 = {
    { -182.0f, -768143567 }, { -198.0f, 1128690303 }, { { -493.875f, -23.25f }, -7 }, 379463896, 4294967295,
    { -289.625f + 182.625f * I }, { { 388.125f, -350.875f, 306.125f } }, { { 32.375f, 279.0f, 477.875f } },
    { 121, 2147483647 }
};
static void *const argv258[] = {
    A(258, 0), A(258, 1), A(258, 2), A(258, 3), A(258, 4), A(258, 5), A(258, 6), A(258, 7), A(258, 8)
};
static const b9 r258 = { { 77, 255, 71, 1, 0, 0, 71, 97, 120 } };
COHORT_FUNCTION_RETURNING(b9, case258,
    (fi a0, fi a1, ffl a2, ptrdiff_t a3, uint32_t a4, z1 a5, f3 a6, f3 a7, inner a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 258;
    SAME_STRUCT(fi, 258, 0) SAME_STRUCT(fi, 258, 1) SAME_STRUCT(ffl, 258, 2) SAME(258, 3) SAME(258, 4)
    SAME_STRUCT(z1, 258, 5) SAME_STRUCT(f3, 258, 6) SAME_STRUCT(f3, 258, 7) SAME_STRUCT(inner, 258, 8)
    return r258;
}
RESULT_STRUCT(258, b9)
static const struct {
    b15 a0;
} v259 = {
    { { 253, 0, 0, 0, 0, 0, 24, 255, 85, 210, 79, 0, 107, 255, 255 } }
};
static void *const argv259[] = {
    A(259, 0)
};
static const floats r259 = { { { 18.625f, 326.0f }, { -216.75f, 407.0f } } };
COHORT_FUNCTION_RETURNING(floats, case259,
    (b15 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 259;
    SAME_STRUCT(b15, 259, 0)
    return r259;
}
RESULT_STRUCT(259, floats)
static const struct {
    d3 a0; ld a1; z1 a2;
} v260 = {
    { { -405.0, 499.75, -305.625 } }, { 4, -301.75 }, { -214.375f + 31.125f * I }
};
static void *const argv260[] = {
    A(260, 0), A(260, 1), A(260, 2)
};
static const unsigned r260 = 4294967295;
COHORT_FUNCTION_RETURNING(unsigned, case260,
    (d3 a0, ld a1, z1 a2), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 260;
    SAME_STRUCT(d3, 260, 0) SAME_STRUCT(ld, 260, 1) SAME_STRUCT(z1, 260, 2)
    return r260;
}
RESULT(260, unsigned)
static const struct {
    b3 a0; d2 a1; b9 a2; long long a3; b9 a4; unsigned a5; b64 a6; hff a7; x2 a8; uintptr_t a9; deep a10; unsigned a11;
} v261 = {
    { { 71, 127, -35 } }, { { 28.625, 99.5 } }, { { 79, 215, 255, 95, 0, 0, 78, 209, 255 } }, 7442816870439681618ll,
    { { 255, 0, 255, 23, 0, 255, 0, 22, 255 } }, 48,
    { { 255, 0, 47, 244, 20, 41, 0, 32, 36, 58, 16, 0, 176, 255, 7, 0, 9, 0, 44, 0, 68, 78, 194, 0, 246, 255, 179, 180, 0, 56, 127, 91, 204, 0, 97, 84, 0, 0, 210, 0, 52, 0, 255, 255, 4, 255, 12, 94, 255, 206, 53, 255, 0, 255, 147, 0, 18, 0, 0, 0, 255, 0, 0, 86 } },
    { { -32768, 89 }, { -374.0f, 375.625f } }, { { 394.625L, 59.0L } }, 3460792111,
    { { { -43, -50 }, 348.0 }, { { { 127, -19, 95 } }, { { 70, -69, -128 } }, { { 127, -65, 127 } } }, { -438.625f, -288.75f } },
    0
};
static void *const argv261[] = {
    A(261, 0), A(261, 1), A(261, 2), A(261, 3), A(261, 4), A(261, 5), A(261, 6), A(261, 7), A(261, 8), A(261, 9),
    A(261, 10), A(261, 11)
};
static const f3 r261 = { { -197.375f, -376.75f, -382.875f } };
COHORT_FUNCTION_RETURNING(f3, case261,
    (b3 a0, d2 a1, b9 a2, long long a3, b9 a4, unsigned a5, b64 a6, hff a7, x2 a8, uintptr_t a9, deep a10,
     unsigned a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 261;
    SAME_STRUCT(b3, 261, 0) SAME_STRUCT(d2, 261, 1) SAME_STRUCT(b9, 261, 2) SAME(261, 3) SAME_STRUCT(b9, 261, 4)
    SAME(261, 5) SAME_STRUCT(b64, 261, 6) SAME_STRUCT(hff, 261, 7) SAME_STRUCT(x2, 261, 8) SAME(261, 9)
    SAME_STRUCT(deep, 261, 10) SAME(261, 11)
    return r261;
}
RESULT_STRUCT(261, f3)
static const struct {
    b3 a0; inner a1; float a2; d1 a3; hff a4; ffl a5; _Bool a6; const void *a7; b5 a8; pairs a9;
} v262 = {
    { { -128, 48, 127 } }, { -128, 2147483647 }, 235.875f, { -320.375 }, { { 29, 32767 }, { 7.125f, 23.875f } },
    { { 179.625f, 149.625f }, -127332102624037193 }, 0, &numbers[2], { { 92, 255, 128, 4, 255 } },
    { { { 127, -2147483647 }, { -56, -2147483647 } } }
};
static void *const argv262[] = {
    A(262, 0), A(262, 1), A(262, 2), A(262, 3), A(262, 4), A(262, 5), A(262, 6), A(262, 7), A(262, 8), A(262, 9)
};
static const b1 r262 = { -128 };
COHORT_FUNCTION_RETURNING(b1, case262,
    (b3 a0, inner a1, float a2, d1 a3, hff a4, ffl a5, _Bool a6, const float a7[2], b5 a8, pairs a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 262;
    SAME_STRUCT(b3, 262, 0) SAME_STRUCT(inner, 262, 1) SAME(262, 2) SAME_STRUCT(d1, 262, 3) SAME_STRUCT(hff, 262, 4)
    SAME_STRUCT(ffl, 262, 5) SAME(262, 6) SAME(262, 7) SAME_STRUCT(b5, 262, 8) SAME_STRUCT(pairs, 262, 9)
    return r262;
}
RESULT_STRUCT(262, b1)
static const struct {
    _Complex long double a0; const void *a1;
} v263 = {
    -163.625L + 41.5L * I, &numbers[0]
};
static void *const argv263[] = {
    A(263, 0), A(263, 1)
};
static const l3 r263 = { { 9223372036854775807, -9223372036854775807, 9223372036854775807 } };
COHORT_FUNCTION_RETURNING(l3, case263,
    (_Complex long double a0, void *a1), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 263;
    SAME(263, 0) SAME(263, 1)
    return r263;
}
RESULT_STRUCT(263, l3)
static const struct {
    ptrdiff_t a0; xl a1; const void *a2; float a3; uint16_t a4; dl a5; lf a6;
} v264 = {
    502931677, { -262.25L, 127 }, &numbers[3], -500.0f, 92, { -222.5, 3203747013723591888 },
    { 18446744073709551615u, 222.5f }
};
static void *const argv264[] = {
    A(264, 0), A(264, 1), A(264, 2), A(264, 3), A(264, 4), A(264, 5), A(264, 6)
};
static const fi r264 = { 333.125f, 1841154181 };
COHORT_FUNCTION_RETURNING(fi, case264,
    (ptrdiff_t a0, xl a1, void *a2, float a3, uint16_t a4, dl a5, lf a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 264;
    SAME(264, 0) SAME_STRUCT(xl, 264, 1) SAME(264, 2) SAME(264, 3) SAME(264, 4) SAME_STRUCT(dl, 264, 5)
    SAME_STRUCT(lf, 264, 6)
    return r264;
}
RESULT_STRUCT(264, fi)
static const struct {
    b9 a0; f4 a1; fz a2; b2 a3; ptrdiff_t a4; b9 a5; uint16_t a6; l3 a7; int32_t a8; fz a9; int32_t a10;
} v265 = {
    { { 138, 118, 54, 97, 39, 38, 0, 255, 0 } }, { { 17.125f, 494.0f, 356.625f, -483.875f } },
    { -307.625f, 352.5f + 262.25f * I }, { { 0, 255 } }, 2147483647, { { 0, 145, 137, 255, 0, 0, 88, 33, 255 } }, 21,
    { { 59, 9223372036854775807, -5220295672755863253 } }, 2147483647, { -498.25f, 321.625f + -419.625f * I },
    -594870661
};
static void *const argv265[] = {
    A(265, 0), A(265, 1), A(265, 2), A(265, 3), A(265, 4), A(265, 5), A(265, 6), A(265, 7), A(265, 8), A(265, 9),
    A(265, 10)
};
static const ld r265 = { -8341657155290915795, -112.375 };
COHORT_FUNCTION_RETURNING(ld, case265,
    (b9 a0, f4 a1, fz a2, b2 a3, ptrdiff_t a4, b9 a5, uint16_t a6, l3 a7, int32_t a8, fz a9, int32_t a10), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 265;
    SAME_STRUCT(b9, 265, 0) SAME_STRUCT(f4, 265, 1) SAME_STRUCT(fz, 265, 2) SAME_STRUCT(b2, 265, 3) SAME(265, 4)
    SAME_STRUCT(b9, 265, 5) SAME(265, 6) SAME_STRUCT(l3, 265, 7) SAME(265, 8) SAME_STRUCT(fz, 265, 9) SAME(265, 10)
    return r265;
}
RESULT_STRUCT(265, ld)
static const struct {
    d8 a0; b16 a1; iff a2; uint64_t a3; l3 a4; int8_t a5; l3 a6; b9 a7; const void *a8; _Complex long double a9;
    x2 a10;
} v266 = {
    { { 332.25, 77.25, 103.875, 12.5, -416.625, -459.5, -430.0, -265.125 } },
    { { 11, 127, 109, -27, -56, -67, 127, -43, 127, 31, 52, -42, 42, -128, -15, -128 } }, { 76, -468.875f, 201.0f },
    18446744073709551615u, { { 0, -4066587248780767669, -777720307206145885 } }, 7,
    { { 9223372036854775807, -49, 9223372036854775807 } }, { { 209, 255, 0, 69, 0, 100, 208, 193, 0 } }, &numbers[2],
    -324.75L + -107.625L * I, { { -333.25L, -330.375L } }
};
static void *const argv266[] = {
    A(266, 0), A(266, 1), A(266, 2), A(266, 3), A(266, 4), A(266, 5), A(266, 6), A(266, 7), A(266, 8), A(266, 9),
    A(266, 10)
};
static const deeper r266 = { { { { -53, -2104309809 }, 189.375 }, { { -128, 30 }, -44.75 } }, { { 792742689, -94.875f, -214.5f }, { -2147483647, 104.625f, 233.75f } } };
COHORT_FUNCTION_RETURNING(deeper, case266,
    (d8 a0, b16 a1, iff a2, uint64_t a3, l3 a4, int8_t a5, l3 a6, b9 a7, void *a8, _Complex long double a9, x2 a10), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 266;
    SAME_STRUCT(d8, 266, 0) SAME_STRUCT(b16, 266, 1) SAME_STRUCT(iff, 266, 2) SAME(266, 3) SAME_STRUCT(l3, 266, 4)
    SAME(266, 5) SAME_STRUCT(l3, 266, 6) SAME_STRUCT(b9, 266, 7) SAME(266, 8) SAME(266, 9) SAME_STRUCT(x2, 266, 10)
    return r266;
}
RESULT_STRUCT(266, deeper)
static const struct {
    iff a0; xl a1;
} v267 = {
    { 2147483647, -455.0f, -230.375f }, { -420.25L, 127 }
};
static void *const argv267[] = {
    A(267, 0), A(267, 1)
};
static const uint64_t r267 = 1098892915740819937u;
COHORT_FUNCTION_RETURNING(uint64_t, case267,
    (iff a0, xl a1), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 267;
    SAME_STRUCT(iff, 267, 0) SAME_STRUCT(xl, 267, 1)
    return r267;
}
RESULT(267, uint64_t)
static const struct {
    l2 a0; l1 a1; b9 a2;
} v268 = {
    { { -9223372036854775807, 5770181920347661023 } }, { -7382585918174404135 },
    { { 0, 255, 75, 255, 255, 255, 242, 82, 76 } }
};
static void *const argv268[] = {
    A(268, 0), A(268, 1), A(268, 2)
};
static const f4 r268 = { { 440.125f, -246.625f, -304.125f, -29.75f } };
COHORT_FUNCTION_RETURNING(f4, case268,
    (l2 a0, l1 a1, b9 a2), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 268;
    SAME_STRUCT(l2, 268, 0) SAME_STRUCT(l1, 268, 1) SAME_STRUCT(b9, 268, 2)
    return r268;
}
RESULT_STRUCT(268, f4)
static const struct {
    l1 a0;
} v269 = {
    { -39 }
};
static void *const argv269[] = {
    A(269, 0)
};
static const z2 r269 = { 197.0 + 206.75 * I };
COHORT_FUNCTION_RETURNING(z2, case269,
    (l1 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 269;
    SAME_STRUCT(l1, 269, 0)
    return r269;
}
RESULT_STRUCT(269, z2)
static const struct {
    lf a0;
} v270 = {
    { 94u, -346.125f }
};
static void *const argv270[] = {
    A(270, 0)
};
static const d2 r270 = { { 456.5, 168.0 } };
COHORT_FUNCTION_RETURNING(d2, case270,
    (lf a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 270;
    SAME_STRUCT(lf, 270, 0)
    return r270;
}
RESULT_STRUCT(270, d2)
static const struct {
    const void *a0; size_t a1; hff a2; xl a3; x2 a4; int16_t a5; z1 a6; cd a7; z1 a8; d2 a9; f2 a10;
} v271 = {
    &numbers[3], 589981542, { { -32768, -21317 }, { -334.5f, 327.375f } }, { -123.625L, -128 },
    { { -64.75L, -269.0L } }, 47, { -302.125f + 39.0f * I }, { 0, 76.25 }, { -297.125f + -248.5f * I },
    { { -418.125, -112.375 } }, { -14.0f, -421.5f }
};
static void *const argv271[] = {
    A(271, 0), A(271, 1), A(271, 2), A(271, 3), A(271, 4), A(271, 5), A(271, 6), A(271, 7), A(271, 8), A(271, 9),
    A(271, 10)
};
static const f3 r271 = { { -480.125f, 258.25f, -96.25f } };
COHORT_FUNCTION_RETURNING(f3, case271,
    (const float a0[2], size_t a1, hff a2, xl a3, x2 a4, int16_t a5, z1 a6, cd a7, z1 a8, d2 a9, f2 a10), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 271;
    SAME(271, 0) SAME(271, 1) SAME_STRUCT(hff, 271, 2) SAME_STRUCT(xl, 271, 3) SAME_STRUCT(x2, 271, 4) SAME(271, 5)
    SAME_STRUCT(z1, 271, 6) SAME_STRUCT(cd, 271, 7) SAME_STRUCT(z1, 271, 8) SAME_STRUCT(d2, 271, 9)
    SAME_STRUCT(f2, 271, 10)
    return r271;
}
RESULT_STRUCT(271, f3)
static const struct {
    dl a0; const void *a1; inner a2; deep a3; uintptr_t a4; const void *a5; uintptr_t a6; float _Complex a7;
} v272 = {
    { 342.25, 9223372036854775807 }, &numbers[6], { 127, 2147483647 },
    { { { 127, -73354097 }, 3.875 }, { { { -128, -56, 127 } }, { { 57, -128, -128 } }, { { -67, 127, 127 } } }, { 324.25f, -122.375f } },
    3873761368, &numbers[6], 956430005, 213.625f + -59.0f * I
};
static void *const argv272[] = {
    A(272, 0), A(272, 1), A(272, 2), A(272, 3), A(272, 4), A(272, 5), A(272, 6), A(272, 7)
};
static const deep r272 = { { { -120, -2147483647 }, 469.5 }, { { { 127, 127, -97 } }, { { -74, -128, -128 } }, { { -1, 127, 70 } } }, { -228.75f, -78.25f } };
COHORT_FUNCTION_RETURNING(deep, case272,
    (dl a0, void *a1, inner a2, deep a3, uintptr_t a4, const float a5[2], uintptr_t a6, float _Complex a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 272;
    SAME_STRUCT(dl, 272, 0) SAME(272, 1) SAME_STRUCT(inner, 272, 2) SAME_STRUCT(deep, 272, 3) SAME(272, 4) SAME(272, 5)
    SAME(272, 6) SAME(272, 7)
    return r272;
}
RESULT_STRUCT(272, deep)
static const struct {
    b7 a0; nest a1; long double a2; int32_t a3; const void *a4; double _Complex a5; const void *a6; const void *a7;
} v273 = {
    { { 127, -10, -128, -128, 31, -128, -42 } }, { { -11, 2106109529 }, -54.25 }, 66.375L, 30, &numbers[5],
    -407.375 + 234.25 * I, &numbers[1], &numbers[3]
};
static void *const argv273[] = {
    A(273, 0), A(273, 1), A(273, 2), A(273, 3), A(273, 4), A(273, 5), A(273, 6), A(273, 7)
};
static const uint32_t r273 = 0;
COHORT_FUNCTION_RETURNING(uint32_t, case273,
    (b7 a0, nest a1, long double a2, int32_t a3, void *a4, double _Complex a5, const float a6[2], void *a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 273;
    SAME_STRUCT(b7, 273, 0) SAME_STRUCT(nest, 273, 1) SAME(273, 2) SAME(273, 3) SAME(273, 4) SAME(273, 5) SAME(273, 6)
    SAME(273, 7)
    return r273;
}
RESULT(273, uint32_t)
static const struct {
    const void *a0; z1 a1; d2 a2; short a3; int32_t a4; long double a5; const void *a6;
} v274 = {
    &numbers[2], { -204.375f + -283.125f * I }, { { 131.625, 416.0 } }, 9831, 2147483647, 465.375L, &numbers[0]
};
static void *const argv274[] = {
    A(274, 0), A(274, 1), A(274, 2), A(274, 3), A(274, 4), A(274, 5), A(274, 6)
};
static const _Bool r274 = 0;
COHORT_FUNCTION_RETURNING(_Bool, case274,
    (void *a0, z1 a1, d2 a2, short a3, int32_t a4, long double a5, void *a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 274;
    SAME(274, 0) SAME_STRUCT(z1, 274, 1) SAME_STRUCT(d2, 274, 2) SAME(274, 3) SAME(274, 4) SAME(274, 5) SAME(274, 6)
    return r274;
}
RESULT(274, _Bool)
static const struct {
    hff a0; b17 a1; f1 a2; ptrdiff_t a3; b17 a4; f4 a5; unsigned long long int a6;
} v275 = {
    { { 30062, 32767 }, { -267.375f, 157.25f } },
    { { 0, 0, 20, 40, 0, 45, 255, 97, 58, 0, 68, 54, 0, 255, 255, 255, 136 } }, { 346.25f }, 1754701010,
    { { 0, 255, 167, 138, 65, 98, 255, 115, 255, 0, 0, 19, 255, 143, 67, 0, 0 } },
    { { -325.875f, -68.375f, 495.375f, 169.625f } }, 44u
};
static void *const argv275[] = {
    A(275, 0), A(275, 1), A(275, 2), A(275, 3), A(275, 4), A(275, 5), A(275, 6)
};
static const uint32_t r275 = 111050758;
COHORT_FUNCTION_RETURNING(uint32_t, case275,
    (hff a0, b17 a1, f1 a2, ptrdiff_t a3, b17 a4, f4 a5, unsigned long long int a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 275;
    SAME_STRUCT(hff, 275, 0) SAME_STRUCT(b17, 275, 1) SAME_STRUCT(f1, 275, 2) SAME(275, 3) SAME_STRUCT(b17, 275, 4)
    SAME_STRUCT(f4, 275, 5) SAME(275, 6)
    return r275;
}
RESULT(275, uint32_t)
static const struct {
    iff a0; b2 a1;
} v276 = {
    { -2147483647, 411.5f, 23.875f }, { { 0, 0 } }
};
static void *const argv276[] = {
    A(276, 0), A(276, 1)
};
static const z1 r276 = { -231.0f + 307.375f * I };
COHORT_FUNCTION_RETURNING(z1, case276,
    (iff a0, b2 a1), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 276;
    SAME_STRUCT(iff, 276, 0) SAME_STRUCT(b2, 276, 1)
    return r276;
}
RESULT_STRUCT(276, z1)
static const struct {
    ffl a0; b1 a1; const void *a2; long long a3; signed char a4; b15 a5; long long a6; l8 a7; f5 a8; const void *a9;
    signed char a10; unsigned long long int a11;
} v277 = {
    { { -418.0f, 146.75f }, -47 }, { -128 }, &numbers[1], -9223372036854775807ll, 127,
    { { 99, 6, 255, 4, 0, 209, 0, 105, 110, 255, 61, 239, 1, 2, 154 } }, 9223372036854775807ll,
    { { 42u, 0u, 18446744073709551615u, 18446744073709551615u, 10730964354436130219u, 39u, 6323808958762979926u, 18446744073709551615u } },
    { { 89.375f, 46.125f, 410.625f, -198.25f, 206.25f } }, &numbers[2], -47, 1132784283985223925u
};
static void *const argv277[] = {
    A(277, 0), A(277, 1), A(277, 2), A(277, 3), A(277, 4), A(277, 5), A(277, 6), A(277, 7), A(277, 8), A(277, 9),
    A(277, 10), A(277, 11)
};
static const b17 r277 = { { 255, 144, 161, 0, 90, 255, 79, 255, 255, 0, 0, 43, 30, 255, 23, 255, 219 } };
COHORT_FUNCTION_RETURNING(b17, case277,
    (ffl a0, b1 a1, void *a2, long long a3, signed char a4, b15 a5, long long a6, l8 a7, f5 a8, void *a9,
     signed char a10, unsigned long long int a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 277;
    SAME_STRUCT(ffl, 277, 0) SAME_STRUCT(b1, 277, 1) SAME(277, 2) SAME(277, 3) SAME(277, 4) SAME_STRUCT(b15, 277, 5)
    SAME(277, 6) SAME_STRUCT(l8, 277, 7) SAME_STRUCT(f5, 277, 8) SAME(277, 9) SAME(277, 10) SAME(277, 11)
    return r277;
}
RESULT_STRUCT(277, b17)
static const struct {
    ptrdiff_t a0; b64 a1; b3 a2; const void *a3; const void *a4; b16 a5;
} v278 = {
    2147483647,
    { { 67, 0, 15, 255, 119, 20, 87, 0, 255, 42, 11, 0, 33, 255, 255, 0, 97, 68, 236, 0, 58, 0, 29, 51, 0, 9, 43, 255, 0, 224, 85, 179, 0, 77, 0, 74, 98, 96, 0, 9, 214, 92, 25, 58, 91, 255, 55, 0, 4, 0, 17, 77, 97, 255, 255, 81, 0, 0, 0, 255, 13, 0, 0, 0 } },
    { { -128, 127, 127 } }, &numbers[6], &numbers[1],
    { { -128, -28, -108, 127, 127, -85, 33, -121, -83, 59, -99, 127, -128, 20, 59, -128 } }
};
static void *const argv278[] = {
    A(278, 0), A(278, 1), A(278, 2), A(278, 3), A(278, 4), A(278, 5)
};
static const floats r278 = { { { 300.875f, -314.625f }, { -384.0f, -290.0f } } };
COHORT_FUNCTION_RETURNING(floats, case278,
    (ptrdiff_t a0, b64 a1, b3 a2, const float a3[2], void *a4, b16 a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 278;
    SAME(278, 0) SAME_STRUCT(b64, 278, 1) SAME_STRUCT(b3, 278, 2) SAME(278, 3) SAME(278, 4) SAME_STRUCT(b16, 278, 5)
    return r278;
}
RESULT_STRUCT(278, floats)
static const struct {
    z1 a0; const void *a1; d1 a2; int a3; d8 a4; deeper a5; b3 a6;
} v279 = {
    { -354.25f + 291.75f * I }, &numbers[3], { -290.125 }, -2147483647,
    { { -110.875, 27.5, 87.5, 255.875, -166.125, -13.625, -280.625, 7.875 } },
    { { { { -128, -2147483647 }, 58.375 }, { { -128, 37 }, 437.875 } }, { { 2147483647, 443.375f, 226.125f }, { -1868960805, -278.375f, 295.75f } } },
    { { -102, 127, -128 } }
};
static void *const argv279[] = {
    A(279, 0), A(279, 1), A(279, 2), A(279, 3), A(279, 4), A(279, 5), A(279, 6)
};
static const lf r279 = { 18446744073709551615u, 133.25f };
COHORT_FUNCTION_RETURNING(lf, case279,
    (z1 a0, const float a1[2], d1 a2, int a3, d8 a4, deeper a5, b3 a6), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 279;
    SAME_STRUCT(z1, 279, 0) SAME(279, 1) SAME_STRUCT(d1, 279, 2) SAME(279, 3) SAME_STRUCT(d8, 279, 4)
    SAME_STRUCT(deeper, 279, 5) SAME_STRUCT(b3, 279, 6)
    return r279;
}
RESULT_STRUCT(279, lf)
static const struct {
    d3 a0; f3 a1; int16_t a2; ffl a3; b3 a4; b15 a5; b64 a6; double _Complex a7;
} v280 = {
    { { -347.125, -285.875, 360.125 } }, { { 434.375f, -57.75f, 480.875f } }, 32767, { { -185.375f, 487.5f }, 44 },
    { { 127, 58, 127 } }, { { 123, 92, 0, 179, 0, 237, 0, 255, 255, 31, 255, 251, 97, 24, 229 } },
    { { 241, 18, 4, 255, 48, 0, 0, 68, 0, 0, 132, 62, 110, 93, 22, 3, 12, 180, 0, 0, 163, 29, 59, 114, 0, 179, 255, 27, 0, 255, 0, 0, 30, 0, 255, 255, 0, 0, 39, 220, 138, 0, 255, 25, 103, 56, 216, 246, 255, 61, 255, 0, 0, 255, 255, 0, 11, 0, 43, 0, 24, 0, 80, 32 } },
    371.75 + 265.5 * I
};
static void *const argv280[] = {
    A(280, 0), A(280, 1), A(280, 2), A(280, 3), A(280, 4), A(280, 5), A(280, 6), A(280, 7)
};
static const flag r280 = { 1, -32768 };
COHORT_FUNCTION_RETURNING(flag, case280,
    (d3 a0, f3 a1, int16_t a2, ffl a3, b3 a4, b15 a5, b64 a6, double _Complex a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 280;
    SAME_STRUCT(d3, 280, 0) SAME_STRUCT(f3, 280, 1) SAME(280, 2) SAME_STRUCT(ffl, 280, 3) SAME_STRUCT(b3, 280, 4)
    SAME_STRUCT(b15, 280, 5) SAME_STRUCT(b64, 280, 6) SAME(280, 7)
    return r280;
}
RESULT_STRUCT(280, flag)
static const struct {
    b9 a0; const void *a1; b1 a2; int16_t a3; b17 a4;
} v281 = {
    { { 255, 255, 30, 1, 0, 255, 50, 0, 255 } }, &numbers[1], { -128 }, -32768,
    { { 0, 15, 20, 78, 134, 80, 39, 86, 255, 90, 73, 103, 133, 255, 0, 7, 0 } }
};
static void *const argv281[] = {
    A(281, 0), A(281, 1), A(281, 2), A(281, 3), A(281, 4)
};
static const ld r281 = { -9223372036854775807, -144.5 };
COHORT_FUNCTION_RETURNING(ld, case281,
    (b9 a0, const float a1[2], b1 a2, int16_t a3, b17 a4), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 281;
    SAME_STRUCT(b9, 281, 0) SAME(281, 1) SAME_STRUCT(b1, 281, 2) SAME(281, 3) SAME_STRUCT(b17, 281, 4)
    return r281;
}
RESULT_STRUCT(281, ld)
static const struct {
    const void *a0; pairs a1; cd a2; b1 a3; const void *a4; fi a5; f2 a6; d3 a7; unsigned short int a8; iff a9; b7 a10;
    ffl a11;
} v282 = {
    &numbers[0], { { { 127, -2147483647 }, { 127, -2147483647 } } }, { 0, -162.0 }, { -16 }, &numbers[1],
    { -333.125f, -2147483647 }, { 200.25f, -20.75f }, { { 195.375, 87.5, 346.25 } }, 65535,
    { -1884975924, 266.375f, -241.125f }, { { -128, -128, -128, 127, 44, -128, 127 } },
    { { -376.75f, 273.5f }, -9223372036854775807 }
};
static void *const argv282[] = {
    A(282, 0), A(282, 1), A(282, 2), A(282, 3), A(282, 4), A(282, 5), A(282, 6), A(282, 7), A(282, 8), A(282, 9),
    A(282, 10), A(282, 11)
};
static const d2 r282 = { { -135.375, -391.5 } };
COHORT_FUNCTION_RETURNING(d2, case282,
    (void *a0, pairs a1, cd a2, b1 a3, void *a4, fi a5, f2 a6, d3 a7, unsigned short int a8, iff a9, b7 a10, ffl a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 282;
    SAME(282, 0) SAME_STRUCT(pairs, 282, 1) SAME_STRUCT(cd, 282, 2) SAME_STRUCT(b1, 282, 3) SAME(282, 4)
    SAME_STRUCT(fi, 282, 5) SAME_STRUCT(f2, 282, 6) SAME_STRUCT(d3, 282, 7) SAME(282, 8) SAME_STRUCT(iff, 282, 9)
    SAME_STRUCT(b7, 282, 10) SAME_STRUCT(ffl, 282, 11)
    return r282;
}
RESULT_STRUCT(282, d2)
static const struct {
    inner a0; dl a1; unsigned char a2; inner a3; z1 a4; b9 a5; dl a6; f3 a7; z2 a8; long long a9; b17 a10; lf a11;
} v283 = {
    { -128, 32 }, { 285.375, 9223372036854775807 }, 255, { 127, 27 }, { 188.5f + -154.125f * I },
    { { 167, 255, 96, 0, 222, 255, 0, 255, 255 } }, { 186.5, -9223372036854775807 },
    { { -194.625f, 100.0f, -490.25f } }, { -267.5 + 458.25 * I }, 9223372036854775807ll,
    { { 41, 58, 255, 255, 255, 0, 76, 0, 255, 0, 0, 165, 54, 0, 75, 255, 255 } }, { 48u, 205.125f }
};
static void *const argv283[] = {
    A(283, 0), A(283, 1), A(283, 2), A(283, 3), A(283, 4), A(283, 5), A(283, 6), A(283, 7), A(283, 8), A(283, 9),
    A(283, 10), A(283, 11)
};
static const fz r283 = { 20.875f, 78.25f + 29.5f * I };
COHORT_FUNCTION_RETURNING(fz, case283,
    (inner a0, dl a1, unsigned char a2, inner a3, z1 a4, b9 a5, dl a6, f3 a7, z2 a8, long long a9, b17 a10, lf a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 283;
    SAME_STRUCT(inner, 283, 0) SAME_STRUCT(dl, 283, 1) SAME(283, 2) SAME_STRUCT(inner, 283, 3) SAME_STRUCT(z1, 283, 4)
    SAME_STRUCT(b9, 283, 5) SAME_STRUCT(dl, 283, 6) SAME_STRUCT(f3, 283, 7) SAME_STRUCT(z2, 283, 8) SAME(283, 9)
    SAME_STRUCT(b17, 283, 10) SAME_STRUCT(lf, 283, 11)
    return r283;
}
RESULT_STRUCT(283, fz)
static const struct {
    b7 a0; uint16_t a1; hff a2;
} v284 = {
    { { -65, -128, 79, 127, -93, 0, -128 } }, 19747, { { -3521, -68 }, { -7.875f, -490.125f } }
};
static void *const argv284[] = {
    A(284, 0), A(284, 1), A(284, 2)
};
static const z2 r284 = { -128.375 + 81.625 * I };
COHORT_FUNCTION_RETURNING(z2, case284,
    (b7 a0, uint16_t a1, hff a2), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 284;
    SAME_STRUCT(b7, 284, 0) SAME(284, 1) SAME_STRUCT(hff, 284, 2)
    return r284;
}
RESULT_STRUCT(284, z2)
static const struct {
    dl a0; fz a1; f3 a2; b5 a3; cd a4; z1 a5; deep a6; b9 a7; b5 a8; int16_t a9; const void *a10;
} v285 = {
    { -182.5, -14 }, { -280.125f, 430.125f + -113.875f * I }, { { -142.75f, -214.75f, 255.0f } },
    { { 255, 255, 96, 12, 37 } }, { 89, -413.5 }, { 379.875f + 140.375f * I },
    { { { 17, -960290677 }, -323.25 }, { { { -128, -128, -98 } }, { { 13, -128, -83 } }, { { -128, 105, -29 } } }, { -496.0f, -34.0f } },
    { { 0, 58, 0, 0, 255, 89, 255, 255, 0 } }, { { 255, 0, 84, 255, 255 } }, 31577, &numbers[1]
};
static void *const argv285[] = {
    A(285, 0), A(285, 1), A(285, 2), A(285, 3), A(285, 4), A(285, 5), A(285, 6), A(285, 7), A(285, 8), A(285, 9),
    A(285, 10)
};
static const unsigned char r285 = 255;
COHORT_FUNCTION_RETURNING(unsigned char, case285,
    (dl a0, fz a1, f3 a2, b5 a3, cd a4, z1 a5, deep a6, b9 a7, b5 a8, int16_t a9, const float a10[2]), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 285;
    SAME_STRUCT(dl, 285, 0) SAME_STRUCT(fz, 285, 1) SAME_STRUCT(f3, 285, 2) SAME_STRUCT(b5, 285, 3)
    SAME_STRUCT(cd, 285, 4) SAME_STRUCT(z1, 285, 5) SAME_STRUCT(deep, 285, 6) SAME_STRUCT(b9, 285, 7)
    SAME_STRUCT(b5, 285, 8) SAME(285, 9) SAME(285, 10)
    return r285;
}
RESULT(285, unsigned char)
static const struct {
    b2 a0; double a1; f2 a2; b2 a3; b2 a4; ld a5; b3 a6; xl a7; l2 a8; f4 a9; z2 a10; z1 a11;
} v286 = {
    { { 117, 255 } }, -358.25, { -187.75f, -170.375f }, { { 0, 0 } }, { { 50, 255 } }, { -64, -260.25 },
    { { -26, -128, 121 } }, { 332.125L, 127 }, { { 7174845249087989757, -6275962996821004225 } },
    { { -71.375f, 176.0f, 3.625f, -284.625f } }, { -93.625 + 368.125 * I }, { -131.75f + 498.5f * I }
};
static void *const argv286[] = {
    A(286, 0), A(286, 1), A(286, 2), A(286, 3), A(286, 4), A(286, 5), A(286, 6), A(286, 7), A(286, 8), A(286, 9),
    A(286, 10), A(286, 11)
};
static const long long r286 = -9223372036854775807ll;
COHORT_FUNCTION_RETURNING(long long, case286,
    (b2 a0, double a1, f2 a2, b2 a3, b2 a4, ld a5, b3 a6, xl a7, l2 a8, f4 a9, z2 a10, z1 a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 286;
    SAME_STRUCT(b2, 286, 0) SAME(286, 1) SAME_STRUCT(f2, 286, 2) SAME_STRUCT(b2, 286, 3) SAME_STRUCT(b2, 286, 4)
    SAME_STRUCT(ld, 286, 5) SAME_STRUCT(b3, 286, 6) SAME_STRUCT(xl, 286, 7) SAME_STRUCT(l2, 286, 8)
    SAME_STRUCT(f4, 286, 9) SAME_STRUCT(z2, 286, 10) SAME_STRUCT(z1, 286, 11)
    return r286;
}
RESULT(286, long long)
static const struct {
    fi a0; b64 a1; int16_t a2; b9 a3; d2 a4; b16 a5; const void *a6; hff a7; uint32_t a8; unsigned long long int a9;
    l2 a10; b1 a11;
} v287 = {
    { -306.625f, -1144206724 },
    { { 0, 0, 0, 35, 255, 0, 255, 0, 0, 97, 92, 0, 0, 60, 0, 162, 141, 45, 255, 255, 13, 255, 173, 0, 255, 255, 162, 84, 3, 255, 255, 53, 255, 0, 85, 255, 255, 255, 146, 0, 255, 255, 0, 61, 0, 76, 105, 255, 8, 39, 211, 255, 255, 0, 49, 255, 57, 242, 57, 0, 0, 145, 0, 157 } },
    32767, { { 0, 255, 255, 0, 211, 88, 255, 168, 97 } }, { { 187.25, -389.625 } },
    { { -128, 53, 68, 127, 66, 52, -128, -65, -80, -104, -128, 127, 127, 53, 127, 127 } }, &numbers[4],
    { { -32768, 32767 }, { 353.375f, -396.0f } }, 35, 16060034159393627455u,
    { { 9223372036854775807, -5349988499399051276 } }, { 127 }
};
static void *const argv287[] = {
    A(287, 0), A(287, 1), A(287, 2), A(287, 3), A(287, 4), A(287, 5), A(287, 6), A(287, 7), A(287, 8), A(287, 9),
    A(287, 10), A(287, 11)
};
static const d3 r287 = { { 222.625, 299.25, 112.5 } };
COHORT_FUNCTION_RETURNING(d3, case287,
    (fi a0, b64 a1, int16_t a2, b9 a3, d2 a4, b16 a5, const float a6[2], hff a7, uint32_t a8,
     unsigned long long int a9, l2 a10, b1 a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 287;
    SAME_STRUCT(fi, 287, 0) SAME_STRUCT(b64, 287, 1) SAME(287, 2) SAME_STRUCT(b9, 287, 3) SAME_STRUCT(d2, 287, 4)
    SAME_STRUCT(b16, 287, 5) SAME(287, 6) SAME_STRUCT(hff, 287, 7) SAME(287, 8) SAME(287, 9) SAME_STRUCT(l2, 287, 10)
    SAME_STRUCT(b1, 287, 11)
    return r287;
}
RESULT_STRUCT(287, d3)
static const struct {
    lf a0; x2 a1; deep a2; l2 a3; long a4; z1 a5; f2 a6; _Bool a7; unsigned char a8;
} v288 = {
    { 18446744073709551615u, -106.5f }, { { 271.75L, -165.0L } },
    { { { -128, -2147483647 }, 13.125 }, { { { -47, -42, 10 } }, { { 127, -128, 34 } }, { { 127, 52, 127 } } }, { -153.75f, -150.25f } },
    { { -9223372036854775807, -4379068677923432076 } }, 24094867, { 248.125f + 314.125f * I }, { 132.75f, -105.0f }, 1,
    255
};
static void *const argv288[] = {
    A(288, 0), A(288, 1), A(288, 2), A(288, 3), A(288, 4), A(288, 5), A(288, 6), A(288, 7), A(288, 8)
};
static const signed char r288 = -39;
COHORT_FUNCTION_RETURNING(signed char, case288,
    (lf a0, x2 a1, deep a2, l2 a3, long a4, z1 a5, f2 a6, _Bool a7, unsigned char a8), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 288;
    SAME_STRUCT(lf, 288, 0) SAME_STRUCT(x2, 288, 1) SAME_STRUCT(deep, 288, 2) SAME_STRUCT(l2, 288, 3) SAME(288, 4)
    SAME_STRUCT(z1, 288, 5) SAME_STRUCT(f2, 288, 6) SAME(288, 7) SAME(288, 8)
    return r288;
}
RESULT(288, signed char)
static const struct {
    b9 a0; int64_t a1; f2 a2; long double a3; b7 a4; uintptr_t a5;
} v289 = {
    { { 189, 255, 0, 0, 255, 255, 11, 255, 255 } }, 6439808353862743691, { 28.25f, 119.25f }, -132.5L,
    { { 127, -80, -128, 127, -41, 41, 127 } }, 4294967295
};
static void *const argv289[] = {
    A(289, 0), A(289, 1), A(289, 2), A(289, 3), A(289, 4), A(289, 5)
};
static const d3 r289 = { { -237.875, 92.5, -45.0 } };
COHORT_FUNCTION_RETURNING(d3, case289,
    (b9 a0, int64_t a1, f2 a2, long double a3, b7 a4, uintptr_t a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 289;
    SAME_STRUCT(b9, 289, 0) SAME(289, 1) SAME_STRUCT(f2, 289, 2) SAME(289, 3) SAME_STRUCT(b7, 289, 4) SAME(289, 5)
    return r289;
}
RESULT_STRUCT(289, d3)
static const struct {
    l1 a0; b7 a1; const void *a2; b15 a3;
} v290 = {
    { -59 }, { { -1, -82, -128, 116, 127, -128, 127 } }, &numbers[2],
    { { 128, 47, 43, 7, 0, 0, 48, 0, 0, 12, 255, 0, 59, 255, 0 } }
};
static void *const argv290[] = {
    A(290, 0), A(290, 1), A(290, 2), A(290, 3)
};
static const d8 r290 = { { -413.0, -475.0, 121.125, 183.25, -441.875, -100.0, 446.875, 379.0 } };
COHORT_FUNCTION_RETURNING(d8, case290,
    (l1 a0, b7 a1, const float a2[2], b15 a3), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 290;
    SAME_STRUCT(l1, 290, 0) SAME_STRUCT(b7, 290, 1) SAME(290, 2) SAME_STRUCT(b15, 290, 3)
    return r290;
}
RESULT_STRUCT(290, d8)
static const struct {
    const void *a0; float a1; unsigned short int a2; b17 a3; f5 a4; fi a5;
} v291 = {
    &numbers[0], -60.625f, 0, { { 21, 255, 255, 252, 0, 4, 98, 0, 28, 0, 2, 0, 64, 255, 57, 94, 52 } },
    { { 326.625f, -308.5f, 113.875f, -83.375f, 441.0f } }, { 274.875f, 2147483647 }
};
static void *const argv291[] = {
    A(291, 0), A(291, 1), A(291, 2), A(291, 3), A(291, 4), A(291, 5)
};
static const lf r291 = { 14867750362142797449u, 395.25f };
COHORT_FUNCTION_RETURNING(lf, case291,
    (const float a0[2], float a1, unsigned short int a2, b17 a3, f5 a4, fi a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 291;
    SAME(291, 0) SAME(291, 1) SAME(291, 2) SAME_STRUCT(b17, 291, 3) SAME_STRUCT(f5, 291, 4) SAME_STRUCT(fi, 291, 5)
    return r291;
}
RESULT_STRUCT(291, lf)
static const struct {
    b7 a0; inner a1; b3 a2; f5 a3; ffl a4; const void *a5; b1 a6; z1 a7;
} v292 = {
    { { 127, -128, 127, 127, 127, -81, -1 } }, { 97, -951157621 }, { { 127, 127, -128 } },
    { { 221.125f, -382.875f, 80.625f, -45.25f, -252.25f } }, { { 409.875f, -422.25f }, -69 }, &numbers[6], { 127 },
    { 118.5f + -302.25f * I }
};
static void *const argv292[] = {
    A(292, 0), A(292, 1), A(292, 2), A(292, 3), A(292, 4), A(292, 5), A(292, 6), A(292, 7)
};
static const fz r292 = { 254.0f, 125.875f + 44.25f * I };
COHORT_FUNCTION_RETURNING(fz, case292,
    (b7 a0, inner a1, b3 a2, f5 a3, ffl a4, void *a5, b1 a6, z1 a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 292;
    SAME_STRUCT(b7, 292, 0) SAME_STRUCT(inner, 292, 1) SAME_STRUCT(b3, 292, 2) SAME_STRUCT(f5, 292, 3)
    SAME_STRUCT(ffl, 292, 4) SAME(292, 5) SAME_STRUCT(b1, 292, 6) SAME_STRUCT(z1, 292, 7)
    return r292;
}
RESULT_STRUCT(292, fz)
static const struct {
    b17 a0; int32_t a1; int64_t a2; inner a3; xl a4; deeper a5; int8_t a6; hff a7;
} v293 = {
    { { 205, 0, 90, 255, 255, 255, 255, 255, 0, 255, 211, 26, 146, 87, 29, 255, 255 } }, 2147483647,
    -9223372036854775807, { 87, 69 }, { 361.0L, -128 },
    { { { { 14, -1002552764 }, -333.625 }, { { -15, 2147483647 }, -99.625 } }, { { -1143340655, 475.375f, -126.0f }, { -1683978325, 34.375f, 160.75f } } },
    127, { { 32767, -54 }, { -407.125f, -477.75f } }
};
static void *const argv293[] = {
    A(293, 0), A(293, 1), A(293, 2), A(293, 3), A(293, 4), A(293, 5), A(293, 6), A(293, 7)
};
static const pairs r293 = { { { -81, 72 }, { 83, 308176063 } } };
COHORT_FUNCTION_RETURNING(pairs, case293,
    (b17 a0, int32_t a1, int64_t a2, inner a3, xl a4, deeper a5, int8_t a6, hff a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 293;
    SAME_STRUCT(b17, 293, 0) SAME(293, 1) SAME(293, 2) SAME_STRUCT(inner, 293, 3) SAME_STRUCT(xl, 293, 4)
    SAME_STRUCT(deeper, 293, 5) SAME(293, 6) SAME_STRUCT(hff, 293, 7)
    return r293;
}
RESULT_STRUCT(293, pairs)
static const struct {
    int16_t a0; const void *a1; d2 a2; b1 a3; f1 a4; b15 a5; b2 a6; char a7; nest a8; x2 a9;
} v294 = {
    32767, &numbers[1], { { -417.625, -419.875 } }, { -89 }, { -440.75f },
    { { 0, 98, 255, 255, 9, 0, 0, 255, 255, 114, 0, 0, 76, 0, 60 } }, { { 145, 134 } }, 12, { { 5, 42 }, -108.25 },
    { { 379.125L, 469.125L } }
};
static void *const argv294[] = {
    A(294, 0), A(294, 1), A(294, 2), A(294, 3), A(294, 4), A(294, 5), A(294, 6), A(294, 7), A(294, 8), A(294, 9)
};
static const uint16_t r294 = 0;
COHORT_FUNCTION_RETURNING(uint16_t, case294,
    (int16_t a0, const float a1[2], d2 a2, b1 a3, f1 a4, b15 a5, b2 a6, char a7, nest a8, x2 a9), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 294;
    SAME(294, 0) SAME(294, 1) SAME_STRUCT(d2, 294, 2) SAME_STRUCT(b1, 294, 3) SAME_STRUCT(f1, 294, 4)
    SAME_STRUCT(b15, 294, 5) SAME_STRUCT(b2, 294, 6) SAME(294, 7) SAME_STRUCT(nest, 294, 8) SAME_STRUCT(x2, 294, 9)
    return r294;
}
RESULT(294, uint16_t)
static const struct {
    f5 a0; f4 a1; inner a2;
} v295 = {
    { { 14.0f, -499.5f, 237.0f, 135.5f, 471.25f } }, { { 371.0f, 20.875f, -46.625f, 359.625f } }, { 88, -2147483647 }
};
static void *const argv295[] = {
    A(295, 0), A(295, 1), A(295, 2)
};
static const b16 r295 = { { -30, -17, 82, -63, -128, -72, -128, -128, -128, 33, -128, -113, 18, -49, 70, -30 } };
COHORT_FUNCTION_RETURNING(b16, case295,
    (f5 a0, f4 a1, inner a2), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 295;
    SAME_STRUCT(f5, 295, 0) SAME_STRUCT(f4, 295, 1) SAME_STRUCT(inner, 295, 2)
    return r295;
}
RESULT_STRUCT(295, b16)
static const struct {
    l8 a0; lf a1; b1 a2; l3 a3; _Complex long double a4; fz a5; xl a6; const void *a7; l3 a8; b5 a9; d1 a10; x2 a11;
} v296 = {
    { { 18446744073709551615u, 99u, 18446744073709551615u, 14092783126919110240u, 13194241964395936794u, 61u, 18446744073709551615u, 0u } },
    { 0u, 383.625f }, { 127 }, { { 24, 76, 9223372036854775807 } }, -38.75L + -330.375L * I,
    { 85.375f, 495.5f + -153.125f * I }, { -114.125L, 127 }, &numbers[5],
    { { -9223372036854775807, 8269290824333307866, 64 } }, { { 97, 0, 62, 255, 255 } }, { 283.0 },
    { { -278.625L, 406.625L } }
};
static void *const argv296[] = {
    A(296, 0), A(296, 1), A(296, 2), A(296, 3), A(296, 4), A(296, 5), A(296, 6), A(296, 7), A(296, 8), A(296, 9),
    A(296, 10), A(296, 11)
};
static const xl r296 = { 110.25L, -128 };
COHORT_FUNCTION_RETURNING(xl, case296,
    (l8 a0, lf a1, b1 a2, l3 a3, _Complex long double a4, fz a5, xl a6, void *a7, l3 a8, b5 a9, d1 a10, x2 a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 296;
    SAME_STRUCT(l8, 296, 0) SAME_STRUCT(lf, 296, 1) SAME_STRUCT(b1, 296, 2) SAME_STRUCT(l3, 296, 3) SAME(296, 4)
    SAME_STRUCT(fz, 296, 5) SAME_STRUCT(xl, 296, 6) SAME(296, 7) SAME_STRUCT(l3, 296, 8) SAME_STRUCT(b5, 296, 9)
    SAME_STRUCT(d1, 296, 10) SAME_STRUCT(x2, 296, 11)
    return r296;
}
RESULT_STRUCT(296, xl)
static const struct {
    hff a0; b64 a1; b3 a2; _Complex long double a3;
} v297 = {
    { { 5, 740 }, { 397.125f, 17.75f } },
    { { 255, 255, 0, 26, 0, 255, 0, 28, 255, 255, 89, 72, 255, 42, 69, 19, 0, 255, 3, 0, 48, 66, 56, 23, 0, 207, 108, 0, 0, 26, 0, 255, 63, 236, 255, 0, 173, 63, 55, 255, 255, 0, 255, 29, 3, 0, 255, 18, 69, 255, 255, 255, 98, 255, 255, 19, 144, 0, 255, 30, 23, 0, 0, 255 } },
    { { 127, -9, 17 } }, -86.5L + 314.875L * I
};
static void *const argv297[] = {
    A(297, 0), A(297, 1), A(297, 2), A(297, 3)
};
static const f4 r297 = { { 12.25f, 431.0f, -450.375f, -418.625f } };
COHORT_FUNCTION_RETURNING(f4, case297,
    (hff a0, b64 a1, b3 a2, _Complex long double a3), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 297;
    SAME_STRUCT(hff, 297, 0) SAME_STRUCT(b64, 297, 1) SAME_STRUCT(b3, 297, 2) SAME(297, 3)
    return r297;
}
RESULT_STRUCT(297, f4)
static const struct {
    b7 a0; b64 a1; d3 a2; int16_t a3; b15 a4; int8_t a5; ld a6; l8 a7; int64_t a8; l1 a9; iff a10;
} v298 = {
    { { -22, 52, -128, -76, -128, -39, 94 } },
    { { 0, 0, 83, 0, 255, 255, 0, 0, 1, 25, 0, 45, 76, 25, 99, 255, 9, 192, 255, 255, 13, 0, 255, 255, 26, 255, 0, 255, 220, 11, 255, 0, 135, 0, 0, 115, 3, 0, 82, 76, 255, 108, 10, 0, 13, 255, 1, 0, 255, 249, 255, 76, 255, 32, 43, 144, 28, 172, 157, 7, 178, 0, 255, 65 } },
    { { 103.625, -347.875, 334.125 } }, -6461, { { 56, 255, 0, 0, 4, 6, 1, 8, 0, 255, 0, 215, 209, 41, 0 } }, 127,
    { 46, 140.0 },
    { { 0u, 52u, 14679641795615551106u, 1222094874821877926u, 0u, 6306534170548304895u, 18446744073709551615u, 3071243883043974249u } },
    -6439660468446841689, { -1283764012012703714 }, { 1287746611, 273.875f, 422.625f }
};
static void *const argv298[] = {
    A(298, 0), A(298, 1), A(298, 2), A(298, 3), A(298, 4), A(298, 5), A(298, 6), A(298, 7), A(298, 8), A(298, 9),
    A(298, 10)
};
static const z2 r298 = { -389.5 + 100.375 * I };
COHORT_FUNCTION_RETURNING(z2, case298,
    (b7 a0, b64 a1, d3 a2, int16_t a3, b15 a4, int8_t a5, ld a6, l8 a7, int64_t a8, l1 a9, iff a10), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 298;
    SAME_STRUCT(b7, 298, 0) SAME_STRUCT(b64, 298, 1) SAME_STRUCT(d3, 298, 2) SAME(298, 3) SAME_STRUCT(b15, 298, 4)
    SAME(298, 5) SAME_STRUCT(ld, 298, 6) SAME_STRUCT(l8, 298, 7) SAME(298, 8) SAME_STRUCT(l1, 298, 9)
    SAME_STRUCT(iff, 298, 10)
    return r298;
}
RESULT_STRUCT(298, z2)
static const struct {
    z1 a0; b64 a1; b7 a2; const void *a3; b64 a4; b17 a5;
} v299 = {
    { 14.25f + -390.5f * I },
    { { 0, 0, 255, 255, 0, 255, 54, 12, 57, 16, 5, 255, 89, 0, 91, 0, 37, 85, 5, 255, 55, 131, 200, 0, 255, 84, 30, 255, 22, 0, 16, 4, 94, 0, 0, 3, 255, 255, 255, 2, 78, 0, 78, 255, 0, 255, 104, 72, 80, 36, 31, 0, 255, 255, 43, 0, 255, 38, 255, 0, 255, 0, 11, 40 } },
    { { 37, -70, 62, -122, 127, 92, -128 } }, &numbers[4],
    { { 255, 0, 41, 255, 238, 49, 0, 255, 0, 255, 255, 30, 0, 22, 0, 52, 255, 255, 68, 30, 12, 255, 0, 0, 255, 255, 0, 85, 240, 0, 84, 0, 255, 18, 93, 84, 147, 152, 40, 255, 255, 255, 255, 80, 3, 38, 255, 76, 221, 255, 255, 156, 0, 212, 96, 0, 52, 0, 72, 210, 255, 255, 106, 255 } },
    { { 255, 0, 53, 91, 255, 80, 83, 0, 0, 0, 255, 76, 255, 0, 0, 35, 234 } }
};
static void *const argv299[] = {
    A(299, 0), A(299, 1), A(299, 2), A(299, 3), A(299, 4), A(299, 5)
};
static const z1 r299 = { 417.875f + 49.625f * I };
COHORT_FUNCTION_RETURNING(z1, case299,
    (z1 a0, b64 a1, b7 a2, void *a3, b64 a4, b17 a5), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 299;
    SAME_STRUCT(z1, 299, 0) SAME_STRUCT(b64, 299, 1) SAME_STRUCT(b7, 299, 2) SAME(299, 3) SAME_STRUCT(b64, 299, 4)
    SAME_STRUCT(b17, 299, 5)
    return r299;
}
RESULT_STRUCT(299, z1)
static const struct {
    fz a0; int long unsigned a1; f3 a2; b7 a3; long long a4; ffl a5; inner a6; deeper a7; inner a8; uint32_t a9;
    const void *a10;
} v300 = {
    { 127.625f, -496.0f + -147.0f * I }, 12, { { -46.125f, 126.375f, -286.375f } },
    { { -68, -128, -50, 127, 66, 28, -128 } }, 79ll, { { 400.625f, -473.0f }, -41 }, { -128, -2147483647 },
    { { { { -7, -2147483647 }, -62.0 }, { { -25, 2147483647 }, 476.375 } }, { { -18, -157.5f, 411.75f }, { 2147483647, 351.625f, 187.5f } } },
    { -5, -2147483647 }, 1387288217, &numbers[1]
};
static void *const argv300[] = {
    A(300, 0), A(300, 1), A(300, 2), A(300, 3), A(300, 4), A(300, 5), A(300, 6), A(300, 7), A(300, 8), A(300, 9),
    A(300, 10)
};
static const deeper r300 = { { { { -68, -2147483647 }, -122.375 }, { { 127, -15 }, 429.125 } }, { { 5, 258.125f, -491.25f }, { -2147483647, -208.875f, -394.5f } } };
COHORT_FUNCTION_RETURNING(deeper, case300,
    (fz a0, int long unsigned a1, f3 a2, b7 a3, long long a4, ffl a5, inner a6, deeper a7, inner a8, uint32_t a9,
     const float a10[2]), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 300;
    SAME_STRUCT(fz, 300, 0) SAME(300, 1) SAME_STRUCT(f3, 300, 2) SAME_STRUCT(b7, 300, 3) SAME(300, 4)
    SAME_STRUCT(ffl, 300, 5) SAME_STRUCT(inner, 300, 6) SAME_STRUCT(deeper, 300, 7) SAME_STRUCT(inner, 300, 8)
    SAME(300, 9) SAME(300, 10)
    return r300;
}
RESULT_STRUCT(300, deeper)
static const struct {
    const void *a0; short a1; ffl a2;
} v301 = {
    &numbers[0], -32768, { { 148.125f, 459.375f }, 9223372036854775807 }
};
static void *const argv301[] = {
    A(301, 0), A(301, 1), A(301, 2)
};
static const unsigned char r301 = 0;
COHORT_FUNCTION_RETURNING(unsigned char, case301,
    (void *a0, short a1, ffl a2), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 301;
    SAME(301, 0) SAME(301, 1) SAME_STRUCT(ffl, 301, 2)
    return r301;
}
RESULT(301, unsigned char)
static const struct {
    intptr_t a0; deep a1; b16 a2; long a3; b3 a4; nest a5; f2 a6; deep a7;
} v302 = {
    -82,
    { { { -128, 1370817516 }, 165.0 }, { { { 62, 127, -38 } }, { { -128, 93, -108 } }, { { 47, -22, 44 } } }, { -163.375f, -232.375f } },
    { { -99, 90, 127, 127, 50, -98, 127, -6, -55, -128, -128, 127, -19, 127, -68, 80 } }, -59, { { 73, -128, 127 } },
    { { -71, 2147483647 }, -234.5 }, { -482.125f, -408.75f },
    { { { -128, -2147483647 }, -456.375 }, { { { -128, 102, 127 } }, { { -128, -128, 3 } }, { { 91, -40, 56 } } }, { -494.125f, 135.0f } }
};
static void *const argv302[] = {
    A(302, 0), A(302, 1), A(302, 2), A(302, 3), A(302, 4), A(302, 5), A(302, 6), A(302, 7)
};
static const b15 r302 = { { 0, 0, 40, 255, 0, 0, 0, 236, 166, 255, 92, 18, 182, 0, 0 } };
COHORT_FUNCTION_RETURNING(b15, case302,
    (intptr_t a0, deep a1, b16 a2, long a3, b3 a4, nest a5, f2 a6, deep a7), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 302;
    SAME(302, 0) SAME_STRUCT(deep, 302, 1) SAME_STRUCT(b16, 302, 2) SAME(302, 3) SAME_STRUCT(b3, 302, 4)
    SAME_STRUCT(nest, 302, 5) SAME_STRUCT(f2, 302, 6) SAME_STRUCT(deep, 302, 7)
    return r302;
}
RESULT_STRUCT(302, b15)
static const struct {
    uint64_t a0; lf a1; l8 a2; ffl a3; double a4; b64 a5; unsigned a6; intptr_t a7; size_t a8; flag a9; d8 a10; b9 a11;
} v303 = {
    18446744073709551615u, { 18446744073709551615u, 468.0f },
    { { 0u, 46u, 89u, 0u, 0u, 18446744073709551615u, 18446744073709551615u, 80u } }, { { -190.375f, -65.0f }, -74 },
    242.5,
    { { 0, 255, 255, 0, 121, 255, 70, 122, 0, 22, 93, 66, 166, 57, 255, 0, 127, 62, 255, 168, 35, 0, 255, 84, 30, 255, 0, 0, 182, 255, 13, 255, 255, 0, 255, 11, 99, 255, 118, 99, 255, 0, 219, 71, 0, 0, 0, 0, 11, 0, 0, 255, 42, 35, 0, 0, 0, 255, 255, 255, 0, 38, 148, 255 } },
    4294967295, 803959480, 4294967295, { 0, 32767 },
    { { 345.5, 82.875, -45.125, 386.625, 34.375, 479.875, -271.5, 145.5 } },
    { { 255, 255, 0, 22, 86, 255, 255, 0, 0 } }
};
static void *const argv303[] = {
    A(303, 0), A(303, 1), A(303, 2), A(303, 3), A(303, 4), A(303, 5), A(303, 6), A(303, 7), A(303, 8), A(303, 9),
    A(303, 10), A(303, 11)
};
static const int r303 = 2147483647;
COHORT_FUNCTION_RETURNING(int, case303,
    (uint64_t a0, lf a1, l8 a2, ffl a3, double a4, b64 a5, unsigned a6, intptr_t a7, size_t a8, flag a9, d8 a10,
     b9 a11), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 303;
    SAME(303, 0) SAME_STRUCT(lf, 303, 1) SAME_STRUCT(l8, 303, 2) SAME_STRUCT(ffl, 303, 3) SAME(303, 4)
    SAME_STRUCT(b64, 303, 5) SAME(303, 6) SAME(303, 7) SAME(303, 8) SAME_STRUCT(flag, 303, 9) SAME_STRUCT(d8, 303, 10)
    SAME_STRUCT(b9, 303, 11)
    return r303;
}
RESULT(303, int)
static const struct {
    const void *a0; const void *a1; deep a2; ld a3;
} v304 = {
    &numbers[2], &numbers[2],
    { { { -124, -2147483647 }, -147.375 }, { { { 83, -6, 58 } }, { { 127, 127, -128 } }, { { 26, -128, 23 } } }, { -487.375f, 347.25f } },
    { -1121241556543951404, -385.875 }
};
static void *const argv304[] = {
    A(304, 0), A(304, 1), A(304, 2), A(304, 3)
};
static const z2 r304 = { -187.375 + -236.75 * I };
COHORT_FUNCTION_RETURNING(z2, case304,
    (const float a0[2], const float a1[2], deep a2, ld a3), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 304;
    SAME(304, 0) SAME(304, 1) SAME_STRUCT(deep, 304, 2) SAME_STRUCT(ld, 304, 3)
    return r304;
}
RESULT_STRUCT(304, z2)
static const struct {
    uintptr_t a0; xl a1; _Complex long double a2; float _Complex a3; const void *a4;
} v305 = {
    2601462680, { 260.875L, -128 }, 272.375L + 182.625L * I, -328.5f + -72.0f * I, &numbers[1]
};
static void *const argv305[] = {
    A(305, 0), A(305, 1), A(305, 2), A(305, 3), A(305, 4)
};
static const lf r305 = { 13445394683001118170u, 23.875f };
COHORT_FUNCTION_RETURNING(lf, case305,
    (uintptr_t a0, xl a1, _Complex long double a2, float _Complex a3, const float a4[2]), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 305;
    SAME(305, 0) SAME_STRUCT(xl, 305, 1) SAME(305, 2) SAME(305, 3) SAME(305, 4)
    return r305;
}
RESULT_STRUCT(305, lf)
static const struct {
    nest a0;
} v306 = {
    { { -128, -33 }, 494.0 }
};
static void *const argv306[] = {
    A(306, 0)
};
static const f5 r306 = { { 362.625f, 273.875f, 417.375f, -389.125f, 46.125f } };
COHORT_FUNCTION_RETURNING(f5, case306,
    (nest a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 306;
    SAME_STRUCT(nest, 306, 0)
    return r306;
}
RESULT_STRUCT(306, f5)
static const struct {
    b16 a0; deeper a1;
} v307 = {
    { { 127, 16, -128, -128, 127, 31, 86, -128, 22, -98, -128, -21, 127, -128, 127, 127 } },
    { { { { -55, -2147483647 }, -263.625 }, { { -128, -89 }, 498.75 } }, { { 2147483647, -259.375f, -477.25f }, { -2147483647, -79.625f, 275.75f } } }
};
static void *const argv307[] = {
    A(307, 0), A(307, 1)
};
static const b16 r307 = { { 127, -128, 99, -12, -128, -128, 31, 127, 127, -40, -66, 127, 29, 127, -63, 127 } };
COHORT_FUNCTION_RETURNING(b16, case307,
    (b16 a0, deeper a1), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 307;
    SAME_STRUCT(b16, 307, 0) SAME_STRUCT(deeper, 307, 1)
    return r307;
}
RESULT_STRUCT(307, b16)
static const struct {
    const void *a0; unsigned short int a1; inner a2;
} v308 = {
    &numbers[3], 65535, { -36, 681800838 }
};
static void *const argv308[] = {
    A(308, 0), A(308, 1), A(308, 2)
};
static const size_t r308 = 4294967295;
COHORT_FUNCTION_RETURNING(size_t, case308,
    (const float a0[2], unsigned short int a1, inner a2), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 308;
    SAME(308, 0) SAME(308, 1) SAME_STRUCT(inner, 308, 2)
    return r308;
}
RESULT(308, size_t)
static const struct {
    ld a0; unsigned short int a1;
} v309 = {
    { 9223372036854775807, 416.25 }, 34
};
static void *const argv309[] = {
    A(309, 0), A(309, 1)
};
static const uint64_t r309 = 0u;
COHORT_FUNCTION_RETURNING(uint64_t, case309,
    (ld a0, unsigned short int a1), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 309;
    SAME_STRUCT(ld, 309, 0) SAME(309, 1)
    return r309;
}
RESULT(309, uint64_t)
static const struct {
    l8 a0;
} v310 = {
    { { 12522031342523076105u, 18446744073709551615u, 99u, 18446744073709551615u, 0u, 0u, 18446744073709551615u, 7063194669475785745u } }
};
static void *const argv310[] = {
    A(310, 0)
};
static const pairs r310 = { { { 127, 2147483647 }, { -3, -2147483647 } } };
COHORT_FUNCTION_RETURNING(pairs, case310,
    (l8 a0), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 310;
    SAME_STRUCT(l8, 310, 0)
    return r310;
}
RESULT_STRUCT(310, pairs)
static const struct {
    hff a0; l3 a1;
} v311 = {
    { { -32768, 20 }, { 16.625f, 353.0f } }, { { -3276814898640509756, -9223372036854775807, -1773684850906868822 } }
};
static void *const argv311[] = {
    A(311, 0), A(311, 1)
};
static const f4 r311 = { { 51.375f, 447.0f, 258.5f, 361.625f } };
COHORT_FUNCTION_RETURNING(f4, case311,
    (hff a0, l3 a1), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 311;
    SAME_STRUCT(hff, 311, 0) SAME_STRUCT(l3, 311, 1)
    return r311;
}
RESULT_STRUCT(311, f4)
static const struct {
    fi a0; const void *a1; b15 a2; const void *a3; xl a4; f3 a5; deep a6; unsigned a7; const void *a8;
} v312 = {
    { 183.25f, 59 }, &numbers[5], { { 13, 0, 238, 255, 86, 208, 53, 255, 255, 147, 13, 23, 255, 255, 222 } },
    &numbers[3], { 171.5L, -128 }, { { -107.625f, -132.875f, -307.5f } },
    { { { 127, 2147483647 }, -3.125 }, { { { 127, 98, 127 } }, { { -50, -128, 63 } }, { { 127, 127, 37 } } }, { -406.5f, -267.75f } },
    0, &numbers[5]
};
static void *const argv312[] = {
    A(312, 0), A(312, 1), A(312, 2), A(312, 3), A(312, 4), A(312, 5), A(312, 6), A(312, 7), A(312, 8)
};
static const d3 r312 = { { -262.75, -340.5, 89.625 } };
COHORT_FUNCTION_RETURNING(d3, case312,
    (fi a0, const float a1[2], b15 a2, void *a3, xl a4, f3 a5, deep a6, unsigned a7, const float a8[2]), COHORT_HOST_ONLY, .types = struct_types)
{
    called = 312;
    SAME_STRUCT(fi, 312, 0) SAME(312, 1) SAME_STRUCT(b15, 312, 2) SAME(312, 3) SAME_STRUCT(xl, 312, 4)
    SAME_STRUCT(f3, 312, 5) SAME_STRUCT(deep, 312, 6) SAME(312, 7) SAME(312, 8)
    return r312;
}
RESULT_STRUCT(312, d3)
static const struct {
    const cohort_function *function;
    void *const *argv;
    bool (*is_result)(const void *);
} cases[] = {
    { case0, argv0, result0 },
    { case1, argv1, result1 },
    { case2, argv2, result2 },
    { case3, argv3, result3 },
    { case4, argv4, result4 },
    { case5, argv5, result5 },
    { case6, argv6, result6 },
    { case7, argv7, result7 },
    { case8, argv8, result8 },
    { case9, argv9, result9 },
    { case10, argv10, result10 },
    { case11, argv11, result11 },
    { case12, argv12, result12 },
    { case13, argv13, result13 },
    { case14, argv14, result14 },
    { case15, argv15, result15 },
    { case16, argv16, result16 },
    { case17, argv17, result17 },
    { case18, argv18, result18 },
    { case19, argv19, result19 },
    { case20, argv20, result20 },
    { case21, argv21, result21 },
    { case22, argv22, result22 },
    { case23, argv23, result23 },
    { case24, argv24, result24 },
    { case25, argv25, result25 },
    { case26, argv26, result26 },
    { case27, argv27, result27 },
    { case28, argv28, result28 },
    { case29, argv29, result29 },
    { case30, argv30, result30 },
    { case31, argv31, result31 },
    { case32, argv32, result32 },
    { case33, argv33, result33 },
    { case34, argv34, result34 },
    { case35, argv35, result35 },
    { case36, argv36, result36 },
    { case37, argv37, result37 },
    { case38, argv38, result38 },
    { case39, argv39, result39 },
    { case40, argv40, result40 },
    { case41, argv41, result41 },
    { case42, argv42, result42 },
    { case43, argv43, result43 },
    { case44, argv44, result44 },
    { case45, argv45, result45 },
    { case46, argv46, result46 },
    { case47, argv47, result47 },
    { case48, argv48, result48 },
    { case49, argv49, result49 },
    { case50, argv50, result50 },
    { case51, argv51, result51 },
    { case52, argv52, result52 },
    { case53, argv53, result53 },
    { case54, argv54, result54 },
    { case55, argv55, result55 },
    { case56, argv56, result56 },
    { case57, argv57, result57 },
    { case58, argv58, result58 },
    { case59, argv59, result59 },
    { case60, argv60, result60 },
    { case61, argv61, result61 },
    { case62, argv62, result62 },
    { case63, argv63, result63 },
    { case64, argv64, result64 },
    { case65, argv65, result65 },
    { case66, argv66, result66 },
    { case67, argv67, result67 },
    { case68, argv68, result68 },
    { case69, argv69, result69 },
    { case70, argv70, result70 },
    { case71, argv71, result71 },
    { case72, argv72, result72 },
    { case73, argv73, result73 },
    { case74, argv74, result74 },
    { case75, argv75, result75 },
    { case76, argv76, result76 },
    { case77, argv77, result77 },
    { case78, argv78, result78 },
    { case79, argv79, result79 },
    { case80, argv80, result80 },
    { case81, argv81, result81 },
    { case82, argv82, result82 },
    { case83, argv83, result83 },
    { case84, argv84, result84 },
    { case85, argv85, result85 },
    { case86, argv86, result86 },
    { case87, argv87, result87 },
    { case88, argv88, result88 },
    { case89, argv89, result89 },
    { case90, argv90, result90 },
    { case91, argv91, result91 },
    { case92, argv92, result92 },
    { case93, argv93, result93 },
    { case94, argv94, result94 },
    { case95, argv95, result95 },
    { case96, argv96, result96 },
    { case97, argv97, result97 },
    { case98, argv98, result98 },
    { case99, argv99, result99 },
    { case100, argv100, result100 },
    { case101, argv101, result101 },
    { case102, argv102, result102 },
    { case103, argv103, result103 },
    { case104, argv104, result104 },
    { case105, argv105, result105 },
    { case106, argv106, result106 },
    { case107, argv107, result107 },
    { case108, argv108, result108 },
    { case109, argv109, result109 },
    { case110, argv110, result110 },
    { case111, argv111, result111 },
    { case112, argv112, result112 },
    { case113, argv113, result113 },
    { case114, argv114, result114 },
    { case115, argv115, result115 },
    { case116, argv116, result116 },
    { case117, argv117, result117 },
    { case118, argv118, result118 },
    { case119, argv119, result119 },
    { case120, argv120, result120 },
    { case121, argv121, result121 },
    { case122, argv122, result122 },
    { case123, argv123, result123 },
    { case124, argv124, result124 },
    { case125, argv125, result125 },
    { case126, argv126, result126 },
    { case127, argv127, result127 },
    { case128, argv128, result128 },
    { case129, argv129, result129 },
    { case130, argv130, result130 },
    { case131, argv131, result131 },
    { case132, argv132, result132 },
    { case133, argv133, result133 },
    { case134, argv134, result134 },
    { case135, argv135, result135 },
    { case136, argv136, result136 },
    { case137, argv137, result137 },
    { case138, argv138, result138 },
    { case139, argv139, result139 },
    { case140, argv140, result140 },
    { case141, argv141, result141 },
    { case142, argv142, result142 },
    { case143, argv143, result143 },
    { case144, argv144, result144 },
    { case145, argv145, result145 },
    { case146, argv146, result146 },
    { case147, argv147, result147 },
    { case148, argv148, result148 },
    { case149, argv149, result149 },
    { case150, argv150, result150 },
    { case151, argv151, result151 },
    { case152, argv152, result152 },
    { case153, argv153, result153 },
    { case154, argv154, result154 },
    { case155, argv155, result155 },
    { case156, argv156, result156 },
    { case157, argv157, result157 },
    { case158, argv158, result158 },
    { case159, argv159, result159 },
    { case160, argv160, result160 },
    { case161, argv161, result161 },
    { case162, argv162, result162 },
    { case163, argv163, result163 },
    { case164, argv164, result164 },
    { case165, argv165, result165 },
    { case166, argv166, result166 },
    { case167, argv167, result167 },
    { case168, argv168, result168 },
    { case169, argv169, result169 },
    { case170, argv170, result170 },
    { case171, argv171, result171 },
    { case172, argv172, result172 },
    { case173, argv173, result173 },
    { case174, argv174, result174 },
    { case175, argv175, result175 },
    { case176, argv176, result176 },
    { case177, argv177, result177 },
    { case178, argv178, result178 },
    { case179, argv179, result179 },
    { case180, argv180, result180 },
    { case181, argv181, result181 },
    { case182, argv182, result182 },
    { case183, argv183, result183 },
    { case184, argv184, result184 },
    { case185, argv185, result185 },
    { case186, argv186, result186 },
    { case187, argv187, result187 },
    { case188, argv188, result188 },
    { case189, argv189, result189 },
    { case190, argv190, result190 },
    { case191, argv191, result191 },
    { case192, argv192, result192 },
    { case193, argv193, result193 },
    { case194, argv194, result194 },
    { case195, argv195, result195 },
    { case196, argv196, result196 },
    { case197, argv197, result197 },
    { case198, argv198, result198 },
    { case199, argv199, result199 },
    { case200, argv200, result200 },
    { case201, argv201, result201 },
    { case202, argv202, result202 },
    { case203, argv203, result203 },
    { case204, argv204, result204 },
    { case205, argv205, result205 },
    { case206, argv206, result206 },
    { case207, argv207, result207 },
    { case208, argv208, result208 },
    { case209, argv209, result209 },
    { case210, argv210, result210 },
    { case211, argv211, result211 },
    { case212, argv212, result212 },
    { case213, argv213, result213 },
    { case214, argv214, result214 },
    { case215, argv215, result215 },
    { case216, argv216, result216 },
    { case217, argv217, result217 },
    { case218, argv218, result218 },
    { case219, argv219, result219 },
    { case220, argv220, result220 },
    { case221, argv221, result221 },
    { case222, argv222, result222 },
    { case223, argv223, result223 },
    { case224, argv224, result224 },
    { case225, argv225, result225 },
    { case226, argv226, result226 },
    { case227, argv227, result227 },
    { case228, argv228, result228 },
    { case229, argv229, result229 },
    { case230, argv230, result230 },
    { case231, argv231, result231 },
    { case232, argv232, result232 },
    { case233, argv233, result233 },
    { case234, argv234, result234 },
    { case235, argv235, result235 },
    { case236, argv236, result236 },
    { case237, argv237, result237 },
    { case238, argv238, result238 },
    { case239, argv239, result239 },
    { case240, argv240, result240 },
    { case241, argv241, result241 },
    { case242, argv242, result242 },
    { case243, argv243, result243 },
    { case244, argv244, result244 },
    { case245, argv245, result245 },
    { case246, argv246, result246 },
    { case247, argv247, result247 },
    { case248, argv248, result248 },
    { case249, argv249, result249 },
    { case250, argv250, result250 },
    { case251, argv251, result251 },
    { case252, argv252, result252 },
    { case253, argv253, result253 },
    { case254, argv254, result254 },
    { case255, argv255, result255 },
    { case256, argv256, result256 },
    { case257, argv257, result257 },
    { case258, argv258, result258 },
    { case259, argv259, result259 },
    { case260, argv260, result260 },
    { case261, argv261, result261 },
    { case262, argv262, result262 },
    { case263, argv263, result263 },
    { case264, argv264, result264 },
    { case265, argv265, result265 },
    { case266, argv266, result266 },
    { case267, argv267, result267 },
    { case268, argv268, result268 },
    { case269, argv269, result269 },
    { case270, argv270, result270 },
    { case271, argv271, result271 },
    { case272, argv272, result272 },
    { case273, argv273, result273 },
    { case274, argv274, result274 },
    { case275, argv275, result275 },
    { case276, argv276, result276 },
    { case277, argv277, result277 },
    { case278, argv278, result278 },
    { case279, argv279, result279 },
    { case280, argv280, result280 },
    { case281, argv281, result281 },
    { case282, argv282, result282 },
    { case283, argv283, result283 },
    { case284, argv284, result284 },
    { case285, argv285, result285 },
    { case286, argv286, result286 },
    { case287, argv287, result287 },
    { case288, argv288, result288 },
    { case289, argv289, result289 },
    { case290, argv290, result290 },
    { case291, argv291, result291 },
    { case292, argv292, result292 },
    { case293, argv293, result293 },
    { case294, argv294, result294 },
    { case295, argv295, result295 },
    { case296, argv296, result296 },
    { case297, argv297, result297 },
    { case298, argv298, result298 },
    { case299, argv299, result299 },
    { case300, argv300, result300 },
    { case301, argv301, result301 },
    { case302, argv302, result302 },
    { case303, argv303, result303 },
    { case304, argv304, result304 },
    { case305, argv305, result305 },
    { case306, argv306, result306 },
    { case307, argv307, result307 },
    { case308, argv308, result308 },
    { case309, argv309, result309 },
    { case310, argv310, result310 },
    { case311, argv311, result311 },
    { case312, argv312, result312 },
};
