"""The appearance of a position: its scene, the drawings of its pieces, and the colours of its board."""
