"""Events as they happen, sent to subscribers."""
