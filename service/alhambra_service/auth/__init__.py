"""Callers and their rights: API keys, tokens of seats, tickets, rates."""
