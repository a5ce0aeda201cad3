"""The fixtures of small events."""

from event_fixtures import make_match, make_tournament, run_event, timeless

__all__ = ["make_match", "make_tournament", "run_event", "timeless"]
