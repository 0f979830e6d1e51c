# SPDX-License-Identifier: BSD-3-Clause
# Writes C functions of many signatures that check their own arguments: tests/signature_cases.h, which tests/call.c
# includes. No input. The numbers are drawn by a generator of its own, so any awk writes the same file.

# ---- Chance: 16807 * x modulo 2^31 - 1, exact in a double.
function draw(below)
{
    chance = chance * 16807 % 2147483647
    return chance % below
}

function between(least, most) { return least + draw(most - least + 1) }
function bits16() { draw(1); return int(chance / 16384) % 65536 }

# ---- Types. bits[] with a sign for integers of 64 bits, least[] and most[] for smaller ones; members[] of structs.
function integers(names, low, high,    n, i, list)
{
    n = split(names, list, ",")
    for (i = 1; i <= n; i++) {
        scalars[++n_scalars] = list[i]
        least[list[i]] = low
        most[list[i]] = high
    }
}

function wide(names, kind,    n, i, list)
{
    n = split(names, list, ",")
    for (i = 1; i <= n; i++) {
        scalars[++n_scalars] = list[i]
        bits[list[i]] = kind
    }
}

function real(name, ending, is_complex)
{
    scalars[++n_scalars] = name
    suffix[name] = ending
    complex[name] = is_complex
}

# struct_of("nest", "inner a;double b"): an extent stands behind the name, "a 3". The types of members come earlier.
function struct_of(name, text)
{
    structs[++n_structs] = name
    members[name] = text
}

function define_types()
{
    scalars[++n_scalars] = "_Bool"
    integers("int8_t,signed char", -128, 127)
    integers("uint8_t,unsigned char", 0, 255)
    integers("char", 0, 127)
    integers("int16_t,short", -32768, 32767)
    integers("uint16_t,unsigned short int", 0, 65535)
    # long, size_t and their like have 32 bits on some machines.
    integers("int32_t,int,long,ptrdiff_t,intptr_t", -2147483647, 2147483647)
    integers("uint32_t,unsigned,int long unsigned,size_t,uintptr_t", 0, 4294967295)
    wide("int64_t,long long", "signed")
    wide("uint64_t,unsigned long long int", "unsigned")
    real("float", "f", 0); real("double", "", 0); real("long double", "L", 0)
    real("float _Complex", "f", 1); real("double _Complex", "", 1); real("_Complex long double", "L", 1)

    struct_of("b1", "int8_t a"); struct_of("b2", "uint8_t a 2"); struct_of("b3", "int8_t a 3")
    struct_of("b5", "uint8_t a 5"); struct_of("b7", "int8_t a 7"); struct_of("b9", "uint8_t a 9")
    struct_of("b15", "uint8_t a 15"); struct_of("b16", "int8_t a 16"); struct_of("b17", "uint8_t a 17")
    struct_of("b64", "uint8_t a 64"); struct_of("flag", "_Bool a;int16_t b")
    struct_of("f1", "float a"); struct_of("f2", "float a;float b"); struct_of("f3", "float a 3")
    struct_of("f4", "float a 4"); struct_of("f5", "float a 5")
    struct_of("d1", "double a"); struct_of("d2", "double a 2"); struct_of("d3", "double a 3"); struct_of("d8", "double a 8")
    struct_of("l1", "int64_t a"); struct_of("l2", "int64_t a 2"); struct_of("l3", "int64_t a 3")
    struct_of("l8", "uint64_t a 8"); struct_of("ld", "int64_t a;double b"); struct_of("dl", "double a;int64_t b")
    struct_of("iff", "int32_t a;float b;float c"); struct_of("hff", "int16_t a 2;float b 2")
    struct_of("cd", "char a;double b"); struct_of("lf", "uint64_t a;float b"); struct_of("ffl", "float a 2;int64_t b")
    struct_of("fi", "float a;int32_t b"); struct_of("z1", "float _Complex a"); struct_of("z2", "double _Complex a")
    struct_of("fz", "float a;float _Complex b"); struct_of("x2", "long double a 2")
    struct_of("xl", "long double a;int8_t b"); struct_of("inner", "int8_t a;int32_t b")
    struct_of("nest", "inner a;double b"); struct_of("pairs", "inner a 2"); struct_of("floats", "f2 a 2")
    struct_of("deep", "nest a;b3 b 3;f2 c"); struct_of("deeper", "nest a 2;iff b 2")
}

# Takes "unsigned char a 3" apart: member_type, member_name, member_count.
function take_member(text,    n, words, i)
{
    n = split(text, words, " ")
    member_count = words[n] ~ /^[0-9]+$/ ? words[n--] + 0 : 1
    member_name = words[n]
    member_type = words[1]
    for (i = 2; i < n; i++)
        member_type = member_type " " words[i]
}

