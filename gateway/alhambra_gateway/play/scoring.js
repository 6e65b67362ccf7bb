/**
 * Scorings: what each gave to whom and why, from the events of the game. A scoring is a sheet of its own that builds up
 * line by line; it can be opened again at any time.
 */

import { dialogue, h } from "./dom.js";
import { dot } from "./log.js";
import { memory } from "./memory.js";
import { image } from "./pictures.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./session.js").Session} Session
 *
 * @typedef {object} Scoring
 * @property {number} number
 * @property {GameEvent[]} lines Points of one seat for one reason, in the order in which they were told.
 * @property {number[] | null} scores What everybody has after it; null while it is not over.
 */

/** How long the sheet waits before the next line, in milliseconds, by the reader's pace. */
const NEXT_LINE = /** @type {Record<string, number>} */ ({ slow: 1200, normal: 600, fast: 250, none: 0 });

/** How many columns of figures fit a phone beside the names of the lines. */
const SIDE_BY_SIDE = 3;
const ROLES = /** @type {const} */ ([
    ["thead, tbody", "rowgroup"],
    ["tr", "row"],
    ["td", "cell"],
    ["th[scope=col]", "columnheader"],
    ["th[scope=row]", "rowheader"],
]);

/**
 * The scorings that were held, in order. One that was taken back and held again counts once.
 *
 * @param {readonly GameEvent[]} events
 * @returns {Scoring[]}
 */
export function scorings(events) {
    /** @type {Map<number, Scoring>} */
    const found = new Map();
    for (const event of events) {
        const facts = event.facts ?? {};
        const number = facts["scoring"];
        if (typeof number !== "number") continue;
        // A scoring begins with an event that names it and nothing else; those of modules may name it among other facts.
        if (Object.keys(facts).length === 1) found.set(number, { number, lines: [], scores: null });
        else if (typeof facts["points"] === "number") found.get(number)?.lines.push(event);
        else if (Array.isArray(facts["scores"])) {
            const open = found.get(number);
            if (open) open.scores = /** @type {number[]} */ (facts["scores"]);
        }
    }
    return [...found.values()].sort((one, other) => one.number - other.number);
}

/**
 * Everybody who scores: the players, and the third of a game for two.
 *
 * @param {View} view
 * @returns {{seat: number, name: string, colour: string, score: number}[]}
 */
export function scorers(view) {
    const third = view.table?.dirk;
    return [
        ...view.seats.map(({ seat, name, colour, score }) => ({ seat, name, colour, score })),
        ...(third ? [{ seat: view.seats.length, name: say("third"), colour: "", score: third.score }] : []),
    ];
}

/**
 * Points of a seat in a scoring.
 *
 * @param {Scoring} scoring
 * @param {number} seat
 * @returns {number}
 */
export function pointsOf({ lines }, seat) {
    return lines.filter((line) => line.seat === seat).reduce((sum, line) => sum + points(line), 0);
}

/**
 * Shows a scoring.
 *
 * @param {Session} session
 * @param {Names} names
 * @param {number} [number] Which; the newest if it is left out.
 * @param {boolean} [paced] Whether it builds up line by line.
 */
export function scoringSheet(session, names, number, paced = false) {
    const { view } = session;
    if (!view) return;
    const held = scorings(session.events);
    const shown = held.find((one) => one.number === number) ?? held.at(-1);
    const body = h("div", { class: "scoring-body" });
    const show = (/** @type {Scoring} */ one, /** @type {boolean} */ slowly) =>
        body.replaceChildren(
            held.length > 1
                ? h(
                      "div",
                      { class: "buttons" },
                      held.map((other) =>
                          h(
                              "button",
                              { type: "button", "aria-pressed": String(other === one), onclick: () => show(other, false) },
                              say("scoring.number", { number: other.number }),
                          ),
                      ),
                  )
                : "",
            scoringTable(one, view, names, slowly),
        );
    if (shown) show(shown, paced);
    else body.append(h("p", {}, say("scoring.none")));
    const title = shown && paced ? say("scoring.now", { number: shown.number }) : say("scorings");
    const rules = h("button", { type: "button", class: "plain", "data-key": "rules scoring" }, say("scoring.rules"));
    rules.addEventListener("click", () => void import("./rules-sheet.js").then(({ openRules, POINTS }) => openRules(session.setup?.modules ?? [], POINTS)));
    const sheet = dialogue(title, say(paced ? "continue" : "close"), body, rules);
    sheet.classList.add("scoring");
    sheet.addEventListener("click", () => body.classList.add("at-once"));
}

/**
 * @param {Scoring} scoring
 * @param {View} view
 * @param {Names} names
 * @param {boolean} paced
 * @returns {HTMLElement}
 */
