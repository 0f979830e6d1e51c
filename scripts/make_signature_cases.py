#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write tests/data/signature_cases.c: C functions of many signatures that check their own arguments.

Run by hand when the cases change: scripts/make_signature_cases.py > tests/data/signature_cases.c
Same script, same file: the seed is fixed.
"""
import random

RANDOM = random.Random(20240229)

INTEGERS = {  # spelling: (least, most)
    "int8_t": (-128, 127), "uint8_t": (0, 255), "int16_t": (-2**15, 2**15 - 1), "uint16_t": (0, 2**16 - 1),
    "int32_t": (-2**31 + 1, 2**31 - 1), "uint32_t": (0, 2**32 - 1), "int64_t": (-2**63 + 1, 2**63 - 1),
    "uint64_t": (0, 2**64 - 1), "char": (0, 127), "signed char": (-128, 127), "unsigned char": (0, 255),
    "short": (-2**15, 2**15 - 1), "unsigned short int": (0, 2**16 - 1), "int": (-2**31 + 1, 2**31 - 1),
    "unsigned": (0, 2**32 - 1), "long": (-2**31 + 1, 2**31 - 1), "int long unsigned": (0, 2**32 - 1),
    "long long": (-2**63 + 1, 2**63 - 1), "unsigned long long int": (0, 2**64 - 1), "size_t": (0, 2**32 - 1),
    "ptrdiff_t": (-2**31 + 1, 2**31 - 1), "intptr_t": (-2**31 + 1, 2**31 - 1), "uintptr_t": (0, 2**32 - 1),
}
REALS = {"float": "f", "double": "", "long double": "L"}
COMPLEXES = {"float _Complex": "f", "double _Complex": "", "_Complex long double": "L"}
SCALARS = ["_Bool", *INTEGERS, *REALS, *COMPLEXES]

# name: members as (type, name, count); the types of members come earlier
STRUCTS = {
    "b1": [("int8_t", "a", 1)],
    "b2": [("uint8_t", "a", 2)],
    "b3": [("int8_t", "a", 3)],
    "b5": [("uint8_t", "a", 5)],
    "b7": [("int8_t", "a", 7)],
    "b9": [("uint8_t", "a", 9)],
    "b15": [("uint8_t", "a", 15)],
    "b16": [("int8_t", "a", 16)],
    "b17": [("uint8_t", "a", 17)],
    "b64": [("uint8_t", "a", 64)],
    "flag": [("_Bool", "a", 1), ("int16_t", "b", 1)],
    "f1": [("float", "a", 1)],
    "f2": [("float", "a", 1), ("float", "b", 1)],
    "f3": [("float", "a", 3)],
    "f4": [("float", "a", 4)],
    "f5": [("float", "a", 5)],
    "d1": [("double", "a", 1)],
    "d2": [("double", "a", 2)],
    "d3": [("double", "a", 3)],
    "d8": [("double", "a", 8)],
    "l1": [("int64_t", "a", 1)],
    "l2": [("int64_t", "a", 2)],
    "l3": [("int64_t", "a", 3)],
    "l8": [("uint64_t", "a", 8)],
    "ld": [("int64_t", "a", 1), ("double", "b", 1)],
    "dl": [("double", "a", 1), ("int64_t", "b", 1)],
    "iff": [("int32_t", "a", 1), ("float", "b", 1), ("float", "c", 1)],
    "hff": [("int16_t", "a", 2), ("float", "b", 2)],
    "cd": [("char", "a", 1), ("double", "b", 1)],
    "lf": [("uint64_t", "a", 1), ("float", "b", 1)],
    "ffl": [("float", "a", 2), ("int64_t", "b", 1)],
    "fi": [("float", "a", 1), ("int32_t", "b", 1)],
    "z1": [("float _Complex", "a", 1)],
    "z2": [("double _Complex", "a", 1)],
    "fz": [("float", "a", 1), ("float _Complex", "b", 1)],
    "x2": [("long double", "a", 2)],
    "xl": [("long double", "a", 1), ("int8_t", "b", 1)],
    "inner": [("int8_t", "a", 1), ("int32_t", "b", 1)],
    "nest": [("inner", "a", 1), ("double", "b", 1)],
    "pairs": [("inner", "a", 2)],
    "floats": [("f2", "a", 2)],
    "deep": [("nest", "a", 1), ("b3", "b", 3), ("f2", "c", 1)],
    "deeper": [("nest", "a", 2), ("iff", "b", 2)],
}
FAULT_SHAPES = ["ld", "iff", "hff", "cd", "lf", "nest"]

MACROS = """#define A(n, i) (void *)&v##n.a##i
#define SAME(n, i) if (a##i != v##n.a##i) wrong_argument = (i) + 1;
#define SAME_STRUCT(type, n, i) if (!same_##type(a##i, v##n.a##i)) wrong_argument = (i) + 1;
#define NO_RESULT(n) static bool result##n(const void *p) { return p != NULL; }
#define RESULT(n, type) static bool result##n(const void *p) { type x; memcpy(&x, p, sizeof x); return x == r##n; }
#define RESULT_STRUCT(n, type) \\
    static bool result##n(const void *p) { type x; memcpy(&x, p, sizeof x); return same_##type(x, r##n); }"""


