"""YINSH on the board of N = 7: its 163 points need three words a set.

The modules of the package above are found here once more, compiled for three words, because they import each other by
relative names and only `size` and `point_sets` are other ones. The rules have one source, and smaller boards pay
nothing.
"""

from pathlib import Path

__path__.append(str(Path(__file__).parent.parent))
