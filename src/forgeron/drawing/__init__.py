"""The modules that draw boards, wherever one is shown: page, report, notebook. They know views, and no rules."""
