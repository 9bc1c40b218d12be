"""Entry point of `python -m forsyth`, which does the same as the command `forsyth`."""

import sys

from forsyth.cli import main

if __name__ == "__main__":
    sys.exit(main())
