"""TCP connections of clients: requests are read, and answers sent, without holding a thread for a slow client."""
