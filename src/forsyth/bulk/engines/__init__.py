"""How the shards of a job are worked on: here, or as texts that go to the workers of a cluster."""
