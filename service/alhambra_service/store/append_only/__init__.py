"""The files into which a store writes every change: what they hold, where they are damaged, what can be restored."""
