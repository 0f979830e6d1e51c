/* SPDX-License-Identifier: BSD-3-Clause */
/* A peer (bench/peers.h): Gloo's allreduce of two ranks over TCP on this machine, in place, each
 * rank a thread. `bench/run` compiles it where gloo's headers are. */
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/hash_store.h>
#include <gloo/transport/tcp/device.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "bench/rows.h"
#include "bench/serve.h"
}

namespace
{

const int ranks = 2;
gloo::rendezvous::HashStore store;

struct Rank {
    std::shared_ptr<gloo::rendezvous::Context> context;
    void connect(int id)
    {
        gloo::transport::tcp::attr attr;
        attr.hostname = "localhost";
        auto device = gloo::transport::tcp::CreateDevice(attr);
        context = std::make_shared<gloo::rendezvous::Context>(id, ranks);
        context->connectFullMesh(store, device);
    }
    void add(std::vector<float> &x, long calls) const
    {
        for (long i = 0; i < calls; i++) {
            gloo::AllreduceOptions options(context);
            options.setOutput(x.data(), x.size());
            options.setReduceFunction(
                static_cast<void (*)(void *, const void *, const void *, size_t)>(
                    &gloo::sum<float>));
            gloo::allreduce(options);
        }
    }
};

Rank all[ranks];

double time_sums(long bytes, long calls)
{
    std::vector<float> x[ranks];
    for (auto &each : x)
        each.assign(static_cast<size_t>(bytes) / sizeof(float), 0.0F);
    try {
        std::thread other([&] { all[1].add(x[1], calls + 1); });
        all[0].add(x[0], 1); /* the other thread is there */
        auto start = std::chrono::steady_clock::now();
        all[0].add(x[0], calls);
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        other.join();
        return seconds.count();
    } catch (const std::exception &) {
        return -1;
    }
}

} // namespace

int main()
{
    static char rows[ROWS_SIZES][ROWS_TEXT];
    std::vector<serve_side> sides;
    for (const char *table : { ROWS_SUMS, ROWS_SUMS_ACROSS })
        for (int i = 0; i < ROWS_SIZES; i++)
            sides.push_back({ table, rows_sum(rows[i], "float32", ranks, rows_sizes[i]),
                              "Gloo allreduce, in place", "TCP on this machine, 2 threads",
                              time_sums, static_cast<long>(rows_sizes[i]) });
    std::thread other([] { all[1].connect(1); });
    all[0].connect(0);
    other.join();
    return serve(sides.data(), static_cast<int>(sides.size()));
}
