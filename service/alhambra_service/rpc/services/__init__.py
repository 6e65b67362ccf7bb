"""The services of the contract: each call checks its request and its caller, and calls another room."""
