"""What is wrong with JSON that was sent, and where: `placements[3].cell.x`."""

from __future__ import annotations


class Fault(Exception):
    """Something cannot be read. On its way out each reader puts its own part of the path before it, so that reading
    costs nothing as long as nothing is wrong."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def inside(self, member: str) -> Fault:
        """The same, seen from the object that has the member."""
        if not self.path:
            self.path = member
        elif self.path.startswith("["):
            self.path = member + self.path
        else:
            self.path = f"{member}.{self.path}"
        return self

    def at(self, index: int) -> Fault:
        """The same, seen from the list."""
        return self.inside(f"[{index}]")
