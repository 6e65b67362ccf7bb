"""Keys that the gateway adds to the WSGI environment of a request."""

ADDRESS = "alhambra.address"
"""The client's IP address. A forwarded address counts only if a trusted proxy sent it."""
REQUEST_ID = "alhambra.request_id"
"""The id of the request in the logs of gateway and service."""
ROUTE = "alhambra.route"
"""The name of the RPC or page that answered the request; NO_ROUTE if none did."""
NO_ROUTE = "none"
