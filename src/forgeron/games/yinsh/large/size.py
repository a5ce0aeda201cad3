"""The size of the largest board that the modules of this package serve."""

LARGEST = 7
