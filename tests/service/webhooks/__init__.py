"""Webhooks: what is sent, to whom, and what becomes of it."""