# ---- Values: initialisers.
function wide_value(is_signed,    choice, sign)
{
    choice = draw(4)
    if (choice == 0)
        return is_signed ? "-0x7fffffffffffffff" : "0"
    if (choice == 1)
        return is_signed ? "0x7fffffffffffffff" : "0xffffffffffffffffu"
    if (choice == 2)
        return is_signed ? between(-99, 99) : between(0, 99) "u"
    sign = is_signed && draw(2) ? "-" : ""
    return sign sprintf("0x%04x%04x%04x%04x", bits16() % (is_signed ? 32768 : 65536), bits16(), bits16(), bits16()) \
        (is_signed ? "" : "u")
}

function small_value(low, high,    choice)
{
    choice = draw(4)
    if (choice == 0)
        return low ""
    if (choice == 1)
        return sprintf("%.0f", high)
    if (choice == 2)
        return between(low < -99 ? -99 : low, high > 99 ? 99 : high) ""
    return sprintf("%.0f", low + (bits16() * 65536 + bits16()) % (high - low + 1))
}

function real_value(ending,    eighths)
{
    eighths = between(-4000, 4000)
    return sprintf("%.3f%s", eighths / 8, ending)
}

function struct_value(name,    n, list, i, k, count, type, text, values)
{
    n = split(members[name], list, ";")
    for (i = 1; i <= n; i++) {
        take_member(list[i])
        count = member_count
        type = member_type
        values = value_of(type)
        for (k = 1; k < count; k++)
            values = values ", " value_of(type)
        text = text (i > 1 ? ", " : "") (count > 1 ? "{ " values " }" : values)
    }
    return "{ " text " }"
}

function value_of(type)
{
    if (type in members)
        return struct_value(type)
    if (type in bits)
        return wide_value(bits[type] == "signed")
    if (type in least)
        return small_value(least[type], most[type])
    if (type == "_Bool")
        return draw(2) ""
    return real_value(suffix[type]) (complex[type] ? " + " real_value(suffix[type]) " * I" : "")
}

# ---- Structs and cases, as C.
function write_struct(name,    n, list, i, k, at, fields, same)
{
    n = split(members[name], list, ";")
    for (i = 1; i <= n; i++) {
        take_member(list[i])
        fields = fields " " member_type " " member_name (member_count > 1 ? "[" member_count "]" : "") ";"
        for (k = 0; k < member_count; k++) {
            at = "." member_name (member_count > 1 ? "[" k "]" : "")
            same = same (same == "" ? "" : " &&\n           ") \
                (member_type in members ? "same_" member_type "(x" at ", y" at ")" : "x" at " == y" at)
        }
    }
    printf "COHORT_STRUCT(%s, {%s });\n", name, fields
    printf "static bool same_%s(%s x, %s y)\n{\n    return %s;\n}\n", name, name, name, same
}

function write_macros()
{
    print "static const float numbers[8] = { 0 };\nstatic int called, wrong_argument;"
    print "#define A(n, i) (void *)&v##n.a##i"
    print "#define SAME(n, i) if (a##i != v##n.a##i) wrong_argument = (i) + 1;"
    print "#define SAME_STRUCT(type, n, i) if (!same_##type(a##i, v##n.a##i)) wrong_argument = (i) + 1;"
    print "#define NO_RESULT(n) static bool result##n(const void *p) { return p != NULL; }"
    print "#define RESULT(n, type) static bool result##n(const void *p) { type x; memcpy(&x, p, sizeof x); return x == r##n; }"
    print "#define RESULT_STRUCT(n, type) \\"
    print "    static bool result##n(const void *p) { type x; memcpy(&x, p, sizeof x); return same_##type(x, r##n); }"
}

# One parameter: const float[2] for "array", void * for "pointer".
function add_parameter(i, type)
{
    field_text = field_text "\n    " (type == "array" || type == "pointer" ? "const void *" : type " ") "a" i ";"
    value_text = value_text "\n    " (type == "array" || type == "pointer" ? "&numbers[" draw(7) "]" : value_of(type)) ","
    argv_text = argv_text "\n    A(" n_cases ", " i "),"
    check_text = check_text "\n    " (type in members ? "SAME_STRUCT(" type ", " : "SAME(") n_cases ", " i ")"
    parameter_text = parameter_text (i > 0 ? ",\n     " : "") \
        (type == "array" ? "const float a" i "[2]" : type == "pointer" ? "void *a" i : type " a" i)
}

