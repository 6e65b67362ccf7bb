/** The table: everything that is seen and done in one game. */

import { line, serverTime } from "./api.js";
import { Alhambras } from "./alhambras.js";
import { fill, h } from "./dom.js";
import { curtain, gathering } from "./gathering.js";
import { Guard } from "./guard.js";
import { Novelty, numbered } from "./novelty.js";
import { log, SHOWN } from "./log.js";
import { memory } from "./memory.js";
import { Moves } from "./moves.js";
import { Names } from "./names.js";
import { Session } from "./session.js";
import { scorings, scoringSheet } from "./scoring.js";
import { Standing } from "./standing.js";
import { question, tools, waitingFor } from "./status.js";
import { TextTable } from "./text.js";
import { counts, Things } from "./things.js";
import { TurnSignal } from "./turn-signal.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SeatView} SeatView
 */

const SECOND = 1000;

export class PlayTable extends HTMLElement {
    /** @type {Session} */
    session;
    /** @type {Names | null} */
    #names = null;
    /** @type {Moves | null} */
    #moves = null;
    /** By name: the parts of the page that are drawn anew when something changes. @type {Record<string, HTMLElement>} */
    #parts = {};
    /** @type {Alhambras | null} */
    #alhambras = null;
    /** @type {Standing | null} */
    #standing = null;
    /** How many scorings the reader has seen; -1 before the first look. */
    #scorings = -1;
    /** Whether the next person at this screen still has to be called. */
    #curtain = false;
    #asked = "";
    #novel = new Novelty();
    #guard = new Guard(this);
    #signal = new TurnSignal();
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #clock;
    #heard = () => this.#render();
    /** @param {KeyboardEvent} event */
    #undoKey = (event) => {
        const typing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
        const pressed = event.key.toLowerCase() === "u" && !event.ctrlKey && !event.metaKey && !event.altKey;
        if (typing || event.repeat || !pressed || this.#curtain) return;
        if (this.session.canUndo && !this.session.busy) void this.session.undo();
    };

    /** @param {string} game */
    constructor(game) {
        super();
        this.session = new Session(game);
    }

