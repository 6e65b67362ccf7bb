"""The processes of a service: the supervisor, the workers and their parts, backups, the doctor."""
