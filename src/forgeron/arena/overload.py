"""Losses on time that are perhaps the machine's: the bot had far less processor time than time.

A program that thinks until its deadline uses the processor. One that loses on time and used far less than it was
allowed either slept, or did not get a processor because too much else was running. The referee notes such a loss
(`extra["overload"]` of the record); reports mark it; `fairly` (in `fair_play`) plays it again, once.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from forgeron.bots.faults import Reason
from forgeron.core.record import Record

#: A bot that used less than this share of its time as processor time used far less than it had.
FAR_LESS = 0.5


@dataclass(frozen=True)
class Overload:
    """What a bot had, and what it used, in the move that it lost on time."""

    cpu_seconds: float
    allowed_seconds: float
    load: float
    """how many programs wanted a processor, in the mean of the last minute"""
    processors: int

    def to_data(self) -> dict[str, Any]:
        return {
            "cpu": round(self.cpu_seconds, 6),
            "allowed": round(self.allowed_seconds, 6),
            "load": round(self.load, 2),
            "processors": self.processors,
        }

    def __str__(self) -> str:
        used = f"{self.cpu_seconds:.2f} s of processor time in {self.allowed_seconds:.2f} s"
        return f"{used}, load {self.load:.1f} on {self.processors} processor{'s' * (self.processors != 1)}"


def note_overload(reason: Reason, cpu_seconds: float | None, allowed_seconds: float) -> dict[str, Any]:
    """What belongs into the record of a game lost so: nothing, unless it was on time and with little processor time."""
    if reason is not Reason.TIME or cpu_seconds is None or cpu_seconds >= FAR_LESS * allowed_seconds:
        return {}
    load = 0.0
    with suppress(OSError):
        load = os.getloadavg()[0]
    return {"overload": Overload(cpu_seconds, allowed_seconds, load, os.cpu_count() or 1).to_data()}


def overload_of(record: Record) -> Overload | None:
    """The note of a record; None where there is none, or what is there makes no sense."""
    noted = record.extra.get("overload")
    if record.reason != Reason.TIME or not isinstance(noted, Mapping):
        return None
    try:
        return Overload(float(noted["cpu"]), float(noted["allowed"]), float(noted["load"]), int(noted["processors"]))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def may_be_replayed(record: Record) -> bool:
    """Whether it was lost so, and has not been played again yet."""
    return overload_of(record) is not None and "replayed" not in record.extra


def as_replay(record: Record, first: Record) -> Record:
    """The record of a game that was played again because of how it was `first` lost."""
    return replace(record, extra={**record.extra, "replayed": str(first.extra.get("detail", ""))})
