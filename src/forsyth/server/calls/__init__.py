"""The calls of the service, each group a router."""
