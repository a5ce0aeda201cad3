"""The page: a server for browsers, and the modules that draw boards wherever one is shown."""
