"""A store server that the service starts itself."""
