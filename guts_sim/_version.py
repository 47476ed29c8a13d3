"""The version of the package, kept apart so that the build reads it without importing numpy."""

__version__ = "0.1.0"
