# SPDX-License-Identifier: BSD-3-Clause
"""cohort top on a terminal: python3 cli_top.py COHORT HOW; a line of what was found, without the screen's text.

q, ^C     that key is pressed
SIGNAL    its name: it is sent; SIGTSTP also looks at what is there while the command stands, and goes on with SIGCONT; behind
          SIGSTOP the terminal is as a shell has it, until SIGCONT
size      the terminal gets 3 lines of 20 characters
close     the terminal goes away
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

BEGIN, END = b"\033[?1049h\033[?25l", b"\033[?25h\033[?1049l"
SECONDS = 60  # for whatever comes; nothing is measured


def run(cohort, terminal):
    """In the foreground of the terminal; SIGTTOU would stop whoever says so from behind."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(terminal, os.getpid())
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP, signal.SIGTTOU):
        signal.signal(number, signal.SIG_DFL)
    os.environ["TERM"] = "xterm"
    os.execl(cohort, "cohort", "top", "--interval", "0.1")


def be_shell(cohort, terminal, told_to):
    """The leader of a session, as a shell: without one nobody can be stopped. Tells the process, then how it changes."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    for descriptor in (0, 1, 2):
        os.dup2(terminal, descriptor)
    pid = os.fork()
    if pid == 0:
        run(cohort, 0)
    os.close(terminal)
    os.write(told_to, struct.pack("i", pid))
    status = None
    while status is None or os.WIFSTOPPED(status):
        status = os.waitpid(pid, os.WUNTRACED)[1]
        os.write(told_to, struct.pack("i", status))
    os._exit(0)


def start(cohort):
    master, terminal = pty.openpty()
    before = ways(master)
    told_by, told_to = os.pipe()
    if os.fork() == 0:
        os.close(master)
        be_shell(cohort, terminal, told_to)
    os.close(terminal)
    os.close(told_to)
    return struct.unpack("i", os.read(told_by, 4))[0], master, before, told_by


class Screen:
    def __init__(self, terminal):
        self.terminal, self.seen = terminal, b""

    def until(self, is_there):
        end = time.monotonic() + SECONDS
        while not is_there(self.seen) and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    more = os.read(self.terminal, 65536)
                except OSError:
                    break
                if not more:
                    break
                self.seen += more
        return is_there(self.seen)


def ways(terminal):
    return termios.tcgetattr(terminal)[:4]


def wait(pid, told_by):
    """How the process has changed; None: not at all."""
    if select.select([told_by], [], [], SECONDS)[0]:
        return struct.unpack("i", os.read(told_by, 4))[0]
    os.kill(pid, signal.SIGKILL)
    return None


def told(status):
    if status is None:
        return "hangs"
    return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"


def is_given_back(screen, before):
    return screen.until(lambda seen: seen.rstrip().endswith(END)) and ways(screen.terminal) == before


def stand(pid, screen, before, told_by):
    os.kill(pid, signal.SIGTSTP)
    status = wait(pid, told_by)
    found = "stands" if status is not None and os.WIFSTOPPED(status) else "does not stand"
    found += ", given back" if is_given_back(screen, before) else ", not given back"
    os.kill(pid, signal.SIGCONT)
    found += ", goes on" if screen.until(lambda seen: seen.count(BEGIN) == 2) else ", does not go on"
    screen.until(lambda seen: b"cohort top" in seen[seen.rfind(BEGIN) :])
    os.write(screen.terminal, b"q")
    return found


def halt(pid, screen, before, told_by):
    os.kill(pid, signal.SIGSTOP)
    status = wait(pid, told_by)
    found = "stands" if status is not None and os.WIFSTOPPED(status) else "does not stand"
    termios.tcsetattr(screen.terminal, termios.TCSANOW, before + termios.tcgetattr(screen.terminal)[4:])
    os.kill(pid, signal.SIGCONT)
    found += ", goes on" if screen.until(lambda seen: seen.count(BEGIN) == 2) else ", does not go on"
    found += ", takes keys" if ways(screen.terminal) != before else ", takes no keys"
    os.write(screen.terminal, b"q")
    return found


def shrink(screen):
    fcntl.ioctl(screen.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 3, 20, 0, 0))
    mark = len(screen.seen)
    # two whole views more: the first may be of the size before
    screen.until(lambda seen: seen[mark:].count(b"\033[J") >= 3)
    view = screen.seen[mark:].split(b"\033[H")[-2]
    lines = re.sub(rb"\033\[[?0-9]*[A-Za-z]|\r", b"", view).split(b"\n")
    os.write(screen.terminal, b"q")
    return f"{len(lines)} lines, {max(len(line) for line in lines)} characters"


def main(cohort, how):
    pid, terminal, before, told_by = start(cohort)
    screen = Screen(terminal)
    if not screen.until(lambda seen: b"cohort top" in seen):
        print("no view:", screen.seen)
        return
    found = []
    if how == "close":
        os.close(terminal)
        print("hangs" if wait(pid, told_by) is None else "ends")
        return
    if how in ("q", "^C"):
        os.write(terminal, b"q" if how == "q" else b"\x03")
    elif how == "size":
        found.append(shrink(screen))
    elif how == "SIGTSTP":
        found.append(stand(pid, screen, before, told_by))
    elif how == "SIGSTOP":
        found.append(halt(pid, screen, before, told_by))
    else:
        os.kill(pid, getattr(signal, how))
    found.append("given back" if is_given_back(screen, before) else f"not given back: {screen.seen[-200:]}")
    found.append(told(wait(pid, told_by)))
    print(", ".join(found))


main(sys.argv[1], sys.argv[2])
