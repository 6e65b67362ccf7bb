"""The modules of the rulebooks, one file each, named by their keys. `alhambra/module.py` is their contract."""
