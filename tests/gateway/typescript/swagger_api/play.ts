// A small client whose class and types `swagger-typescript-api` has generated from the OpenAPI document of the gateway.
//
//     node built/play.js http://127.0.0.1:8080 12
import { Api, type EventPage, type Problem, type View } from "./api.js";

const [address = "http://127.0.0.1:8080", wanted = "12"] = process.argv.slice(2);

// A client of one seat; with an empty token, of a spectator.
function as(token: string) {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  return new Api({ baseUrl: address, baseApiParams: { headers } }).v1;
}

const seats = [
  { name: "Ada", claim: true },
  { name: "Grace", claim: true },
];
const created = (await as("").createGame({ seats })).data;
const players = created.seatKeys.map((key) => as(key.token));
let view: View = created.view;
let moves = 0;
while (moves < Number(wanted) && view.decision !== undefined) {
  const player = players[view.decision.seat]!;
  const legal = (await player.listLegalMoves(created.game, { pageSize: 20 })).data;
  const made = await player.applyMove(created.game, { move: legal.moves[0]!.move, version: view.version });
  view = made.data.view!;
  moves += 1;
}
const page: EventPage = (await as("").watchEvents(created.game, { fromVersion: 0 }, { format: "json" })).data;
const refused: Problem = await players[0]!.applyMove(created.game, { move: { verb: "dance" }, version: 0 }).then(
  () => {
    throw new Error("There is no such verb.");
  },
  (answer) => answer.error,
);
const { game } = created;
console.log(JSON.stringify({ game, moves, version: view.version, events: page.events.length, refused: refused.reason }));
