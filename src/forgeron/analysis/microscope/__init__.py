"""The search microscope: the real search kernels, run as plain Python, tell what they do step by step."""
