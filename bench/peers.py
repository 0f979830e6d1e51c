#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Peers that Python has, as sides of rows of bench/train, bench/reduce, bench/step, bench/input, bench/checkpoint,
bench/cluster and bench/cluster_train (bench/peers.h).

usage: peers.py tensorflow | torch | jax | safetensors

Answers "sides TABLE" and "time ROW<tab>WHO<tab>SECONDS" on its standard output. A library is imported when it is
first asked to time something, what a row needs is made when the row comes, and dropped with the next one. Two
replicas are two logical devices, or two processes, of one thread each; forms that see the same batch at every step
say so.
"""
import collections
import functools
import itertools
import json
import math
import os
import subprocess
import sys
import time

Side = collections.namedtuple("Side", "table row who how make")  # make() gives run(calls), which returns seconds

MODELS = {"mlp 784-256-128-10": (784, 256, 128, 10), "softmax 784-10": (784, 10), "logistic 16-2": (16, 2)}
BATCHES = (32, 256, 1024)
SIZES = (4, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20)
DISPATCH, EMPTY, SUMS, TRAINING = "dispatch, two replicas", "an empty step", "all-reduce", "training step"
START, FIRST_STEP = "start of a process", "softmax 784-10, batch 32, to the end of the first step"
SUMS_ACROSS, TRAINING_ACROSS = "all-reduce over processes", "training step over two processes"
INPUT, INPUT_BATCH, COLUMNS, SEED = "input", 256, 784, 7
CHECKPOINT, CHECKPOINT_MIB, CHECKPOINT_PARTS = "checkpoint", (1, 16, 256, 1024), 8
ROWS, RATE, IN_ONE = 8192, 0.01, 100


def in_one(size):
    """How many sums a function makes at once."""
    return IN_ONE if size <= 1 << 20 else IN_ONE // 10



def timed(function):
    """run(calls) of a function that makes so many calls and waits for the last one."""

    def run(calls):
        start = time.perf_counter()
        function(calls)
        return time.perf_counter() - start

    return run


def blocks_of(function, block):
    """The same of a function that makes `block` calls each time: run takes multiples of it."""

    def run(calls):
        start = time.perf_counter()
        for _ in range(calls // block):
            function()
        return time.perf_counter() - start

    run.block = block
    return run


def sum_row(size):
    unit = 2 if size >= 1 << 20 else 1 if size >= 1 << 10 else 0
    return f"float32, 2 x {size >> 10 * unit} {('B', 'KiB', 'MiB')[unit]}"


def training_rows():
    for name, widths in MODELS.items():
        for batch in BATCHES:
            yield f"{name}, batch {batch}", widths, batch


def training_rows_across():
    """Those of bench/cluster_train."""
    return (each for each in training_rows() if each[2] == BATCHES[0] and each[1][0] > 16)


def free_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def input_file(name):
    return os.path.join(os.environ["BENCH_DATA"], name)


def input_rows():
    import numpy

    return numpy.load(input_file("rows.npy"))


def passes(iterable):
    """run(calls) that reads everything so many times."""

    def function(calls):
        for _ in range(calls):
            collections.deque(iterable, maxlen=0)

    return timed(function)


def processes(library):
    """run(calls) of processes that import a library and take one step."""

    def function(calls):
        for _ in range(calls):
            subprocess.run([sys.executable, __file__, "first", library], stdin=subprocess.DEVNULL, stdout=sys.stderr,
                           check=True)

    return timed(function)


def take_first_step(library):
    makers = {"tensorflow": tf_documented, "torch": torch_eager, "jax": jax_jit}
    makers[library]((784, 10), 32)(1)


def first_step(library, who, how):
    return Side(START, FIRST_STEP, who, how, functools.partial(processes, library))


@functools.lru_cache(maxsize=1)
def data(widths):
    import numpy

    random = numpy.random.default_rng(1)
    return (random.uniform(-1, 1, (ROWS, widths[0])).astype("float32"),
            random.integers(0, widths[-1], ROWS).astype("int32"))


def weights(widths):
    import numpy

    random = numpy.random.default_rng(7)
    for d, k in zip(widths, widths[1:]):
        yield random.uniform(-1 / 8, 1 / 8, (d, k)).astype("float32")
        yield numpy.zeros(k, "float32")


# ---------------------------------------------------------------------- checkpoints


def state(mib):
    """What bench/checkpoint saves: eight arrays of float32."""
    import numpy

    return {f"w{i}": numpy.ones((mib << 20) // 4 // CHECKPOINT_PARTS, "float32") for i in range(CHECKPOINT_PARTS)}


def checkpoint_sides(who, ending, make):
    """make(mib, path) gives save and restore. A second row of saves syncs what was written, which no peer does."""

    def saving(mib, name, syncs):
        path = os.path.join(os.environ["BENCH_DATA"], name + ending)
        save, _ = make(mib, path)

        def function(calls):
            for _ in range(calls):
                save()
                if syncs:
                    sync_all(path)

        return timed(function)

    def restoring(mib, name):
        save, restore = make(mib, os.path.join(os.environ["BENCH_DATA"], name + ending))
        save()

        def function(calls):
            for _ in range(calls):
                restore()

        return timed(function)

    name = who.partition(",")[0].replace(" ", "-")
    for mib in CHECKPOINT_MIB:
        row = f"save, {mib} MiB"
        yield Side(CHECKPOINT, row, who, "not synced", functools.partial(saving, mib, name, False))
        yield Side(CHECKPOINT, row, who + ", then fsync", "", functools.partial(saving, mib, name + "-synced", True))
        yield Side(CHECKPOINT, f"restore, {mib} MiB", who, "", functools.partial(restoring, mib, name + "-read"))


def sync_all(path):
    """The files that begin so, and their folder."""
    folder, name = os.path.split(path)
    for each in [folder] + [os.path.join(folder, file) for file in os.listdir(folder) if file.startswith(name)]:
        fd = os.open(each, os.O_RDONLY)
        os.fsync(fd)
        os.close(fd)


def safetensors_sides():
    def make(mib, path):
        from safetensors.numpy import load_file, save_file

        content = state(mib)
        return lambda: save_file(content, path), lambda: load_file(path)

    return checkpoint_sides("Python's safetensors, NumPy", ".safetensors", make)


def torch_checkpoint(mib, path):
    content = {name: torch().from_numpy(x) for name, x in state(mib).items()}
    return lambda: torch().save(content, path), lambda: torch().load(path)


def tf_checkpoint(mib, path):
    tf = tensorflow()
    checkpoint = tf.train.Checkpoint(**{name: tf.Variable(x) for name, x in state(mib).items()})
    return lambda: checkpoint.write(path), lambda: checkpoint.read(path).assert_consumed()


# ---------------------------------------------------------------------- TensorFlow


@functools.lru_cache(maxsize=None)
def tensorflow():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(2)
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0],
                                               [tf.config.LogicalDeviceConfiguration()] * 2)
    return tf


def tf_strategy(to_one_device=False):
    """One for each side: sums of two shapes under one key abort each other. TensorFlow's tests step the base, too."""
    tf = tensorflow()
    tf.distribute.MirroredStrategy._collective_key_base += 100000
    operations = tf.distribute.ReductionToOneDevice() if to_one_device else None
    return tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"], cross_device_ops=operations)


