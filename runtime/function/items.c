/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that is made of an item's body is text, built by adding. Adding never fails by
 * itself: a text without memory remembers that, and it is asked once, at the end. */
#include "config.h"

#include "runtime/function/items.h"

#include "runtime/base/assert.h"
#include "runtime/base/error.h"
#include "runtime/base/memory.h"
#include "runtime/function/items_helper.h"
#include "runtime/function/items_names.h"
#include "runtime/function/items_ours.h"
#include "runtime/function/items_types.h"
#include "runtime/function/types.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- A text that grows */

typedef struct text {
    char *bytes; /* terminated once something was added */
    size_t used, capacity;
    bool is_out_of_memory;
} text;

static char *make_room(text *t, size_t length)
{
    if (t->is_out_of_memory ||
        !cohort_grow((void **)&t->bytes, &t->capacity, t->used + length + 1, 1)) {
        t->is_out_of_memory = true;
        return NULL;
    }
    t->used += length;
    return t->bytes + t->used - length;
}

static void add(text *t, const char *part)
{
    size_t length = strlen(part);
    char *room = make_room(t, length);
    if (room != NULL)
        memcpy(room, part, length + 1);
}

__attribute__((format(printf, 2, 3))) static void add_format(text *t, const char *format, ...)
{
    /* three names, which the longest format has, and the words around them */
    char part[COHORT_LIMIT_NAME_BYTES * 4];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(part, sizeof part, format, arguments);
    va_end(arguments);
    add(t, part);
}

/* Adds a text as a string literal of C holds it. */
static void add_escaped(text *t, const char *part)
{
    for (; *part != '\0'; part++) {
        char shown[3] = { *part };
        if (*part == '"' || *part == '\\')
            shown[0] = '\\', shown[1] = *part;
        else if ((unsigned char)*part < ' ')
            shown[0] = '?';
        add(t, shown);
    }
}

/* ---- Types */

/* C's names, which OpenCL C leaves to the program. Macros, so that a driver's own typedefs do not
 * clash. */
static const char prologue[] =
    "#ifndef int8_t\n#define int8_t char\n#endif\n"
    "#ifndef uint8_t\n#define uint8_t uchar\n#endif\n"
    "#ifndef int16_t\n#define int16_t short\n#endif\n"
    "#ifndef uint16_t\n#define uint16_t ushort\n#endif\n"
    "#ifndef int32_t\n#define int32_t int\n#endif\n"
    "#ifndef uint32_t\n#define uint32_t uint\n#endif\n"
    "#ifndef int64_t\n#define int64_t long\n#endif\n"
    "#ifndef uint64_t\n#define uint64_t ulong\n#endif\n"
    "#define INT8_MAX 127\n#define INT8_MIN (-128)\n#define UINT8_MAX 255\n"
    "#define INT16_MAX 32767\n#define INT16_MIN (-32768)\n#define UINT16_MAX 65535\n"
    "#define INT32_MAX 2147483647\n#define INT32_MIN (-2147483647 - 1)\n"
    "#define UINT32_MAX 4294967295U\n#define INT64_MAX 9223372036854775807L\n"
    "#define INT64_MIN (-9223372036854775807L - 1)\n#define UINT64_MAX 18446744073709551615UL\n"
    "#undef NAN\n#define NAN as_float(0x7fc00000)\n"
    "#ifndef _Bool\n#define _Bool bool\n#endif\n"
    "#ifndef static_assert\n#define static_assert _Static_assert\n#endif\n"
    "#ifndef alignas\n#define alignas _Alignas\n#endif\n"
    "#ifndef _Float16\n#define _Float16 half\n#endif\n"
    "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n"
    "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
    "#define cohort_divide(a, b) \\\n"
    "    ((b) == 0 ? 0 : (a) / (b) + ((a) % (b) != 0 && ((a) < 0) == ((b) < 0)))\n";

/* NULL: OpenCL C has none that a kernel can take. */
static const char *scalar_name(uint32_t type)
{
    static const char *const names[] = {
        [COHORT_I8] = "char",    [COHORT_U8] = "uchar",   [COHORT_I16] = "short",
        [COHORT_U16] = "ushort", [COHORT_I32] = "int",    [COHORT_U32] = "uint",
        [COHORT_I64] = "long",   [COHORT_U64] = "ulong",  [COHORT_F16] = "half",
        [COHORT_F32] = "float",  [COHORT_F64] = "double",
    };
    return type < sizeof names / sizeof *names ? names[type] : NULL;
}

