"""Tournaments between anybody's bots: `alhambra arena` with more than the built-in players.

entrants.py        the bots of a tournament, as they are written on the command line
schedule.py        which bots meet on which deal and in which seats: match, round robin, Swiss
play.py            one game: asks the bots, measures their time, ends the game of a bot that fails
line_protocol.py   a bot in a process of its own, which speaks lines
line_bot.py        the other end: a player of this library as such a process
grpc_seat.py       a bot that plays one game over gRPC, as against the service
lease_seat.py      a bot that leases decisions over gRPC, as `alhambra bots` does
results.py         the file of results: header, one line for each game; resuming and replaying
ratings.py         ratings with confidence intervals
workers.py         the processes that play the games
"""
