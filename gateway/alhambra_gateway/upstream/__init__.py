"""The gRPC client with which the gateway calls the service."""
