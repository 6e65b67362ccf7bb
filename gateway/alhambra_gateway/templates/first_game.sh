# {{ words.create }}
NEW=$(curl -s {{ base }}/v1/games --json '{"seats":[{"name":"Amira","claim":true},{"serverPlayer":"random"}]}')
GAME={{ base }}/v1/games/$(echo "$NEW" | sed 's/^{"game":"\([a-z0-9]*\)".*/\1/')
SEAT="Authorization: Bearer $(echo "$NEW" | sed 's/.*"token":"\([^"]*\)".*/\1/')"
# {{ words.legal }}
MOVES=$(curl -s "$GAME/moves?verb=take_money" -H "$SEAT"); echo "$MOVES"
# {{ words.play }}
MOVE=$(echo "$MOVES" | sed 's/^{\("version":[0-9]*\).*"moves":\[{\("move":{[^}]*}\).*/{\1,\2}/')
curl -s $GAME/moves -H "$SEAT" --json "$MOVE"; echo
# {{ words.watch }}
curl -s $GAME/events -H "$SEAT" -H 'Accept: application/json'; echo
# {{ words.picture }}
curl -s "$GAME/board.svg?seat=0" -o alhambra.svg