def tf_keras(widths):
    """The network as its guides write it."""
    tf = tensorflow()
    layers = [tf.keras.layers.Dense(k, activation="tanh") for k in widths[1:-1]]
    model = tf.keras.Sequential([tf.keras.Input((widths[0],)), *layers, tf.keras.layers.Dense(widths[-1])])
    model.compile(tf.keras.optimizers.SGD(RATE), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


def tf_dataset(widths, batch):
    tf = tensorflow()
    return tf.data.Dataset.from_tensor_slices(data(widths)).batch(batch, drop_remainder=True).repeat()


def tf_fit(widths, batch):
    tf = tensorflow()
    with tf_strategy().scope():
        model = tf_keras(widths)
    rows, first = tf_dataset(widths, batch), 10

    class Clock(tf.keras.callbacks.Callback):
        def on_train_batch_end(self, step, logs=None):
            if step == first - 1:
                self.start = time.perf_counter()

    def run(calls):
        clock = Clock()
        model.fit(rows, steps_per_epoch=calls + first, epochs=1, verbose=0, callbacks=[clock])
        return time.perf_counter() - clock.start

    run.block = first  # begin with more than the steps that are not counted
    return run


def tf_documented(widths, batch, strategy=None):
    tf, strategy = tensorflow(), strategy or tf_strategy()
    with strategy.scope():
        model = tf_keras(widths)
        loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    rows = iter(strategy.experimental_distribute_dataset(tf_dataset(widths, batch)))

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.nn.compute_average_loss(loss_of(y, model(x, training=True)), global_batch_size=batch)
        gradients = tape.gradient(loss, model.trainable_variables)
        model.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    @tf.function
    def step(inputs):
        return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(replica_step, args=inputs), axis=None)

    def run(calls):
        for _ in range(calls):
            loss = step(next(rows))
        loss.numpy()

    return timed(run)


