"""What the maintainers run: generated pages, golden games, checks of the wheel."""
