"""The gateway: the contract of the service as REST with JSON.

It stores no games and has no rules. Its routes, the JSON of its messages and the status codes of its errors are derived
from the descriptors of the contract.
"""
