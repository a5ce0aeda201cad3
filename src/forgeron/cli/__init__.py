"""The command line. A module is one command, or what several share; none imports NumPy before it is needed."""
