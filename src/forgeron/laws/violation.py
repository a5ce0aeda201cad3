"""A broken law: the function that broke it, how, and what would fix it."""

from __future__ import annotations

from forgeron.core.errors import ContractError


class BrokenLaw(ContractError):
    """A game does something that its contract forbids.

    >>> error = BrokenLaw("moves", "move 7 is listed twice", "list each legal move once")
    >>> error.rule, str(error)
    ('moves', 'moves: move 7 is listed twice; list each legal move once')
    """

    def __init__(self, rule: str, said: str, remedy: str) -> None:
        # All three are `args`: an error that comes back from a worker process is made again from them.
        super().__init__(rule, said, remedy)
        self.rule = rule
        """a function of the contract, or a method or attribute of the game's class"""
        self.said = said
        self.remedy = remedy

    def _text(self) -> str:
        return f"{self.rule}: {self.said}; {self.remedy}"
