"""Players that learn: evaluations fitted to the games they play."""
