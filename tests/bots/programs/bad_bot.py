"""A Connect Four bot that plays legally (the first column with room) and has one fault, named by its argument.

It speaks the native protocol with nothing but the standard library, so that it starts fast and its sins are its own.
"""

import os
import signal
import socket
import subprocess
import sys
import time

# usage: bad_bot.py MARK FAULT [MOVE] [EXTRA …]: MARK is carried by every child, too
RUN = __name__ == "__main__"
MARK, FAULT = sys.argv[1:3] if RUN else ("", "none")
#: The fault shows at the bot's move of this number (0 is its first).
AT = int(sys.argv[3]) if RUN and len(sys.argv) > 3 else 1
EXTRA = sys.argv[4:]
#: The processor time that a busy bot has used after the move at which it is busy.
BUSY_SECONDS = 0.6


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def raw(data: bytes) -> None:
    sys.stdout.flush()
    os.write(1, data)


def forever() -> None:
    while True:
        time.sleep(60)


def child(**how: bool) -> None:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)", MARK], **how)  # type: ignore[call-overload]


def misbehave(move: str) -> bool:
    """Do the deed; True when the bot should answer normally afterwards."""
    match FAULT:
        case "slow" | "hang":
            forever()
        case "framed":
            print("╭ Error ╮\n│ no such option │\n╰───────╯", file=sys.stderr, flush=True)
            sys.exit(2)
        case "busy":
            while time.process_time() < BUSY_SECONDS:
                pass
        case "exit":
            print("fatal: no idea", file=sys.stderr, flush=True)
            sys.exit(7)
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "sigstop":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "info-forever":
            while True:
                say("info depth 1 nodes 1")
                time.sleep(0.05)
        case "flood-lines":
            while True:
                raw(b"info string flood\n" * 3000)
        case "flood-no-newline":
            while True:
                raw(b"x" * 65536)
        case "illegal":
            say("bestmove 1")
            return False
        case "garbage":
            raw(b"bestmove \x1b[31m\xff<script>\n")
            return False
        case "empty":
            say("bestmove")
            return False
        case "two-chunks":
            raw(b"bestm")
            time.sleep(0.1)
            raw(b"ove " + move.encode() + b"\n")
            return False
        case "no-newline":
            raw(b"bestmove " + move.encode())
            forever()
        case "crlf":
            raw(b"bestmove " + move.encode() + b"\r\n")
            return False
        case "strange-info":
            raw("info string \N{SNAKE}\n".encode() + b"info \xff\x00\xfe depth\n")
        case "stderr-flood":
            for _ in range(192):
                os.write(2, b"e" * 65535 + b"\n")
        case "child-holds-pipe":
            child()
            os._exit(3)
        case "setsid-child":
            child(start_new_session=True)
        case "fork-20":
            for _ in range(20):
                child()
        case "memory":
            hog = []
            while True:
                hog.append(bytearray(32 << 20))
        case "close-stdout":
            os.close(1)
            forever()
        case "two-answers":
            say(f"bestmove {move}\nbestmove {move}")
            return False
        case "never-reads":
            say(f"bestmove {move}")
            forever()
        case "exit-after-move":
            say(f"bestmove {move}")
            os._exit(0)
        case "early-answer":
            say(f"bestmove {move}\nbestmove 9")  # at once: a second write might come after the next question
            return False
        case "fill-disk":
            try:
                with open("big", "wb") as file:
                    for _ in range(4096):
                        file.write(b"x" * (1 << 20))
                print("wrote 4 GB", file=sys.stderr, flush=True)
            except OSError as error:
                print(f"disk refused: {error}", file=sys.stderr, flush=True)
        case "network":
            try:
                socket.create_connection(("127.0.0.1", int(EXTRA[0])), timeout=1).close()
                print("network open", file=sys.stderr, flush=True)
            except OSError as error:
                print(f"network refused: {error}", file=sys.stderr, flush=True)
        case "spy":
            try:
                with open(os.path.join(*EXTRA)) as file:
                    print(f"read: {file.read()}", file=sys.stderr, flush=True)
            except OSError as error:
                print(f"spying refused: {error}", file=sys.stderr, flush=True)
        case "lies":
            say("result p1win score 99 0 reason win")
            say("info string I have won")
    return True


def main() -> None:
    if FAULT == "dies-at-start":
        print("cannot find my brain", file=sys.stderr, flush=True)
        sys.exit(5)
    if FAULT in ("ignores-quit",):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    if FAULT == "fill-disk":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    moves: list[str] = []
    asked = 0
    while True:
        line = sys.stdin.readline()
        if not line:
            if FAULT == "ignores-quit":
                forever()
            return
        words = line.split()
        match words[:1]:
            case ["ugi"]:
                if FAULT == "no-handshake":
                    forever()
                say("id name bad bot")
                say("ugiok")
            case ["isready"]:
                say("readyok")
            case ["position"]:
                moves = words[words.index("moves") + 1 :] if "moves" in words else []
            case ["go"]:
                move = next(c for c in "1234567" if moves.count(c) < 6)
                normal = misbehave(move) if asked == AT else True
                asked += 1
                if normal:
                    say(f"bestmove {move}")
            case ["quit"]:
                if FAULT != "ignores-quit":
                    return


if RUN:
    main()
