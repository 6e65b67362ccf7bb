// Plays a whole game with the package `alhambra` that openapi-generator has generated beside this file.
//
//	go run . http://127.0.0.1:8080 thieves squares
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"

	"play/alhambra"
)

func main() {
	address, modules := os.Args[1], os.Args[2:]
	configuration := alhambra.NewConfiguration()
	configuration.Servers = alhambra.ServerConfigurations{{URL: address}}
	games := alhambra.NewAPIClient(configuration).GamesAPI
	anybody := context.Background()

	ada, grace := alhambra.NewSeatSetup(), alhambra.NewSeatSetup()
	ada.SetName("Ada")
	ada.SetClaim(true)
	grace.SetName("Grace")
	grace.SetClaim(true)
	setup := alhambra.NewCreateGameRequest([]alhambra.SeatSetup{*ada, *grace})
	setup.SetModules(modules)
	created, _, err := games.CreateGame(anybody).CreateGameRequest(*setup).Execute()
	check(err)
	game := created.GetGame()

	view, moves := created.GetView(), 0
	first := as(created.GetSeatKeys()[view.Decision.GetSeat()])
	conquest := alhambra.NewApplyMoveRequest(*alhambra.NewMove("conquer"), 0)
	_, answer, err := games.ApplyMove(first, game).ApplyMoveRequest(*conquest).Execute()
	var refused *alhambra.GenericOpenAPIError
	if !errors.As(err, &refused) || answer.StatusCode == http.StatusOK {
		log.Fatalf("A conquest was not refused: %v", err)
	}
	problem := refused.Model().(alhambra.Problem)

	for view.GetStatus() == alhambra.GAMESTATUS_RUNNING {
		decision := view.GetDecision()
		player := as(created.GetSeatKeys()[decision.GetSeat()])
		page, _, err := games.ListLegalMoves(player, game).PageSize(20).Execute()
		check(err)
		// Another place in the list each time: the first move again and again never ends a game.
		legal := page.GetMoves()[moves%len(page.GetMoves())]
		body := alhambra.NewApplyMoveRequest(legal.GetMove(), view.GetVersion())
		made, _, err := games.ApplyMove(player, game).ApplyMoveRequest(*body).Execute()
		check(err)
		view = made.GetView()
		moves++
	}

	told, _, err := games.WatchEvents(anybody, game).FromVersion(0).Execute()
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"game": game, "moves": moves, "version": view.GetVersion(), "status": view.GetStatus(),
		"events": len(told.GetEvents()), "refused": problem.GetReason(),
	}))
}

// as returns a context in which calls carry the token of a seat.
func as(key alhambra.SeatKey) context.Context {
	return context.WithValue(context.Background(), alhambra.ContextAccessToken, key.GetToken())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
