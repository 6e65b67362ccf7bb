/** The dialogues beside the table: all tiles, a whole Alhambra, standing orders, links, and the record. */

import "./board.js";
import { Refused, Unreachable } from "./api.js";
import { dialogue, h, select, svg } from "./dom.js";
import { changed } from "./entropy.js";
import { memory } from "./memory.js";
import { image } from "./pictures.js";
import { say } from "./words.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./names.js").Names} Names
 * @typedef {import("./types.js").Order} Order
 * @typedef {import("./board.js").PlayBoard} PlayBoard
 */

const TILE = "tile";
const UNTIL = /** @type {const} */ (["revoked", "my_turn", "scoring", "end"]);

/**
 * Every tile of the game; those that were seen are marked.
 *
 * @param {Session} session
 * @param {Names} names
 */
export function tileSheet(session, names) {
    const seen = new Set();
    walk([session.view, session.events], (word) => seen.add(word));
    /** @type {Map<string, import("./types.js").Component[]>} */
    const groups = new Map();
    for (const one of names.components.filter(({ kind }) => kind === TILE)) {
        const group = one.type ?? one.module ?? "";
        groups.set(group, [...(groups.get(group) ?? []), one]);
    }
    const tiles = names.components.filter(({ kind }) => kind === TILE);
    const found = tiles.filter(({ id }) => seen.has(id)).length;
    dialogue(
        say("tiles"),
        say("close"),
        h("p", {}, say("tiles.seen", { seen: found, all: tiles.length })),
        [...groups].map(([group, ones]) =>
            h(
                "section",
                {},
                h("h3", {}, group ? names.of(group) : say("tiles.others")),
                h(
                    "ul",
                    { class: "sheet-tiles" },
                    ones.map((one) => {
                        const there = seen.has(one.id);
                        return h(
                            "li",
                            { class: there ? "seen" : "", title: one.name },
                            image(one),
                            h("span", { class: "unseen" }, one.name),
                            h(
                                "span",
                                { class: "mark" },
                                there ? "✓" : "",
                                h("span", { class: "unseen" }, there ? say("tiles.mark") : ""),
                            ),
                        );
                    }),
                ),
            ),
        ),
    );
}

/**
 * Calls `visit` with every text inside a value.
 *
 * @param {unknown} value
 * @param {(word: string) => void} visit
 */
function walk(value, visit) {
    if (typeof value === "string") visit(value);
    else if (value && typeof value === "object") for (const inner of Object.values(value)) walk(inner, visit);
}

/**
 * One Alhambra with everything around it, as large as the window.
 *
 * @param {Session} session
 * @param {number} seat
 */
export function wholeBoard(session, seat) {
    const view = session.view;
    if (!view) return;
    const board = /** @type {PlayBoard} */ (h("play-board", { whole: true, class: "whole" }));
    dialogue(view.seats[seat]?.name ?? "", say("close"), board);
    void board.draw(session, view, seat);
}

/**
 * @typedef {object} Questions
 * @property {string[]} modules The modules that the server knows.
 * @property {Record<string, string[]>} asked_with By shared question: the modules that ask it.
 */

/** @returns {Promise<Questions>} */
async function sharedQuestions() {
    try {
        return await (await fetch("/play/questions")).json();
    } catch {
        return { modules: [], asked_with: {} }; // without a network, more is offered than can come up
    }
}

/**
 * Whether a question can come up in the game: one of the base game may need a module that asks it.
 *
 * @param {import("./types.js").DecisionKind} kind
 * @param {readonly string[]} modules The modules in play.
 * @param {Questions} questions
 */
function isAsked({ key, orders, verbs }, modules, questions) {
    const asking = questions.asked_with[key];
    // What only an order could answer is asked where a module adds an answer.
    if (!asking || !questions.modules.length) return verbs.some((verb) => orders.every((order) => order.key !== verb));
    return modules.some((module) => asking.includes(module) || !questions.modules.includes(module));
}

/**
 * Standing orders: how to answer a kind of question without being asked.
 *
 * @param {Session} session
 * @param {Names} names
 */
export async function orderSheet(session, names) {
    const modules = session.setup?.modules ?? [];
    const questions = await sharedQuestions();
    const orders = new Map((session.view?.orders ?? []).map((order) => [order.decision, order]));
    const rows = names.decisions
        .filter((one) => one.orders.length && (orders.has(one.key) || isAsked(one, modules, questions)))
        .map((kind) => {
            const order = orders.get(kind.key);
            /** @type {[string, string][]} */
            const answers = [
                ["", say("orders.ask")],
                ...kind.orders.map((one) => /** @type {[string, string]} */ ([one.key, one.text || one.name])),
            ];
            const answer = select(answers, { "aria-label": kind.name }, order?.answer ?? "");
            const until = select(
                UNTIL.map((word) => [word, say(`until.${word}`)]),
                { "aria-label": say("until") },
                order?.until ?? UNTIL[0],
            );
            return {
                kind,
                answer,
                until,
                row: h("li", {}, h("strong", {}, kind.name), h("span", { class: "note" }, kind.text), answer, until),
            };
        });
    const save = () => {
        const wanted = rows
            .filter(({ answer }) => answer.value)
            .map(({ kind, answer, until }) => ({
                ...(orders.get(kind.key) ?? {}),
                decision: kind.key,
                answer: answer.value,
                until: until.value,
            }));
        sheet.close();
        void session.setOrders(/** @type {Order[]} */ (/** @type {unknown} */ (wanted)));
    };
    const sheet = dialogue(
        say("orders"),
        say("close"),
        h("p", {}, say("orders.text")),
        h(
            "ul",
            { class: "orders" },
            rows.map(({ row }) => row),
        ),
        h("button", { type: "button", class: "primary", onclick: save }, say("orders.save")),
    );
}