static const char *type_name(const cohort_signature *signature, uint32_t type)
{
    return type >= COHORT_STRUCT_BASE ? cohort_signature_type_name(signature, type)
                                      : scalar_name(type);
}

static const cohort_type *find_listed(const cohort_function *function, const char *name)
{
    const cohort_type *const *listed =
        COHORT_HAS(function, cohort_function, types) ? function->types : NULL;
    for (; listed != NULL && *listed != NULL; listed++)
        if (strcmp((*listed)->name, name) == 0)
            return *listed;
    return NULL;
}

static cohort_status refuse(const cohort_signature *signature, const char *what, const char *name,
                            const char *why)
{
    return cohort_error_set(COHORT_EINCOMPATIBLE, "%s: its items cannot run as OpenCL C: %s %s %s",
                            signature->name, what, name, why);
}

/* Types whose size is the platform's: it may differ between host and device, and so would the
 * layout of a struct. */
static bool is_platform_word(cohort_token token)
{
    static const char *const names[] = { "size_t",    "ssize_t",  "ptrdiff_t", "intptr_t",
                                         "uintptr_t", "intmax_t", "uintmax_t" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cohort_token_is(token, names[i]))
            return true;
    return false;
}

static cohort_status check_struct_words(const cohort_signature *signature, const cohort_type *type)
{
    cohort_lexer lexer;
    cohort_status status = cohort_lexer_init(&lexer, signature->name, type->is);
    while (status == COHORT_OK && lexer.token.kind != COHORT_TOKEN_END) {
        if (is_platform_word(lexer.token))
            return refuse(signature, "struct", type->name,
                          "has a member whose size is the platform's; use int64_t");
        status = cohort_lexer_next(&lexer);
    }
    return status;
}

static cohort_status check_members(const cohort_signature *signature, const cohort_type *type,
                                   const cohort_layout *layout)
{
    for (uint32_t i = 0; i < layout->nmembers; i++) {
        uint32_t member = layout->members[i].type;
        if (member < COHORT_STRUCT_BASE && scalar_name(member) == NULL)
            return cohort_error_set(
                COHORT_EINCOMPATIBLE,
                "%s: its items cannot run as OpenCL C: struct %s has a member of type %s, which "
                "kernels do not take",
                signature->name, type->name, cohort_dtype_name((cohort_dtype)member));
    }
    return check_struct_words(signature, type);
}

/* The struct as the program wrote it, and an array type of -1 elements where the device's
 * compiler lays it out with another size: that stops the build, where a wrong layout would only
 * give wrong numbers. */
static void add_struct(text *t, const cohort_type *type, uint32_t bytes)
{
    add_format(t, "typedef struct %s ", type->name);
    add(t, type->is);
    add_format(t, " %s;\ntypedef char cohort_size_of_%s[sizeof(%s) == %u ? 1 : -1];\n", type->name,
               type->name, type->name, bytes);
}

static cohort_status add_structs(text *t, const cohort_function *function,
                                 const cohort_signature *signature)
{
    cohort_status status = COHORT_OK;
    for (uint32_t i = 0; status == COHORT_OK && i < signature->sig.ntypes; i++) {
        const char *name = cohort_signature_type_name(signature, COHORT_STRUCT_BASE + i);
        const cohort_type *type = find_listed(function, name);
        if (type == NULL) /* a vector of OpenCL C */
            continue;
        status = check_members(signature, type, &signature->sig.types[i]);
        if (status == COHORT_OK)
            add_struct(t, type, signature->sig.types[i].size);
    }
    return status;
}

