"""Stored games, and everything that can be done with one."""
