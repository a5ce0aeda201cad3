"""What came out of an event: one schema of results, and its renderers."""
