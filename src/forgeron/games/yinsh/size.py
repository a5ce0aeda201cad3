"""The size of the largest board that the modules of this package serve."""

#: Boards up to this one fit into two words a set of points; `large` has the same modules for the next one, with three.
LARGEST = 6
