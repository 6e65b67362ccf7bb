"""Placements, boards that are part of a request, and pictures."""
