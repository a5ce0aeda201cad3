"""The games that come with Forgeron. Each is a plugin: registered by name in `forgeron.core.registry`, built on what
`import forgeron` publishes, and imported by nothing else."""
