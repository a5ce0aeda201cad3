"""Programs as processes: how they are started, kept apart, spoken to and tried."""
