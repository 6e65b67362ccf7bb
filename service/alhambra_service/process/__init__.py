"""The processes of a service: the supervisor, a worker, its parts put together, backups."""
