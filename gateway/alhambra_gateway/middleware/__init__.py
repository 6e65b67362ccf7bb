"""WSGI middleware around the Flask application: checks of every request, headers of every answer, the request log."""
