/* SPDX-License-Identifier: BSD-3-Clause */
/* Which devices the OpenCL plugin finds among those of several drivers, and what it says of the
 * rest. This program is the loader: its functions come before the real one's, and answer from the
 * tables of a case. Each case is a process of its own, since the plugin asks once. */
#include "config.h"

#include "tests/opencl_subject.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The loader. */

struct fake_device {
    const char *name;
    uint8_t uuid, driver_uuid; /* each byte of it; 0: the driver tells none */
    uint8_t bus;               /* PCI */
    bool has_place;            /* the driver tells the PCI address */
};

struct fake_platform {
    const char *name;
    const struct fake_device *devices[3]; /* NULL at the end */
};

/* What is found in this process. */
static const struct fake_platform *const *platforms; /* NULL at the end */
static const char *loader_vendor;                    /* NULL: the loader tells nothing of itself */

#define FAKE __attribute__((visibility("default")))

static cl_int give(const void *from, size_t bytes, size_t size, void *into, size_t *out_size)
{
    if (into != NULL && size < bytes)
        return CL_INVALID_VALUE;
    if (into != NULL)
        memcpy(into, from, bytes);
    if (out_size != NULL)
        *out_size = bytes;
    return CL_SUCCESS;
}

static cl_int give_text(const char *text, size_t size, void *into, size_t *out_size)
{
    return give(text, strlen(text) + 1, size, into, out_size);
}

FAKE cl_int CL_API_CALL clGetPlatformIDs(cl_uint n, cl_platform_id *out, cl_uint *out_n)
{
    *out_n = 0;
    for (cl_uint i = 0; platforms != NULL && platforms[i] != NULL; i++, (*out_n)++)
        if (i < n)
            memcpy(&out[i], &platforms[i], sizeof out[i]);
    return *out_n > 0 ? CL_SUCCESS : -1001;
}

FAKE cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what,
                                          size_t size, void *into, size_t *out_size)
{
    const struct fake_platform *self = (const void *)platform;
    return give_text(what == CL_PLATFORM_NAME ? self->name : "OpenCL 1.2 fake", size, into,
                     out_size);
}

FAKE cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint n,
                                       cl_device_id *out, cl_uint *out_n)
{
    const struct fake_platform *self = (const void *)platform;
    *out_n = 0;
    for (cl_uint i = 0; type == CL_DEVICE_TYPE_ALL && self->devices[i] != NULL; i++, (*out_n)++)
        if (i < n)
            memcpy(&out[i], &self->devices[i], sizeof out[i]);
    return *out_n > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

static cl_int give_extensions(const struct fake_device *self, size_t size, void *into,
                              size_t *out_size)
{
    char text[80];
    (void)snprintf(text, sizeof text, "%s %s", self->uuid != 0 ? "cl_khr_device_uuid" : "",
                   self->has_place ? "cl_khr_pci_bus_info" : "");
    return give_text(text, size, into, out_size);
}

/* The numbers of extensions, whose names older headers lack. */
FAKE cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size,
                                        void *into, size_t *out_size)
{
    enum { UUID = 0x106A, DRIVER_UUID = 0x106B, PCI_BUS_INFO = 0x410F };
    const struct fake_device *self = (const void *)device;
    const cl_uint place[4] = { 0, self->bus, 0, 0 };
    const cl_ulong type = CL_DEVICE_TYPE_GPU, memory = 1 << 30, none = 0;
    const cl_uint one = 1;
    uint8_t uuid[16];
    memset(uuid, what == UUID ? self->uuid : self->driver_uuid, sizeof uuid);
    switch (what) {
    case CL_DEVICE_NAME:
        return give_text(self->name, size, into, out_size);
    case CL_DEVICE_EXTENSIONS:
        return give_extensions(self, size, into, out_size);
    case UUID:
    case DRIVER_UUID:
        return give(uuid, sizeof uuid, size, into, out_size);
    case PCI_BUS_INFO:
        return give(place, sizeof place, size, into, out_size);
    case CL_DEVICE_TYPE:
        return give(&type, sizeof type, size, into, out_size);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return give(&memory, sizeof memory, size, into, out_size);
    case CL_DEVICE_VENDOR:
        return give_text("fakes", size, into, out_size);
    case CL_DRIVER_VERSION:
        return give_text("1", size, into, out_size);
    case CL_DEVICE_OPENCL_C_VERSION:
        return give_text("OpenCL C 1.2", size, into, out_size);
    default:
        return size >= sizeof none ? give(&none, sizeof none, size, into, out_size)
                                   : give(&one, sizeof one, size, into, out_size);
    }
}

