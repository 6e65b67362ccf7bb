/** The lobby: the games that this browser remembers, and a new one. */

import { entropy, get, post, Refused, Unreachable } from "./api.js";
import { fill, h, select } from "./dom.js";
import { memory } from "./memory.js";
import { figure, image } from "./pictures.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Module} Module
 * @typedef {import("./types.js").Editions} Editions
 * @typedef {import("./types.js").Component} Component
 * @typedef {{kind: string, name: string}} Seat `kind`: "me", "friend", or a word for a server player.
 */

const FEWEST = 2;
const MOST = 6;
const ME = "me";
const FRIEND = "friend";
const TIMES = [0, 60, 120, 300, 600, 3600, 86400];
const SHOWN_GAMES = 12;

export class PlayLobby extends HTMLElement {
    /** @type {Editions | null} */
    #editions = null;
    /** @type {Module[]} */
    #modules = [];
    /** @type {Seat[]} */
    #seats = [];
    /** @type {Set<string>} */
    #chosen = new Set();
    /** @type {Set<string>} */
    #variants = new Set();
    /** @type {Record<string, unknown>} */
    #options = {};
    #edition = "";
    #preset = "";
    #seconds = 0;
    #key = "";
    #search = "";
    /** @type {string[]} */
    #refused = [];
    #busy = false;
    /** By module: a component that can stand for it. @type {Map<string, Component>} */
    #faces = new Map();

    connectedCallback() {
        document.title = "Alhambra";
        void this.#load();
    }

