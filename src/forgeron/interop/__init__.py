"""Forgeron among other people's programs: PettingZoo, Gymnasium, OpenSpiel, pandas, notebooks, and games of your own.

The modules of this room are published: `forgeron.interop.pettingzoo`, `batch`, `gymnasium`, `openspiel`, `frames`,
`testing`. Those that need another package say how to get it.
"""
