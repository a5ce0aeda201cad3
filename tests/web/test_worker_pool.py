"""The processes that think, without a server around them."""

from __future__ import annotations

import asyncio
import os

import pytest

from forgeron.web.worker_pool import WorkerPool

TASK = {
    "do": "analyse",
    "game": "yolah",
    "options": {},
    "player": "minimax",
    "threads": 1,
    "seed": 0,
    "position": None,
    "lines": 1,
    "limit": {"seconds": 600.0},
}


def test_a_task_that_is_cancelled_while_the_pool_ends_ends_quietly() -> None:
    async def run() -> None:
        pool = WorkerPool(1, {**os.environ, "FORGERON_JIT": "0"})
        told = asyncio.Event()
        thinking = asyncio.create_task(pool.think(TASK, lambda _message: told.set()))
        await told.wait()
        thinking.cancel()
        await pool.close()
        with pytest.raises(asyncio.CancelledError):
            await thinking

    asyncio.run(run())
