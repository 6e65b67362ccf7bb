/**
 * What happened, as sentences, in the order in which it happened. Only what is new is added, so that a screen reader says
 * nothing twice; what others did since the reader's last move stands below a line.
 */

import { h } from "./dom.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {import("./types.js").View} View
 */

const SHOWN = 150;
const STORY = "story";
/** How close to its end the reader must be, in pixels, so that the log follows what is new. */
const AT_END = 40;

/**
 * The events that the reader wants to be told: all with a sentence, or the story without the bookkeeping.
 *
 * @param {readonly GameEvent[]} events
 * @returns {GameEvent[]}
 */
export function told(events) {
    return events.filter(({ level, text }) => text && (memory.wishes.details || level === STORY));
}

/**
 * Where the events begin that happened since a seat was asked last and answered.
 *
 * @param {readonly GameEvent[]} events
 * @param {number | null} seat
 * @param {boolean} asked Whether it is asked now.
 * @returns {number}
 */
export function sinceLastMove(events, seat, asked) {
    const questions = events.flatMap((one, at) => (one.seat === seat && one.facts?.["decision"] !== undefined ? [at] : []));
    return (questions.at(asked ? -2 : -1) ?? -1) + 1;
}

export class Log {
    #list = h("ol", { class: "log", "aria-label": say("log") });
    /** What the list was made for, and the event that was added last. */
    #made = "";
    #last = -1;
    #first = true;
    /** Whether the end stays in sight: until the reader scrolls away from it. */
    #follows = true;
    #top = 0;
    /** How many events there were when the page was opened. */
    #start = 0;

    /** @param {HTMLElement} place */
    constructor(place) {
        place.append(this.#list);
        place.addEventListener("scroll", () => {
            const { scrollTop } = place;
            const ended = place.scrollHeight - scrollTop - place.clientHeight < AT_END;
            this.#follows = ended || (this.#follows && scrollTop >= this.#top); // new lines alone are no reason to stop
            this.#top = scrollTop;
        });
        // Lines grow and shrink with the columns of the page, too, so it is their height that counts.
        const sizes = new ResizeObserver(() => {
            if (this.#follows) place.scrollTop = place.scrollHeight;
        });
        sizes.observe(this.#list);
        sizes.observe(place);
    }

    /**
     * Adds what is new.
     *
     * @param {readonly GameEvent[]} events
     * @param {View} view
     * @param {number} since Where the events begin that are new to the reader.
     * @param {number | null} seat The reader's.
     */
    show(events, view, since, seat) {
        const made = `${memory.wishes.details} ${events[0]?.id} ${view.viewer}`;
        if (made !== this.#made || events.length < this.#last) {
            this.#list.replaceChildren();
            this.#last = Math.max(0, events.length - 4 * SHOWN);
            this.#made = made;
        }
        if (this.#first) this.#start = events.length;
        const from = since || this.#start;
        const fresh = events.slice(this.#last);
        const added = fresh.flatMap((event, place) => {
            if (!told([event]).length) return [];
            const made = entry(event, view);
            made.dataset.at = String(event.seat !== undefined && event.seat === seat ? -1 : this.#last + place);
            return [made];
        });
        this.#list.append(...added);
        while (this.#list.childElementCount > SHOWN) this.#list.firstElementChild?.remove();
        this.#last = events.length;
        let line = false;
        for (const one of this.#list.children) {
            if (!(one instanceof HTMLElement)) continue;
            const novel = Number(one.dataset.at) >= from;
            one.classList.toggle("novel", novel);
            one.classList.toggle("since", novel && !line);
            if (novel && !line) one.dataset.since = say("since");
            line ||= novel;
        }
        this.#first = false;
    }
}

/**
 * @param {GameEvent} event
 * @param {View} view
 * @returns {HTMLElement}
 */
function entry(event, view) {
    const points = event.facts?.["points"];
    const colour = event.seat === undefined ? undefined : view.seats[event.seat]?.colour;
    return h(
        "li",
        { class: [event.level === STORY ? "" : "detail", typeof points === "number" ? "line" : ""].join(" ") },
        colour ? dot(colour) : null,
        h("span", {}, event.text ?? ""),
        typeof points === "number"
            ? h(
                  "span",
                  { class: `points ${points < 0 ? "minus" : "plus"}`, "aria-hidden": "true" },
                  points > 0 ? `+${points}` : String(points),
              )
            : null,
    );
}

/**
 * The colour of a seat as a dot. Colours of seats are names that style sheets know.
 *
 * @param {string} colour
 * @returns {HTMLElement}
 */
export function dot(colour) {
    const made = h("span", { class: "dot", "aria-hidden": "true" });
    made.style.backgroundColor = colour;
    return made;
}
