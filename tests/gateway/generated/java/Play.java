import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.model.ApplyMoveRequest;
import org.openapitools.client.model.ApplyMoveResponse;
import org.openapitools.client.model.CreateGameRequest;
import org.openapitools.client.model.EventPage;
import org.openapitools.client.model.GameStatus;
import org.openapitools.client.model.LegalMove;
import org.openapitools.client.model.Move;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.SeatKey;
import org.openapitools.client.model.SeatSetup;
import org.openapitools.client.model.View;

/**
 * Plays a whole game with the classes that openapi-generator has generated.
 *
 * <pre>java Play http://127.0.0.1:8080 thieves squares</pre>
 */
public final class Play {
  private static String address;

  private Play() {}

  public static void main(String[] words) throws Exception {
    address = words[0];
    var modules = List.of(words).subList(1, words.length);
    var seats = List.of(new SeatSetup().name("Ada").claim(true), new SeatSetup().name("Grace").claim(true));
    var setup = new CreateGameRequest().seats(seats).modules(modules);
    var anybody = as(null);
    var created =
        anybody.createGame(GamesApi.APICreateGameRequest.newBuilder().createGameRequest(setup).build());
    var game = created.getGame();
    var players = created.getSeatKeys().stream().map(Play::as).toList();

    View view = created.getView();
    var refused = refusal(players.get(view.getDecision().getSeat()), game);
    int moves = 0;
    while (view.getStatus() == GameStatus.RUNNING) {
      var player = players.get(view.getDecision().getSeat());
      var asked = GamesApi.APIListLegalMovesRequest.newBuilder().game(game).pageSize(20).build();
      List<LegalMove> legal = player.listLegalMoves(asked).getMoves();
      // Another place in the list each time: the first move again and again never ends a game.
      view = apply(player, game, legal.get(moves % legal.size()).getMove(), view.getVersion()).getView();
      moves++;
    }

    EventPage told =
        anybody.watchEvents(GamesApi.APIWatchEventsRequest.newBuilder().game(game).fromVersion(0).build());
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("game", game);
    said.put("moves", moves);
    said.put("version", view.getVersion());
    said.put("status", view.getStatus());
    said.put("events", told.getEvents().size());
    said.put("refused", refused.getReason());
    System.out.println(new ApiClient().getObjectMapper().writeValueAsString(said));
  }

  /** Returns the calls of a seat, or of a spectator if there is no key. */
  private static GamesApi as(SeatKey key) {
    var client = new ApiClient();
    client.updateBaseUri(address);
    if (key != null) {
      client.setRequestInterceptor(request -> request.setHeader("Authorization", "Bearer " + key.getToken()));
    }
    return new GamesApi(client);
  }

  private static ApplyMoveResponse apply(
      GamesApi player, String game, Move move, int version) throws ApiException {
    var body = new ApplyMoveRequest().move(move).version(version);
    return player.applyMove(
        GamesApi.APIApplyMoveRequest.newBuilder().game(game).applyMoveRequest(body).build());
  }

  /** Returns how the server refuses a verb that no rule has. */
  private static Problem refusal(GamesApi player, String game) throws Exception {
    try {
      apply(player, game, new Move().verb("conquer"), 0);
    } catch (ApiException refused) {
      return new ApiClient().getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
    }
    throw new AssertionError("a conquest was not refused");
  }
}
