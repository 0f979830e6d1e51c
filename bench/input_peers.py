#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench/input beside tf.data and PyTorch's DataLoader, in turns on the same files.

usage: input_peers.py BUILD_FOLDER [TURNS]

Takes what Python has of tensorflow and torch. Every peer reads all rows once a turn, in batches of 256: in the form of
its tutorials, and in the best form found. Prints medians, and how many times longer the peer takes than Cohort, which
divides each batch over two replicas on top. OPENBLAS_NUM_THREADS and the like stay as they are."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROWS, COLUMNS, BATCH, SEED = 20000, 784, 256, 7
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def load(name):
    try:
        return __import__(name)
    except ImportError:
        print(f"{name}: not installed, left out")
        return None


def ours(build, case):
    environment = dict(os.environ, COHORT_PLUGIN_PATH=os.path.join(os.path.abspath(build), "host/.libs"))
    out = subprocess.run([os.path.join(build, "bench/input"), case], env=environment, check=True, capture_output=True)
    return float(out.stdout)


def timed(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def drain(iterable):
    for _ in iterable:
        pass


def tensorflow_forms(tf, x, folder):
    """Name of the case, form, and what reads everything once."""
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    records, csv, text = (os.path.join(folder, name) for name in ("rows.tfrecord", "rows.csv", "lines.txt"))

    def decode(record):
        return tf.io.decode_raw(record, tf.float32)

    slices = tf.data.Dataset.from_tensor_slices(x).shuffle(ROWS, seed=SEED).batch(BATCH)
    by_record = tf.data.TFRecordDataset(records).map(decode).batch(BATCH)
    by_batch = tf.data.TFRecordDataset(records, buffer_size=1 << 20).batch(BATCH).map(decode)
    rows = tf.data.experimental.CsvDataset(csv, [tf.float32] * COLUMNS).batch(BATCH)
    lines = tf.data.TextLineDataset(text).batch(BATCH)

    def in_function(dataset):
        distributed = strategy.experimental_distribute_dataset(dataset)

        @tf.function
        def step(batch):
            return tf.size(batch)

        @tf.function
        def all_steps():
            total = tf.constant(0)
            for batch in distributed:
                total += strategy.reduce("SUM", strategy.run(step, (batch,)), axis=None)
            return total

        return lambda: all_steps().numpy()

    yield "slices", "tf.data, distributed, as its guide", lambda: drain(strategy.experimental_distribute_dataset(slices))
    yield "slices", "tf.data, distributed, one function", in_function(slices)
    yield "tfrecord", "tf.data, decode each record", lambda: drain(by_record)
    yield "tfrecord", "tf.data, batch then decode", lambda: drain(by_batch)
    yield "csv", "tf.data CsvDataset", lambda: drain(rows)
    yield "text", "tf.data TextLineDataset", lambda: drain(lines)


def torch_forms(torch, x):
    data = torch.utils.data
    tensors = data.TensorDataset(torch.from_numpy(x))
    batched = data.BatchSampler(data.RandomSampler(tensors), BATCH, drop_last=False)
    yield "slices", "torch DataLoader, as written", lambda: drain(data.DataLoader(tensors, BATCH, shuffle=True))
    yield "slices", "torch DataLoader, index lists", lambda: drain(
        data.DataLoader(tensors, sampler=batched, batch_size=None))


def main():
    build, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    numpy, tf, torch = load("numpy"), load("tensorflow"), load("torch")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(build, "bench/input"), "--write", folder], check=True)
        x = numpy.load(os.path.join(folder, "rows.npy"))
        forms = list(tensorflow_forms(tf, x, folder)) if tf else []
        forms += list(torch_forms(torch, x)) if torch else []
        for case, name, run in forms:
            run()
            pairs = [(ours(build, case), timed(run)) for _ in range(turns)]
            mine, peer = (statistics.median(times) for times in zip(*pairs))
            print(f"{case:9} {name:36} {peer * 1e3:9.1f} ms   cohort {mine * 1e3:8.1f} ms   {peer / mine:6.1f} times",
                  flush=True)


if __name__ == "__main__":
    sys.exit(main())