/**
 * The record of the game, and how its draws are checked.
 *
 * @param {Session} session
 */
export function recordSheet(session) {
    const view = session.view;
    if (!view) return;
    const name = `${session.game}.json`;
    const said = h("span", { role: "status" });
    dialogue(
        say("record"),
        say("close"),
        h("p", {}, say(view.status === "over" ? "record.over" : "record.running")),
        h("p", {}, h("button", { type: "button", "data-key": "download", onclick: () => void save(session, name, said) }, say("record.get")), said),
        h("p", {}, say("record.verify")),
        h("pre", {}, h("code", {}, `alhambra verify ${published(session)}${name}`)),
        changed(session.game, view) ? h("p", { class: "refused", role: "alert" }, say("record.changed")) : null,
        view.fairness
            ? h("p", { class: "note" }, `${say("record.commitment")} `, h("code", {}, view.fairness.commitment))
            : null,
        view.fairness?.seedGiven ? h("p", { class: "note" }, say("record.seeded")) : null,
    );
}

/**
 * What this browser noted before it revealed its part of the shuffle, as options of the command that checks the record.
 *
 * @param {Session} session
 * @returns {string}
 */
function published(session) {
    const { noted } = memory.game(session.game);
    return noted ? `--commitment ${noted.commitment} --entropy-commitments ${noted.seats.join(",")} ` : "";
}

/**
 * Saves the record as a file. It is read with the token of the seat: a game may be closed to everybody else.
 *
 * @param {Session} session
 * @param {string} name
 * @param {HTMLElement} said Where it is said that the record could not be read.
 */
async function save(session, name, said) {
    try {
        const record = await session.send("exportGame", {});
        const address = URL.createObjectURL(new Blob([record], { type: "application/json" }));
        h("a", { href: address, download: name }).click();
        URL.revokeObjectURL(address);
    } catch (error) {
        if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        said.textContent = error instanceof Refused ? error.lines.join(" ") : say("lost");
    }
}

/**
 * Links: for friends whose seats are open, for spectators, and for one's own seats on another device.
 *
 * @param {Session} session
 */
export function linkSheet(session) {
    const known = memory.game(session.game);
    const view = session.view;
    const links = [
        ...Object.entries(known.invitations)
            .filter(([seat]) => view?.seats[Number(seat)]?.occupancy === "open")
            .map(([seat, invitation]) =>
                link(say("links.friend", { name: view?.seats[Number(seat)]?.name ?? "" }), session.game, {
                    invitation,
                }),
            ),
        ...(session.setup?.visibility === "seats" ? [] : [link(say("links.watch"), session.game, {})]),
        ...Object.entries(known.seats).map(([, { token, name, entropy }]) => {
            /** @type {Record<string, string>} */
            const secrets = { token };
            if (entropy && view?.status === "waiting") secrets["entropy"] = entropy; // the other device may reveal it
            return link(say("links.own", { name }), session.game, secrets);
        }),
    ];
    dialogue(say("links"), say("close"), h("p", {}, say("links.text")), links);
}

/**
 * A link that can be copied. Secrets stand behind `#`, where they reach no server and no log.
 *
 * @param {string} label
 * @param {string} game
 * @param {Record<string, string>} secrets
 * @returns {HTMLElement}
 */
export function link(label, game, secrets) {
    const address = `${location.origin}/play#${new URLSearchParams({ game, ...secrets })}`;
    const field = /** @type {HTMLInputElement} */ (
        h("input", { value: address, readonly: true, "aria-label": label, onfocus: () => field.select() })
    );
    const said = h("span", { role: "status" });
    const copy = async () => {
        field.select();
        try {
            await navigator.clipboard.writeText(address);
            said.textContent = say("copied");
        } catch {
            said.textContent = "";
        }
    };
    const share = () => void navigator.share({ title: "Alhambra", text: label, url: address }).catch(() => null); // no is an answer
    const place = h("div", { class: "qr", hidden: true });
    const show = async () => {
        if (!place.childNodes.length) place.replaceChildren(...(await picture(address)));
        place.hidden = !place.hidden;
    };
    return h(
        "div",
        { class: "link" },
        h("label", {}, h("span", {}, label), field),
        h("button", { type: "button", onclick: copy }, say("copy")),
        h("button", { type: "button", onclick: () => void show(), "aria-label": `${say("qr")}: ${label}` }, say("qr")),
        "share" in navigator ? h("button", { type: "button", onclick: share, "aria-label": `${say("share")}: ${label}` }, say("share")) : null,
        said,
        place,
    );
}

/** Light modules around a code, which readers of codes need. */
const QUIET = 4;

/**
 * A link as a QR code, for a friend's phone; nothing if the link is too long.
 *
 * @param {string} address
 * @returns {Promise<Node[]>}
 */
async function picture(address) {
    const { qrCode } = await import("./qr.js");
    const code = qrCode(address);
    if (!code) return [];
    const size = code.length + 2 * QUIET;
    const path = code
        .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")))
        .join("");
    return [
        svg(
            "svg",
            { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": say("qr"), "shape-rendering": "crispEdges" },
            svg("rect", { width: size, height: size, fill: "#fff" }),
            svg("path", { d: path, fill: "#000" }),
        ),
    ];
}
