# SPDX-License-Identifier: BSD-3-Clause
"""What a power cut leaves of saves on a disk: blocks.py KIND SCRATCH COHORT SAVES SEED COMMAND...

COMMAND saves to a folder whose name is its last word but two, on a file system of this kind, and prints each step when its
save has returned. The disk is a file that qemu-storage-daemon exports by FUSE, a loop device makes a disk of it, and each
write and flush of it is logged (blklogwrites: the format of the kernel's dm-log-writes). Then the machine stops after each
flush: what came before is there, and of what came after it until the next, nothing, or some writes that the seed draws. The
file system is mounted, which recovers it, and the newest checkpoint must be of the step that was printed last by then, or a
later one. Needs root. Prints what is lost, and "N of M states lose a save, up to step S"."""
import os
import random
import shutil
import struct
import subprocess
import sys
import time

FLUSH, FUA, DISCARD = 1, 2, 4
MIB = 1 << 20
SIZES = {"ext4": 32 * MIB, "xfs": 320 * MIB, "btrfs": 128 * MIB}
SECTOR = 512


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


class Disk:
    """A file system that is mounted from an image, by a loop device."""

    def __init__(self, image, folder):
        self.folder = folder
        self.loop = subprocess.run(["losetup", "--find", "--show", image], check=True, capture_output=True, text=True).stdout.strip()
        try:
            run("mount", self.loop, folder)
        except subprocess.CalledProcessError:
            run("losetup", "-d", self.loop)
            raise

    def close(self):
        run("umount", self.folder)
        run("losetup", "-d", self.loop)


def n_logged(log):
    with open(log, "rb") as file:
        return struct.unpack("<QQQL", file.read(28))[2]


def entries(log):
    """(first byte, bytes, flags, where its content lies in the log), of each write and flush."""
    with open(log, "rb") as file:
        n, sector = struct.unpack("<QQQL", file.read(28))[2:]
        at = sector
        for _ in range(n):
            file.seek(at)
            first, count, flags, _ = struct.unpack("<QQQQ", file.read(32))
            at += sector
            yield first * SECTOR, count * SECTOR, flags, at
            at += 0 if flags & DISCARD else count * SECTOR


def record(scratch, image, log, command):
    """The disk as it was, and the log; (entries by then, step) of each save that was acknowledged."""
    export, folder, pid = scratch + "/export", scratch + "/disk", scratch + "/pid"
    open(export, "w").close()
    run("qemu-storage-daemon", "--blockdev", "driver=file,node-name=f,filename=" + image,
        "--blockdev", "driver=file,node-name=l,filename=" + log, "--blockdev",
        "driver=blklogwrites,node-name=b,file=f,log=l,log-sector-size=512,log-super-update-interval=1", "--export",
        "type=fuse,id=e,node-name=b,mountpoint=" + export + ",writable=on", "--pidfile", pid, "--daemonize")
    said = []
    try:
        disk = Disk(export, folder)
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in writer.stdout:
            said.append((n_logged(log), int(line)))
        code = writer.wait()
        disk.close()
        if code != 0 or not said:
            sys.exit("the saves ended with %d, and %d were acknowledged" % (code, len(said)))
    finally:
        with open(pid, encoding="ascii") as file:
            daemon = int(file.read())
        os.kill(daemon, 15)
        while os.path.exists("/proc/%d" % daemon):
            time.sleep(0.05)
        subprocess.run(["umount", "-l", export], check=False, stderr=subprocess.DEVNULL)
    return said


def newest(image, folder, saves, cohort):
    """The step of the newest checkpoint, 0 where there is none, or what is wrong."""
    try:
        disk = Disk(image, folder)
    except subprocess.CalledProcessError:
        return "the file system does not mount"
    try:
        if not os.path.isdir(saves):
            return 0
        shown = subprocess.run([cohort, "checkpoint", "show", saves], capture_output=True, text=True, check=False)
    finally:
        disk.close()
    words = shown.stdout.split("\n", 1)[0].rsplit("step ", 1)
    if shown.returncode == 0 and len(words) == 2:
        return int(words[1])
    return 0 if "no checkpoint" in shown.stderr or "no generation" in shown.stderr else shown.stderr.strip()


def apply(image, log, some):
    with open(image, "r+b") as to, open(log, "rb") as of:
        for first, count, flags, at in some:
            if count == 0:
                continue
            of.seek(at)
            to.seek(first)
            to.write(bytes(count) if flags & DISCARD else of.read(count))


def replay(scratch, before, log, said, saves, cohort):
    """[what is lost], states."""
    folder, state = scratch + "/disk", scratch + "/state"
    every = list(entries(log))
    flushes = [i for i, entry in enumerate(every) if entry[2] & FLUSH] + [len(every)]
    lost, states, done = [], 0, 0
    for now, following in zip(flushes, flushes[1:]):
        apply(before, log, every[done:now + 1])
        done = now + 1
        wanted = max([step for at, step in said if at <= following], default=0)
        open_writes = every[done:following]
        choices = [[]] + ([[e for e in open_writes if e[2] & FUA or random.random() < 0.5]] if open_writes else [])
        for choice in choices:
            run("cp", "--sparse=always", before, state)
            apply(state, log, choice)
            found = newest(state, folder, saves, cohort)
            states += 1
            if not isinstance(found, int) or found < wanted:
                lost.append("after flush at entry %d, with %d of %d writes: step %d was said, and found: %s" %
                            (now, len(choice), len(open_writes), wanted, found))
    return lost, states


def main():
    kind, scratch, cohort, saves, seed, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5], sys.argv[6:]
    random.seed(int(seed))
    shutil.rmtree(scratch, ignore_errors=True)
    os.makedirs(scratch + "/disk")
    image, before, log = scratch + "/image", scratch + "/before", scratch + "/log"
    for name, size in ((image, SIZES[kind]), (log, 2048 * MIB)):
        with open(name, "wb") as file:
            file.truncate(size)
    run("mkfs." + kind, *(["-F"] if kind == "ext4" else ["-f"]), "-q", image)
    run("cp", "--sparse=always", image, before)
    said = record(scratch, image, log, command)
    lost, states = replay(scratch, before, log, said, saves, cohort)
    for line in lost[:5]:
        print(line)
    print("%d of %d states lose a save, up to step %d" % (len(lost), states, said[-1][1]))


if __name__ == "__main__":
    main()
