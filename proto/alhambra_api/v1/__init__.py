"""Version 1 of the contract. Every other Python file here is generated: `make proto`."""
