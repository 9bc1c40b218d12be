"""Engines that process the shards of a job, on this machine or as tasks for the workers of a cluster."""
