"""The web page in a real browser, served by the real service from the bundle in the package."""
