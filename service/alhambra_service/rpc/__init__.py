"""The gRPC server, the wrappers of every handler, and the services of the contract (`services/`)."""