/* Aliases that are numbers of OpenCL C; the others are refused where a parameter has one. */
static cohort_status add_aliases(text *t, const cohort_function *function,
                                 const cohort_signature *signature)
{
    cohort_types types;
    cohort_arena arena = { NULL };
    const cohort_type *const *listed =
        COHORT_HAS(function, cohort_function, types) ? function->types : NULL;
    cohort_status status = cohort_types_init(&types, signature->name, &arena, listed);
    for (int32_t i = 0; status == COHORT_OK && i < types.n_listed; i++) {
        cohort_assert(listed != NULL); /* it has what was counted */
        uint32_t type = COHORT_VOID;
        cohort_token name = { COHORT_TOKEN_NAME, listed[i]->name, strlen(listed[i]->name) };
        if (!cohort_types_lists(&types, name) || cohort_word_find(name) != NULL ||
            strchr(listed[i]->is, '{') != NULL)
            continue;
        status = cohort_types_find(&types, name, &type);
        if (status == COHORT_OK && type < COHORT_STRUCT_BASE && scalar_name(type) != NULL) {
            add_format(t, "typedef %s ", scalar_name(type));
            add(t, listed[i]->name);
            add(t, ";\n");
        }
    }
    cohort_arena_free(&arena);
    return status;
}

/* ---- The kernel */

static cohort_status check_parameter(const cohort_signature *signature,
                                     const cohort_parameter *parameter)
{
    if (parameter->role == COHORT_ROLE_LOCAL)
        return refuse(signature, "parameter", parameter->name,
                      "is scratch memory, and items have no work-group");
    if (parameter->role == COHORT_ROLE_POINTER)
        return refuse(signature, "parameter", parameter->name, "is an opaque pointer of the host");
    if (type_name(signature, parameter->type) == NULL)
        return cohort_error_set(
            COHORT_EINCOMPATIBLE,
            "%s: its items cannot run as OpenCL C: parameter %s has the type %s, which kernels do "
            "not take",
            signature->name, parameter->name,
            cohort_signature_type_name(signature, parameter->type));
    return COHORT_OK;
}

static cohort_status add_parameters(text *t, const cohort_signature *signature)
{
    cohort_status status = COHORT_OK;
    for (int32_t i = 0; status == COHORT_OK && i < signature->n_parameters; i++) {
        const cohort_parameter *parameter = &signature->parameters[i];
        bool is_array = cohort_parameter_is_array(parameter);
        status = check_parameter(signature, parameter);
        if (status == COHORT_OK)
            add_format(t, "%s%s%s%s %s%s", i > 0 ? ", " : "", is_array ? "__global " : "",
                       is_array && !cohort_parameter_is_written(parameter) ? "const " : "",
                       type_name(signature, parameter->type), is_array ? "*" : "", parameter->name);
    }
    return status;
}

static void add_step(text *t, int kind, int a, int b)
{
    if (kind == COHORT_NODE_DIVIDE)
        add_format(t, "cohort_divide(cohort_%d, cohort_%d)", a, b);
    else
        add_format(t, "cohort_%d %c cohort_%d", a, "+-*"[kind - COHORT_NODE_ADD], b);
}

/* A number of items, step by step: `/` rounds up here, unlike in C. first: the number of the first
 * step. Returns the step that has it. */
static int add_count(text *t, const cohort_signature *signature, const cohort_expression *count,
                     int first)
{
    /* what the evaluator has on its stack is here the number of the step that computes it */
    int stack[COHORT_LIMIT_EXPRESSION_NODES], depth = 0;
    for (int32_t i = 0; i < count->count; i++) {
        const cohort_expression_step *node = &count->nodes[i];
        add_format(t, "const long cohort_%d = ", first + (int)i);
        if (node->kind == COHORT_NODE_NUMBER) {
            add_format(t, "%lldL", (long long)node->operand);
        } else if (node->kind == COHORT_NODE_PARAMETER) {
            add_format(t, "(long)%s", signature->parameters[node->operand].name);
        } else {
            depth -= 2;
            add_step(t, node->kind, stack[depth], stack[depth + 1]);
        }
        add(t, "; ");
        stack[depth++] = first + (int)i;
    }
    return stack[0];
}

/* The numbers of items, the indices, the last of which is the first dimension, and the condition
 * that the item is one. */
static void add_indices(text *t, const cohort_signature *signature)
{
    int32_t n = signature->n_indices;
    int counts[COHORT_MAX_INDICES], first = 0;
    for (int32_t i = 0; i < n; i++) {
        counts[i] = add_count(t, signature, &signature->counts[i], first);
        first += (int)signature->counts[i].count;
    }
    for (int32_t i = 0; i < n; i++)
        add_format(t, "long %s = (long)get_global_id(%d); ", signature->indices[i],
                   (int)(n - 1 - i));
    for (int32_t i = 0; i < n; i++)
        add_format(t, "%s%s < cohort_%d", i == 0 ? "if (" : " && ", signature->indices[i],
                   counts[i]);
    add(t, ") ");
}

