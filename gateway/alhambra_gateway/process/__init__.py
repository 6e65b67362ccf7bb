"""The gateway as processes: the Flask application, gunicorn's master and workers, health."""
