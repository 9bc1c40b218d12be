"""What bounds the service: who may ask, how often, how much at once, how long."""
