// A small client that plays: it creates a game, claims a seat by its invitation, makes moves until it has made enough of
// them, reads what happened, and shows that a refusal is understood. Everything that it sends and reads is typed by
// `alhambra.ts`, which is generated from the OpenAPI document of the gateway.
//
//     node built/play.js http://127.0.0.1:8080 12
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./alhambra.js";

type View = components["schemas"]["View"];
type LegalMove = components["schemas"]["LegalMove"];
type Move = components["schemas"]["Move"];
type Problem = components["schemas"]["Problem"];
// Answers and problems; what else an address can answer, a stream of events for example, is not read here.
type Json = "application/json" | "application/problem+json";

const [address = "http://127.0.0.1:8080", wanted = "12"] = process.argv.slice(2);
const anybody = createClient<paths, Json>({ baseUrl: address });

function playing(token: string) {
  const client = createClient<paths, Json>({ baseUrl: address });
  const bearer: Middleware = {
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${token}`);
      return request;
    },
  };
  client.use(bearer);
  return client;
}

type Client = ReturnType<typeof playing>;

// What a call answered; a problem is thrown with its stable reason.
function answered<T>(result: { data?: T; error?: Problem }): T {
  if (result.data === undefined) {
    throw new Error(`${result.error?.reason}: ${result.error?.detail}`);
  }
  return result.data;
}

// A whole range of bids is listed as one move without its amount.
function complete(legal: LegalMove): Move {
  return legal.amountMin === undefined ? legal.move : { ...legal.move, amount: legal.amountMin };
}

async function makeMove(client: Client, game: string, view: View): Promise<View> {
  const params = { path: { game } };
  const legal = answered(
    await client.GET("/v1/games/{game}/moves", { params: { ...params, query: { payments: "brief", pageSize: 20 } } }),
  );
  const chosen = legal.moves[0];
  if (chosen === undefined) {
    throw new Error("A seat that is asked has a legal move.");
  }
  const made = answered(
    await client.POST("/v1/games/{game}/moves", {
      params,
      body: { move: complete(chosen), version: view.version, requestId: crypto.randomUUID() },
    }),
  );
  if (made.view === undefined) {
    throw new Error("Only a dry run answers without a view.");
  }
  return made.view;
}

// What is not asked for is refused with a reason. Modules may add some, so that one must be ready for others.
async function refusedReason(client: Client, game: string): Promise<string> {
  const { error, response } = await client.POST("/v1/games/{game}/moves", {
    params: { path: { game } },
    body: { move: { verb: "dance" }, version: 0 },
  });
  if (error === undefined || response.ok) {
    throw new Error("Nobody dances here.");
  }
  switch (error.reason) {
    case "VERB_UNKNOWN":
    case "VERSION_STALE":
      return error.reason;
    default:
      throw new Error(`Unexpected: ${error.reason}`);
  }
}

const created = answered(
  await anybody.POST("/v1/games", {
    body: { seats: [{ name: "Ada", claim: true }, { name: "Grace" }], options: { undo: "none" } },
  }),
);
const { game, seatKeys } = created;
const [host, guest] = seatKeys;
if (host === undefined || guest === undefined) {
  throw new Error("There are two seats.");
}
const claimed = answered(
  await anybody.POST("/v1/games/{game}:claimSeat", {
    params: { path: { game } },
    body: { invitation: guest.invitation },
  }),
);
const seats = [playing(host.token), playing(claimed.token)];

let view = claimed.view;
let moves = 0;
while (moves < Number(wanted) && view.decision !== undefined) {
  const client = seats[view.decision.seat];
  if (client === undefined) {
    throw new Error("Only seats are asked.");
  }
  view = await makeMove(client, game, view);
  moves += 1;
}
const page = answered(
  await anybody.GET("/v1/games/{game}/events", {
    params: { path: { game }, query: { fromVersion: 0 } },
    headers: { Accept: "application/json" },
  }),
);
const placed = page.events.filter((event) => event.kind === "placed" && event.cell !== undefined);
const refused = await refusedReason(playing(host.token), game);
console.log(JSON.stringify({ game, moves, version: view.version, events: page.events.length, placed: placed.length, refused }));
