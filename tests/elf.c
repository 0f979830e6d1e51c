/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are no plugins: each must be refused before the dynamic linker sees it. */
#include "config.h"

#include "runtime/plugin/elf.h"

#include "runtime/base/library.h"
#include "runtime/base/memory.h"
#include "tests/tap.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char whole[1 << 20];
static size_t whole_bytes;
static char work[1024], file[4200];

static bool write_file(const void *bytes, size_t size)
{
    FILE *stream = fopen(file, "wb");
    bool is_written = stream != NULL && fwrite(bytes, 1, size, stream) == size;
    return stream != NULL && fclose(stream) == 0 && is_written;
}

static cohort_status check_file(void)
{
    struct stat entry;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    cohort_status st = fd >= 0 && fstat(fd, &entry) == 0
                           ? cohort_elf_check(fd, (uint64_t)entry.st_size)
                           : COHORT_EINTERNAL;
    (void)close(fd);
    return st;
}

static cohort_status check_bytes(const void *bytes, size_t size)
{
    return write_file(bytes, size) ? check_file() : COHORT_EINTERNAL;
}

/* The whole plugin with its header changed. */
static ElfW(Ehdr) * change(unsigned char copy[sizeof whole])
{
    memcpy(copy, whole, whole_bytes);
    return (ElfW(Ehdr) *)(void *)copy;
}

static bool build_whole(void)
{
    char command[16384];
    (void)snprintf(command, sizeof command,
                   "mkdir -p '%s' && printf 'int data[2000] = { 1 }; const char *cohort_test(void) "
                   "{ return \"x\"; "
                   "}\\n' > '%s/w.c' && "
                   "${CC:-cc} -w -fPIC -shared '%s/w.c' -o '%s/whole.so' -Wl,--no-as-needed -lm",
                   work, work, work, work);
    if (system(command) != 0)
        return false;
    (void)snprintf(file, sizeof file, "%s/whole.so", work);
    FILE *stream = fopen(file, "rb");
    whole_bytes = stream != NULL ? fread(whole, 1, sizeof whole, stream) : 0;
    if (stream != NULL)
        (void)fclose(stream);
    (void)snprintf(file, sizeof file, "%s/piece.so", work);
    return whole_bytes > sizeof(ElfW(Ehdr)) && whole_bytes < sizeof whole;
}

static void check_other_files(void)
{
    static const char script[] = "#!/bin/sh\nexit 0\n", text[] = "INPUT(libm.so)\n";
    ok(check_bytes("", 0) == COHORT_EINCOMPATIBLE, "an empty file is refused");
    has_text(cohort_error_text(), "empty", "as empty");
    ok(check_bytes(script, sizeof script - 1) == COHORT_EINCOMPATIBLE, "a script is refused");
    has_text(cohort_error_text(), "a script", "as a script");
    ok(check_bytes(text, sizeof text - 1) == COHORT_EINCOMPATIBLE, "a linker script is refused");
    has_text(cohort_error_text(), "no ELF header", "as no ELF file");
    ok(check_bytes("\177EL", 3) == COHORT_EINCOMPATIBLE, "three bytes are refused");
}

static void check_headers(void)
{
    static unsigned char copy[sizeof whole];
    change(copy)->e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS32 : ELFCLASS64;
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "the other class is refused");
    has_text(cohort_error_text(), "ELF class", "as another class");
    change(copy)->e_ident[EI_DATA] ^= 3;
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "the other byte order is refused");
    change(copy)->e_machine = EM_AVR;
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "another machine is refused");
    has_text(cohort_error_text(), "ELF machine 83", "with its number");
    change(copy)->e_type = ET_EXEC;
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "a program is refused");
    has_text(cohort_error_text(), "ELF type 2", "with its type");
    change(copy)->e_phnum = 0;
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "no segments are refused");
    change(copy)->e_phnum = 0xffff;
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "65,535 segments are refused");
    change(copy)->e_phoff = UINT32_MAX;
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "segments past the end are refused");
    change(copy)->e_phentsize = 8;
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "short program headers are refused");
}

static void check_segment(unsigned type, void (*spoil)(ElfW(Phdr) * segment), const char *claim)
{
    static unsigned char copy[sizeof whole];
    ElfW(Ehdr) *header = change(copy);
    ElfW(Phdr) *segments = (ElfW(Phdr) *)(void *)(copy + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (segments[i].p_type == type)
            spoil(&segments[i]);
    ok(check_bytes(copy, whole_bytes) == COHORT_EINCOMPATIBLE, "%s", claim);
}

static void grow_past_end(ElfW(Phdr) * segment)
{
    segment->p_filesz = segment->p_memsz = whole_bytes + 1;
}

static void overflow(ElfW(Phdr) * segment)
{
    segment->p_offset = (ElfW(Off)) - 16;
}

static void shrink_memory(ElfW(Phdr) * segment)
{
    segment->p_memsz = 0;
}

static void forget(ElfW(Phdr) * segment)
{
    segment->p_type = PT_NULL;
}

static void check_segments(void)
{
    check_segment(PT_LOAD, grow_past_end, "a segment longer than the file is refused");
    check_segment(PT_LOAD, overflow, "an offset that overflows is refused");
    check_segment(PT_LOAD, shrink_memory, "more bytes than memory are refused");
    check_segment(PT_DYNAMIC, grow_past_end, "a dynamic section longer than the file is refused");
    check_segment(PT_DYNAMIC, forget, "no dynamic section is refused");
    check_segment(PT_LOAD, forget, "no loaded segment at all is refused");
}

/* What passes the check must not crash the dynamic linker. */
static bool loads_or_fails(void)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        void *handle = NULL;
        (void)cohort_library_open_plugin(file, &handle);
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status);
}

