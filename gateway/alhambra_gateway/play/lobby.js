/** The lobby: play now, learn, join a friend; the games that this browser remembers; a new game with everything chosen. */

import { line, Refused, server, Unreachable } from "./api.js";
import { createGame } from "./create-game.js";
import { fill, h, select } from "./dom.js";
import { showKnownGames } from "./known-games.js";
import { memory } from "./memory.js";
import { ModulePicker } from "./module-picker.js";
import { OpenGames } from "./open-games.js";
import { TimeControl } from "./time-control.js";
import { welcomeDoors } from "./welcome.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Editions} Editions
 * @typedef {{kind: string, name: string}} Seat `kind`: "me", "friend", or a word for a server player.
 */

const FEWEST = 2;
const MOST = 6;
const ME = "me";
const FRIEND = "friend";
/** Moves that spectators are behind in a game that they see later. */
const SPECTATOR_DELAY = 10;

export class PlayLobby extends HTMLElement {
    /** @type {Editions | null} */
    #editions = null;
    #picker = new ModulePicker(this, () => this.#render());
    /** @type {Seat[]} */
    #seats = [];
    /** @type {Record<string, unknown>} */
    #options = {};
    #edition = "";
    #time = new TimeControl(() => this.#render());
    #noHints = false;
    #visibility = "public";
    #key = "";
    /** Whether anyone may join: strangers see the game in the list of open games. */
    #open = false;
    #openGames = new OpenGames();
    /** @type {string[]} */
    #refused = [];
    #busy = false;

    connectedCallback() {
        document.title = "Alhambra";
        void this.#load();
    }

    /** Reads what can be chosen, in the language of the reader. */
    async #load() {
        try {
            const [editions, modules] = await Promise.all([server.editions(), server.modules()]);
            this.#editions = editions;
            this.#picker.offer(modules, editions.presets);
            this.#openGames.modules = modules;
        } catch (error) {
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
            return this.#closed(error instanceof Refused ? error.lines.join(" ") : say("offline.lobby"));
        }
        if (!line.online) return this.#closed(say("offline.lobby"));
        if (!this.#seats.length)
            this.#seats = [
                { kind: ME, name: memory.wishes.name },
                { kind: usual(this.#editions?.serverPlayers ?? []), name: "" },
            ];
        this.#render();
        const games = this.querySelector(".known");
        if (games) void showKnownGames(games);
    }

    /**
     * Says why nothing can be begun, until there is a network.
     *
     * @param {string} why
     */
    #closed(why) {
        addEventListener("online", () => this.isConnected && void this.#load(), { once: true });
        fill(this, h("p", { class: "refused", role: "alert" }, why));
    }

    #render() {
        if (!this.#editions) return;
        const form = h(
            "form",
            {
                class: "panel new-game",
                onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void this.#create()),
            },
            h("h2", {}, say("new")),
            this.#seatRows(),
            this.#picker.render(),
            this.#more(),
            this.#refused.length
                ? h(
                      "div",
                      { class: "refused", role: "alert" },
                      this.#refused.map((text) => h("p", {}, text)),
                  )
                : null,
            h(
                "button",
                { type: "submit", class: "primary", disabled: this.#busy, "data-key": "create" },
                say("create"),
            ),
        );
        fill(
            this,
            h(
                "div",
                { class: "lobby" },
                welcomeDoors(this.#editions.serverPlayers, this.#key),
                h("div", { class: "games" }, this.#listed()),
                form,
            ),
        );
    }

    /** The games that can be gone on with, and those that can be joined. */
    #listed() {
        this.#openGames.className = "panel open-games";
        return [this.querySelector(".known") ?? h("section", { class: "known panel", hidden: true }), this.#openGames];
    }

    // -- Seats ---------------------------------------------------------------------------------------------------------

    #seatRows() {
        const words = this.#editions?.serverPlayers ?? [];
        /** @type {[string, string][]} */
        const kinds = [
            [ME, say("seat.me")],
            [FRIEND, say("seat.friend")],
            ...words.map(({ key, name }) => /** @type {[string, string]} */ ([key, say("seat.server", { name })])),
        ];
        const rows = this.#seats.map((seat, place) => {
            const number = say("seat", { number: place + 1 });
            const about = words.find(({ key }) => key === seat.kind)?.text;
            const kind = select(
                kinds,
                {
                    "aria-label": number,
                    "data-key": `kind ${place}`,
                    title: about,
                    onchange: () => {
                        seat.kind = kind.value;
                        this.#render();
                    },
                },
                seat.kind,
            );
            const name = /** @type {HTMLInputElement} */ (
                h("input", {
                    value: seat.name,
                    maxlength: 40,
                    placeholder: say("name"),
                    "aria-label": `${number}: ${say("name")}`,
                    "data-key": `name ${place}`,
                    autocomplete: "off",
                    oninput: () => (seat.name = name.value),
                })
            );
            const remove = () => {
                this.#seats.splice(place, 1);
                this.#render();
            };
            return h(
                "li",
                {},
                kind,
                name,
                this.#seats.length > FEWEST
                    ? h(
                          "button",
                          {
                              type: "button",
                              class: "plain",
                              "data-key": `remove ${place}`,
                              "aria-label": say("seat.remove", { number: place + 1 }),
                              onclick: remove,
                          },
                          "×",
                      )
                    : null,
            );
        });
        const add = () => {
            this.#seats.push({ kind: usual(words), name: "" });
            this.#render();
        };
        return h(
            "fieldset",
            {},
            h("legend", {}, say("seats")),
            h("ol", { class: "seats" }, rows),
            this.#seats.some(({ kind }) => kind === FRIEND) ? this.#openTo() : null,
            this.#seats.length < MOST
                ? h("button", { type: "button", class: "plain", "data-key": "another", onclick: add }, say("seat.add"))
                : null,
        );
    }

    /** Whether strangers may take the seats of friends. */
    #openTo() {
        return this.#box("open to anyone", say("open.mark"), this.#open, (on) => (this.#open = on));
    }