static cl_int CL_API_CALL tell_loader(cl_uint what, size_t size, void *into, size_t *out_size)
{
    enum { VENDOR = 4 };
    return what == VENDOR ? give_text(loader_vendor, size, into, out_size) : CL_INVALID_VALUE;
}

FAKE void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    union {
        void *symbol;
        cl_int (*call)(cl_uint, size_t, void *, size_t *);
    } found = { NULL };
    if (loader_vendor != NULL && strcmp(name, "clGetICDLoaderInfoOCLICD") == 0)
        found.call = tell_loader;
    return found.symbol;
}

/* ---- A case. */

static char work[PATH_MAX - 64], plugin_path[PATH_MAX];

static void print_uuid(const uint8_t uuid[16])
{
    for (int i = 0; i < 16; i++)
        printf("%02x", uuid[i]);
}

/* The child: one line for each device, and for each that is not used. */
static void list(void)
{
    union {
        void *symbol;
        const cohort_plugin *(*entry)(const cohort_request *rq, cohort_error *err);
    } found = { dlsym(dlopen(plugin_path, RTLD_NOW | RTLD_LOCAL), "cohort_plugin_entry_1") };
    cohort_request request = { .struct_size = sizeof request,
                               .core_minor = COHORT_ABI_MINOR,
                               .core_version = "test" };
    const cohort_plugin *plugin = found.entry(&request, NULL);
    const cohort_unused_ops *unused = plugin->extension(plugin->self, "cohort.unused/0");
    cohort_device_info infos[8];
    uint32_t n = 0;
    (void)plugin->ops->enumerate(plugin->self, 8, sizeof *infos, infos, &n, NULL);
    for (uint32_t i = 0; i < n; i++) {
        printf("device %s pci '%s' uuid ", infos[i].name, infos[i].pci);
        print_uuid(infos[i].uuid);
        printf("\n");
    }
    cohort_unused_info info = { .struct_size = sizeof info };
    for (uint32_t i = 0; unused->get(plugin->self, i, &info) == COHORT_OK; i++)
        printf("[%s] %s [fix] %s\n", info.name, info.reason, info.fix);
    printf("devices %u\n", n);
}

static char output[16384];

static void read_all(int end)
{
    size_t n = 0;
    for (ssize_t got;
         n < sizeof output - 1 && (got = read(end, output + n, sizeof output - 1 - n)) > 0;)
        n += (size_t)got;
    output[n] = '\0';
}

/* What is listed under these settings: names and values, NULL at the end. */
static const char *look(const struct fake_platform *const *found, const char *vendor,
                        const char *const *settings)
{
    int ends[2];
    (void)fflush(stdout);
    if (pipe(ends) != 0)
        return "no pipe";
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        for (size_t i = 0; settings[i] != NULL; i += 2)
            (void)setenv(settings[i], settings[i + 1], 1);
        platforms = found;
        loader_vendor = vendor;
        list();
        (void)fflush(stdout);
        _exit(0);
    }
    (void)close(ends[1]);
    read_all(ends[0]);
    (void)close(ends[0]);
    (void)waitpid(pid, NULL, 0);
    return output;
}

#define OCL_ICD "OCL Icd free software"
#define KHRONOS "Khronos Group"
#define LOOK(vendor, ...)                                                                          \
    look((const struct fake_platform *const[]){ __VA_ARGS__, NULL }, vendor,                       \
         (const char *const[]){ "OCL_ICD_VENDORS", work, NULL })
#define SETTINGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        n++;
    return n;
}

/* ---- One device, or two. */

static void handles(void)
{
    static const struct fake_device card = { .name = "card" };
    static const struct fake_platform driver = { "Fake", { &card } },
                                      other = { "Other", { &card } };
    has_text(LOOK(OCL_ICD, &driver, &driver, &driver), "devices 1\n",
             "a driver that three files name has its device once");
    has_text(LOOK(OCL_ICD, &driver, &other), "devices 1\n", "so has a handle of two platforms");
}

static void copies(void)
{
    static const struct fake_device one = { .name = "card" }, two = { .name = "card" },
                                    three = { .name = "card" };
    static const struct fake_platform driver = { "Fake", { &one } }, copy = { "Fake", { &two } },
                                      both = { "Fake", { &one, &three } };
    char first[33] = "", second[33] = "";
    has_text(LOOK(OCL_ICD, &driver, &copy), "devices 2\n",
             "two handles without a UUID are two devices, however alike");
    ok(sscanf(output, "device card pci '' uuid %32s device card pci '' uuid %32s", first, second) ==
               2 &&
           strcmp(first, second) != 0,
       "and have uuids of their own: %s %s", first, second);
    has_text(LOOK(OCL_ICD, &both), "devices 2\n", "those of one platform too");
    has_text(output, first, "the first of which has the uuid that it always has");
}

