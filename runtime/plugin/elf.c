/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of a shared object that can be known before the dynamic linker maps it and runs its
 * code.
 *
 * The linker trusts its input: a file that was cut raises SIGBUS when a page beyond its end is
 * touched, and one that needs a sanitizer's runtime aborts the process. Here every offset of the
 * file is data of somebody else: it is compared with the file's size before anything is read by it,
 * and sums that could wrap are written as differences. Source of the layout: the ELF specification
 * (System V ABI, chapters 4 and 5), elf(5). */
#include "config.h"

#include "runtime/plugin/elf.h"

#include "runtime/base/byte_order.h"
#include "runtime/base/error.h"
#include "runtime/base/library.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SEGMENTS = 256, MAX_DYNAMIC = 4096, MAX_NEEDED_BYTES = 256 };

typedef struct elf {
    int fd;
    uint64_t bytes;
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[MAX_SEGMENTS];
    uint64_t strings, strings_bytes; /* the table of names, as an address */
} elf;

static cohort_status refuse(const char *reason)
{
    return cohort_error_set(COHORT_EINCOMPATIBLE, "%s", reason);
}

/* offset + size may wrap, the difference may not. */
static bool is_inside(const elf *e, uint64_t offset, uint64_t size)
{
    return offset <= e->bytes && size <= e->bytes - offset;
}