export function scoringTable(scoring, view, names, paced) {
    const all = scorers(view);
    const pause = paced ? (NEXT_LINE[memory.wishes.pace] ?? 0) : 0;
    /** @type {Map<string, GameEvent[]>} */
    const rows = new Map();
    for (const line of scoring.lines) {
        const about = line.type ?? String(line.facts?.["reason"] ?? "");
        rows.set(about, [...(rows.get(about) ?? []), line]);
    }
    const body = [...rows].flatMap(([about, lines], place) => {
        const why = h(
            "tr",
            { class: "why", hidden: true },
            h(
                "td",
                { colspan: all.length + 1 },
                lines.map((line) => h("p", {}, line.text ?? "")),
            ),
        );
        const open = () => {
            why.hidden = !why.hidden;
            toggle.setAttribute("aria-expanded", String(!why.hidden));
        };
        const icon = lines[0]?.type ? image(names.component(lines[0].type, "type")) : null;
        const toggle = h(
            "button",
            { type: "button", class: "plain", "aria-expanded": "false", title: say("scoring.why"), onclick: open },
            icon,
            lines[0]?.type ? names.of(about) : names.reason(about),
        );
        const row = h(
            "tr",
            { class: pause ? "builds" : "" },
            h("th", { scope: "row" }, toggle),
            all.map(({ seat }) => cell(lines.filter((line) => line.seat === seat))),
        );
        if (pause) row.style.animationDelay = `${place * pause}ms`;
        return [row, why];
    });
    const last = h(
        "tr",
        { class: "sums" },
        h("th", { scope: "row" }, say("scoring.sum")),
        all.map(({ seat }) => h("td", {}, signed(pointsOf(scoring, seat)))),
    );
    const total = scoring.scores ? totalRow(all, scoring.scores) : null;
    for (const [place, row] of [last, total].entries()) {
        if (!pause || !row) continue;
        row.classList.add("builds");
        row.style.animationDelay = `${(rows.size + place) * pause}ms`;
    }
    const table = h(
        "table",
        { class: "score-table" },
        h("caption", {}, say("scoring.number", { number: scoring.number })),
        h("thead", {}, heads(view)),
        h("tbody", {}, body, last, total),
    );
    return fitting(table, all.length);
}

/**
 * A table with a column of figures for each player, in a place as wide as the screen. If there are many players, a small
 * screen shows the name of each line above its figures. A browser may take a table whose rows are laid out anew for no
 * table, so everything in it says what it is.
 *
 * @param {HTMLElement} table
 * @param {number} columns
 * @returns {HTMLElement}
 */
export function fitting(table, columns) {
    const place = h("div", { class: "wide" }, table);
    if (columns <= SIDE_BY_SIDE) return place;
    table.classList.add("stackable");
    table.style.setProperty("--columns", String(columns));
    table.setAttribute("role", "table");
    for (const [parts, role] of ROLES) for (const one of table.querySelectorAll(parts)) one.setAttribute("role", role);
    return place;
}

/**
 * @param {View} view
 * @returns {HTMLElement}
 */
export function heads(view) {
    return h(
        "tr",
        {},
        h("td", {}),
        scorers(view).map(({ name, colour }) => h("th", { scope: "col" }, colour ? dot(colour) : null, name)),
    );
}

/** @param {number} points */
function signed(points) {
    return points < 0 ? String(points) : `+${points}`;
}

/**
 * @param {{seat: number}[]} all
 * @param {readonly number[]} totals
 */
function totalRow(all, totals) {
    return h(
        "tr",
        { class: "totals" },
        h("th", { scope: "row" }, say("scoring.total")),
        all.map(({ seat }) => h("td", {}, totals[seat] ?? "")),
    );
}

/**
 * What a seat got for one thing, with how many it has of it: buildings are counted in halves, a wall in segments.
 *
 * @param {readonly GameEvent[]} lines
 */
function cell(lines) {
    if (!lines.length) return h("td", {}, h("span", { class: "note" }, "–"));
    const sum = lines.reduce((total, line) => total + points(line), 0);
    const [{ facts, type } = { facts: undefined, type: undefined }] = lines;
    const count = typeof facts?.["count"] === "number" ? facts["count"] / (type ? 2 : 1) : null;
    const sharing = Number(facts?.["shared"] ?? 1);
    return h(
        "td",
        { title: lines.map(({ text }) => text).join(" ") },
        h("strong", { class: sum < 0 ? "minus" : "plus" }, sum < 0 ? sum : `+${sum}`),
        count === null
            ? null
            : h(
                  "span",
                  { class: "counted" },
                  h("span", {}, `${count} ×`),
                  sharing > 1 ? h("span", { class: "shared" }, `, ${say("scoring.shared")}`) : null,
                  sharing > 1 ? h("span", { class: "divided", "aria-hidden": "true" }, `÷ ${sharing}`) : null,
              ),
    );
}

/** @param {GameEvent} line */
function points(line) {
    return Number(line.facts?.["points"] ?? 0);
}
