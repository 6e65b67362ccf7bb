/** Where the page begins: the language, and what the address asks for, the lobby, a table or a seat. */

import { Refused, server, Unreachable } from "./api.js";
import { fill, h, select } from "./dom.js";
import { LANGUAGES, memory } from "./memory.js";
import { LEARN, learn } from "./welcome.js";
import { loadWords, say } from "./words.js";

/** The status of a call whose invitation or token is not good. */
const UNAUTHENTICATED = 401;
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const tools = /** @type {HTMLElement} */ (document.getElementById("tools"));
/** The table that was opened last. @type {import("./table.js").PlayTable | null} */
let opened = null;

/** Shows what stands behind `#` in the address. A secret there is taken out of it at once. */
async function open() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const game = asked.get("game");
    const [invitation, token, entropy] = [asked.get("invitation"), asked.get("token"), asked.get("entropy")];
    if (!game) {
        if (asked.has(LEARN) && (await begin())) return;
        await import("./lobby.js");
        return fill(main, h("play-lobby"));
    }
    const [{ PlayTable }, { takeSeat }] = await Promise.all([import("./table.js"), import("./gathering.js")]);
    const show = async () => fill(main, ...(await guided(game, new PlayTable(game))));
    if (invitation || token) history.replaceState(null, "", `#game=${game}`);
    if (token) await takeToken(game, token, entropy);
    if (invitation) welcome(game, invitation, takeSeat, show);
    else await show();
}

/**
 * Begins the guided first game that a link asks for.
 *
 * @returns {Promise<boolean>} Whether it began; if not, the lobby says why.
 */
async function begin() {
    history.replaceState(null, "", "#");
    try {
        const { serverPlayers } = await server.editions();
        location.hash = `game=${await learn(serverPlayers)}`;
        return true;
    } catch (error) {
        if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        return false;
    }
}

/**
 * The table, with the guide above it if the reader is still learning.
 *
 * @param {string} game
 * @param {import("./table.js").PlayTable} table
 * @returns {Promise<HTMLElement[]>}
 */
async function guided(game, table) {
    opened = table;
    if (!memory.game(game).lessons) return [table];
    const { PlayCoach } = await import("./coach.js");
    return memory.game(game).lessons ? [new PlayCoach(table.session), table] : [table];
}

/** Opens the rules, at the place that matters if a table is open. */
async function showRules() {
    const { openRules } = await import("./rules-sheet.js");
    const session = opened?.isConnected ? opened.session : undefined;
    void openRules(session?.setup?.modules ?? [], "", session?.view?.decision?.kind);
}

/**
 * Remembers a seat that another device of the same person has opened.
 *
 * @param {string} game
 * @param {string} token
 * @param {string | null} entropy What the seat contributes to the shuffle, if it has not been revealed.
 */
async function takeToken(game, token, entropy) {
    try {
        const { view } = await server.send("getGame", { game }, { token });
        const seat = view.viewer ?? 0; // a token belongs to a seat
        const name = view.seats[seat]?.name ?? "";
        memory.remember(game, (known) => {
            known.seats[seat] = { ...known.seats[seat], token, name, ...(entropy ? { entropy } : {}) };
        });
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        fill(main, h("p", { class: "refused", role: "alert" }, error.lines.join(" ")));
    }
}

/**
 * Asks an invited person for a name.
 *
 * @param {string} game
 * @param {string} invitation
 * @param {(game: string, invitation: string, name: string) => Promise<void>} takeSeat
 * @param {() => Promise<void>} show
 */
function welcome(game, invitation, takeSeat, show) {
    const name = /** @type {HTMLInputElement} */ (
        h("input", { value: memory.wishes.name, maxlength: 40, "data-key": "name", autocomplete: "nickname" })
    );
    const refused = h("div", { class: "refused", role: "alert", hidden: true });
    const join = async (/** @type {Event} */ event) => {
        event.preventDefault();
        if (name.value.trim()) memory.wish({ name: name.value.trim() });
        try {
            await takeSeat(game, invitation, name.value.trim());
            await show();
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            refused.hidden = false;
            const used = error.status === UNAUTHENTICATED;
            refused.textContent = used ? say("invited.used") : error.lines.join(" ");
            form.classList.toggle("taken", used);
        }
    };
    const form = h(
        "form",
        { class: "panel", onsubmit: join },
        h("h1", {}, say("invited")),
        h("p", {}, say("invited.text")),
        h("label", {}, h("span", {}, say("name")), name),
        refused,
        h("button", { type: "submit", class: "primary" }, say("join")),
        h("button", { type: "button", class: "plain", "data-key": "watch", onclick: () => void show() }, say("links.watch")),
    );
    fill(main, form);
}

/** The choice of the language. */
function showTools() {
    const choose = select(
        Object.entries(LANGUAGES),
        {
            "aria-label": say("language"),
            "data-key": "language",
            onchange: async () => {
                memory.wish({ language: choose.value });
                server.language = memory.language;
                await loadWords();
                showTools();
                await open();
            },
        },
        memory.language,
    );
    fill(
        tools,
        h("button", { type: "button", class: "plain", "data-key": "rules", onclick: () => void showRules() }, say("rules")),
        choose,
    );
}

await loadWords();
showTools();
await open();
addEventListener("hashchange", () => void open());

/** How long after the first look the files are kept for a time without a network, in milliseconds. */
const KEEP_AFTER = 4000;
if ("serviceWorker" in navigator && isSecureContext)
    setTimeout(() => navigator.serviceWorker.register("/play/worker.js", { scope: "/play" }).catch(() => null), KEEP_AFTER);