def tf_gradients(tf, w, x, y, batch):
    """By the tape, of raw variables."""
    with tf.GradientTape() as tape:
        a = x
        for i in range(0, len(w), 2):
            a = tf.matmul(a, w[i]) + w[i + 1]
            a = tf.tanh(a) if i + 2 < len(w) else a
        loss = tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(y, a)) / batch
    return tape.gradient(loss, w)


def tf_raw(widths, batch, steps, to_one_device=False, strategy=None):
    """Raw variables; `steps` of them in one function, whose batches are ready on the devices."""
    tf, strategy = tensorflow(), strategy or tf_strategy(to_one_device)
    x, y = data(widths)
    with strategy.scope():
        w = [tf.Variable(each) for each in weights(widths)]
    half = batch // 2

    def ready(first):
        def of(context):
            begin = first + context.replica_id_in_sync_group * half
            return tf.constant(x[begin:begin + half]), tf.constant(y[begin:begin + half])

        return [strategy.experimental_distribute_values_from_function(lambda c, i=i: of(c)[i]) for i in (0, 1)]

    def replica_step(x, y):
        gradients = tf_gradients(tf, w, x, y, batch)
        gradients = tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.SUM, gradients)
        for each, gradient in zip(w, gradients):
            each.assign_sub(RATE * gradient)

    @tf.function
    def function(x, y):
        for _ in tf.range(steps):
            strategy.run(replica_step, args=(x, y))

    batches = [ready(first) for first in range(0, ROWS if steps == 1 else batch, batch)]
    if steps > 1:
        return blocks_of(lambda: function(*batches[0]), steps)

    def run(calls):
        for i in range(calls):
            function(*batches[i % len(batches)])

    return timed(run)


def tf_one_device(widths, batch):
    tf = tensorflow()
    x, y = data(widths)
    x, y = tf.constant(x[:batch]), tf.constant(y[:batch])
    w = [tf.Variable(each) for each in weights(widths)]

    @tf.function
    def function():
        for _ in tf.range(IN_ONE):
            for each, gradient in zip(w, tf_gradients(tf, w, x, y, batch)):
                each.assign_sub(RATE * gradient)

    return blocks_of(function, IN_ONE)