static void add_place(text *t, const char *file, int32_t line)
{
    if (line <= 0 || file[0] == '\0')
        return;
    add_format(t, "#line %d \"", (int)line);
    add_escaped(t, file);
    add(t, "\"\n");
}

/* The text has this word by itself, not as a part of another one. */
static bool mentions(const char *part, const char *word)
{
    static const char letters[] = "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = strlen(word);
    for (const char *at = strstr(part, word); at != NULL; at = strstr(at + 1, word))
        if ((at == part || strchr(letters, at[-1]) == NULL) &&
            (at[length] == '\0' || strchr(letters, at[length]) == NULL))
            return true;
    return false;
}

static const char *argument_type(char letter, bool is_float)
{
    switch (letter) {
    case 'i':
        return "int ";
    case 'l':
        return "long ";
    case 'p':
        return is_float ? "float *" : "double *";
    case 'q':
        return "int *";
    default:
        return is_float ? "float " : "double ";
    }
}

/* Parameters with their types, or the arguments that have their names: a, b, c. */
static void add_list(text *t, const cohort_items_name *name, bool is_float, bool has_types)
{
    for (int i = 0; name->takes[i] != '\0'; i++)
        add_format(t, "%s%s%c", i > 0 ? ", " : "",
                   has_types ? argument_type(name->takes[i], is_float) : "", 'a' + i);
}

/* The function with C's one type, which OpenCL's, where it is called by the types of its
 * arguments, has not. The name is that of C from here on: a driver may have a macro of it. */
static void add_function(text *t, const cohort_items_name *name, bool is_float)
{
    const char *suffix = is_float ? "f" : "";
    bool is_integer = name->kind == COHORT_ITEMS_INTEGER;
    const char *of_integers = name->takes[0] == 'l' ? "long" : "int";
    add_format(t, "static inline %s cohort_c_%s%s(",
               is_integer ? of_integers
               : is_float ? "float"
                          : "double",
               name->name, suffix);
    add_list(t, name, is_float, true);
    add(t, ") { return ");
    if (name->result != NULL) {
        add(t, name->result);
    } else {
        add_format(t, "%s(", name->name);
        add_list(t, name, is_float, false);
        add(t, ")");
    }
    add(t, "; }\n");
    add_format(t, "#undef %s%s\n", name->name, suffix);
    add_format(t, "#define %s%s cohort_c_%s%s\n", name->name, suffix, name->name, suffix);
}

/* That of floats first: it calls OpenCL's by the name that is then C's. */
static void add_functions(text *t, const char *body)
{
    for (const cohort_items_name *n = cohort_items_name_next(NULL); n != NULL;
         n = cohort_items_name_next(n)) {
        char of_floats[COHORT_LIMIT_NAME_BYTES];
        (void)snprintf(of_floats, sizeof of_floats, "%sf", n->name);
        if (n->kind != COHORT_ITEMS_INTEGER && cohort_items_calls(body, of_floats))
            add_function(t, n, true);
        if (cohort_items_calls(body, n->name))
            add_function(t, n, false);
    }
}

static void add_ours(text *t, const char *body)
{
    for (const char *part = cohort_items_ours_next(body, NULL); part != NULL;
         part = cohort_items_ours_next(body, part)) {
        add(t, part);
        add(t, "\n");
    }
}

/* called  a function of Cohort's that is of doubles, or one of no length */
static void add_demand_of_doubles(text *t, cohort_token called)
{
    add(t, "#if !defined(cl_khr_fp64) && !defined(__opencl_c_fp64)\n");
    if (called.length > 0)
        add_format(t,
                   "#error the body calls %.*s(), which computes with doubles, and this device has "
                   "none; of floats there is %.*sf()\n#endif\n",
                   cohort_token_shown(called), called.start, cohort_token_shown(called),
                   called.start);
    else
        add(t, "#error the body computes with doubles, which this device has not; for floats write "
               "1.0f, sqrtf and the like\n#endif\n");
}

/* Sizes of the host's pointers and of size_t, for a body may compute with them; doubles, for
 * OpenCL C without them reads 1.0 as a float. */
