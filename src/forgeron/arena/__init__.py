"""Setting players against each other: contestants, referee, schedules, matches, tournaments, journals."""
