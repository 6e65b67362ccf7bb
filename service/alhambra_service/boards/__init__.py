"""Placements and Alhambras that are sent along with a call."""
