"""Setting players against each other: schedules and openings, match statistics, sequential tests, ratings."""
