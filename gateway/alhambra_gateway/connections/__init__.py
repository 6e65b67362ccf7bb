"""Connections of clients and the threads that answer them: no thread is held by a client that is slow."""