def integer(kind):
    least, most = INTEGERS[kind]
    value = RANDOM.choice([least, most, RANDOM.randint(least, most), RANDOM.randint(max(least, -99), min(most, 99))])
    if most == 2**64 - 1:
        return f"{value}u"
    return f"{value}ll" if kind == "long long" else str(value)


def real(suffix):
    return f"{RANDOM.randint(-4000, 4000) / 8}{suffix}"


def value_of(kind):
    """An initialiser of a random value of that type."""
    if kind == "_Bool":
        return str(RANDOM.randint(0, 1))
    if kind in INTEGERS:
        return integer(kind)
    if kind in REALS:
        return real(REALS[kind])
    if kind in COMPLEXES:
        suffix = COMPLEXES[kind]
        return f"{real(suffix)} + {real(suffix)} * I"
    members = []
    for inner, _, count in STRUCTS[kind]:
        values = ", ".join(value_of(inner) for _ in range(count))
        members.append(values if count == 1 else f"{{ {values} }}")
    return f"{{ {', '.join(members)} }}"


def same(kind, left, right):
    return f"same_{kind}({left}, {right})" if kind in STRUCTS else f"{left} == {right}"


def wrapped(items, indent, separator=","):
    """Items with their separator, in lines of at most 120 columns."""
    lines, line = [], ""
    for item in items:
        if line and len(line) + len(item) + len(separator) + indent > 118:
            lines.append(line)
            line = ""
        line += (" " if line else "") + item + separator
    return ("\n" + " " * indent).join(lines + [line]).removesuffix(separator)


def write_struct(name, members):
    text = " ".join(f"{kind} {member}{'' if count == 1 else f'[{count}]'};" for kind, member, count in members)
    print(f"COHORT_STRUCT({name}, {{ {text} }});")
    parts = []
    for kind, member, count in members:
        for k in range(count):
            index = "" if count == 1 else f"[{k}]"
            parts.append(same(kind, f"x.{member}{index}", f"y.{member}{index}"))
    print(f"static bool same_{name}({name} x, {name} y)\n{{\n    return {wrapped(parts, 11, ' &&')};\n}}")


