"""The gateway: the contract of the service as plain HTTP, for clients that speak JSON and nothing else.

It holds no game and knows no rule. Everything it does follows from the descriptors of the contract: which addresses
there are, how a message is written in JSON, which status a refusal has.
"""
