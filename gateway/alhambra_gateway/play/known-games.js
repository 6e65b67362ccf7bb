/** The games that this browser remembers, each with where it stands. */

import { server } from "./api.js";
import { fill, h } from "./dom.js";
import { dropGame } from "./kept-games.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

const SHOWN_GAMES = 12;

/**
 * @param {Element} place Where they are shown; hidden if there are none.
 */
export async function showKnownGames(place) {
    const known = Object.entries(memory.games)
        .sort(([, one], [, other]) => other.opened - one.opened)
        .slice(0, SHOWN_GAMES);
    place.toggleAttribute("hidden", !known.length);
    const rows = await Promise.all(
        known.map(async ([game, { names, seats }]) => {
            const [token] = Object.values(seats).map((seat) => seat.token);
            const view = await server.send("getGame", { game }, { token }).then(
                ({ view }) => view,
                () => null,
            );
            const asked = view?.decision && String(view.decision.seat) in seats;
            const state = !view ? "known.gone" : asked ? "your.turn" : `known.${view.status}`;
            const forget = () => {
                memory.forgetGame(game);
                void dropGame(game);
                void showKnownGames(place);
            };
            return h(
                "li",
                { class: asked ? "turn" : "" },
                h("a", { href: `#game=${game}` }, names || game),
                h("span", { class: "note" }, say(state)),
                h(
                    "button",
                    {
                        type: "button",
                        class: "plain",
                        "data-key": `forget ${game}`,
                        "aria-label": say("known.forget", { names: names || game }),
                        onclick: forget,
                    },
                    "×",
                ),
            );
        }),
    );
    fill(place, h("h2", {}, say("known")), h("ul", {}, rows));
}