def write_case(number, result, kinds):
    """kinds: types of the parameters; "array" is const float[2], "pointer" is void *."""
    fields, values, parameters, checks = [], [], [], []
    for i, kind in enumerate(kinds):
        if kind in ("array", "pointer"):
            fields.append("const void *a%d;" % i)
            values.append(f"&numbers[{RANDOM.randint(0, 6)}]")
            parameters.append(f"const float a{i}[2]" if kind == "array" else f"void *a{i}")
            checks.append(f"SAME({number}, {i})")
        else:
            fields.append(f"{kind} a{i};")
            values.append(value_of(kind))
            parameters.append(f"{kind} a{i}")
            checks.append(f"SAME_STRUCT({kind}, {number}, {i})" if kind in STRUCTS else f"SAME({number}, {i})")
    if kinds:
        print(f"static const struct {{\n    {wrapped(fields, 4, '')}\n}} v{number} = {{\n    {wrapped(values, 4)}\n}};")
        argv = wrapped([f"A({number}, {i})" for i in range(len(kinds))], 4)
        print(f"static void *const argv{number}[] = {{\n    {argv}\n}};")
    else:
        print(f"static void *const argv{number}[] = {{ NULL }};")
    if result != "void":
        print(f"static const {result} r{number} = {value_of(result)};")
    print(f"COHORT_FUNCTION_RETURNING({result}, case{number},")
    print(f"    ({wrapped(parameters, 5) or 'void'}), COHORT_HOST_ONLY, .types = struct_types)")
    print(f"{{\n    called = {number};")
    if checks:
        print(f"    {wrapped(checks, 4, '')}")
    print("}" if result == "void" else f"    return r{number};\n}}")
    if result == "void":
        print(f"NO_RESULT({number})")
    else:
        print(f"RESULT_STRUCT({number}, {result})" if result in STRUCTS else f"RESULT({number}, {result})")


def cases():
    """(result, kinds) of every case."""
    for kind in SCALARS + list(STRUCTS):  # each type alone, there and back
        yield kind, [kind]
    for kind in STRUCTS:  # each struct behind what leaves few registers
        yield RANDOM.choice(SCALARS), ["int64_t"] * 5 + ["double"] * 7 + [kind, "int32_t", "float", kind]
    for shape in FAULT_SHAPES:  # the shapes that libffi 3.4.4 passes wrongly, around the limits
        for n_integers in (3, 4, 5, 6):
            for n_reals in (0, 1, 7, 8):
                kinds = ["int64_t"] * n_integers + ["double"] * n_reals
                if (n_integers + n_reals) % 2 == 0:
                    RANDOM.shuffle(kinds)
                yield ("l3" if n_integers in (3, 4) else "void"), kinds + [shape, "float", "int32_t"]
    for n_arguments in range(41):  # any types, 0 to 40 arguments
        kinds = [RANDOM.choice(SCALARS + ["array", "pointer"] * 3) for _ in range(n_arguments)]
        yield RANDOM.choice(SCALARS), kinds
    for _ in range(60):
        everything = SCALARS + list(STRUCTS) * 2 + ["array", "pointer"] * 5
        yield (RANDOM.choice(SCALARS + list(STRUCTS) + ["void", "cohort_status"]),
               [RANDOM.choice(everything) for _ in range(RANDOM.randint(1, 12))])


def main():
    INTEGERS["cohort_status"] = (-11, 0)
    print("/* SPDX-License-Identifier: BSD-3-Clause */")
    print("/* Written by scripts/make_signature_cases.py: change that. Included by tests/call.c. */")
    for name, members in STRUCTS.items():
        write_struct(name, members)
    print("static const cohort_type *const struct_types[] = {")
    print(f"    {wrapped([f'&{name}_cohort_type' for name in STRUCTS], 4)},\n    NULL\n}};")
    print("static const float numbers[8] = { 0 };\nstatic int called, wrong_argument;")
    print(MACROS)
    count = 0
    for result, kinds in cases():
        write_case(count, result, kinds)
        count += 1
    print("static const struct {\n    const cohort_function *function;\n    void *const *argv;\n"
          "    bool (*is_result)(const void *);\n} cases[] = {")
    for i in range(count):
        print(f"    {{ case{i}, argv{i}, result{i} }},")
    print("};")


if __name__ == "__main__":
    main()