# Of the types in kinds[0..n-1].
function write_case(result, n,    i)
{
    field_text = value_text = argv_text = check_text = parameter_text = ""
    for (i = 0; i < n; i++)
        add_parameter(i, kinds[i])
    if (n > 0)
        printf "static const struct {%s\n} v%d = {%s\n};\n", field_text, n_cases, value_text
    printf "static void *const argv%d[] = {%s\n};\n", n_cases, (n > 0 ? argv_text : " NULL")
    if (result != "void")
        printf "static const %s r%d = %s;\n", result, n_cases, value_of(result)
    printf "COHORT_FUNCTION_RETURNING(%s, case%d,\n    (%s), COHORT_HOST_ONLY, .types = struct_types)\n", result, n_cases, \
        (n > 0 ? parameter_text : "void")
    printf "{\n    called = %d;%s\n", n_cases, check_text
    if (result == "void")
        printf "}\nNO_RESULT(%d)\n", n_cases
    else
        printf "    return r%d;\n}\n%s%d, %s)\n", n_cases, result in members ? "RESULT_STRUCT(" : "RESULT(", n_cases, result
    n_cases++
}

function any_scalar() { return scalars[1 + draw(n_scalars)] }
function any_struct() { return structs[1 + draw(n_structs)] }

# Each type alone, there and back.
function write_single_types(    i)
{
    for (i = 1; i <= n_scalars + n_structs; i++) {
        kinds[0] = i <= n_scalars ? scalars[i] : structs[i - n_scalars]
        write_case(kinds[0], 1)
    }
}

# Each struct behind what leaves few registers.
function write_late_structs(    i, k)
{
    for (i = 1; i <= n_structs; i++) {
        for (k = 0; k < 12; k++)
            kinds[k] = k < 5 ? "int64_t" : "double"
        kinds[12] = kinds[15] = structs[i]
        kinds[13] = "int32_t"
        kinds[14] = "float"
        write_case(any_scalar(), 16)
    }
}

function shuffle(n,    i, k, kept)
{
    for (i = n - 1; i > 0; i--) {
        k = draw(i + 1)
        kept = kinds[i]; kinds[i] = kinds[k]; kinds[k] = kept
    }
}

# The shapes that libffi 3.4.4 passes wrongly, around the limits of the registers.
function write_fault_shapes(    n_shapes, shapes, i, k, n, n_integers, n_reals, counts)
{
    n_shapes = split("ld iff hff cd lf nest", shapes, " ")
    split("0 1 7 8", counts, " ")
    for (i = 1; i <= n_shapes; i++)
        for (n_integers = 3; n_integers <= 6; n_integers++)
            for (k = 1; k <= 4; k++) {
                n_reals = counts[k]
                for (n = 0; n < n_integers + n_reals; n++)
                    kinds[n] = n < n_integers ? "int64_t" : "double"
                if (n % 2 == 0)
                    shuffle(n)
                kinds[n] = shapes[i]; kinds[n + 1] = "float"; kinds[n + 2] = "int32_t"
                write_case(n_integers < 5 ? "l3" : "void", n + 3)
            }
}

# Any types: 0 to 40 scalars and pointers, then some of everything.
function write_drawn(    n, i, k, most_drawn)
{
    for (n = 0; n <= 40; n++) {
        for (i = 0; i < n; i++)
            kinds[i] = draw(6) > 0 ? any_scalar() : draw(2) ? "array" : "pointer"
        write_case(any_scalar(), n)
    }
    for (k = 0; k < 60; k++) {
        most_drawn = 1 + draw(12)
        for (i = 0; i < most_drawn; i++)
            kinds[i] = draw(3) ? any_struct() : draw(4) ? any_scalar() : draw(2) ? "array" : "pointer"
        n = draw(6)
        write_case(n == 0 ? "void" : n == 1 ? "cohort_status" : n < 4 ? any_struct() : any_scalar(), most_drawn)
    }
}

BEGIN {
    chance = 20240229
    n_cases = 0
    define_types()
    print "/* SPDX-License-Identifier: BSD-3-Clause */\n/* Written by tests/signature_cases.awk. */"
    for (s = 1; s <= n_structs; s++)
        write_struct(structs[s])
    print "static const cohort_type *const struct_types[] = {"
    for (s = 1; s <= n_structs; s++)
        printf "    &%s_cohort_type,\n", structs[s]
    print "    NULL\n};"
    write_macros()
    least["cohort_status"] = -11
    most["cohort_status"] = 0
    write_single_types()
    write_late_structs()
    write_fault_shapes()
    write_drawn()
    print "static const struct {\n    const cohort_function *function;\n    void *const *argv;"
    print "    bool (*is_result)(const void *);\n} cases[] = {"
    for (s = 0; s < n_cases; s++)
        printf "    { case%d, argv%d, result%d },\n", s, s, s
    print "};"
}
