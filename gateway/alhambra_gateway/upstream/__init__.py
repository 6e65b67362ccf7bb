"""Calls of the service: the gRPC client, and unary calls from the HTTP request to the HTTP answer."""
