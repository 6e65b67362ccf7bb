"""Between the rules and the contract: pure functions that read and write messages."""
