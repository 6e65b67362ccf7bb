"""HTTP requests of the contract: addresses, the URL map, conditional requests, content negotiation."""
