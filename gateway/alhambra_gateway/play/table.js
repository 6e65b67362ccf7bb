/** The table: everything that is seen and done in one game. */

import { line, serverTime, Unreachable } from "./api.js";
import { Alhambras } from "./alhambras.js";
import { Choice } from "./choice.js";
import { tick } from "./clock.js";
import { fill, h } from "./dom.js";
import { Drag } from "./drag.js";
import { curtain, gathering } from "./gathering.js";
import { Guard } from "./guard.js";
import { Hints } from "./hint.js";
import { keepGame, recallGame } from "./kept-games.js";
import { Novelty, numbered } from "./novelty.js";
import { Log, sinceLastMove } from "./log.js";
import { memory } from "./memory.js";
import { Moves } from "./moves.js";
import { Names } from "./names.js";
import { prefetch } from "./pictures.js";
import { Session } from "./session.js";
import { Reactions } from "./reactions.js";
import { scorings, scoringSheet } from "./scoring.js";
import { Standing } from "./standing.js";
import { question, stepShown, tools, waitingFor } from "./status.js";
import { Steps } from "./steps.js";
import { TextTable } from "./text.js";
import { counts, Things } from "./things.js";
import { TurnSignal } from "./turn-signal.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SeatView} SeatView
 */

const SECOND = 1000;
/** When the pictures of tiles that may come are asked for, in milliseconds after the table is shown. */
const PREFETCH_AFTER = 3000;
/** Fewer moves than this are shown at once, even if the sheet of moves is folded. */
const FEW_MOVES = 4;
/** The room between the headline and what is brought into view, in pixels. */
const ABOVE = 8;
/** Screens on which the moves are a sheet over the table. */
const SMALL = "(max-width: 51.99rem)";

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
    /** Whether the page was moved to the Alhambra for a tile to be placed. */
    #brought = false;
    /** What the status says, without its pictures. */
    #said = "";
    #prefetched = false;
    #novel = new Novelty();
    /** @type {Log | null} */
    #log = null;
    #steps;
    #hints;
    #reactions;
    #guard = new Guard(this);
    #signal = new TurnSignal();
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #clock;
    #heard = () => {
        if (!line.online && !this.session.view) void this.#recall();
        this.#render();
    };
    /** @param {KeyboardEvent} event */
    #key = (event) => {
        const typing = event.target instanceof Element && event.target.closest("input, select, textarea, dialog");
        if (typing || event.repeat || event.ctrlKey || event.metaKey || event.altKey || this.#curtain) return;
        const key = event.key.toLowerCase();
        if (key === "u" && this.session.canUndo && !this.session.busy) void this.session.undo();
        if (key === "r") this.#reactions.sheet();
        if (key === "h" && !this.#steps.view) void this.#hints.ask();
    };

    /** @param {string} game */
    constructor(game) {
        super();
        this.session = new Session(game);
        this.#hints = new Hints(this.session, () => this.#render());
        this.#reactions = new Reactions(this.session, this);
        this.#steps = new Steps(this.session, (step) => {
            if (step) void this.#alhambras?.lay(step);
            this.#render();
        });
    }

    connectedCallback() {
        new Drag(this, (board, x, y) => this.#drop(board, x, y), () => this.#turn());
        this.session.addEventListener("change", () => void this.#changed());
        line.addEventListener("change", this.#heard);
        document.addEventListener("keydown", this.#key);
        this.#clock = setInterval(() => this.#tick(), SECOND);
        this.#reactions.open();
        void this.session.open();
    }

    disconnectedCallback() {
        this.session.close();
        this.#reactions.close();
        line.removeEventListener("change", this.#heard);
        document.removeEventListener("keydown", this.#key);
        clearInterval(this.#clock);
    }

    /** Shows how the game stood when it was seen last; the server does not answer. */
    async #recall() {
        const { session } = this;
        const kept = await recallGame(session.game, session.seat);
        if (kept) session.recall(kept);
        else if (!session.view) this.#lost();
    }

    #lost() {
        const why = this.session.refused.join(" ") || say("lost");
        const away = h("a", { class: "button", href: "#" }, say("to.lobby"));
        fill(this, h("section", { class: "panel" }, h("p", { class: "refused", role: "alert" }, why), h("p", {}, away)));
    }

    async #changed() {
        const { session } = this;
        const { view } = session;
        if (!view) return this.#lost();
        if (!this.#names && session.setup) {
            try {
                this.#names = await Names.load(session.setup.modules);
            } catch (error) {
                if (!(error instanceof Unreachable)) throw error;
                return this.#lost(); // the next change tries again
            }
            this.#moves = new Moves(session, this.#names, () => this.#render());
        }
        memory.remember(session.game, (known) => {
            known.names = view.seats.map(({ name }) => name).join(", ");
            known.opened = Date.now();
        });
        if (!session.keptAt) keepGame(session);
        if (view.status === "running" && !this.#prefetched && !session.keptAt) {
            this.#prefetched = true;
            const tiles = this.#names?.components.filter(({ kind, module }) => kind === "tile" && !module) ?? [];
            setTimeout(() => prefetch(tiles), PREFETCH_AFTER);
        }
        await this.#changeSeat(view);
        this.#steps.see();
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
        const view = this.#steps.view ?? session.view;
        const stepping = this.#steps.view !== null;
        const names = this.#names;
        if (!view || !names || !this.#moves) return;
        this.dataset.version = String(view.version);
        this.classList.toggle("alone", view.status === "waiting" || this.#curtain);
        this.dataset.state = session.keptAt ? "kept" : session.busy ? "busy" : stepping ? "showing" : session.asked ? "asked" : view.status;
        if (view.status === "waiting") return this.#alone(gathering(session, view, names));
        if (this.#curtain) return this.#callNext(view);
        if (!this.#alhambras) this.#build(names);
        const asked = session.asked && !stepping && !session.keptAt ? `${view.decision?.sinceVersion} ${session.seat}` : "";
        this.#novel.see(asked, [
            ...(view.table?.market ?? []).map(({ slot, tile }) => `${slot} ${tile}`),
            ...numbered(view.table?.display ?? []),
        ]);
        const choice = stepping ? new Choice() : session.choice;
        const offers = asked ? session.offers : [];
        const things = new Things(names, choice, view, this.#novel, () => this.#render(), offers);
        const me = session.seat === null ? undefined : view.seats[session.seat];
        if (!stepping) this.#signal.see(session, view);
        this.classList.toggle("text", memory.wishes.textMode);
        this.#set(
            "tools",
            tools(session, names, view, () => this.#render(), () => this.#reactions.sheet()),
        );
        const { step } = this.#steps;
        this.#set("question", step ? stepShown(step, view, names) : question(session, view, names));
        const skip = () => this.#steps.skip();
        const picked = session.choice.picked.length > 0;
        const few = picked || session.choice.left.length < FEW_MOVES || !asked;
        const folded = memory.wishes.folded && !few;
        this.classList.toggle("folded", folded);
        this.classList.toggle("choosing", picked);
        this.#set("moves", few ? null : this.#fold(folded), ...(asked ? [this.#hints.render(), ...this.#moves.render()] : [waitingFor(session, view, stepping ? skip : null)]));
        this.#standing?.draw(view);
        const events = session.events.slice(0, this.#steps.shown);
        this.#log?.show(events, view, sinceLastMove(events, session.seat, asked !== ""), session.seat);
        if (memory.wishes.textMode) {
            this.#set("text", ...new TextTable(names, view).render());
            if (!stepping) this.#showScoring(names);
            return this.#announce(asked, view);
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
        const pieces = things.pieces();
        this.#set("pieces", pieces ? h("h2", {}, say("pieces")) : null, pieces);
        if (stepping) this.#alhambras?.offerNothing();
        else {
            this.#alhambras?.draw(view);
            this.#showScoring(names);
        }
        this.#announce(asked, view);
    }

    /**
     * @param {string} part
     * @param {...any} content
     */
    #set(part, ...content) {
        const place = this.#parts[part];
        if (!place) return;
        if (place.getAttribute("role") !== "status") return fill(place, ...content);
        const made = h("div", {}, ...content);
        const { innerHTML } = made; // pictures are not in it yet: they come later, and are no news
        if (this.#said !== innerHTML) fill(place, made); // what is said already is not said again
        this.#said = innerHTML;
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
                make("market", "section", { "aria-label": say("market") }),
                make("moves", "section", { "aria-label": say("moves") }),
            ),
            h("div", { class: "estate" }, own, make("hand", "section", { "aria-label": say("hand") })),
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
        this.#log = new Log(/** @type {HTMLElement} */ (this.#parts["log"]));
    }

    /**
     * A thing was dropped on the own Alhambra: the cell is picked, and if a single move is left, it is made.
     *
     * @param {import("./board.js").PlayBoard} board
     * @param {number} x
     * @param {number} y
     */
    #drop(board, x, y) {
        const { choice } = this.session;
        const before = choice.picked.length;
        board.press(x, y, true);
        const [only, another] = choice.left;
        if (only && !another && choice.picked.length > before) this.#moves?.make(only);
    }

    /** Turns what is dragged, if it can lie in several ways. @returns {number | null} In degrees; null if it cannot be turned. */
    #turn() {
        const turned = this.session.choice.turn();
        if (turned !== null) this.#render();
        return turned;
    }

    /** A button that folds the sheet of moves on small screens. @param {boolean} folded */
    #fold(folded) {
        const fold = () => {
            memory.wish({ folded: !memory.wishes.folded });
            this.#render();
        };
        return h(
            "button",
            {
                type: "button",
                class: "fold plain",
                "data-key": "fold",
                "aria-expanded": String(!folded),
                onclick: fold,
            },
            say("moves"),
        );
    }

    /**
     * Brings into view on small screens what comes next: the Alhambra if there is a tile to be placed, and once that is
     * done the market again, where most of what others do is seen.
     *
     * @param {View} view
     * @param {boolean} asked
     */
    #bringIntoView(view, asked) {
        const me = this.session.seat === null ? undefined : view.seats[this.session.seat];
        const placed =
            asked &&
            this.session.choice.entries.some(({ move }) => move.cell && move.tile && me?.pending.includes(move.tile));
        const next = placed ? this.#parts["own"] : this.#brought ? this : null;
        this.#brought = placed;
        if (!next || !matchMedia(SMALL).matches) return;
        // The headline sticks at the top, with as many lines as the language needs.
        next.style.scrollMarginTop = `${(this.#parts["question"]?.offsetHeight ?? 0) + ABOVE}px`;
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        next.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
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
        const part = (/** @type {string} */ key, /** @type {HTMLElement} */ held) =>
            h("div", { class: `held ${key}` }, h("h2", {}, say(key)), held);
        return [
            me.pending.length ? part("pending", things.tiles(me.pending)) : null,
            part("hand", things.hand(me)),
            me.reserve.length ? part("aside", things.tiles(me.reserve)) : null,
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

    /**
     * Puts the focus where the next thing is to be done, once for each question.
     *
     * @param {string} asked
     * @param {View} view
     */
    #announce(asked, view) {
        this.#guard.see(asked && `${view.version} ${asked}`, this.session.choice.picked.join(" "));
        if (asked !== this.#asked) {
            this.#parts["moves"]?.scrollTo({ top: 0 });
            this.#bringIntoView(view, asked !== "");
        }
        if (asked && asked !== this.#asked && (document.activeElement === document.body || !document.activeElement)) {
            const folded = this.classList.contains("folded") && matchMedia(SMALL).matches;
            const first = folded ? ".moves .fold" : ".moves button:not(.fold)";
            /** @type {HTMLElement | null} */ (this.querySelector(first))?.focus({ preventScroll: true });
        }
        this.#asked = asked;
        this.#tick();
    }

    #tick() {
        const warning = tick(this, serverTime());
        if (this.session.asked && !this.#steps.view) this.#signal.warn(warning, this.session.view?.decision?.deadline ?? "");
    }
}

customElements.define("play-table", PlayTable);
