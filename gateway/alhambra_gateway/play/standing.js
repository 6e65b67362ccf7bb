/**
 * How the game stands: for everybody the buildings of each type, the longest wall, the points, and what the next scoring
 * would give now. The server counts, together with the view; while the moves of others are shown, the tiles are counted by
 * what is printed on them.
 */

import { playerClock } from "./clock.js";
import { fill, h } from "./dom.js";
import { dot } from "./log.js";
import { image } from "./pictures.js";
import { LAST_SCORING, nextScoring } from "./preview.js";
import { scorers } from "./scoring.js";
import { wholeBoard } from "./sheets.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./preview.js").Worth} Worth
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./session.js").Session} Session
 */

export class Standing {
    #session;
    #names;
    #place;
    /** @type {Worth[]} */
    #worth = [];

    /**
     * @param {Session} session
     * @param {Names} names
     * @param {HTMLElement} place
     */
    constructor(session, names, place) {
        this.#session = session;
        this.#names = names;
        this.#place = place;
    }

    /** @param {View} view */
    draw(view) {
        this.#worth = this.#session.worth(view) ?? [];
        this.#show(view);
    }

    /** @param {View} view */
    #show(view) {
        const names = this.#names;
        const types = names.components.filter(({ kind }) => kind === "type").map(({ id }) => id);
        const all = scorers(view);
        const counted = all.map(({ seat }) => this.#types(view, seat));
        const most = new Map(types.map((type) => [type, Math.max(...counted.map((one) => one.get(type) ?? 0))]));
        const running = view.status === "running";
        const rows = all.map(({ seat, name, colour, score }) => {
            const turn = view.decision?.seat === seat;
            const worth = this.#worth[seat];
            const cards = view.seats[seat]?.handCount;
            return h(
                "tr",
                { class: turn ? "turn" : "" },
                h("th", { scope: "row" }, this.#who(view, seat, name, colour, turn, cards)),
                types.map((type) => {
                    const count = counted[seat]?.get(type) ?? 0;
                    return h("td", { class: count && count === most.get(type) ? "lead" : "" }, count || "·");
                }),
                h("td", {}, worth?.longestWall ?? "·"),
                running ? h("td", { class: "coming" }, worth ? `+${worth.points}` : "·") : null,
                h("td", { class: "sum" }, h("strong", {}, score)),
            );
        });
        fill(
            this.#place,
            h(
                "div",
                { class: "wide" },
                h(
                    "table",
                    { class: "standing" },
                    h("caption", {}, caption(view)),
                    h(
                        "thead",
                        {},
                        h(
                            "tr",
                            {},
                            h("td", {}),
                            types.map((type) =>
                                h(
                                    "th",
                                    { scope: "col", title: names.of(type) },
                                    image(names.component(type, "type")),
                                    h("span", { class: "unseen" }, names.of(type)),
                                ),
                            ),
                            h("th", { scope: "col", title: say("wall.long") }, say("wall.short")),
                            running ? h("th", { scope: "col", title: say("next.text") }, say("next.short")) : null,
                            h("th", { scope: "col", title: say("scores") }, "★", h("span", { class: "unseen" }, say("scores"))),
                        ),
                    ),
                    h("tbody", {}, rows),
                ),
            ),
        );
    }

    /**
     * @param {View} view
     * @param {number} seat
     * @param {string} name
     * @param {string} colour
     * @param {boolean} turn
     * @param {number | undefined} cards
     */
    #who(view, seat, name, colour, turn, cards) {
        if (!view.seats[seat]) return h("span", { class: "who" }, name);
        const clock = playerClock(view, seat, this.#session.setup);
        return h(
            "button",
            {
                type: "button",
                class: "who plain",
                "data-key": `score ${seat}`,
                onclick: () => wholeBoard(this.#session, seat),
                title: say("whole", { name }),
            },
            dot(colour),
            h("span", {}, name, turn ? h("span", { class: "unseen" }, ` (${say("asked")})`) : null, clock),
            h(
                "span",
                { class: "cards-held" },
                h("span", { class: "unseen" }, `, ${say("hand")}: `),
                h("span", { "aria-hidden": "true" }, " 🂠"),
                cards ?? "",
            ),
        );
    }

    /**
     * @param {View} view
     * @param {number} seat
     * @returns {Map<string, number>}
     */
    #types(view, seat) {
        const counts = this.#worth[seat]?.typeCounts;
        if (counts) return new Map(counts.map(({ type, count }) => [String(type), count]));
        /** @type {Map<string, number>} */
        const found = new Map();
        const tiles = view.seats[seat]?.alhambra ?? (view.table?.dirk?.tiles ?? []).map((tile) => ({ tile, type: undefined }));
        for (const { tile, type } of tiles) {
            const counts = type ?? this.#names.component(tile, "tile")?.type;
            if (counts) found.set(counts, (found.get(counts) ?? 0) + 1);
        }
        return found;
    }
}

/** @param {View} view */
function caption(view) {
    if (view.status !== "running") return say("scores");
    const due = view.table?.scoringsDue ?? [];
    const next = { number: nextScoring(view), of: LAST_SCORING };
    return say(due.length ? "next.due" : "next.scoring", next);
}
