"""What the library is compared with: other ways to do the same work."""
