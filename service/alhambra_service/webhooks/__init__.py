"""Webhooks: addresses of hosts, the deliveries that wait for them, and the process that sends."""
