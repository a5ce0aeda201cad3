"""A Connect Four bot that plays legally (the first column with room) and attacks at its second move.

usage: hostile_bot.py MARK ATTACK [EXTRA ...]
"""

import mmap
import os
import signal
import sys
import time

RUN = __name__ == "__main__"
MARK, ATTACK, *EXTRA = sys.argv[1:] if RUN else ("", "none")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def forever() -> None:
    while True:
        time.sleep(60)


def orphan(then: object = None) -> None:
    """A process with neither family, session nor environment of ours."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            code = "import time; time.sleep(300)"
            os.execve(sys.executable, [sys.executable, "-S", "-c", code, MARK], {})
        os._exit(0)
    os.wait()


def attack(move: str) -> bool:
    """True: answer normally afterwards."""
    digits = "9" * 400
    match ATTACK:
        case "wdl":
            say(f"info wdl 0 {digits} 0")
        case "nodes":
            say(f"info depth {digits} nodes {digits}")
        case "negative":
            say("info depth -1 nodes -5 wdl -1 -1 -1")
        case "many-digits":
            say(f"info nodes {'9' * 5000}")
        case "empty-lines":
            while True:
                os.write(1, b"\n" * 60_000)
                time.sleep(0.02)
        case "long-line":
            os.write(1, b"info string " + b"x" * 100_000 + b"\n")
        case "long-move":
            say("bestmove " + "9" * 60_000)
            return False
        case "memory-text":
            print("MemoryError", file=sys.stderr, flush=True)
            os._exit(1)
        case "shared-memory":
            kept = []
            while True:
                block = mmap.mmap(-1, 16 << 20)
                block.write(b"x" * (16 << 20))
                kept.append(block)
        case "children-memory":
            for _ in range(12):
                if os.fork() == 0:
                    hog = bytearray(os.urandom(1 << 20)) * 60
                    time.sleep(300)
                    print(len(hog))
            forever()
        case "shm-files":
            for i in range(1000):
                with open(f"/dev/shm/{MARK}-{i}", "wb") as file:
                    file.write(b"x" * (4 << 20))
            forever()
        case "many-files":
            for i in range(20_000):
                with open(f"f{i}", "w"):
                    pass
            forever()
        case "nested":
            for _ in range(3000):
                os.mkdir("d" * 20)
                os.chdir("d" * 20)
        case "locked":
            os.mkdir("locked")
            with open("locked/file", "w"):
                pass
            os.chmod("locked", 0)
            os.system("chattr +i locked 2>/dev/null")
        case "stay":
            orphan()
        case "fork-for-ever":
            if os.fork() == 0:
                os.setsid()
                os.environ.clear()
                while True:
                    try:
                        if os.fork() == 0:
                            os.execve(
                                sys.executable, [sys.executable, "-S", "-c", "import time; time.sleep(1)", MARK], {}
                            )
                    except OSError:
                        time.sleep(0.01)
        case "kill-referee":
            os.kill(os.getppid(), signal.SIGKILL)
            forever()
        case "stop-referee":
            os.kill(os.getppid(), signal.SIGSTOP)
            forever()
        case "escapes":
            print("\x1b]0;owned\x07\x1b[31mred", file=sys.stderr, flush=True)
            os._exit(3)
        case "garbage":
            say("bestmove \x1b]0;owned\x07\x00½")
            return False
        case "empty-move":
            say("bestmove")
            return False
        case "wrong-column":
            say("bestmove 99")
            return False
        case "two-answers":
            say(f"bestmove {move}")
        case "early-answers":
            say("\n".join([f"bestmove {move}", *["bestmove 99"] * 20]))
            return False
        case "flood-lines":
            while True:
                os.write(1, b"info depth 1\n" * 1000)
        case "flood-bytes":
            while True:
                os.write(1, b"x" * 10_000)
        case "close-output":
            os.close(1)
            forever()
        case "exit":
            os._exit(0)
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
            forever()
        case "stop-itself":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "partial-line":
            os.write(1, f"bestmove {move}".encode())
            forever()
        case "slow-drip":
            while True:
                os.write(1, b"i")
                time.sleep(0.05)
        case "bad-text":
            os.write(1, b"info string \xff\xfe\x00 \xf0\x9f\x98\x80\n")
        case "stderr-flood":
            for _ in range(12):
                os.write(2, b"\x1b[31mnoise\n" * 100_000)
        case "child-holds-pipe":
            if os.fork() == 0:
                forever()
            os._exit(3)
        case "ignore-quit":
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
        case "claims":
            say("result p1win score 99 0 reason win\nRESULT LIMIT 99 0\nquit\nerror time you lost")
        case "stop-reading":
            say(f"bestmove {move}")
            forever()
        case "private-memory":
            hog = [bytearray(b"x") * (16 << 20) for _ in range(100)]
            print(len(hog))
        case "many-megabytes":
            for i in range(12):
                with open(f"big{i}", "wb") as file:
                    file.write(b"x" * (50 << 20))
            forever()
        case "one-large-file":
            with open("large", "wb") as file:
                file.write(b"x" * (100 << 20))
        case "pry":
            for path in (f"/proc/{os.getppid()}/mem", f"/proc/{os.getppid()}/environ", "/etc/shadow", "/proc/kcore"):
                try:
                    with open(path, "rb") as file:
                        file.read(1)
                except OSError:
                    pass
        case "threads":
            import threading

            try:
                for _ in range(2000):
                    threading.Thread(target=forever, daemon=True).start()
            except RuntimeError:
                pass
        case "links":
            os.symlink("/", "root")
            os.symlink("loop", "loop")
            os.symlink(f"/proc/{os.getppid()}", "referee")
            os.mkdir("d")
            os.symlink("..", "d/up")
        case "odd-names":
            for name in ("new\nline", "\x1b[31m", "x" * 255, "-rf", "½"):
                os.mkdir(name)
        case "special-files":
            import socket

            os.mkfifo("pipe")
            socket.socket(socket.AF_UNIX).bind("socket")
        case "descriptors":
            kept_open = []
            try:
                while True:
                    kept_open.append(os.dup(0))
            except OSError:
                os.closerange(kept_open[0], kept_open[-1] + 1)
        case "sleep":
            time.sleep(float(EXTRA[0]))
        case "hang":
            forever()
    return True


def main() -> None:
    """Speak the native protocol."""
    if ATTACK == "die-at-start":
        os._exit(4)
    heights, asked = [0] * 7, 0
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["ugi"]:
                say("id name \x1b[31mhostile\nugiok" if ATTACK == "escapes" else "id name hostile\nugiok")
            case ["newgame"]:
                asked = 0
            case ["isready"]:
                say("readyok")
            case ["position"]:
                heights = [0] * 7
                for move in words[words.index("moves") + 1 :] if "moves" in words else ():
                    heights[int(move) - 1] += 1
            case ["go"]:
                move = str(next(i + 1 for i, height in enumerate(heights) if height < 6))
                asked += 1
                try:
                    answers = (asked != 2 and ATTACK != "sleep") or attack(move)
                except (FileExistsError, BlockingIOError):  # it attacked in an earlier game, too
                    answers = True
                if answers:
                    say(f"bestmove {move}")
            case ["quit"]:
                if ATTACK == "ignore-quit":
                    forever()
                return


if RUN:
    main()
