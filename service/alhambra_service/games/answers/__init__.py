"""Answers about games as bytes: views with what belongs to them, and pages of legal moves."""
