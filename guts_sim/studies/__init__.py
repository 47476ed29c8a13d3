"""One function per question: each validates, runs the work and returns a frozen result."""
