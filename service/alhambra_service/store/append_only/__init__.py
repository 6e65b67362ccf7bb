"""The append-only files of a store: their contents, where they are damaged, what can be restored."""
