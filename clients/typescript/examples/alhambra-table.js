/**
 * An element that shows a game live, for any page:
 *
 *     <script type="module" src="alhambra-table.js"></script>
 *     <alhambra-table game="k3vq7m2x9c4t8w1z6b5n" server="https://alhambra.example.net" language="de"></alhambra-table>
 *
 * It is a spectator and cannot play. The operator of the server must allow the origin of the page (CORS). Names and
 * other texts of players are only ever set as `textContent`, and pictures are shown by `<img>`, which runs no scripts.
 *
 * Events: `turn` when another seat is asked (`detail.seat`, `detail.name`), `over` when the game has ended.
 */

import { Client } from "alhambra-client";

/** @import { View } from "alhambra-client" */

const STYLE = `
:host { display: block; font: 1rem/1.4 system-ui, sans-serif; color: #222; }
p { margin: 0 0 0.5rem; }
ol { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.75rem; margin: 0; padding: 0; }
li { list-style: none; border: 2px solid #ccc; border-radius: 0.5rem; padding: 0.5rem; }
li[aria-current="true"] { border-color: #b5651d; }
header { display: flex; justify-content: space-between; gap: 1rem; font-weight: 600; }
img { display: block; width: 100%; height: 14rem; object-fit: contain; }
`;

class AlhambraTable extends HTMLElement {
    static observedAttributes = ["game", "server", "language"];
    #status = make("p");
    #seats = make("ol");
    #controller = new AbortController();
    /** The seat that was asked last. @type {number | undefined} */
    #asked;
    /** For each seat, what its picture shows. @type {string[]} */
    #drawn = [];

    constructor() {
        super();
        this.#status.role = "status";
        this.attachShadow({ mode: "open" }).append(make("style", STYLE), this.#status, this.#seats);
    }

    connectedCallback() {
        this.#restart();
    }

    disconnectedCallback() {
        this.#controller.abort();
        this.#clear();
    }

    attributeChangedCallback() {
        if (this.isConnected) this.#restart();
    }

    #restart() {
        this.#controller.abort();
        this.#controller = new AbortController();
        this.#clear();
        const { signal } = this.#controller;
        queueMicrotask(() => signal.aborted || this.#follow(signal).catch((error) => this.#fail(error, signal)));
    }

    /**
     * @param {Error} error
     * @param {AbortSignal} signal
     */
    #fail(error, signal) {
        if (!signal.aborted) this.#status.textContent = error.message;
    }

    #clear() {
        for (const picture of this.#seats.querySelectorAll("img")) URL.revokeObjectURL(picture.src);
        this.#seats.replaceChildren();
        this.#drawn = [];
        this.#asked = undefined;
    }

    /** @param {AbortSignal} signal */
    async #follow(signal) {
        const [id, server, language] = AlhambraTable.observedAttributes.map((name) => this.getAttribute(name) ?? "");
        if (!id) return;
        this.#status.textContent = "…";
        const game = new Client(server || "/", { language: language ?? "" }).game(id);
        for await (const message of game.watch({ signal })) {
            if (message.type !== "snapshot") continue;
            this.#show(message.view);
            for (const [place, seat] of message.view.seats.entries()) {
                const shown = JSON.stringify([seat.alhambra, seat.gates, seat.reserve, message.view.modules]);
                if (message.view.status === "waiting" || this.#drawn[place] === shown) continue;
                this.#drawn[place] = shown;
                this.#draw(place, await game.boardPicture({ seat: place, signal }));
            }
        }
    }

    /** @param {View} view */
    #show(view) {
        const asked = view.decision?.seat;
        this.#status.textContent = sentence(view);
        while (this.#seats.children.length < view.seats.length) this.#seats.append(card());
        for (const [place, seat] of view.seats.entries()) {
            const item = this.#seats.children[place];
            if (!(item instanceof HTMLElement)) continue;
            fill(item, ".name", seat.name);
            fill(item, ".score", String(seat.score));
            item.ariaCurrent = String(place === asked);
        }
        if (view.status === "over") this.dispatchEvent(new CustomEvent("over", { detail: { result: view.result } }));
        else if (asked !== undefined && asked !== this.#asked)
            this.dispatchEvent(new CustomEvent("turn", { detail: { seat: asked, name: view.seats[asked]?.name } }));
        this.#asked = asked;
    }

    /**
     * @param {number} place
     * @param {string} svg
     */
    #draw(place, svg) {
        const picture = this.#seats.children[place]?.querySelector("img");
        if (!picture) return;
        if (picture.src) URL.revokeObjectURL(picture.src);
        picture.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
        picture.alt = this.#seats.children[place]?.querySelector(".name")?.textContent ?? "";
    }
}

/** The line above the boards. @param {View} view */
function sentence({ status, decision, result, seats }) {
    if (decision) return `${seats[decision.seat]?.name}: ${decision.text}`;
    if (status !== "over") return seats.map(({ name }) => name).join(", ");
    const places = result?.ranking ?? [];
    return places.map(({ place, seat, score }) => `${place}. ${seats[seat]?.name ?? "Dirk"} (${score})`).join(", ");
}

/** The place of one seat, without its texts. */
function card() {
    const item = make("li");
    const head = make("header");
    const [name, score] = [make("span"), make("span")];
    name.className = "name";
    score.className = "score";
    head.append(name, score);
    item.append(head, make("img"));
    return item;
}

/**
 * @param {Element} item
 * @param {string} selector
 * @param {string} text
 */
function fill(item, selector, text) {
    const found = item.querySelector(selector);
    if (found) found.textContent = text;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [text]
 */
function make(tag, text = "") {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
}

customElements.define("alhambra-table", AlhambraTable);
