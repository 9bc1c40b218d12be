"""The appearance of a position: its scene, its glyphs and colours, and its description in words."""
