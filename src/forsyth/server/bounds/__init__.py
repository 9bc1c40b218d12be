"""Protection of the service: origin check, rate limit, compute slots, size and time limits, compression."""
