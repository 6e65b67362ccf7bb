/** The rules inside the game: how the base game is played, with all points, then each module in play. */

import { server } from "./api.js";
import { dialogue, h } from "./dom.js";
import { memory } from "./memory.js";
import { image } from "./pictures.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Component} Component
 * @typedef {object} Lesson
 * @property {string} key
 * @property {string} title
 * @property {string} text
 * @property {string} first What the guide says.
 * @property {{kind: string, id: string}[]} row Components; without a kind, signs between them.
 * @property {string} [alhambra] The address of a picture.
 *
 * @typedef {{type: string, name: string, scorings: number[][]}} Majority
 * @typedef {object} Occasion When a lesson matters: all conditions hold.
 * @property {string} lesson
 * @property {string[]} [decisions] The reader is asked one of these.
 * @property {string} [event] This has happened;
 * @property {string} [fact] with this fact,
 * @property {boolean} [own] to the reader.
 * @property {string} [after] This lesson was read.
 * @property {boolean} [offers] Something can be bought.
 * @property {boolean} [reserve] Something lies in the reserve.
 * @property {number} [seats] So many seats play.
 * @property {number} [tilesLeft] At most so many tiles are left.
 *
 * @typedef {{lessons: Lesson[], occasions: Occasion[], majorities: {lesson: string, types: Majority[]}}} Lessons
 * @typedef {{key: string, name: string, text: string, rule?: string, example?: string}} PlayedModule
 */

/** Stands for the lesson that has the points of majorities. */
export const POINTS = "points";
/** The kind of components that are building types. */
const TYPE = "type";
const BASE = "base";
/** Components of modules that are shown; where there are none, KIND, which else would repeat them. */
const PICTURED = new Set(["tile", "card", "piece"]);
const KIND = "piece_kind";
/** How many components of a module are shown: its own page shows all. */
const MOST_PICTURES = 8;

/** @returns {Promise<Lessons>} */
export async function loadLessons() {
    const answer = await fetch("/play/lessons", { headers: { "Accept-Language": memory.language } });
    return answer.json();
}

/**
 * Opens the rules at the place that matters.
 *
 * @param {string[]} modules The keys of the modules in play.
 * @param {string} [at] The key of a lesson or of a module, or POINTS.
 * @param {string} [asked] The kind of the open decision: without `at`, the lesson about it is shown.
 */
export async function openRules(modules, at = "", asked = "") {
    const [{ lessons, occasions, majorities }, listed, components] = await Promise.all([
        loadLessons(),
        modules.length ? server.modules() : [],
        server.components({ modules: [BASE, ...modules] }),
    ]);
    /** @type {PlayedModule[]} */
    const played = listed.filter(({ key }) => modules.includes(key));
    const contents = [...lessons.map(({ key, title }) => [key, title]), ...played.map(({ key, name }) => [key, name])];
    const sheet = dialogue(
        say("rules"),
        say("close"),
        h(
            "nav",
            { class: "rules-contents", "aria-label": say("rules") },
            contents.map(([key, title]) =>
                h("button", { type: "button", class: "pick", onclick: () => show(sheet, key ?? "") }, title),
            ),
        ),
        lessons.map(({ key, title, text, row, alhambra }) =>
            h(
                "section",
                { class: "lesson", "data-lesson": key, tabindex: -1 },
                h("h3", {}, title),
                h("p", {}, text),
                row.length ? illustration(row, components) : null,
                alhambra ? h("img", { class: "illustration", src: alhambra, alt: "", loading: "lazy" }) : null,
                key === majorities.lesson ? table(majorities.types, components.filter(({ kind }) => kind === TYPE)) : null,
            ),
        ),
        played.map((module) =>
            h(
                "section",
                { class: "lesson", "data-lesson": module.key, tabindex: -1 },
                h("h3", {}, module.name),
                h("p", {}, module.rule || module.text),
                gallery(components.filter((one) => one.module === module.key)),
                module.example ? h("p", { class: "note" }, module.example) : null,
                h("p", {}, h("a", { href: `/modules/${module.key}`, target: "_blank" }, say("rules.components"))),
            ),
        ),
        h("p", {}, h("a", { href: "/rules/base", target: "_blank", lang: "en" }, say("rules.complete"))),
    );
    sheet.classList.add("rules");
    const place = at === POINTS ? majorities.lesson : at || occasions.find(({ decisions }) => decisions?.includes(asked))?.lesson;
    if (place) show(sheet, place);
}

/**
 * @param {HTMLElement} sheet
 * @param {string} key
 */
function show(sheet, key) {
    const section = /** @type {HTMLElement | null} */ (sheet.querySelector(`[data-lesson="${CSS.escape(key)}"]`));
    section?.scrollIntoView({ block: "start" });
    section?.focus({ preventScroll: true });
}

/**
 * Components with signs between them.
 *
 * @param {Lesson["row"]} row
 * @param {Component[]} components
 * @returns {HTMLElement}
 */
function illustration(row, components) {
    const parts = row.map(({ kind, id }) => ({ sign: kind ? "" : id, shown: components.find((one) => one.kind === kind && one.id === id) }));
    const label = parts.map(({ sign, shown }) => shown?.name ?? sign).join(" ");
    return h("p", { class: "illustration", role: "img", "aria-label": label }, parts.map(({ sign, shown }) => (shown ? image(shown) : sign)));
}

/**
 * Some components of a module with their names, asked for once they come into view: many modules have hundreds.
 *
 * @param {Component[]} components
 * @returns {HTMLElement | null}
 */
function gallery(components) {
    const parts = components.filter(({ kind }) => PICTURED.has(kind));
    const shown = parts.length ? parts : components.filter(({ kind }) => kind === KIND);
    const byName = new Map(shown.map((one) => [one.name, one]));
    if (!byName.size) return null;
    const place = h("ul", { class: "gallery" });
    const seen = new IntersectionObserver(([entry]) => {
        if (!entry?.isIntersecting) return;
        seen.disconnect();
        const few = [...byName.values()].slice(0, MOST_PICTURES);
        place.replaceChildren(...few.map((one) => h("li", { title: one.name }, image(one), h("span", { class: "unseen" }, one.name))));
    });
    seen.observe(place);
    return place;
}

/**
 * The points for the most buildings of each type.
 *
 * @param {Majority[]} majorities
 * @param {import("./types.js").Component[]} pictures
 * @returns {HTMLElement}
 */
function table(majorities, pictures) {
    const scorings = majorities[0]?.scorings ?? [];
    return h(
        "table",
        { class: "majorities" },
        h("caption", {}, say("majorities")),
        h(
            "thead",
            {},
            h(
                "tr",
                {},
                h("td", { rowspan: 2 }),
                scorings.map((places, index) =>
                    h("th", { colspan: places.length, scope: "colgroup" }, say("scoring.number", { number: index + 1 })),
                ),
            ),
            h(
                "tr",
                {},
                scorings.flatMap((places) => places.map((_, place) => h("th", { scope: "col" }, `${place + 1}.`))),
            ),
        ),
        h(
            "tbody",
            {},
            majorities.map(({ type, name, scorings: points }) =>
                h(
                    "tr",
                    {},
                    h("th", { scope: "row" }, image(pictures.find(({ id }) => id === type)), name),
                    points.flat().map((value) => h("td", {}, value)),
                ),
            ),
        ),
    );
}