static void uuids(void)
{
    static const struct fake_device one = { .name = "one", .uuid = 1, .driver_uuid = 9 },
                                    same = { .name = "same", .uuid = 1, .driver_uuid = 9 },
                                    by_other = { .name = "by other", .uuid = 1, .driver_uuid = 8 },
                                    by_none = { .name = "by none", .uuid = 1 },
                                    other = { .name = "other", .uuid = 2, .driver_uuid = 9 };
    static const struct fake_platform first = { "First", { &one } },
                                      twice = { "Twice", { &one, &same } };
#define SECOND(device) (&(const struct fake_platform){ "Second", { &(device) } })
#define UUID_OF_ONE "01010101010101010101010101010101"
    has_text(LOOK(OCL_ICD, &first, SECOND(same)),
             "device one pci '' uuid " UUID_OF_ONE "\ndevices 1\n",
             "equal UUIDs of device and driver are one device of two platforms");
    has_text(LOOK(OCL_ICD, &first, SECOND(by_other)), "devices 2\n",
             "one card by two drivers is two devices");
    ok(count(output, UUID_OF_ONE) == 1, "of which one has the card's uuid");
    has_text(LOOK(OCL_ICD, &first, SECOND(by_none)), "devices 2\n",
             "so it is where one of the drivers tells no UUID of its own");
    has_text(LOOK(OCL_ICD, &first, SECOND(other)), "devices 2\n",
             "two cards by one driver are two");
    has_text(LOOK(OCL_ICD, &twice), "devices 2\n",
             "two handles of one platform are two, whatever UUID it tells");
    ok(count(output, UUID_OF_ONE) == 1, "with uuids of their own");
}

static void places(void)
{
    static const struct fake_device one = { .name = "one", .bus = 1, .has_place = true },
                                    two = { .name = "two", .bus = 1, .has_place = true },
                                    nowhere = { .name = "nowhere", .has_place = true };
    static const struct fake_platform card = { "First", { &one } }, again = { "Second", { &two } },
                                      tiles = { "First", { &one, &two } },
                                      zeros = { "First", { &nowhere } };
    has_text(LOOK(OCL_ICD, &tiles), "devices 2\n", "an equal PCI address merges nothing");
    has_text(LOOK(OCL_ICD, &card, &again), "device two pci '0000:01:00.0'",
             "across platforms neither; the address is told");
    has_text(LOOK(OCL_ICD, &zeros), "device nowhere pci ''", "one of zeros is none");
}

/* ---- Platforms without a device. */

static void empties(void)
{
    static const struct fake_device card = { .name = "card" };
    static const struct fake_platform good = { "Fake", { &card } },
                                      rusticl = { "rusticl", { NULL } },
                                      nobody = { "Nobody's", { NULL } };
    const struct fake_platform *const all[] = { &good, &rusticl, &rusticl, &nobody, NULL };
    look(all, OCL_ICD, SETTINGS("OCL_ICD_VENDORS", work));
    has_text(output, "devices 1\n", "a driver without a device takes nothing from one that has it");
    has_text(output,
             "[rusticl] platform rusticl offers no device (CL_DEVICE_NOT_FOUND); RUSTICL_ENABLE is "
             "not set [fix] export RUSTICL_ENABLE=radeonsi",
             "and is told, with what it wants");
    ok(count(output, "[rusticl]") == 1, "once");
    has_text(output, "[Nobody's] platform Nobody's offers no device (CL_DEVICE_NOT_FOUND) [fix] \n",
             "of one that is unknown only the name is told");
    look(all, OCL_ICD, SETTINGS("OCL_ICD_VENDORS", work, "RUSTICL_ENABLE", "zink"));
    has_text(output, "(CL_DEVICE_NOT_FOUND); RUSTICL_ENABLE=zink [fix]",
             "a variable that did not help is told as it is");
}

/* ---- What the two loaders read. */

static const char *path_of(const char *name)
{
    static char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", work, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(path_of(name), "w");
    if (stream == NULL || fputs(text, stream) < 0 || fclose(stream) != 0)
        ok(false, "%s is written", path_of(name));
}

static const struct fake_platform *const none[] = { NULL };

