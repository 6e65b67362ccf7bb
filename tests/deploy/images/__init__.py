"""The images of deploy/ built and started on a machine without a container engine: see `__main__`."""
