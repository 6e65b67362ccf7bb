"""What becomes of what lies on a tile, for every way in which a tile can move."""
