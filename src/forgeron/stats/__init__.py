"""What results say: Elo from pairs of games, the sequential test, ratings of many players."""
