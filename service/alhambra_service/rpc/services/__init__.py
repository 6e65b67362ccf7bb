"""The services of the contract. A handler checks its request and its caller, and calls another package."""