def tf_all_reduce(size, steps, to_one_device=False):
    tf, strategy = tensorflow(), tf_strategy(to_one_device)
    x = strategy.experimental_distribute_values_from_function(lambda _: tf.zeros(size // 4))

    def replica_step(x):
        return tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.SUM, x)

    @tf.function
    def function(x):
        for _ in tf.range(steps):
            x = strategy.run(replica_step, args=(x,))
        return x

    return blocks_of(lambda: strategy.experimental_local_results(function(x))[0].numpy()[:1], steps)


class Workers:
    """MultiWorkerMirroredStrategy over two processes of one thread: this one, and a second that reads what it is to do."""

    def __init__(self, rank=0, ports=None):
        ports = ports or [free_port(), free_port()]
        if rank == 0:
            self.other = subprocess.Popen([sys.executable, __file__, "tensorflow-worker", *map(str, ports)],
                                          stdin=subprocess.PIPE, stdout=sys.stderr, text=True)
        cluster = {"worker": [f"127.0.0.1:{port}" for port in ports]}
        os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": rank}})
        self.rank, self.made = rank, {}
        self.strategy = tensorflow().distribute.MultiWorkerMirroredStrategy()

    def both(self, what, calls):
        """What this worker is asked, the other does too."""
        if self.rank == 0:
            print(json.dumps([what, calls]), file=self.other.stdin, flush=True)
        key = json.dumps(what)
        if key not in self.made:
            widths, batch, form = what
            make = functools.partial(tf_raw, steps=1) if form == "raw" else tf_documented
            self.made = {key: make(tuple(widths), batch, strategy=self.strategy)}
        return self.made[key](calls)

    def follow(self):
        for line in sys.stdin:
            self.both(*json.loads(line))


@functools.lru_cache(maxsize=None)
def workers():
    import atexit

    both = Workers()
    atexit.register(both.other.stdin.close)
    return both


def with_workers(*what):
    return lambda: functools.partial(workers().both, what)


def tf_empty(steps):
    tf, strategy = tensorflow(), tf_strategy()
    x = strategy.experimental_distribute_values_from_function(lambda _: tf.zeros(()))

    @tf.function
    def function(x):
        for _ in tf.range(steps):
            x = strategy.run(lambda x: x + 1, args=(x,))
        return x

    return blocks_of(lambda: function(x), steps)


def tf_slices():
    x = input_rows()
    return tensorflow().data.Dataset.from_tensor_slices(x).shuffle(len(x), seed=SEED).batch(INPUT_BATCH)


def tf_read_slices():
    return passes(tf_strategy().experimental_distribute_dataset(tf_slices()))


def tf_read_in_function():
    tf, strategy = tensorflow(), tf_strategy()
    rows = strategy.experimental_distribute_dataset(tf_slices())

    @tf.function
    def function():
        total = tf.constant(0)
        for batch in rows:
            total += strategy.reduce("SUM", strategy.run(tf.size, (batch,)), axis=None)
        return total

    return blocks_of(lambda: function().numpy(), 1)


def tf_read_records(by_record):
    tf = tensorflow()

    def decode(record):
        return tf.io.decode_raw(record, tf.float32)

    if by_record:
        return passes(tf.data.TFRecordDataset(input_file("rows.tfrecord")).map(decode).batch(INPUT_BATCH))
    records = tf.data.TFRecordDataset(input_file("rows.tfrecord"), buffer_size=1 << 20)
    return passes(records.batch(INPUT_BATCH).map(decode))


def tf_read_csv():
    tf = tensorflow()
    return passes(tf.data.experimental.CsvDataset(input_file("rows.csv"), [tf.float32] * COLUMNS).batch(INPUT_BATCH))


def tf_read_text():
    return passes(tensorflow().data.TextLineDataset(input_file("lines.txt")).batch(INPUT_BATCH))


def tensorflow_sides():
    yield from checkpoint_sides("tf.train.Checkpoint", "", tf_checkpoint)
    yield first_step("tensorflow", "TensorFlow", "the documented loop")
    yield Side(INPUT, "slices", "tf.data, as its guide", "distributed over 2 logical CPUs", tf_read_slices)
    yield Side(INPUT, "slices", "tf.data, in one function", "distributed over 2 logical CPUs", tf_read_in_function)
    yield Side(INPUT, "tfrecord", "tf.data, decode each record", "", functools.partial(tf_read_records, True))
    yield Side(INPUT, "tfrecord", "tf.data, batch, then decode", "", functools.partial(tf_read_records, False))
    yield Side(INPUT, "csv", "tf.data, CsvDataset", "", tf_read_csv)
    yield Side(INPUT, "text", "tf.data, TextLineDataset", "not padded", tf_read_text)
    mirrored = "MirroredStrategy on 2 logical CPUs, intra_op 1, inter_op 2"
    for row, widths, batch in training_rows():
        of = (widths, batch)
        yield Side(TRAINING, row, "TensorFlow, Keras fit", mirrored, functools.partial(tf_fit, *of))
        yield Side(TRAINING, row, "TensorFlow, the documented loop", mirrored + ", distributed dataset",
                   functools.partial(tf_documented, *of))
        yield Side(TRAINING, row, "TensorFlow, strategy.run", mirrored + ", raw variables, batches ready",
                   functools.partial(tf_raw, *of, 1))
        yield Side(TRAINING, row, "TensorFlow, best form",
                   mirrored + ", ReductionToOneDevice, 100 steps in a function, one fixed batch",
                   functools.partial(tf_raw, *of, IN_ONE, True))
        yield Side(TRAINING, row, "TensorFlow, one device", "100 steps in a function, one fixed batch",
                   functools.partial(tf_one_device, *of))
    for row, widths, batch in training_rows_across():
        multi = "MultiWorkerMirroredStrategy, 2 processes"
        yield Side(TRAINING_ACROSS, row, "TensorFlow, the documented loop", multi + ", distributed dataset",
                   with_workers(widths, batch, "documented"))
        yield Side(TRAINING_ACROSS, row, "TensorFlow, strategy.run", multi + ", raw variables, batches ready",
                   with_workers(widths, batch, "raw"))
    for size in SIZES:
        yield Side(SUMS, sum_row(size), "TensorFlow, all_reduce", mirrored + ", in a replica, in a function",
                   functools.partial(tf_all_reduce, size, 1))
        yield Side(SUMS, sum_row(size), "TensorFlow, all_reduce, best form",
                   f"{mirrored}, ReductionToOneDevice, {in_one(size)} in a function",
                   functools.partial(tf_all_reduce, size, in_one(size), True))
    yield Side(DISPATCH, EMPTY, "TensorFlow, strategy.run", mirrored + ", x + 1 in a function",
               functools.partial(tf_empty, 1))
    yield Side(DISPATCH, EMPTY, "TensorFlow, 100 in a function", mirrored + ", x + 1",
               functools.partial(tf_empty, IN_ONE))


# ---------------------------------------------------------------------- PyTorch


@functools.lru_cache(maxsize=None)
def torch():
    import torch

    return torch


def torch_network(widths):
    nn = torch().nn
    layers = []
    for d, k in zip(widths, widths[1:]):
        layers += [nn.Linear(d, k), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def torch_steps(model, threads, widths, batch, first, rows):
    """run(calls) of a network, on `rows` rows from `first` on of each batch."""
    t = torch()
    x, y = (t.from_numpy(each) for each in data(widths))
    y = y.long()
    descent = t.optim.SGD(model.parameters(), RATE)
    loss_of = t.nn.CrossEntropyLoss()

    def run(calls):
        t.set_num_threads(threads)
        for i in range(calls):
            begin = i * batch % ROWS + first
            descent.zero_grad()
            loss_of(model(x[begin:begin + rows]), y[begin:begin + rows]).backward()
            descent.step()

    return timed(run)


def torch_eager(widths, batch):
    return torch_steps(torch_network(widths), 2, widths, batch, 0, batch)


def torch_compiled(widths, batch):
    return torch_steps(torch().compile(torch_network(widths)), 2, widths, batch, 0, batch)


class Ranks:
    """Two processes of one thread: this one, and a second that waits for what it is to do."""

    def __init__(self, rank=0, port=None):
        if port is None:
            port = free_port()
            subprocess.Popen([sys.executable, __file__, "torch-rank", str(port)], stdin=subprocess.DEVNULL,
                             stdout=sys.stderr)
        self.rank, self.distributed, self.made = rank, torch().distributed, {}
        self.distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)

    def make(self, what):
        t, distributed = torch(), self.distributed
        kind, *of = what
        if kind == "train":
            model = t.nn.parallel.DistributedDataParallel(torch_network(of[0]))
            return torch_steps(model, 1, *of, of[1] // 2 * self.rank, of[1] // 2)
        x = t.zeros(max(1, of[0] // 4))

        def run(calls):
            t.set_num_threads(1)
            for _ in range(calls):
                distributed.all_reduce(x)

        return timed(run)

    def both(self, what, calls):
        """What this rank is asked, the other does too."""
        if self.rank == 0:
            self.distributed.broadcast_object_list([(what, calls)], src=0)
        if what not in self.made:
            self.made = {what: self.make(what)}
        return self.made[what](calls)

    def follow(self):
        while True:
            box = [None]
            self.distributed.broadcast_object_list(box, src=0)
            if box[0][0] is None:
                return
            self.both(*box[0])


@functools.lru_cache(maxsize=None)
def ranks():
    import atexit

    both = Ranks()
    atexit.register(lambda: both.distributed.broadcast_object_list([(None, 0)], src=0))
    return both


def with_ranks(*what):
    return lambda: functools.partial(ranks().both, what)


def torch_read(by_lists):
    d = torch().utils.data
    rows = d.TensorDataset(torch().from_numpy(input_rows()))
    if not by_lists:
        return passes(d.DataLoader(rows, INPUT_BATCH, shuffle=True))
    lists = d.BatchSampler(d.RandomSampler(rows), INPUT_BATCH, drop_last=False)
    return passes(d.DataLoader(rows, sampler=lists, batch_size=None))


def torch_sides():
    yield from checkpoint_sides("torch.save, torch.load", ".pt", torch_checkpoint)
    yield first_step("torch", "PyTorch", "eager")
    yield Side(INPUT, "slices", "PyTorch DataLoader, as written", "", functools.partial(torch_read, False))
    yield Side(INPUT, "slices", "PyTorch DataLoader, index lists", "", functools.partial(torch_read, True))
    for row, widths, batch in training_rows():
        yield Side(TRAINING, row, "PyTorch, eager", "one process, 2 threads",
                   functools.partial(torch_eager, widths, batch))
        yield Side(TRAINING, row, "PyTorch, compile", "one process, 2 threads",
                   functools.partial(torch_compiled, widths, batch))
        yield Side(TRAINING, row, "PyTorch, DistributedDataParallel", "Gloo, 2 processes of 1 thread",
                   with_ranks("train", widths, batch))
    for row, widths, batch in training_rows_across():
        yield Side(TRAINING_ACROSS, row, "PyTorch, DistributedDataParallel", "Gloo, 2 processes of 1 thread",
                   with_ranks("train", widths, batch))
    for table, size in itertools.product((SUMS, SUMS_ACROSS), SIZES):
        yield Side(table, sum_row(size), "PyTorch, all_reduce", "Gloo, 2 processes", with_ranks("sum", size))


# ---------------------------------------------------------------------- JAX


@functools.lru_cache(maxsize=None)
def jax():
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=2"
    import jax

    return jax


def jax_step(w, x, y, rows, axis=None):
    j = jax()

    def loss_of(w):
        a = x
        for i in range(0, len(w), 2):
            a = a @ w[i] + w[i + 1]
            a = j.numpy.tanh(a) if i + 2 < len(w) else a
        return -j.numpy.take_along_axis(j.nn.log_softmax(a), y[:, None], 1).sum() / rows

    gradients = j.grad(loss_of)(w)
    if axis is not None:
        gradients = j.lax.psum(gradients, axis)
    return [each - RATE * gradient for each, gradient in zip(w, gradients)]


def jax_mesh():
    return jax().make_mesh((2,), ("replica",))


def jax_sharded(function, inputs, outputs):
    j = jax()
    return j.jit(j.shard_map(function, mesh=jax_mesh(), in_specs=inputs, out_specs=outputs))


def jax_loop(function, state, batches, ahead):
    """run(calls) of a step on batches that are there; the state goes round. ahead: steps between two waits. Collectives
    of host devices may wait for each other for ever where more steps are under way than there are threads."""
    box = [state]

    def run(calls):
        for i in range(calls):
            box[0] = function(box[0], *batches[i % len(batches)])
            if i % ahead == ahead - 1:
                jax().block_until_ready(box[0])
        jax().block_until_ready(box[0])

    return timed(run)


def jax_jit(widths, batch):
    j = jax()
    x, y = data(widths)
    w = [j.numpy.asarray(each) for each in weights(widths)]
    batches = [(j.numpy.asarray(x[i:i + batch]), j.numpy.asarray(y[i:i + batch])) for i in range(0, ROWS, batch)]
    return jax_loop(j.jit(lambda w, x, y: jax_step(w, x, y, batch)), w, batches, IN_ONE)


def jax_in_one(widths, batch):
    j = jax()
    x, y = (j.numpy.asarray(each[:batch]) for each in data(widths))
    w = [j.numpy.asarray(each) for each in weights(widths)]
    steps = j.jit(lambda w: j.lax.fori_loop(0, IN_ONE, lambda _, w: jax_step(w, x, y, batch), w))
    box = [w]

    def function():
        box[0] = j.block_until_ready(steps(box[0]))

    return blocks_of(function, IN_ONE)


def jax_two(widths, batch):
    j = jax()
    of = j.sharding.PartitionSpec
    x, y = data(widths)
    rows = j.sharding.NamedSharding(jax_mesh(), of("replica"))
    everywhere = j.sharding.NamedSharding(jax_mesh(), of())
    w = [j.device_put(each, everywhere) for each in weights(widths)]
    batches = [tuple(j.device_put(each[i:i + batch], rows) for each in (x, y)) for i in range(0, ROWS, batch)]
    step = jax_sharded(lambda w, x, y: jax_step(w, x, y, batch, "replica"), (of(), of("replica"), of("replica")), of())
    return jax_loop(step, w, batches, 1)


def jax_sum(size, steps):
    j = jax()
    of = j.sharding.PartitionSpec
    x = j.device_put(j.numpy.zeros(max(2, size // 4 * 2), "float32"),
                     j.sharding.NamedSharding(jax_mesh(), of("replica")))

    def replica_step(x):
        def once(_, x):
            total = j.lax.psum(x, "replica")
            return j.lax.pcast(total, "replica", to="varying")

        return j.lax.fori_loop(0, steps, once, x) if steps > 1 else once(0, x)

    function = jax_sharded(replica_step, of("replica"), of("replica"))
    return blocks_of(lambda: j.block_until_ready(function(x)), steps)


def jax_empty(two):
    j = jax()
    if not two:
        return jax_loop(j.jit(lambda x: x + 1), j.numpy.zeros(()), [()], IN_ONE)
    of = j.sharding.PartitionSpec
    x = j.device_put(j.numpy.zeros(2, "float32"), j.sharding.NamedSharding(jax_mesh(), of("replica")))
    return jax_loop(jax_sharded(lambda x: x + 1, of("replica"), of("replica")), x, [()], 1)


def jax_sides():
    yield first_step("jax", "JAX", "jit")
    for row, widths, batch in training_rows():
        of = (widths, batch)
        yield Side(TRAINING, row, "JAX, jit", "one device", functools.partial(jax_jit, *of))
        yield Side(TRAINING, row, "JAX, 100 steps in a call", "one device, one fixed batch",
                   functools.partial(jax_in_one, *of))
        yield Side(TRAINING, row, "JAX, shard_map", "2 host devices, a wait each", functools.partial(jax_two, *of))
    for size in SIZES:
        yield Side(SUMS, sum_row(size), "JAX, psum", "shard_map, 2 host devices", functools.partial(jax_sum, size, 1))
        yield Side(SUMS, sum_row(size), "JAX, psum in a loop", f"shard_map, 2 host devices, {in_one(size)} in a call",
                   functools.partial(jax_sum, size, in_one(size)))
    yield Side(DISPATCH, EMPTY, "JAX, jit", "x + 1, one device", functools.partial(jax_empty, False))
    yield Side(DISPATCH, EMPTY, "JAX, shard_map", "x + 1, 2 host devices, a wait each",
               functools.partial(jax_empty, True))


# ---------------------------------------------------------------------- questions


class Answers:
    def __init__(self, sides):
        self.sides, self.row, self.runs = list(sides), None, {}

    def tell_sides(self, table, out):
        for side in self.sides:
            if side.table == table:
                print(side.row, side.who, side.how, sep="\t", file=out)
        print(file=out)

    def run_of(self, row, who):
        if row != self.row:
            self.row, self.runs = row, {}
        if who not in self.runs:
            side = next(side for side in self.sides if (side.row, side.who) == (row, who))
            self.runs[who] = side.make()
            self.runs[who](2 * getattr(self.runs[who], "block", 1))  # what is traced and compiled, is so now
        return self.runs[who]

    def time(self, row, who, budget):
        """Calls are doubled until they take an eighth of the budget, which warms up too."""
        run = self.run_of(row, who)
        calls = block = getattr(run, "block", 1)
        seconds = run(calls)
        while seconds < budget / 8:
            calls *= 2
            seconds = run(calls)
        if budget > 0:
            calls = block * max(1, math.floor(calls * budget / seconds / block))
            seconds = run(calls)
        return seconds / calls


def main():
    if sys.argv[1] == "torch-rank":
        Ranks(1, int(sys.argv[2])).follow()
        return
    if sys.argv[1] == "tensorflow-worker":
        Workers(1, [int(port) for port in sys.argv[2:]]).follow()
        return
    if sys.argv[1] == "first":
        take_first_step(sys.argv[2])
        return
    makers = {"tensorflow": tensorflow_sides, "torch": torch_sides, "jax": jax_sides, "safetensors": safetensors_sides}
    answers = Answers(makers[sys.argv[1]]())
    out = os.fdopen(os.dup(1), "w")  # what libraries print is not an answer
    os.dup2(2, 1)
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "sides":
            answers.tell_sides(rest, out)
        else:
            row, who, budget = rest.split("\t")
            try:
                print(f"{answers.time(row, who, float(budget)):.12g}", file=out)
            except Exception as error:  # whatever a library raises, the others go on
                print("!", type(error).__name__, str(error).replace("\n", " ")[:300], file=out)
        out.flush()


if __name__ == "__main__":
    main()
