# {{ words.create }}
NEW=$(curl -s {{ base }}/v1/games --json '{"seats":[{"name":"Amira","claim":true},{"serverPlayer":"random"}]}')
GAME={{ base }}/v1/games/$(echo "$NEW" | jq -r .game)
SEAT="Authorization: Bearer $(echo "$NEW" | jq -r .seatKeys[0].token)"
# {{ words.legal }}
MOVES=$(curl -s "$GAME/moves?verb=take_money" -H "$SEAT"); echo "$MOVES"
# {{ words.play }}
MOVE=$(echo "$MOVES" | jq '{version, move: .moves[0].move}')
curl -s $GAME/moves -H "$SEAT" --json "$MOVE"; echo
# {{ words.watch }}
curl -s $GAME/events -H "$SEAT" -H 'Accept: application/json'; echo
# {{ words.picture }}
curl -s "$GAME/board.svg?seat=0" -o alhambra.svg
