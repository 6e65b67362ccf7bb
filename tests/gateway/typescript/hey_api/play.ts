// A small client whose functions and types `@hey-api/openapi-ts` has generated from the OpenAPI document of the gateway.
//
//     node built/play.js http://127.0.0.1:8080 12
import { createClient } from "./client/client/index.js";
import { applyMove, createGame, listLegalMoves, watchEvents } from "./client/sdk.gen.js";
import type { View } from "./client/types.gen.js";

const [address = "http://127.0.0.1:8080", wanted = "12"] = process.argv.slice(2);

// A client of one seat; with an empty token, of a spectator.
function as(token: string) {
  return createClient({ baseUrl: address, auth: () => token || undefined });
}

const created = await createGame({
  client: as(""),
  body: { seats: [{ name: "Ada", claim: true }, { name: "Grace", claim: true }] },
  throwOnError: true,
});
const { game, seatKeys } = created.data;
const players = seatKeys.map((key) => as(key.token));
let view: View = created.data.view;
let moves = 0;
while (moves < Number(wanted) && view.decision !== undefined) {
  const client = players[view.decision.seat]!;
  const path = { game };
  const legal = await listLegalMoves({ client, path, query: { pageSize: 20 }, throwOnError: true });
  const body = { move: legal.data.moves[0]!.move, version: view.version };
  const made = await applyMove({ client, path, body, throwOnError: true });
  view = made.data.view!;
  moves += 1;
}
const page = await watchEvents({
  client: as(""),
  path: { game },
  query: { fromVersion: 0 },
  headers: { Accept: "application/json" },
});
const events: unknown[] = "data" in page && page.data && typeof page.data === "object" ? page.data.events : [];
const refused = await applyMove({ client: players[0]!, path: { game }, body: { move: { verb: "dance" }, version: 0 } });
console.log(JSON.stringify({ game, moves, version: view.version, events: events.length, refused: refused.error?.reason }));