    connectedCallback() {
        this.session.addEventListener("change", () => void this.#changed());
        line.addEventListener("change", this.#heard);
        document.addEventListener("keydown", this.#undoKey);
        this.#clock = setInterval(() => this.#tick(), SECOND);
        void this.session.open();
    }

    disconnectedCallback() {
        this.session.close();
        line.removeEventListener("change", this.#heard);
        document.removeEventListener("keydown", this.#undoKey);
        clearInterval(this.#clock);
    }

    async #changed() {
        const { session } = this;
        const { view } = session;
        if (!view)
            return fill(this, h("p", { class: "refused", role: "alert" }, session.refused.join(" ") || say("lost")));
        if (!this.#names && session.setup) {
            this.#names = await Names.load(session.setup.modules);
            this.#moves = new Moves(session, this.#names, () => this.#render());
        }
        memory.remember(session.game, (known) => {
            known.names = view.seats.map(({ name }) => name).join(", ");
            known.opened = Date.now();
        });
        await this.#changeSeat(view);
        this.#render();
    }

    /**
     * Of several people at one screen, the one who is asked looks next; the others look away.
     *
     * @param {View} view
     */
    async #changeSeat(view) {
        const { session } = this;
        const asked = view.decision?.seat;
        if (asked === undefined || asked === session.seat || !session.seats.includes(asked)) return;
        this.#curtain = true;
        await session.look(asked);
    }

    #render() {
        const { session } = this;
        const { view } = session;
        const names = this.#names;
        if (!view || !names || !this.#moves) return;
        this.dataset.version = String(view.version);
        this.dataset.state = session.busy ? "busy" : session.asked ? "asked" : view.status;
        if (view.status === "waiting") return this.#alone(gathering(session, view));
        if (this.#curtain) return this.#callNext(view);
        if (!this.#alhambras) this.#build(names);
        this.#novel.see(view.version, [
            ...(view.table?.market ?? []).map(({ slot, tile }) => `${slot} ${tile}`),
            ...numbered(view.table?.display ?? []),
            ...session.events.slice(-SHOWN).map(({ id }) => id ?? ""),
        ]);
        const things = new Things(names, session.choice, view, this.#novel, () => this.#render());
        const me = session.seat === null ? undefined : view.seats[session.seat];
        this.#signal.see(session, view);
        this.classList.toggle("text", memory.wishes.textMode);
        this.#set(
            "tools",
            tools(session, names, view, () => this.#render()),
        );
        this.#set("question", question(session, view, names));
        this.#set("moves", ...(session.asked ? this.#moves.render() : [waitingFor(session, view)]));
        this.#standing?.draw(view);
        this.#set("log", log(session.events, view, this.#novel));
        if (memory.wishes.textMode) {
            this.#set("text", ...new TextTable(names, view).render());
            this.#showScoring(names);
            return this.#announce(view);
        }
        this.#set(
            "market",
            h("h2", {}, say("market")),
            things.market(),
            h("h2", {}, say("display")),
            things.display(),
            view.table ? h("p", { class: "note" }, counts(view.table)) : null,
        );
        this.#set("hand", ...(me ? this.#own(me, things) : []));
        this.#set("pieces", things.pieces() ? h("h2", {}, say("pieces")) : null, things.pieces());
        this.#alhambras?.draw(view);
        this.#showScoring(names);
        this.#announce(view);
    }

    /**
     * @param {string} part
     * @param {...any} content
     */
    #set(part, ...content) {
        const place = this.#parts[part];
        if (!place) return;
        if (place.getAttribute("role") !== "status") return fill(place, ...content);
        const made = h("div", {}, ...content); // what is said already is not said again
        if (![...place.childNodes].some((one) => one.isEqualNode(made))) fill(place, made);
    }

    /**
     * The frame of the page, built once.
     *
     * @param {Names} names
     */
    #build(names) {
        const make = (
            /** @type {string} */ name,
            /** @type {string} */ tag = "section",
            /** @type {Record<string, any>} */ more = {},
        ) => (this.#parts[name] = h(tag, { class: name, ...more }));
        const own = make("own", "section", { "aria-label": say("own") });
        const others = make("others", "section", { "aria-label": say("others") });
        this.#alhambras = new Alhambras(this.session, names, { own, others }, () => this.#render());
        this.#standing = new Standing(this.session, names, make("scores", "section", { "aria-label": say("scores") }));
        fill(
            this,
            h("h1", { class: "unseen" }, "Alhambra"),
            make("tools", "nav", { "aria-label": say("tools") }),
            h(
                "div",
                { class: "act" },
                make("question", "div", { role: "status" }),
                h(
                    "div",
                    { class: "goods" },
                    make("market", "section", { "aria-label": say("market") }),
                    make("hand", "section", { "aria-label": say("hand") }),
                ),
                make("moves", "section", { "aria-label": say("moves") }),
            ),
            own,
            make("text", "section", { "aria-label": say("table") }),
            make("pieces", "section", { "aria-label": say("pieces") }),
            h(
                "div",
                { class: "around" },
                this.#parts["scores"] ?? null,
                others,
                h(
                    "section",
                    { "aria-label": say("log"), class: "story" },
                    h("div", { class: "story-head" }, h("h2", {}, say("log")), this.#detailSwitch()),
                    make("log", "div", { role: "log", tabindex: 0, "aria-label": say("log") }),
                ),
            ),
        );
    }

    #detailSwitch() {
        const box = /** @type {HTMLInputElement} */ (
            h("input", {
                type: "checkbox",
                checked: memory.wishes.details,
                onchange: () => {
                    memory.wish({ details: box.checked });
                    this.#render();
                },
            })
        );
        return h("label", {}, box, say("details"));
    }

    /**
     * @param {SeatView} me
     * @param {Things} things
     */
    #own(me, things) {
        return [
            me.pending.length ? [h("h2", {}, say("pending")), things.tiles(me.pending)] : null,
            h("h2", {}, say("hand")),
            things.hand(me),
            me.reserve.length ? [h("h2", {}, say("aside")), things.tiles(me.reserve)] : null,
            things.pieces(me.seat),
        ];
    }

    /**
     * Shows something in place of the table.
     *
     * @param {HTMLElement} content
     */
    #alone(content) {
        this.#parts = {};
        this.#alhambras = null;
        fill(this, content);
    }

    /** @param {View} view */
    #callNext(view) {
        const name = this.session.seat === null ? "" : (view.seats[this.session.seat]?.name ?? "");
        const go = () => {
            this.#curtain = false;
            this.#render();
        };
        this.#alone(curtain(name, go));
        /** @type {HTMLElement | null} */ (this.querySelector(".primary"))?.focus();
    }

    /** Shows a scoring that the reader has not seen, once. @param {Names} names */
    #showScoring(names) {
        const held = scorings(this.session.events).filter(({ scores }) => scores).length;
        const unseen = this.#scorings >= 0 && held > this.#scorings;
        this.#scorings = held;
        if (unseen) scoringSheet(this.session, names, undefined, true);
    }

    /** Puts the focus where the next thing is to be done, once for each question. @param {View} view */
    #announce(view) {
        const { session } = this;
        const asked = session.asked ? `${view.decision?.sinceVersion} ${session.seat}` : "";
        this.#guard.see(asked && `${view.version} ${asked}`, session.choice.picked.join(" "));
        if (asked !== this.#asked) this.#parts["moves"]?.scrollTo({ top: 0 });
        if (asked && asked !== this.#asked && (document.activeElement === document.body || !document.activeElement)) {
            /** @type {HTMLElement | null} */ (this.querySelector(".moves button"))?.focus({ preventScroll: true });
        }
        this.#asked = asked;
        this.#tick();
    }

    #tick() {
        for (const place of this.querySelectorAll("[data-until]")) {
            const left = Math.max(
                0,
                Math.round((Date.parse(place.getAttribute("data-until") ?? "") - serverTime()) / SECOND),
            );
            place.textContent = ` ⏳ ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
        }
    }
}

customElements.define("play-table", PlayTable);