    /**
     * Something that holds or not.
     *
     * @param {string} key
     * @param {string} text
     * @param {boolean} checked
     * @param {(on: boolean) => void} take
     */
    #box(key, text, checked, take) {
        const box = /** @type {HTMLInputElement} */ (
            h("input", { type: "checkbox", checked, "data-key": key, onchange: () => take(box.checked) })
        );
        return h("label", { class: "open-to" }, box, h("span", {}, text));
    }

    // -- More ----------------------------------------------------------------------------------------------------------

    #more() {
        const editions = this.#editions;
        if (!editions) return null;
        const edition = select(
            editions.editions.map(({ key, name }) => [key, name]),
            {
                "data-key": "edition",
                onchange: () => {
                    this.#edition = edition.value;
                    this.#options = {};
                    this.#render();
                },
            },
            this.#edition,
        );
        const base = editions.editions.find(({ key }) => key === this.#edition) ?? editions.editions[0];
        const watch = select(
            [
                ["public", say("watch.all")],
                ["spectators_delayed", say("watch.delayed", { count: SPECTATOR_DELAY })],
                ["seats", say("watch.seats")],
            ],
            { "data-key": "watch", onchange: () => (this.#visibility = watch.value) },
            this.#visibility,
        );
        const options = editions.options.map((option) => {
            const value = JSON.stringify(this.#options[option.key] ?? base?.options[option.key]);
            const choose = select(
                option.values.map((one) => [JSON.stringify(one.value), one.name]),
                {
                    "data-key": `option ${option.key}`,
                    onchange: () => (this.#options[option.key] = JSON.parse(choose.value)),
                },
                value,
            );
            return h("label", { title: option.text }, h("span", {}, option.name), choose);
        });
        const key = /** @type {HTMLInputElement} */ (
            h("input", {
                type: "password",
                value: this.#key,
                "data-key": "key",
                autocomplete: "off",
                oninput: () => (this.#key = this.#openGames.key = key.value),
            })
        );
        const open = this.querySelector("details.more")?.hasAttribute("open");
        return h(
            "details",
            { class: "more", open },
            h("summary", {}, say("more.options")),
            this.#time.render(),
            h("label", {}, h("span", {}, say("watch")), watch),
            this.#box("no hints", say("hints.none"), this.#noHints, (on) => (this.#noHints = on)),
            h("label", {}, h("span", {}, say("edition")), edition),
            base ? h("p", { class: "note" }, base.text) : null,
            options,
            h("label", {}, h("span", {}, say("key")), key),
        );
    }

    // -- Creating ------------------------------------------------------------------------------------------------------

    async #create() {
        this.#busy = true;
        this.#refused = [];
        this.#render();
        const words = (this.#editions?.serverPlayers ?? []).map(({ key }) => key);
        const seats = this.#seats.map(({ kind, name }) => ({
            ...(name.trim() ? { name: name.trim() } : {}),
            ...(kind === ME ? { claim: true } : {}),
            ...(words.includes(kind) ? { serverPlayer: kind } : {}),
        }));
        const wanted = {
            seats,
            ...this.#picker.chosen,
            edition: this.#edition,
            options: this.#options,
            ...this.#time.chosen,
            noHints: this.#noHints,
            visibility: this.#visibility,
            ...(this.#open && seats.some(isFriend) ? { open: true, language: memory.language } : {}),
            ...(this.#visibility === "spectators_delayed" ? { spectatorDelay: SPECTATOR_DELAY } : {}),
        };
        const mine = this.#seats.find(({ kind, name }) => kind === ME && name.trim());
        if (mine) memory.wish({ name: mine.name.trim() });
        try {
            location.hash = `game=${await createGame(wanted, this.#key)}`;
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            this.#refused = error.lines;
            this.#busy = false;
            this.#render();
        }
    }
}

customElements.define("play-lobby", PlayLobby);

/**
 * The opponent that is proposed: the second of the server's players, which are listed from the weakest on and may think
 * for longer the stronger they are; a friend if the server plays no seats.
 *
 * @param {{key: string}[]} players
 * @returns {string}
 */
function usual(players) {
    return (players[1] ?? players[0])?.key ?? FRIEND;
}

/**
 * @param {{claim?: boolean, serverPlayer?: string}} seat As it is sent.
 * @returns {boolean} Whether it waits for a person.
 */
function isFriend({ claim, serverPlayer }) {
    return !claim && !serverPlayer;
}
