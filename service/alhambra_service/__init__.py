"""The rules of Alhambra as a service: any process serves any game, and what a game is lies in the store."""
