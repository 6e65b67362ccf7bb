"""Games kept in the memory of this process, and how it hears of their changes."""
