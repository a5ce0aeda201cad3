"""The fixtures of small events."""

from event_fixtures import make_match, make_tournament, run_event, timeless

__all__ = ["make_match", "make_tournament", "run_event", "timeless"]

#: Files that lie beside a package `yut` of their own, which only their engine finds.
collect_ignore = ["course_yut"]
