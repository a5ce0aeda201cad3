"""``python -m forgeron`` is the command line."""

from forgeron.cli.main import main

if __name__ == "__main__":
    main()