static void add_demands(text *t, const char *body)
{
    static const char *const words[] = { "sizeof", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t" };
    bool has_sizes = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        has_sizes |= mentions(body, words[i]);
    if (has_sizes)
        add_format(t, "typedef char cohort_size_of_size_t[sizeof(size_t) == %u ? 1 : -1];\n",
                   (unsigned)sizeof(size_t));
    if (cohort_items_has_doubles(body))
        add_demand_of_doubles(t, cohort_items_ours_double(body));
}

/* Keywords of OpenCL C are names like any other where the host's compiler has seen the same
 * tokens. */
static void add_names(text *t, const cohort_signature *signature, const char *body)
{
    static const char *const keywords[] = { "global",     "local",   "constant",  "private",
                                            "kernel",     "generic", "read_only", "write_only",
                                            "read_write", "pipe" };
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (mentions(body, keywords[i]) || mentions(signature->prototype, keywords[i]) ||
            mentions(signature->item, keywords[i]))
            add_format(t, "#define %s cohort_name_%s\n", keywords[i], keywords[i]);
}

/* ---- Helpers */

/* The body and what it uses, for whoever asks which names there are. */
static void add_all(text *t, const cohort_signature *signature)
{
    for (int32_t i = 0; i < signature->n_helpers; i++) {
        const cohort_items_helper *h = &signature->helpers[i];
        const char *const parts[] = { h->type, h->parameters != NULL ? h->parameters : "",
                                      h->extents, h->text };
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            add(t, parts[k]);
            add(t, "\n");
        }
    }
    add(t, signature->body);
}

/* By names of their own, for OpenCL C may have functions, types or macros of theirs. */
static void add_helper_names(text *t, const cohort_signature *signature)
{
    for (int32_t i = 0; i < signature->n_helpers; i++) {
        const char *name = signature->helpers[i].name;
        add_format(t, "#undef %s\n#define %s cohort_helper_%s\n", name, name, name);
    }
}

static void add_helper(text *t, const cohort_items_helper *h)
{
    bool is_function = h->parameters != NULL;
    add_place(t, h->file, h->line);
    add(t, is_function ? "static inline " : "__constant ");
    add(t, h->type);
    add(t, " ");
    add(t, h->name);
    add(t, is_function ? h->parameters : h->extents);
    add(t, is_function ? " " : " = ");
    add(t, h->text);
    add(t, is_function ? "\n" : ";\n");
}

/* In one line, so that every error is one of the declaration's line. The loop makes `continue` end
 * the item. */
static cohort_status add_kernel(text *t, const cohort_signature *signature, const char *body)
{
    add_place(t, signature->file, signature->line);
    add_format(t, "__kernel void " COHORT_ITEMS_ENTRY "%s(", signature->name);
    cohort_status status = add_parameters(t, signature);
    if (status != COHORT_OK)
        return status;
    add(t, ") { ");
    add_indices(t, signature);
    add(t, "do { ");
    add(t, body);
    add(t, " } while (0); }\n");
    return COHORT_OK;
}

/* What stands before the types of the program. */
static void add_head(text *t, const cohort_signature *signature, const char *all)
{
    add(t, prologue);
    add_demands(t, all);
    add_ours(t, all);
    add_functions(t, all);
    add_names(t, signature, all);
    add_helper_names(t, signature);
}

cohort_status cohort_items_source(const cohort_function *function,
                                  const cohort_signature *signature, char **out_text)
{
    text t = { 0 }, all = { 0 };
    *out_text = NULL;
    if (signature->item == NULL || !COHORT_HAS(function, cohort_function, item_body))
        return cohort_error_set(COHORT_EINVAL, "%s: it has no body of one item", signature->name);
    add_all(&all, signature);
    if (!all.is_out_of_memory)
        add_head(&t, signature, all.bytes);
    t.is_out_of_memory |= all.is_out_of_memory;
    cohort_free(all.bytes);
    cohort_status status = add_aliases(&t, function, signature);
    if (status == COHORT_OK)
        status = add_structs(&t, function, signature);
    for (int32_t i = 0; i < signature->n_helpers; i++)
        add_helper(&t, &signature->helpers[i]);
    if (status == COHORT_OK)
        status = add_kernel(&t, signature, signature->body);
    if (status == COHORT_OK && t.is_out_of_memory)
        status = cohort_error_memory("the source of a kernel");
    if (status == COHORT_OK)
        *out_text = t.bytes;
    else
        cohort_free(t.bytes);
    return status;
}