static void check_pieces(void)
{
    int refused = 0, passed = 0, crashed = 0;
    for (size_t size = 0; size < whole_bytes; size += 64) {
        if (check_bytes(whole, size) < 0) {
            refused++;
            continue;
        }
        passed++;
        crashed += !loads_or_fails();
    }
    diag("%zu bytes, cut at every 64: %d refused, %d passed", whole_bytes, refused, passed);
    ok(refused > 0 && crashed == 0, "no piece that passes crashes the dynamic linker");
}

/* Bytes changed at random: whatever the answer, nothing is read outside the file (under a sanitizer
 * this shows). */
static void check_noise(void)
{
    static unsigned char copy[sizeof whole];
    unsigned seed = 1;
    int answers = 0;
    for (int i = 0; i < 2000; i++) {
        (void)change(copy);
        for (int k = 0; k < 4; k++) {
            seed = seed * 1103515245u + 12345u;
            size_t at = (seed >> 8) % (i % 2 == 0 ? 1024 : whole_bytes);
            copy[at] = (unsigned char)(seed >> 24);
        }
        answers += check_bytes(copy, whole_bytes) <= COHORT_OK;
    }
    ok(answers == 2000, "2,000 spoilt files each get an answer");
}

static void check_sanitizer(void)
{
    char command[16384];
    cohort_native_fn fn = NULL;
    (void)snprintf(command, sizeof command,
                   "echo 'int x;' > '%s/libasan.c' && ${CC:-cc} -shared -fPIC '%s/libasan.c' "
                   "-Wl,-soname,libasan.so.8 "
                   "-o '%s/libasan.so' && ${CC:-cc} -w -shared -fPIC '%s/w.c' -Wl,--no-as-needed "
                   "'%s/libasan.so' -o "
                   "'%s/piece.so' 2> /dev/null",
                   work, work, work, work, work, work);
    if (cohort_library_symbol(NULL, "__asan_init", &fn) == COHORT_OK || system(command) != 0) {
        skip("a plugin for a sanitizer",
             "this program has one itself, or the linker takes no -soname");
        return;
    }
    ok(check_file() == COHORT_EINCOMPATIBLE, "a plugin that needs a sanitizer runtime is refused");
    has_text(cohort_error_text(),
             "needs the sanitizer runtime libasan.so.8, which this program lacks", "by its name");
}

static void check_symbols(void)
{
    cohort_native_fn fn = NULL;
    ok(cohort_library_symbol("./libm.so.6", "cos", &fn) == COHORT_EINVAL && fn == NULL,
       "a relative library is refused");
    ok(cohort_library_symbol("", "cos", &fn) == COHORT_EINVAL,
       "a library without a name is refused");
    ok(cohort_library_symbol(NULL, NULL, &fn) == COHORT_EINVAL, "no symbol is refused");
    ok(cohort_library_symbol("libnone-at-all.so", "cos", &fn) == COHORT_ENOENT,
       "a missing library");
    has_text(cohort_error_text(), "library 'libnone-at-all.so': cannot open",
             "is named with the linker's reason");
    (void)snprintf(file, sizeof file, "%s/whole.so", work);
    ok(cohort_library_symbol(file, "no_such_symbol", &fn) == COHORT_ENOENT, "a missing symbol");
    has_text(cohort_error_text(), "has no symbol 'no_such_symbol'", "is named");
    ok(cohort_library_symbol(file, "cohort_test", &fn) == COHORT_OK && fn != NULL,
       "a symbol of a library is found");
    ok(cohort_library_symbol(NULL, "malloc", &fn) == COHORT_OK && fn != NULL,
       "a symbol of the program is found");
    (void)snprintf(file, sizeof file, "%s/piece.so", work);
}

int main(void)
{
    const char *builddir = getenv("builddir");
    (void)snprintf(work, sizeof work, "%s/tests/elf-work", builddir != NULL ? builddir : "/tmp");
    if (!build_whole())
        return skip_all("no C compiler builds a shared object here ($CC)");
    check_other_files();
    check_headers();
    check_segments();
    ok(check_bytes(whole, whole_bytes) == COHORT_OK, "the whole plugin passes");
    check_pieces();
    check_noise();
    check_sanitizer();
    check_symbols();
    (void)snprintf(file, sizeof file, "rm -rf '%s'", work);
    (void)!system(file);
    ok(cohort_memory_blocks() == 0, "nothing is held");
    return tap_done();
}
