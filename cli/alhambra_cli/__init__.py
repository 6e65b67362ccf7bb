"""The command line of Alhambra: play, simulate, verify and draw games in a terminal."""