static void files_of_ocl_icd(void)
{
    look(none, OCL_ICD, SETTINGS("OCL_ICD_VENDORS", path_of("lines.icd")));
    has_text(output, "[lines.icd] libcohort-none-a.so: cannot open", "ocl-icd takes a file's name");
    ok(strstr(output, "none-b") == NULL, "and of the file the first line");
    look(none, OCL_ICD, SETTINGS("OCL_ICD_VENDORS", "/nowhere/libcohort-none-c.so"));
    has_text(output, "libcohort-none-c.so: cannot open", "or a library's");
    has_text(output, "[fix] install that driver, or take it out of OCL_ICD_VENDORS",
             "which is to be taken out of the variable");
    look(none, OCL_ICD, SETTINGS("OCL_ICD_VENDORS", "", "OPENCL_VENDOR_PATH", work));
    has_text(output, "[lines.icd] libcohort-none-a.so", "OPENCL_VENDOR_PATH is its usual folder");
    look(none, OCL_ICD, SETTINGS("OCL_ICD_VENDORS", "lines.icd", "OPENCL_VENDOR_PATH", work));
    has_text(output, "[lines.icd] libcohort-none-a.so",
             "in which a name without a slash is looked for");
    look(none, OCL_ICD, SETTINGS("OCL_ICD_FILENAMES", "libx.so"));
    has_text(output,
             "[OCL_ICD_FILENAMES] OCL_ICD_FILENAMES=libx.so is not read: the OpenCL loader here is "
             "ocl-icd [fix] OCL_ICD_VENDORS=",
             "OCL_ICD_FILENAMES does nothing there, which is told");
}

static void files_of_khronos(void)
{
    look(none, KHRONOS, SETTINGS("OCL_ICD_VENDORS", work));
    has_text(output, "[lines.icd] libcohort-none-a.so\nlibcohort-none-b.so: cannot open",
             "for Khronos' loader the whole file is the name");
    look(none, KHRONOS,
         SETTINGS("OCL_ICD_VENDORS", "/nowhere", "OCL_ICD_FILENAMES",
                  "libcohort-none-c.so::/nowhere/libcohort-none-d.so"));
    has_text(output, "[libcohort-none-c.so] libcohort-none-c.so: cannot open",
             "OCL_ICD_FILENAMES is a list of libraries");
    has_text(output,
             "libcohort-none-d.so: cannot open shared object file: No such file or directory [fix] "
             "install that driver, or take it "
             "out of OCL_ICD_FILENAMES",
             "each of which is looked at");
    look(none, KHRONOS, SETTINGS("OCL_ICD_VENDORS", path_of("lines.icd")));
    has_text(output,
             "is not read: the OpenCL loader here is not ocl-icd, and wants a folder there [fix] "
             "OCL_ICD_VENDORS=<its folder>, or OCL_ICD_FILENAMES=",
             "OCL_ICD_VENDORS is a folder, and nothing else");
    look(none, KHRONOS, SETTINGS("OCL_ICD_VENDORS", ""));
    has_text(output, "OCL_ICD_VENDORS= does not exist", "an empty one is none");
    look(none, KHRONOS, SETTINGS("OPENCL_VENDOR_PATH", work, "OCL_ICD_VENDORS", work));
    has_text(output, "[OPENCL_VENDOR_PATH] OPENCL_VENDOR_PATH=", "OPENCL_VENDOR_PATH does nothing");
    look(none, NULL, SETTINGS("OCL_ICD_FILENAMES", "libcohort-none-c.so"));
    has_text(output, "[libcohort-none-c.so]", "a loader that tells nothing is taken for Khronos'");
}

int main(void)
{
    const char *folder = getenv("builddir"), *home = getenv("HOME");
    (void)snprintf(plugin_path, sizeof plugin_path, "%s/" OPENCL_PLUGIN,
                   folder != NULL ? folder : ".");
    (void)snprintf(work, sizeof work, "%s/opencl-found-%ld", home != NULL ? home : ".",
                   (long)getpid());
    if (!ok(mkdir(work, 0700) == 0, "a folder to work in"))
        return tap_done();
    (void)unsetenv("RUSTICL_ENABLE");
    (void)unsetenv("OCL_ICD_FILENAMES");
    (void)unsetenv("OPENCL_VENDOR_PATH");
    handles();
    copies();
    uuids();
    places();
    empties();
    write_file("lines.icd", "libcohort-none-a.so\nlibcohort-none-b.so\n");
    files_of_ocl_icd();
    files_of_khronos();
    return tap_done();
}