    /** Reads what can be chosen, in the language of the reader. */
    async #load() {
        try {
            const [editions, { modules }] = await Promise.all([
                get("/v1/catalog/editions"),
                get("/v1/catalog/modules"),
            ]);
            this.#editions = editions;
            this.#modules = modules;
        } catch (error) {
            if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
            return fill(
                this,
                h(
                    "p",
                    { class: "refused", role: "alert" },
                    error instanceof Refused ? error.lines.join(" ") : say("lost"),
                ),
            );
        }
        const server = this.#editions?.serverPlayers ?? [];
        if (!this.#seats.length)
            this.#seats = [
                { kind: ME, name: memory.wishes.name },
                { kind: server.at(-1)?.key ?? FRIEND, name: "" },
            ];
        this.#render();
        void this.#readGames();
    }

    #render() {
        if (!this.#editions) return;
        const form = h(
            "form",
            {
                class: "panel new-game",
                onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void this.#create()),
            },
            h("h1", {}, say("new")),
            this.#seatRows(),
            this.#presets(),
            this.#moduleList(),
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
                form,
                this.querySelector(".known") ?? h("section", { class: "known panel", hidden: true }),
            ),
        );
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
            this.#seats.push({ kind: words.at(-1)?.key ?? FRIEND, name: "" });
            this.#render();
        };
        return h(
            "fieldset",
            {},
            h("legend", {}, say("seats")),
            h("ol", { class: "seats" }, rows),
            this.#seats.length < MOST
                ? h("button", { type: "button", class: "plain", "data-key": "add", onclick: add }, say("seat.add"))
                : null,
        );
    }

    // -- Modules -------------------------------------------------------------------------------------------------------

    #presets() {
        const presets = this.#editions?.presets ?? [];
        /** @type {[string, string][]} */
        const entries = [
            ["", say("preset.none")],
            ...presets.map(
                ({ key, name, modules }) => /** @type {[string, string]} */ ([key, `${name} (${modules.length})`]),
            ),
        ];
        const chosen = presets.find(({ key }) => key === this.#preset);
        const choose = select(
            entries,
            {
                id: "preset",
                "data-key": "preset",
                onchange: () => {
                    this.#preset = choose.value;
                    this.#chosen = new Set(presets.find(({ key }) => key === choose.value)?.modules ?? []);
                    this.#variants.clear();
                    this.#render();
                },
            },
            this.#preset,
        );
        return h(
            "fieldset",
            {},
            h("legend", {}, say("modules")),
            h("label", { for: "preset" }, say("preset")),
            choose,
            chosen ? h("p", { class: "note" }, chosen.text) : null,
        );
    }

    #moduleList() {
        const wanted = this.#search.toLowerCase();
        const fits = (/** @type {Module} */ one) => `${one.name} ${one.text}`.toLowerCase().includes(wanted);
        const rows = this.#modules.filter(fits).map((one) => this.#moduleRow(one));
        const search = /** @type {HTMLInputElement} */ (
            h("input", {
                type: "search",
                value: this.#search,
                "aria-label": say("search"),
                placeholder: say("search"),
                "data-key": "search",
                oninput: () => {
                    this.#search = search.value;
                    this.#render();
                },
            })
        );
        const open = this.querySelector("details.module-list")?.hasAttribute("open");
        const made = h(
            "details",
            { class: "module-list", open, ontoggle: () => this.#loadFaces() },
            h("summary", {}, say("modules.choose", { count: this.#chosen.size, all: this.#modules.length })),
            search,
            h("ul", {}, rows),
        );
        return made;
    }

    /** @param {Module} one */
    #moduleRow(one) {
        const box = /** @type {HTMLInputElement} */ (
            h("input", {
                type: "checkbox",
                checked: this.#chosen.has(one.key),
                "data-key": `module ${one.key}`,
                onchange: () => {
                    if (box.checked) this.#chosen.add(one.key);
                    else this.#chosen.delete(one.key);
                    this.#preset = "";
                    this.#render();
                },
            })
        );
        const outline = one.pieces.find((piece) => piece.outline)?.outline;
        const face = this.#faces.get(one.key);
        const variants = this.#chosen.has(one.key)
            ? one.variants.map((variant) => {
                  const tick = /** @type {HTMLInputElement} */ (
                      h("input", {
                          type: "checkbox",
                          checked: this.#variants.has(variant.key),
                          "data-key": `variant ${variant.key}`,
                          onchange: () => {
                              if (tick.checked) this.#variants.add(variant.key);
                              else this.#variants.delete(variant.key);
                          },
                      })
                  );
                  return h(
                      "label",
                      { class: "variant" },
                      tick,
                      h("span", {}, h("strong", {}, variant.name), " ", variant.text),
                  );
              })
            : [];
        return h(
            "li",
            {},
            h(
                "label",
                {},
                box,
                h("span", { class: "face" }, outline ? figure(outline) : face ? image(face) : null),
                h("span", {}, h("strong", {}, one.name), h("span", { class: "note" }, one.text)),
            ),
            h(
                "details",
                { class: "rule" },
                h("summary", {}, say("rule")),
                h("p", {}, one.rule),
                one.example ? h("p", { class: "note" }, one.example) : null,
            ),
            variants,
        );
    }

    /** Pictures for modules without figures, once the list is opened. */
    async #loadFaces() {
        if (this.#faces.size) return;
        const page = await get("/v1/catalog/components", { query: { pageSize: 1000 } }).catch(() => ({
            components: [],
        }));
        for (const one of page.components)
            if (one.module && !this.#faces.has(one.module)) this.#faces.set(one.module, one);
        this.#render();
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
        const time = select(
            TIMES.map((seconds) => [String(seconds), seconds ? duration(seconds) : say("time.none")]),
            { "data-key": "time", onchange: () => (this.#seconds = Number(time.value)) },
            String(this.#seconds),
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
                oninput: () => (this.#key = key.value),
            })
        );
        const open = this.querySelector("details.more")?.hasAttribute("open");
        return h(
            "details",
            { class: "more", open },
            h("summary", {}, say("more.options")),
            h("label", {}, h("span", {}, say("time")), time),
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
            ...(kind === ME ? { claim: true, entropy: entropy() } : {}),
            ...(words.includes(kind) ? { serverPlayer: kind } : {}),
        }));
        const set = this.#preset ? { preset: this.#preset } : { modules: [...this.#chosen] };
        const variants = [...this.#variants];
        const body = {
            seats,
            ...set,
            variants,
            edition: this.#edition,
            options: this.#options,
            turnSeconds: this.#seconds,
        };
        const mine = this.#seats.find(({ kind, name }) => kind === ME && name.trim());
        if (mine) memory.wish({ name: mine.name.trim() });
        try {
            const created = await post("/v1/games", body, { token: this.#key });
            memory.remember(created.game, (known) => {
                for (const { seat, token, invitation } of created.seatKeys) {
                    const { name } = created.view.seats[seat];
                    if (token) known.seats[seat] = { token, name };
                    else known.invitations[seat] = invitation;
                }
                known.opened = Date.now();
                known.names = created.view.seats.map((/** @type {any} */ one) => one.name).join(", ");
            });
            location.hash = `game=${created.game}`;
        } catch (error) {
            if (!(error instanceof Refused)) throw error;
            this.#refused = error.lines;
            this.#busy = false;
            this.#render();
        }
    }

    // -- Games that are remembered -------------------------------------------------------------------------------------

    async #readGames() {
        const known = Object.entries(memory.games)
            .sort(([, one], [, other]) => other.opened - one.opened)
            .slice(0, SHOWN_GAMES);
        const place = this.querySelector(".known");
        if (!place) return;
        place.toggleAttribute("hidden", !known.length);
        const rows = await Promise.all(
            known.map(async ([game, { names, seats }]) => {
                const view = await get(`/v1/games/${game}`).then(
                    ({ view }) => view,
                    () => null,
                );
                const asked = view?.decision && String(view.decision.seat) in seats;
                const state = !view ? "known.gone" : asked ? "your.turn" : `known.${view.status}`;
                const forget = () => {
                    memory.forgetGame(game);
                    void this.#readGames();
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
}

customElements.define("play-lobby", PlayLobby);

/**
 * @param {number} seconds
 * @returns {string}
 */
function duration(seconds) {
    const [unit, size] = seconds >= 86400 ? ["day", 86400] : seconds >= 3600 ? ["hour", 3600] : ["minute", 60];
    return new Intl.NumberFormat(memory.language, {
        style: "unit",
        unit: /** @type {string} */ (unit),
        unitDisplay: "long",
    }).format(seconds / Number(size));
}