static bool read_at(const elf *e, uint64_t offset, void *into, size_t size)
{
    if (!is_inside(e, offset, size))
        return false;
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(e->fd, (char *)into + done, size - done, (off_t)(offset + done));
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static cohort_status check_magic(const elf *e)
{
    unsigned char magic[SELFMAG] = { 0 };
    if (e->bytes == 0)
        return refuse("the file is empty");
    (void)read_at(e, 0, magic, e->bytes < SELFMAG ? (size_t)e->bytes : SELFMAG);
    if (memcmp(magic, "#!", 2) == 0)
        return refuse("a script, not a shared object");
    if (memcmp(magic, ELFMAG, SELFMAG) != 0)
        return refuse("not a shared object (no ELF header)");
    return COHORT_OK;
}

/* The machine that this code is compiled for. EM_NONE: one that is not listed here; then it is the
 * dynamic linker that compares. */
static unsigned this_machine(void)
{
#if defined(__x86_64__)
    return EM_X86_64;
#elif defined(__i386__)
    return EM_386;
#elif defined(__aarch64__)
    return EM_AARCH64;
#elif defined(__arm__)
    return EM_ARM;
#elif defined(__riscv)
    return EM_RISCV;
#elif defined(__powerpc64__)
    return EM_PPC64;
#elif defined(__s390x__)
    return EM_S390;
#else
    return EM_NONE;
#endif
}

static bool is_for_this_machine(const ElfW(Ehdr) * header)
{
    const unsigned class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    const unsigned order = cohort_byte_order_is_little() ? ELFDATA2LSB : ELFDATA2MSB;
    return header->e_ident[EI_CLASS] == class && header->e_ident[EI_DATA] == order &&
           (this_machine() == EM_NONE || header->e_machine == this_machine());
}

static cohort_status check_header(elf *e)
{
    /* The class stands in the first bytes, and the header of a 32-bit file is shorter: so zeros may
     * follow a cut. */
    (void)read_at(e, 0, &e->header, EI_NIDENT);
    if (e->bytes >= EI_NIDENT &&
        e->header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
        return refuse("built for another kind of machine (ELF class)");
    if (!read_at(e, 0, &e->header, sizeof e->header))
        return cohort_error_set(COHORT_EINCOMPATIBLE, "the file is cut: %llu bytes",
                                (unsigned long long)e->bytes);
    if (!is_for_this_machine(&e->header))
        return cohort_error_set(COHORT_EINCOMPATIBLE,
                                "built for another kind of machine (ELF machine %u)",
                                e->header.e_machine);
    if (e->header.e_type != ET_DYN)
        return cohort_error_set(COHORT_EINCOMPATIBLE, "not a shared object (ELF type %u)",
                                e->header.e_type);
    if (e->header.e_phentsize != sizeof *e->segments || e->header.e_phnum < 1 ||
        e->header.e_phnum > MAX_SEGMENTS)
        return cohort_error_set(
            COHORT_EINCOMPATIBLE, "%u program headers of %u bytes; expected 1 to %d of %zu",
            e->header.e_phnum, e->header.e_phentsize, MAX_SEGMENTS, sizeof *e->segments);
    return COHORT_OK;
}

/* A segment past the end of the file would be mapped all the same, and touching it raises
 * SIGBUS. */
static cohort_status check_segments(elf *e)
{
    if (!read_at(e, e->header.e_phoff, e->segments, e->header.e_phnum * sizeof *e->segments))
        return cohort_error_set(COHORT_EINCOMPATIBLE, "the file is cut: %llu bytes",
                                (unsigned long long)e->bytes);
    for (unsigned i = 0; i < e->header.e_phnum; i++) {
        const ElfW(Phdr) *segment = &e->segments[i];
        if (segment->p_type != PT_LOAD && segment->p_type != PT_DYNAMIC)
            continue;
        if (!is_inside(e, segment->p_offset, segment->p_filesz) ||
            segment->p_filesz > segment->p_memsz)
            return cohort_error_set(COHORT_EINCOMPATIBLE,
                                    "the file is cut: segment %u ends at byte %llu of %llu", i,
                                    (unsigned long long)segment->p_offset + segment->p_filesz,
                                    (unsigned long long)e->bytes);
    }
    return COHORT_OK;
}

/* The first segment of a type; programs have one PT_DYNAMIC, and several PT_LOAD. */
static const ElfW(Phdr) * find_segment(const elf *e, unsigned type)
{
    for (unsigned i = 0; i < e->header.e_phnum; i++)
        if (e->segments[i].p_type == type)
            return &e->segments[i];
    return NULL;
}

/* Read the text at `offset` of the table of names. The file says at which address the table will be
 * mapped (DT_STRTAB), so the segment that holds the address tells where in the file it is. A name
 * is cut at MAX_NEEDED_BYTES - 1, which is longer than any that is compared. */
static bool read_name(const elf *e, uint64_t offset, char name[MAX_NEEDED_BYTES])
{
    for (unsigned i = 0; i < e->header.e_phnum; i++) {
        const ElfW(Phdr) *segment = &e->segments[i];
        uint64_t at = e->strings - segment->p_vaddr;
        if (segment->p_type != PT_LOAD || e->strings < segment->p_vaddr ||
            at >= segment->p_filesz || offset >= segment->p_filesz - at ||
            offset >= e->strings_bytes)
            continue;
        uint64_t left = segment->p_filesz - at - offset;
        size_t size = left < MAX_NEEDED_BYTES - 1 ? (size_t)left : MAX_NEEDED_BYTES - 1;
        name[size] = '\0';
        return read_at(e, segment->p_offset + at + offset, name, size);
    }
    return false;
}

static bool program_has(const char *symbol)
{
    cohort_native_fn fn = NULL;
    return cohort_library_symbol(NULL, symbol, &fn) == COHORT_OK;
}

/* A plugin that was built with a sanitizer needs that runtime in the program itself, loaded before
 * everything else; a runtime that comes later ends the process. What tells is a function that each
 * runtime defines. */
static cohort_status check_needed(const char *name)
{
    static const struct {
        const char *library, *symbol;
    } runtimes[] = { { "libasan.", "__asan_init" },
                     { "libtsan.", "__tsan_init" },
                     { "libhwasan.", "__hwasan_init" },
                     { "liblsan.", "__lsan_init" },
                     { "libclang_rt.asan", "__asan_init" },
                     { "libclang_rt.tsan", "__tsan_init" },
                     { "libclang_rt.hwasan", "__hwasan_init" },
                     { "libclang_rt.msan", "__msan_init" } };
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        if (strncmp(name, runtimes[i].library, strlen(runtimes[i].library)) == 0 &&
            !program_has(runtimes[i].symbol))
            return cohort_error_set(COHORT_EINCOMPATIBLE,
                                    "needs the sanitizer runtime %s, which this program lacks",
                                    name);
    return COHORT_OK;
}

/* Entry i of the dynamic section, until DT_NULL, the section's end, or a number of entries that no
 * real file has. */
static bool read_dynamic(const elf *e, const ElfW(Phdr) * dynamic, unsigned i, ElfW(Dyn) * entry)
{
    return i < MAX_DYNAMIC && (uint64_t)(i + 1) * sizeof *entry <= dynamic->p_filesz &&
           read_at(e, dynamic->p_offset + i * sizeof *entry, entry, sizeof *entry) &&
           entry->d_tag != DT_NULL;
}

/* Twice over the entries, for the table of names may be told behind the names that are in it. */
static cohort_status check_dynamic(elf *e)
{
    const ElfW(Phdr) *dynamic = find_segment(e, PT_DYNAMIC);
    ElfW(Dyn) entry;
    if (dynamic == NULL || find_segment(e, PT_LOAD) == NULL)
        return refuse("not a shared object (nothing to load, or no dynamic section)");
    for (unsigned i = 0; read_dynamic(e, dynamic, i, &entry); i++) {
        if (entry.d_tag == DT_STRTAB)
            e->strings = entry.d_un.d_ptr;
        if (entry.d_tag == DT_STRSZ)
            e->strings_bytes = entry.d_un.d_val;
    }
    for (unsigned i = 0; read_dynamic(e, dynamic, i, &entry); i++) {
        char name[MAX_NEEDED_BYTES];
        if (entry.d_tag != DT_NEEDED)
            continue;
        if (!read_name(e, entry.d_un.d_val, name))
            return refuse("the name of a needed library lies outside the file");
        cohort_status st = check_needed(name);
        if (st < 0)
            return st;
    }
    return COHORT_OK;
}

cohort_status cohort_elf_check(int fd, uint64_t bytes)
{
    elf e = { .fd = fd, .bytes = bytes };
    cohort_status st = check_magic(&e);
    if (st >= 0)
        st = check_header(&e);
    if (st >= 0)
        st = check_segments(&e);
    return st < 0 ? st : check_dynamic(&e);
}
