"""Notices for hosts: what a commit announces, and the feed of each tenant."""
