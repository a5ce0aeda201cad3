"""Our players as bots of the courses: the other end of `forgeron.arena.protocols`."""
