"""Questions in which something is sought: the unknown, the boundary, the best, the limit."""
