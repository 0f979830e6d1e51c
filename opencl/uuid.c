/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that tell devices apart after a restart, and find a device again that two plugins
 * offer.
 *
 * A uuid of the driver is best, as another plugin may tell the same. The digest only has to differ
 * between the devices of one machine and stay the same there. */
#include "config.h"

#include "opencl/uuid.h"

#include "opencl/query.h"

#include <stdio.h>
#include <string.h>

/* Of extensions, whose headers older packages lack. */
enum { DEVICE_UUID_KHR = 0x106A, DRIVER_UUID_KHR = 0x106B, DEVICE_PCI_BUS_INFO_KHR = 0x410F };
enum {
    DEVICE_PCI_BUS_ID_NV = 0x4008,
    DEVICE_PCI_SLOT_ID_NV = 0x4009,
    DEVICE_PCI_DOMAIN_ID_NV = 0x400A
};

/* 0000:00:00.0 is the bridge of the processor, and what drivers tell of no place at all. */
static void print_pci(char out[16], uint32_t domain, uint32_t bus, uint32_t slot, uint32_t function)
{
    if ((domain | bus | slot | function) == 0)
        return;
    (void)snprintf(out, 16, "%04x:%02x:%02x.%x", domain & 0xffff, bus & 0xff, slot & 0x1f,
                   function & 7);
}

void opencl_pci(cl_device_id device, char out[16])
{
    struct {
        cl_uint domain, bus, slot, function;
    } khr;
    out[0] = '\0';
    if (opencl_has_extension(device, "cl_khr_pci_bus_info") &&
        clGetDeviceInfo(device, DEVICE_PCI_BUS_INFO_KHR, sizeof khr, &khr, NULL) == CL_SUCCESS) {
        print_pci(out, khr.domain, khr.bus, khr.slot, khr.function);
    } else if (opencl_has_extension(device, "cl_nv_device_attribute_query")) {
        uint32_t slot = opencl_u32(device, DEVICE_PCI_SLOT_ID_NV); /* and function, below */
        print_pci(out, opencl_u32(device, DEVICE_PCI_DOMAIN_ID_NV),
                  opencl_u32(device, DEVICE_PCI_BUS_ID_NV), slot >> 3, slot);
    }
}

/* FNV-1a over 128 bits would need wide products: two of 64 bits with different offsets do here. */
static void digest(uint64_t state[2], const char *text)
{
    for (const char *at = text;; at++) {
        state[0] = (state[0] ^ (unsigned char)*at) * 0x100000001b3u;
        state[1] = (state[1] + (unsigned char)*at) * 0xd6e8feb86659fd93u;
        state[1] ^= state[1] >> 32;
        if (*at == '\0')
            break;
    }
}

static bool ask(cl_device_id device, cl_device_info what, uint8_t out[16])
{
    static const uint8_t zero[16];
    return opencl_has_extension(device, "cl_khr_device_uuid") &&
           clGetDeviceInfo(device, what, 16, out, NULL) == CL_SUCCESS && memcmp(out, zero, 16) != 0;
}

bool opencl_uuid_ask(cl_device_id device, uint8_t out[16])
{
    return ask(device, DEVICE_UUID_KHR, out);
}

static bool has_same(cl_device_id one, cl_device_id other, cl_device_info what)
{
    uint8_t of_one[16], of_other[16];
    return ask(one, what, of_one) && ask(other, what, of_other) &&
           memcmp(of_one, of_other, sizeof of_one) == 0;
}

bool opencl_uuid_is_same(cl_device_id one, cl_device_id other)
{
    return has_same(one, other, DEVICE_UUID_KHR) && has_same(one, other, DRIVER_UUID_KHR);
}

void opencl_uuid_make(cl_platform_id platform, cl_device_id device, const char *pci, uint32_t index,
                      uint8_t out[16])
{
    char number[16];
    uint64_t state[2] = { 0xcbf29ce484222325u, 0x9e3779b97f4a7c15u };
    (void)snprintf(number, sizeof number, "%u", index);
    digest(state, opencl_device_text(device, CL_DEVICE_NAME).text);
    digest(state, opencl_device_text(device, CL_DEVICE_VENDOR).text);
    digest(state, opencl_device_text(device, CL_DRIVER_VERSION).text);
    digest(state, opencl_platform_text(platform, CL_PLATFORM_NAME).text);
    digest(state, opencl_platform_text(platform, CL_PLATFORM_VERSION).text);
    digest(state, pci);
    digest(state, number);
    state[0] |= 1;
    memcpy(out, state, 16);
}
