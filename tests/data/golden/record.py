#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records what tf.distribute gives: the tables reduce-to, partitioners, pipelines, options and texts.

usage: record.py FOLDER: writes FOLDER/*.json. It needs TensorFlow 2.21 (`pip install tensorflow==2.21.0`); nothing of a
build or a test runs it. What is not recorded, the members `cohort...` and `rule`, stands here beside the rows."""
import itertools
import json
import os
import re
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import numpy as np
import tensorflow as tf
from tensorflow.python.data.experimental.ops import distribute as data_distribute

MOST = 4
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * MOST)
OPS = {"SUM": tf.distribute.ReduceOp.SUM, "MEAN": tf.distribute.ReduceOp.MEAN}
POLICIES = {name: getattr(tf.data.experimental.AutoShardPolicy, name)
            for name in ("OFF", "AUTO", "FILE", "DATA", "HINT")}


def strategy_of(name, replicas):
    devices = [f"/cpu:{i}" for i in range(replicas)]
    if name == "mirrored":
        return tf.distribute.MirroredStrategy(devices)
    if name == "central":
        return tf.distribute.experimental.CentralStorageStrategy(devices, "/cpu:0")
    return tf.distribute.OneDeviceStrategy("/cpu:0")


ALL = [("mirrored", n) for n in (1, 2, 3, 4)] + [("central", n) for n in (1, 2, 3, 4)] + [("onedevice", 1)]

# ------------------------------------------------------------------ values as JSON


def tensor(x):
    x = tf.convert_to_tensor(x)
    data = [plain(e) for e in np.reshape(x.numpy(), -1)]
    return {"dtype": x.dtype.name, "shape": list(x.shape), "data": data}


def local(strategy, x):
    return {"list": [tensor(e) for e in strategy.experimental_local_results(x)]}


def plain(x):
    """Nested lists; bytes are texts."""
    x = x.numpy() if hasattr(x, "numpy") else x
    x = x.tolist() if hasattr(x, "tolist") else x
    if isinstance(x, (list, tuple)):
        return [plain(e) for e in x]
    return x.decode() if isinstance(x, bytes) else x


def rows(strategy, x):
    return [plain(e) for e in strategy.experimental_local_results(x)]


# ------------------------------------------------------------------ rows

tables = {}


def record(table, identity, group, strategy, op, args, what, **own):
    """own: the members cohort, rule, cohort_result, cohort_error."""
    name, replicas = strategy or ("none", 1)
    row = {"id": identity, "group": group, "replicas": replicas, "strategy": name, "op": op, "args": args}
    try:
        row["result"] = what(strategy_of(name, replicas)) if strategy else what()
    except Exception as e:
        row["error"] = {"type": type(e).__name__, "text": str(e).split("\n")[0][:160].strip()}
    row["tf_version"] = tf.__version__
    row.update(own)
    divide(row)
    deal(row)
    tables.setdefault(table, []).append(row)


def write(folder):
    for name, lines in tables.items():
        ids = [row["id"] for row in lines]
        assert len(set(ids)) == len(ids), [i for i in ids if ids.count(i) > 1]
        with open(os.path.join(folder, name + ".json"), "w") as out:
            out.write("[\n" + ",\n".join(json.dumps(row, separators=(",", ": ")) for row in lines) + "\n]\n")


# ------------------------------------------------------------------ reduce_to and broadcast_to

ONCE = {"cohort": "differs",
        "rule": "one content is not R contributions: its sum is refused until the call says how often it counts",
        "cohort_error": "COHORT_ONCE(x) counts it once"}


def per_replica(strategy, values, dtype):
    return strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant(values[context.replica_id_in_sync_group], dtype))


def destination(strategy, word, value):
    if word == "var":
        with strategy.scope():
            return tf.Variable(0.0)
    return value if word == "value" else "/cpu:0"


CONTENTS = {"scalar": [1.5, 2.25, -4.0, 8.5], "vector": [[1.0, -2.0], [0.5, 4.0], [3.0, 0.25], [-1.0, 2.0]],
            "int": [3, -5, 7, 100]}


def reduce_to(strategy, op, values, word, dtype):
    value = per_replica(strategy, values, dtype)
    return strategy.extended.reduce_to(OPS[op], value, destination(strategy, word, value))


def reductions():
    for (name, n), op, word, kind in itertools.product(ALL, OPS, ("value", "var", "cpu"), ("scalar", "vector", "int")):
        if kind == "int" and op == "MEAN":
            continue
        dtype = "int32" if kind == "int" else "float32"
        values = CONTENTS[kind][:n]
        record("reduce-to", f"XA-to/{name}/{n}/{op}/{word}/{kind}", "A", (name, n), "reduce_to",
               {"op": op, "per_replica": values, "dtype": dtype, "destinations": word},
               lambda s: local(s, reduce_to(s, op, values, word, dtype)))
    for (name, n), op, word in itertools.product(ALL, OPS, ("var", "cpu")):
        own = ONCE if op == "SUM" else {}
        record("reduce-to", f"XA-to-plain/{name}/{n}/{op}/{word}", "A", (name, n), "reduce_to of a plain tensor",
               {"op": op, "value": 1.5, "destinations": word},
               lambda s: local(s, s.extended.reduce_to(OPS[op], tf.constant(1.5), destination(s, word, None))), **own)
    for (name, n), op, word in itertools.product(ALL, OPS, ("value", "var", "cpu")):
        values = CONTENTS["scalar"][:n]

        def merged(s):
            def fn(context, x):
                return context.extended.reduce_to(OPS[op], x, destination(s, word, x)) if word != "var" else \
                    context.extended.reduce_to(OPS[op], x, v)
            with s.scope():
                v = tf.Variable(0.0)
            value = per_replica(s, values, "float32")
            return {"list": [tensor(e) for e in s.experimental_local_results(
                s.run(lambda x: tf.distribute.get_replica_context().merge_call(fn, args=(x,)), args=(value,)))]}
        record("reduce-to", f"XA-to-merge/{name}/{n}/{op}/{word}", "A", (name, n), "reduce_to in a merge call",
               {"op": op, "per_replica": values, "destinations": word}, merged)
    for (name, n), word in itertools.product(ALL, ("var", "cpu")):
        record("reduce-to", f"XA-broadcast/{name}/{n}/{word}", "A", (name, n), "broadcast_to",
               {"value": [1.5, -2.0], "destinations": word},
               lambda s: local(s, s.extended.broadcast_to(tf.constant([1.5, -2.0]), destination(s, word, None))))
    for name, n in ALL:
        record("reduce-to", f"XA-to-replica/{name}/{n}", "A", (name, n), "reduce_to called in a replica function", {},
               lambda s: local(s, s.run(lambda: s.extended.reduce_to(OPS["SUM"], tf.constant(1.0), "/cpu:0"))))


# ------------------------------------------------------------------ partitioners

PARTS = tf.distribute.experimental.partitioners
SHAPES = [[7, 2], [16, 3], [1, 5], [100], [6, 2, 2]]


def partitions(make, shape, dtype):
    return {"partitions": [int(n) for n in make()(tf.TensorShape(shape), tf.as_dtype(dtype))]}


def partitioners():
    for shape, dtype in itertools.product(SHAPES, ("float32", "float64", "int8")):
        label = "x".join(map(str, shape)) + "/" + dtype
        of = {"shape": shape, "dtype": dtype}
        for n in (1, 2, 5, 8):
            record("partitioners", f"XP-fixed/{n}/{label}", "I", None, "FixedShardsPartitioner",
                   {"num_shards": n, **of},
                   lambda: partitions(lambda: PARTS.FixedShardsPartitioner(n), shape, dtype))
        for size, most in ((1, 4), (16, 8), (40, 3), (1 << 18, 2)):
            record("partitioners", f"XP-min/{size}-{most}/{label}", "I", None, "MinSizePartitioner",
                   {"min_shard_bytes": size, "max_shards": most, **of},
                   lambda: partitions(lambda: PARTS.MinSizePartitioner(size, most), shape, dtype))
        for size, most in ((4, None), (20, None), (20, 3), (1 << 20, None)):
            args = {"max_shard_bytes": size, **({} if most is None else {"max_shards": most}), **of}
            record("partitioners", f"XP-max/{size}-{most}/{label}", "I", None, "MaxSizePartitioner", args,
                   lambda: partitions(lambda: PARTS.MaxSizePartitioner(size, most), shape, dtype))
    for name, key, n in (("MinSizePartitioner", "min_shard_bytes", 0), ("MaxSizePartitioner", "max_shard_bytes", -1)):
        record("partitioners", f"XP-bad/{name}/{n}", "I", None, name, {key: n, "shape": [7, 2], "dtype": "float32"},
               lambda: partitions(lambda: getattr(PARTS, name)(n), [7, 2], "float32"))
    for name, key, n in (("FixedShardsPartitioner", "num_shards", 3), ("MinSizePartitioner", "min_shard_bytes", 4),
                         ("MaxSizePartitioner", "max_shard_bytes", 64)):
        args = {key: n, "shape": [7, 2], "dtype": "string"}
        if n != 3:
            args["bytes_per_string"] = 10
        record("partitioners", f"XP-string/{name}", "I", None, name, args,
               lambda: partitions(lambda: getattr(PARTS, name)(n, **({} if n == 3 else {"bytes_per_string": 10})),
                                  [7, 2], "string"))


# ------------------------------------------------------------------ pipelines, which are Python as they stand

DATA = tf.data.Dataset


class Chain:
    """A dataset with the words of the rows."""

    def __init__(self, d):
        self.d = d

    def batch(self, n, drop=False):
        return Chain(self.d.batch(n, drop_remainder=drop))

    def __getattr__(self, name):
        def call(*args):
            return Chain(getattr(self.d, name)(*[a.d if isinstance(a, Chain) else a for a in args]))
        return call


NAMES = {"range": lambda *a: Chain(DATA.range(*a)), "zip": lambda *d: Chain(DATA.zip(tuple(e.d for e in d))),
         "slices": lambda a: Chain(DATA.from_tensor_slices(a)), "array": lambda x, t: tf.constant(x, t), "drop": True}


def dataset(text):
    return eval(text, {"__builtins__": {}}, NAMES).d


def with_policy(d, policy):
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = POLICIES[policy]
    return d.with_options(options)


ALONE = ["range(7)", "range(2, 11, 3)", "range(9, 0, -2)", "range(5).batch(2)", "range(5).batch(2, drop)",
         "range(6).repeat(2).batch(5)", "range(6).batch(4).repeat(2)", "range(8).skip(3).take(2)", "range(4).take(0)",
         "range(3).skip(9)", "range(3).concatenate(range(10, 12))", "range(9).shard(4, 1)", "range(3).shard(5, 4)",
         "range(7).batch(3).unbatch().batch(2)", "range(6).batch(4).rebatch(3)", "range(7).batch(2).rebatch(5)",
         "range(7).rebatch(2)", "range(5).cache().repeat(2)", "range(5).prefetch(2).skip(1)",
         "range(12).batch(2).batch(3)",
         "range(4).batch(2).concatenate(range(3).batch(3))", "range(0).batch(2)", "range(3).batch(5, drop)",
         "range(2).repeat(3).shard(2, 1)", "range(6).padded_batch(4)",
         "slices(array([[1, 2], [3, 4], [5, 6]], 'int32')).batch(2)",
         "range(5).skip(1).batch(2).skip(1)", "range(3).take(-1)", "range(4).skip(-1)", "range(4).repeat(0)",
         "range(3).shard(0, 0)", "range(3).shard(2, 2)", "range(3).batch(0)", "range(3).rebatch(0)"]
STEPS = ["range(10).batch(4)", "range(10).batch(4, drop)", "range(6).repeat(2).batch(5)", "range(7).batch(7)",
         "range(3).batch(8)", "range(12).batch(4).skip(1)", "range(12).batch(5).take(2)", "range(0).batch(4)",
         "range(9).batch(4).repeat(2)", "range(9).batch(2).unbatch().batch(4)",
         "range(4).batch(4).concatenate(range(10, 13).batch(4))", "range(12).shard(2, 1).batch(4)",
         "slices(array([[1, 2], [3, 4], [5, 6]], 'int32')).batch(2)", "range(12).batch(4).prefetch(2)"]
AT_ALL = [("mirrored", 1), ("mirrored", 2), ("mirrored", 3), ("central", 2), ("onedevice", 1)]


def everywhere(n):
    return {"cohort": "differs", "rule": "a function is called for each replica on every strategy that is told to",
            "cohort_result": {"dtype": "int64", "steps": [[x] * n for x in ([0, 1], [2, 3], [4, 5], [6])]}}


def steps(strategy, inputs, most=1000):
    spec = inputs.element_spec
    spec = spec if isinstance(spec, tf.TensorSpec) else spec._component_specs[0]
    return {"dtype": spec.dtype.name, "steps": [rows(strategy, x) for _, x in zip(range(most), inputs)]}


def pipelines():
    for text in ALONE:
        record("pipelines", "XG-chain/" + text, "G", None, "pipeline", {"pipeline": text},
               lambda: {"cardinality": int(dataset(text).cardinality()), "elements": [plain(x) for x in dataset(text)]})
    for text in ALONE[:24]:
        record("pipelines", "XG-spec/" + text, "G", None, "element_spec of a pipeline", {"pipeline": text},
               lambda: {"value": str(dataset(text).element_spec)})
    for text, (workers, policy) in itertools.product(
            ["range(10)", "range(10).batch(4)", "range(5).repeat(2)", "range(7).skip(1)",
             "range(6).batch(2).prefetch(1)"],
            ((2, "DATA"), (3, "DATA"), (2, "OFF"), (2, "FILE"), (2, "AUTO"))):
        for index in range(min(workers, 2)):
            record("pipelines", f"XG-auto/{text}/{policy}/{index}of{workers}", "G", None, "auto-shard of a pipeline",
                   {"pipeline": text, "policy": policy, "workers": workers, "index": index},
                   lambda: {"elements": [plain(x) for x in data_distribute._AutoShardDataset(
                       with_policy(dataset(text), policy), workers, index)]})
    for (name, n), text in itertools.product(AT_ALL, STEPS):
        record("pipelines", f"XF-chain/{name}/{n}/{text}", "F", (name, n), "distribute a pipeline", {"pipeline": text},
               lambda s: steps(s, s.experimental_distribute_dataset(dataset(text))))
    for (name, n), text in itertools.product(AT_ALL, STEPS[:8]):
        record("pipelines", f"XH-chain/{name}/{n}/{text}", "H", (name, n), "distribute a function of a pipeline",
               {"pipeline": text},
               lambda s: steps(s, s.distribute_datasets_from_function(lambda context: dataset(text))))
    for (name, n), text in itertools.product(AT_ALL, ["range(5).repeat().batch(4)", "range(3).batch(2).repeat()"]):
        record("pipelines", f"XF-endless/{name}/{n}/{text}", "F", (name, n), "first steps of a pipeline",
               {"pipeline": text, "most": 4},
               lambda s: steps(s, s.experimental_distribute_dataset(dataset(text)), 4))
    for (name, n), op in itertools.product(AT_ALL, OPS):
        text = "slices(array([[1, 2], [4, 8], [3, 5], [-1, 0], [2, 2], [6, 7], [9, 1], [0, 4]], 'float32')).batch(4)"
        record("pipelines", f"XF-reduce/{name}/{n}/{op}", "F", (name, n), "reduce over the rows of each step",
               {"pipeline": text, "op": op},
               lambda s: {"steps": [plain(s.reduce(OPS[op], x, axis=0))
                                    for x in s.experimental_distribute_dataset(dataset(text))]})
    for name, n in AT_ALL:
        record("pipelines", f"XF-gather/{name}/{n}", "F", (name, n), "gather the rows of each step",
               {"pipeline": "range(11).batch(6)"},
               lambda s: {"steps": [plain(s.gather(x, axis=0))
                                    for x in s.experimental_distribute_dataset(dataset("range(11).batch(6)"))]},
               **({"cohort": "differs", "rule": "replicas may contribute different numbers of rows",
                   "cohort_result": {"steps": [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]}} if n == 3 else {}))
    for (name, n), text in itertools.product(AT_ALL, ("range(5).batch(4)", "range(0).batch(4)")):
        def calls(s):
            it, found = iter(s.experimental_distribute_dataset(dataset(text))), []
            for _ in range(3):
                x = it.get_next_as_optional()
                found.append([bool(x.has_value()), rows(s, x.get_value()) if x.has_value() else None])
            return {"calls": found}
        record("pipelines", f"XH-optional/{name}/{n}/{text}", "H", (name, n), "get_next_as_optional of a pipeline",
               {"pipeline": text, "calls": 3}, calls)
    modes = tf.distribute.InputReplicationMode
    OPTIONS = [{"experimental_fetch_to_device": False}, {"experimental_per_replica_buffer_size": 3},
               {"experimental_replication_mode": "PER_REPLICA", "experimental_place_dataset_on_device": True,
                "experimental_fetch_to_device": False}, {}]
    for (name, n), options in itertools.product(AT_ALL, OPTIONS):
        made = {k: getattr(modes, v) if isinstance(v, str) else v for k, v in options.items()}
        label = "+".join(k[13:] for k in options) or "none"
        record("pipelines", f"XH-options/{name}/{n}/{label}", "H", (name, n), "distribute a function with InputOptions",
               {"pipeline": "range(7).batch(2)", "options": options},
               lambda s: steps(s, s.distribute_datasets_from_function(
                   lambda context: dataset("range(7).batch(2)"), tf.distribute.InputOptions(**made))),
               **(everywhere(n) if name != "mirrored" and "experimental_replication_mode" in options else {}))
        if "experimental_replication_mode" in options or name == "central":
            continue  # TensorFlow looks for "experimental_replication_moden" of the latter
        record("pipelines", f"XF-options/{name}/{n}/{label}", "F", (name, n), "distribute a pipeline with InputOptions",
               {"pipeline": "range(10).batch(4)", "options": options},
               lambda s: steps(s, s.experimental_distribute_dataset(
                   dataset("range(10).batch(4)"), tf.distribute.InputOptions(**made))))


# ------------------------------------------------------------------ how batches are divided


def filled(step, batch):
    """Each replica has the room that it has in a full batch, and the first ones are filled first."""
    everything, found = [x for replica in step for x in replica], []
    for i in range(len(step)):
        room = batch // len(step) + (i < batch % len(step))
        found.append(everything[:room])
        everything = everything[room:]
    return found


FILL = ("splitting: the share of a replica is fixed by G, a short batch fills the replicas in order, never "
        "across batch boundaries")
KEEP = "partial batches are always handled, on every strategy: no row is lost unless drop_remainder is asked for"
DEALT = ("distribute a function of a pipeline", "distribute a function with InputOptions")
DIVIDED = ("distribute a pipeline", "first steps of a pipeline", "distribute a pipeline with InputOptions",
           "get_next_as_optional of a pipeline")


def deal(row):
    """A function's elements go to the replicas in turn, and the last ones are no fewer for it."""
    n, args, result = row["replicas"], row["args"], row.get("result")
    if row["op"] not in DEALT or result is None or "experimental_replication_mode" in args.get("options", {}):
        return
    each = [plain(x) for x in dataset(args["pipeline"])]
    own = [each[i:i + n] + [[]] * (n - len(each[i:i + n])) for i in range(0, len(each), n)]
    if own != result["steps"]:
        row.update({"cohort": "differs", "rule": KEEP, "cohort_result": {**result, "steps": own}})


def divide(row):
    args, result = row["args"], row.get("result")
    if row["op"] not in DIVIDED or result is None:
        return
    batch = int(re.findall(r"batch\((\d+)", args["pipeline"])[-1])
    if "steps" in result:
        own = {**result, "steps": [filled(step, batch) for step in result["steps"]]}
    else:
        own = {"calls": [[has, filled(step, batch) if has else None] for has, step in result["calls"]]}
    if own != result:
        row.update({"cohort": "differs", "rule": FILL,
                    "cohort_result": own, "cohort_ceil": "same"})


# ------------------------------------------------------------------ texts

WORDS = ["one", "two", "", "four", "five!", "six", "naïve", "eight"]


UNGATHERED = [("mirrored", 2), ("mirrored", 3)]  # TensorFlow's collectives take no texts


def texts():
    of_words = f"slices(array({WORDS}, 'string'))"
    for text in (of_words, of_words + ".batch(3)", of_words + ".skip(2).batch(4).unbatch()"):
        label = text.replace(of_words, "words")
        record("texts", "XG-texts/" + label, "G", None, "pipeline", {"pipeline": text},
               lambda: {"cardinality": int(dataset(text).cardinality()), "elements": [plain(x) for x in dataset(text)]})
        record("texts", "XG-spec/" + label, "G", None, "element_spec of a pipeline", {"pipeline": text},
               lambda: {"value": str(dataset(text).element_spec)})
    for (name, n), batch in itertools.product(AT_ALL, (2, 4, 8)):
        text = of_words + f".batch({batch})"
        record("texts", f"XF-texts/{name}/{n}/{batch}", "F", (name, n), "distribute a pipeline", {"pipeline": text},
               lambda s: {"steps": steps(s, s.experimental_distribute_dataset(dataset(text)))["steps"]})
    for name, n in AT_ALL:
        words = WORDS[:n]
        record("texts", f"XB-texts/{name}/{n}", "B", (name, n), "distribute_values_from_function giving texts",
               {"dtype": "string", "per_replica": words},
               lambda s: container(s, per_replica(s, words, tf.string)), **contained(words) if name == "onedevice" else {})
        own = [[w, w + "+"] for w in words]
        record("texts", f"XE-texts/{name}/{n}", "E", (name, n), "gather",
               {"dtype": "string", "per_replica": own, "axis": 0},
               lambda s: tensor(s.gather(per_replica(s, own, tf.string), axis=0)),
               **(gathered(own) if (name, n) in UNGATHERED else {}))
        record("texts", f"XC-texts/{name}/{n}", "C", (name, n), "assign to a variable of texts",
               {"dtype": "string", "init": ["a", "bc"], "value": ["d", "efg"]},
               lambda s: variable_of_texts(s))
        record("texts", f"XA-texts/{name}/{n}", "A", (name, n), "reduce of texts",
               {"dtype": "string", "op": "SUM", "per_replica": words},
               lambda s: {"sum": plain(s.reduce("SUM", per_replica(s, words, tf.string), axis=None))})


def container(s, x):
    values = [tensor(e) for e in s.experimental_local_results(x)]
    is_container = s.num_replicas_in_sync > 1 or hasattr(x, "values")
    return {"container": "PerReplica", "values": values} if is_container else values[0]


def gathered(own):
    return {"cohort": "differs", "rule": "a text is numbers of uint8, which are gathered as all numbers are",
            "cohort_result": {"dtype": "string", "shape": [2 * len(own)], "data": [t for pair in own for t in pair]}}


def contained(words):
    return {"cohort": "differs", "rule": "run always returns the container, one component per replica",
            "cohort_result": {"container": "PerReplica",
                              "values": [{"dtype": "string", "shape": [], "data": [w]} for w in words]}}


def variable_of_texts(s):
    with s.scope():
        v = tf.Variable(["a", "bc"])
        before = [tensor(x) for x in s.experimental_local_results(v)]
        v.assign(["d", "efg"])
    return {"before": before, "after": [tensor(x) for x in s.experimental_local_results(v)]}


# ------------------------------------------------------------------ options of communication, and packs

def options():
    kinds = tf.distribute.experimental.CommunicationImplementation
    for number in (0, 1, 1024, -1):
        def made():
            o = tf.distribute.experimental.CommunicationOptions(bytes_per_pack=number)
            return {"value": o.bytes_per_pack}
        record("options", f"XA-options/bytes/{number}", "A", None, "CommunicationOptions",
               {"bytes_per_pack": number}, made)
    for (name, n), how in itertools.product(ALL[1:2], ("AUTO", "RING", "NCCL")):
        values = CONTENTS["scalar"][:n]

        def reduced(s):
            o = tf.distribute.experimental.CommunicationOptions(bytes_per_pack=8, timeout_seconds=60.0,
                                                                implementation=getattr(kinds, how))
            value = per_replica(s, values, "float32")
            return local(s, s.extended.reduce_to(OPS["SUM"], value, value, o))
        record("options", f"XA-options/{name}/{n}/{how}", "A", (name, n), "reduce_to with CommunicationOptions",
               {"op": "SUM", "per_replica": values, "bytes_per_pack": 8, "timeout_seconds": 60.0,
                "implementation": how},
               reduced)
    for name, n in ALL:
        record("options", f"XB-options/{name}/{n}", "B", (name, n), "run with RunOptions",
               {"experimental_enable_dynamic_batch_size": False},
               lambda s: {"container": "PerReplica", "values": [tensor(x) for x in s.experimental_local_results(s.run(
                   lambda: tf.distribute.get_replica_context().replica_id_in_sync_group + 3,
                   options=tf.distribute.RunOptions(experimental_enable_dynamic_batch_size=False)))]})
    for name in ("NcclAllReduce", "HierarchicalCopyAllReduce"):
        for packs in (0, 1, 3):
            own = {}
            if packs == 0:
                own = {"cohort": "differs", "cohort_error": "0 packs",
                       "rule": "0 is TensorFlow's word for no packing; a number of packs is at least 1"}
            record("options", f"XM-packs/{name}/{packs}", "M", None, f"{name}(num_packs={packs})", {},
                   lambda: {"value": getattr(tf.distribute, name)(num_packs=packs)._num_packs}, **own)


reductions()
partitioners()
pipelines()
texts()
options()
write(sys.argv[1])
print({k: (len(v), sum("error" in r for r in v)) for k, v in tables.items()})
