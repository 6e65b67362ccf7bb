"""The calls of the contract: the server, the wrappers of every handler, and the services themselves."""
