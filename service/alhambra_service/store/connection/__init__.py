"""Connections to the store: one server, Sentinel or a cluster."""
