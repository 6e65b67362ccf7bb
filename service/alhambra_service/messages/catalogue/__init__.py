"""The catalogue as messages: modules, words, editions, and components with their texts."""
