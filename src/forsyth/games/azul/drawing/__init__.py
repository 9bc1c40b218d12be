"""What a position looks like: its scene, and the pieces and colours to draw it with."""
