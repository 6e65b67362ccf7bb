"""Clients whose code was generated from the API document; the tests run them as programs."""
