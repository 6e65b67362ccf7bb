"""The modules of the rulebooks, one file or folder each, named by their keys. Their contract is `module.py`."""
