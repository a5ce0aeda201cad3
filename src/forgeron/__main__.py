"""``python -m forgeron`` and the program ``forgeron`` are the command line."""

from __future__ import annotations

import sys


def run() -> None:
    """Run the command that was typed. Ctrl-C is heard from the first import to the last thread."""
    try:
        from forgeron.cli import interrupts

        with interrupts.interruptible():
            from forgeron.cli.main import main

            main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        if "forgeron.cli.interrupts" in sys.modules:
            interrupts.leave_stuck_threads()
        raise SystemExit(130) from None
    except SystemExit as left:
        if left.code == interrupts.INTERRUPTED:
            interrupts.leave_stuck_threads()
        raise


if __name__ == "__main__":
    run()
