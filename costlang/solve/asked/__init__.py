"""What is asked: equations, boundaries, the best, thresholds, systems, elasticities."""
