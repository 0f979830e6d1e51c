# SPDX-License-Identifier: BSD-3-Clause
"""What a power cut may leave of saves: checkpoint_replay.py TRACE FOLDER COHORT SCRATCH SEED [WITHOUT]

TRACE is what strace -f -xx -s SIZE says of a program that saves to FOLDER and prints each step when its save has returned.
After each call that is logged, the machine may stop: what was synced is there; of the rest, anything: nothing, all, file
contents without names, names without contents, or part of it, with writes that are torn. A name is there when its folder
was synced, bytes when their file was. In each such state the newest checkpoint must be of the step that was printed last,
or a later one. WITHOUT is "folder" or "file": syncs of these are taken for nothing, so that the test can be seen to fail.
Prints the states that lose something, and how many there were; with WITHOUT it stops at the first. Source: Pillai et al., OSDI 2014, on what may be reordered."""
import os
import random
import re
import subprocess
import sys


class File:
    def __init__(self):
        self.synced, self.pending = b"", []


def written(content, writes):
    for at, data in writes:
        content = content.ljust(at, b"\0")
        content = content[:at] + data + content[at + len(data):]
    return content


def named(names, changes):
    names = dict(names)
    for old, new, file in changes:
        if old is not None:
            names.pop(old, None)
        if new is not None:
            names[new] = file
    return names


class Disk:
    """A folder: names and contents that are there whatever happens, and what may be there."""

    def __init__(self, folder, without):
        self.folder, self.without, self.open = folder, without, {}
        self.seen, self.synced, self.pending = {}, {}, []

    def change(self, old, new, file):
        self.pending.append((old, new, file))
        self.seen = named(self.seen, [(old, new, file)])

    def name(self, path):
        head, tail = os.path.split(path)
        return tail if os.path.normpath(head or ".") == self.folder and tail not in (".", "..") else None

    def call(self, call, texts, numbers, answer):
        if call == "openat":
            name = self.name(texts[0])
            self.open.pop(answer, None)
            if os.path.normpath(texts[0]) == self.folder:
                self.open[answer] = self
            elif name is not None:
                if name not in self.seen:
                    self.change(None, name, File())
                self.open[answer] = self.seen[name]
        elif call == "close":
            self.open.pop(numbers[0], None)
        elif call == "pwrite64" and numbers[0] in self.open:
            self.open[numbers[0]].pending.append((numbers[-1], texts[0][:answer]))
        elif call == "fsync" and numbers[0] in self.open:
            self.sync(self.open[numbers[0]])
        elif call == "rename" and self.name(texts[1]) is not None:
            self.change(self.name(texts[0]), self.name(texts[1]), self.seen[self.name(texts[0])])
        elif call == "unlink" and self.name(texts[0]) in self.seen:
            self.change(self.name(texts[0]), None, None)

    def sync(self, what):
        if what is self and self.without != "folder":
            self.synced, self.pending = self.seen, []
        elif what is not self and self.without != "file":
            what.synced, what.pending = written(what.synced, what.pending), []

    def states(self, chance):
        def part(writes):
            kept = [w for w in writes if chance.random() < 0.5]
            return [(at, data[:chance.randrange(len(data) + 1)] if chance.random() < 0.3 else data) for at, data in kept]

        def some(changes):
            return [c for c in changes if chance.random() < 0.5]

        def nothing(_):
            return []

        def everything(changes):
            return changes

        for names, writes in ((nothing, nothing), (everything, everything), (everything, nothing), (nothing, everything),
                              (everything, part), (some, part), (some, everything)):
            yield {n: written(f.synced, writes(f.pending)) for n, f in named(self.synced, names(self.pending)).items()}


def text(quoted):
    return bytes(int(two, 16) for two in quoted.split("\\x")[1:])


def calls(path):
    """Each call that ended well: name, texts, numbers, answer; those that another thread interrupts are put together."""
    begun = {}
    for line in open(path, encoding="ascii"):
        pid, line = line.split(" ", 1)
        line = line.strip()
        if line.endswith("<unfinished ...>"):
            begun[pid] = line[:-len("<unfinished ...>")]
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>", line)
        if resumed:
            line = begun.pop(pid) + line[resumed.end():]
        found = re.match(r"(\w+)\((.*)\) *= (\d+)", line)
        if found:
            name, arguments, answer = found.groups()
            texts = [text(t) for t in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]
            if name in ("openat", "rename", "unlink"):
                texts = [t.decode() for t in texts]
            numbers = [int(n) for n in re.findall(r"(?:^|[ ,])(\d+)(?= *(?:,|$))", re.sub(r'"[^"]*"(\.\.\.)?', "", arguments))]
            yield name, texts, numbers, int(answer)


def newest(cohort, state, scratch):
    os.makedirs(scratch, exist_ok=True)
    for name in os.listdir(scratch):
        os.unlink(os.path.join(scratch, name))
    for name, content in state.items():
        with open(os.path.join(scratch, name), "wb") as out:
            out.write(content)
    said = subprocess.run([cohort, "checkpoint", "show", scratch], capture_output=True, text=True, check=False).stdout
    found = re.search(r": step (\d+)", said)
    return int(found.group(1)) if found else -1


def main(trace, folder, cohort, scratch, seed, without=""):
    disk, chance, said, tried = Disk(os.path.normpath(folder), without), random.Random(int(seed)), -1, {}
    n = lost = 0
    for at, (call, texts, numbers, answer) in enumerate(calls(trace)):
        if call == "write" and numbers[:1] == [1]:
            said = int(texts[0].split()[-1])
        disk.call(call, texts, numbers, answer)
        if without and lost:
            break
        for state in disk.states(chance):
            key = frozenset(state.items())
            if key not in tried:
                tried[key] = newest(cohort, state, scratch)
            n += 1
            if tried[key] < said:
                lost += 1
                if lost <= 5:
                    print("behind call %d, %s: step %d was said, and %d is there" % (at, call, said, tried[key]))
    print("%d of %d states lose a save, up to step %d" % (lost, n, said))


main(*sys.argv[1:])
