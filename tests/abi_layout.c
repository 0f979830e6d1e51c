/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of the plugin ABI on machines with 64-bit pointers, as released: what differs here
 * breaks plugins that exist. Members may be added at the end of a struct with a struct_size;
 * nothing else may change within ABI 1.0. */
#include <cohort/plugin.h>

#include "tests/tap.h"

typedef struct golden {
    const char *name;
    size_t offset, expected;
} golden;

#define ROW(type, member, expected) { #type "." #member, offsetof(type, member), expected },
/* clang-format off */
static const golden members[] = {
    ROW(cohort_arg, kind, 0)
    ROW(cohort_arg, type, 4)
    ROW(cohort_arg, dir, 8)
    ROW(cohort_arg, size, 12)
    ROW(cohort_member, type, 0)
    ROW(cohort_member, count, 4)
    ROW(cohort_member, offset, 8)
    ROW(cohort_member, reserved, 12)
    ROW(cohort_layout, size, 0)
    ROW(cohort_layout, align, 4)
    ROW(cohort_layout, nmembers, 8)
    ROW(cohort_layout, reserved, 12)
    ROW(cohort_layout, members, 16)
    ROW(cohort_range, dims, 0)
    ROW(cohort_range, reserved, 4)
    ROW(cohort_range, global, 8)
    ROW(cohort_range, local, 32)
    ROW(cohort_image, mem, 0)
    ROW(cohort_image, channels, 8)
    ROW(cohort_image, reserved, 12)
    ROW(cohort_image, width, 16)
    ROW(cohort_image, height, 24)
    ROW(cohort_image, depth, 32)
    ROW(cohort_sampler, is_normalized, 0)
    ROW(cohort_sampler, addressing, 4)
    ROW(cohort_sampler, filter, 8)
    ROW(cohort_tag, step, 0)
    ROW(cohort_tag, replica, 8)
    ROW(cohort_tag, run, 12)
    ROW(cohort_term, mem, 0)
    ROW(cohort_term, offset, 8)
    ROW(cohort_term, merges, 16)
    ROW(cohort_term, reserved, 20)
    ROW(cohort_error, struct_size, 0)
    ROW(cohort_error, code, 4)
    ROW(cohort_error, native, 8)
    ROW(cohort_error, text, 16)
    ROW(cohort_device_info, struct_size, 0)
    ROW(cohort_device_info, type, 4)
    ROW(cohort_device_info, caps, 8)
    ROW(cohort_device_info, mem_total, 16)
    ROW(cohort_device_info, mem_max_alloc, 24)
    ROW(cohort_device_info, mem_align, 32)
    ROW(cohort_device_info, import_align, 36)
    ROW(cohort_device_info, compute_units, 40)
    ROW(cohort_device_info, max_parts, 44)
    ROW(cohort_device_info, numa_node, 48)
    ROW(cohort_device_info, max_args, 52)
    ROW(cohort_device_info, uuid, 56)
    ROW(cohort_device_info, pci, 72)
    ROW(cohort_device_info, name, 88)
    ROW(cohort_device_info, driver, 152)
    ROW(cohort_device_info, formats, 216)
    ROW(cohort_device_info, dtypes, 224)
    ROW(cohort_device_info, reductions, 232)
    ROW(cohort_sig, struct_size, 0)
    ROW(cohort_sig, nargs, 4)
    ROW(cohort_sig, args, 8)
    ROW(cohort_sig, names, 16)
    ROW(cohort_sig, text, 24)
    ROW(cohort_sig, ret, 32)
    ROW(cohort_sig, ntypes, 36)
    ROW(cohort_sig, types, 40)
    ROW(cohort_code, struct_size, 0)
    ROW(cohort_code, flags, 4)
    ROW(cohort_code, uid, 8)
    ROW(cohort_code, format, 16)
    ROW(cohort_code, data, 24)
    ROW(cohort_code, bytes, 32)
    ROW(cohort_code, options, 40)
    ROW(cohort_code, fn, 48)
    ROW(cohort_launch, struct_size, 0)
    ROW(cohort_launch, nargs, 4)
    ROW(cohort_launch, argv, 8)
    ROW(cohort_launch, ret, 16)
    ROW(cohort_launch, tag, 24)
    ROW(cohort_launch, range, 40)
    ROW(cohort_launch, offset, 96)
    ROW(cohort_reduction, struct_size, 0)
    ROW(cohort_reduction, order, 4)
    ROW(cohort_reduction, op, 8)
    ROW(cohort_reduction, type, 12)
    ROW(cohort_reduction, nterms, 16)
    ROW(cohort_reduction, reserved, 20)
    ROW(cohort_reduction, terms, 24)
    ROW(cohort_reduction, dst, 32)
    ROW(cohort_reduction, dst_offset, 40)
    ROW(cohort_reduction, count, 48)
    ROW(cohort_reduction, divisor, 56)
    ROW(cohort_host, struct_size, 0)
    ROW(cohort_host, flags, 4)
    ROW(cohort_host, ctx, 8)
    ROW(cohort_host, log, 16)
    ROW(cohort_host, config_get, 24)
    ROW(cohort_host, call_prepare, 32)
    ROW(cohort_host, call_native, 40)
    ROW(cohort_host, call_free, 48)
    ROW(cohort_host, reduce_native, 56)
    ROW(cohort_request, struct_size, 0)
    ROW(cohort_request, core_minor, 4)
    ROW(cohort_request, host, 8)
    ROW(cohort_request, core_version, 16)
    ROW(cohort_plugin, struct_size, 0)
    ROW(cohort_plugin, abi_minor, 4)
    ROW(cohort_plugin, min_core_minor, 8)
    ROW(cohort_plugin, reserved, 12)
    ROW(cohort_plugin, name, 16)
    ROW(cohort_plugin, version, 24)
    ROW(cohort_plugin, vendor, 32)
    ROW(cohort_plugin, self, 40)
    ROW(cohort_plugin, ops, 48)
    ROW(cohort_plugin, extension, 56)
    /* operations are called by their place in the table */
    ROW(cohort_ops, struct_size, 0)
    ROW(cohort_ops, reserved, 4)
    ROW(cohort_ops, enumerate, 8)
    ROW(cohort_ops, device_open, 16)
    ROW(cohort_ops, device_close, 24)
    ROW(cohort_ops, mem_alloc, 32)
    ROW(cohort_ops, mem_free, 40)
    ROW(cohort_ops, write, 48)
    ROW(cohort_ops, read, 56)
    ROW(cohort_ops, kernel_create, 64)
    ROW(cohort_ops, kernel_destroy, 72)
    ROW(cohort_ops, launch, 80)
    ROW(cohort_ops, event_wait, 88)
    ROW(cohort_ops, event_release, 96)
    ROW(cohort_ops, event_notify, 104)
    ROW(cohort_ops, event_time, 112)
    ROW(cohort_ops, queue_create, 120)
    ROW(cohort_ops, queue_destroy, 128)
    ROW(cohort_ops, queue_wait, 136)
    ROW(cohort_ops, mem_host_ptr, 144)
    ROW(cohort_ops, mem_import, 152)
    ROW(cohort_ops, mem_slice, 160)
    ROW(cohort_ops, mem_map, 168)
    ROW(cohort_ops, mem_unmap, 176)
    ROW(cohort_ops, mem_info, 184)
    ROW(cohort_ops, host_alloc, 192)
    ROW(cohort_ops, host_free, 200)
    ROW(cohort_ops, copy, 208)
    ROW(cohort_ops, can_access_peer, 216)
    ROW(cohort_ops, fill, 224)
    ROW(cohort_ops, reduce, 232)
    ROW(cohort_ops, kernel_binary, 240)
    ROW(cohort_ops, worker_attach, 248)
    ROW(cohort_ops, query, 256)
    ROW(cohort_ops, device_abandon, 264)
    ROW(cohort_ops, launch_batch, 272)
};
/* clang-format on */

int main(void)
{
    if (sizeof(void *) != 8)
        return skip_all("the golden table is for 64-bit pointers");
    int moved = 0;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (members[i].offset != members[i].expected) {
            diag("%s is at %zu, was at %zu", members[i].name, members[i].offset,
                 members[i].expected);
            moved++;
        }
    ok(moved == 0, "every member lies where it lay");
    ok(sizeof(cohort_ops) == 8 + 34 * sizeof(void (*)(void)),
       "there are as many operations as there were");
    ok(COHORT_OK == 0 && COHORT_EINVAL == -1 && COHORT_EAGAIN == -11 && COHORT_END == 1,
       "statuses have their numbers");
    ok(COHORT_BOOL == 1 && COHORT_F32 == 12 && COHORT_RECORD == 64 && COHORT_POINTER == 67,
       "element types have theirs");
    return tap_done();
}
