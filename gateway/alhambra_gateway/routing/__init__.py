"""HTTP requests as calls of the contract: addresses, conditional requests, content negotiation, unary calls."""
