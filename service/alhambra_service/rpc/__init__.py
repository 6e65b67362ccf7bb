"""The calls of the contract: the server, what stands around every handler, and the services themselves."""
