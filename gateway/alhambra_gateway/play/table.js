/** The table: everything that is seen and done in one game. */

import "./board.js";
import { line, post, Refused, entropy } from "./api.js";
import { atom, CELL, cellOf, parts } from "./choice.js";
import { dialogue, fill, h } from "./dom.js";
import { dot, log } from "./log.js";
import { memory } from "./memory.js";
import { Moves } from "./moves.js";
import { Names } from "./names.js";
import { pictureOf } from "./pictures.js";
import { preview } from "./preview.js";
import { Session } from "./session.js";
import { link, linkSheet, orderSheet, recordSheet, replaySheet, tileSheet, wholeBoard } from "./sheets.js";
import { TextTable } from "./text.js";
import { counts, Things } from "./things.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").SeatView} SeatView
 * @typedef {import("./board.js").PlayBoard} PlayBoard
 * @typedef {import("./board.js").Spot} Spot
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
  /** @type {Map<number, PlayBoard>} */
  #boards = new Map();
  /** Whether the next person at this screen still has to be called. */
  #curtain = false;
  #asked = "";
  #previewed = "";
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;
  #heard = () => this.#render();

  /** @param {string} game */
  constructor(game) {
    super();
    this.session = new Session(game);
  }

  connectedCallback() {
    this.session.addEventListener("change", () => void this.#changed());
    line.addEventListener("change", this.#heard);
    this.#clock = setInterval(() => this.#tick(), SECOND);
    void this.session.open();
  }

  disconnectedCallback() {
    this.session.close();
    line.removeEventListener("change", this.#heard);
    clearInterval(this.#clock);
  }

  async #changed() {
    const { session } = this;
    const { view } = session;
    if (!view) return fill(this, h("p", { class: "refused", role: "alert" }, session.refused.join(" ") || say("lost")));
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
    if (view.status === "waiting") return this.#renderWaiting(view);
    if (this.#curtain) return this.#renderCurtain(view);
    if (!this.#parts.question) this.#build();
    const things = new Things(names, session.choice, view, () => this.#render());
    const me = session.seat === null ? undefined : view.seats[session.seat];
    document.title = session.asked ? `● ${say("your.turn")} – Alhambra` : "Alhambra";
    this.classList.toggle("text", memory.wishes.textMode);
    this.#set("tools", this.#tools(view));
    this.#set("question", this.#question(view));
    this.#set("moves", ...(session.asked ? this.#moves.render() : [this.#waitingFor(view)]));
    this.#set("scores", this.#scores(view));
    this.#set("log", log(session.events, view));
    if (memory.wishes.textMode) {
      this.#set("text", ...new TextTable(names, view).render());
      return this.#announce(view);
    }
    this.#set("market", h("h2", {}, say("market")), things.market(), h("h2", {}, say("display")), things.display(), view.table ? h("p", { class: "note" }, counts(view.table)) : null);
    this.#set("hand", ...(me ? this.#own(me, things) : []));
    this.#set("pieces", things.pieces() ? h("h2", {}, say("pieces")) : null, things.pieces());
    this.#drawBoards(view);
    this.#announce(view);
  }

  /**
   * @param {string} part
   * @param {...any} content
   */
  #set(part, ...content) {
    const place = this.#parts[part];
    if (place) fill(place, ...content);
  }

  /** The frame of the page, built once. */
  #build() {
    const make = (/** @type {string} */ name, /** @type {string} */ tag = "section", /** @type {Record<string, any>} */ more = {}) =>
      (this.#parts[name] = h(tag, { class: name, ...more }));
    const own = (this.#parts.own = h("section", { class: "own", "aria-label": say("own") }));
    fill(this,
      h("h1", { class: "unseen" }, "Alhambra"),
      make("tools", "nav", { "aria-label": say("tools") }),
      h("div", { class: "act" },
        make("question", "div", { role: "status" }),
        make("market", "section", { "aria-label": say("market") }),
        make("hand", "section", { "aria-label": say("hand") }),
        make("moves", "section", { "aria-label": say("moves") }),
      ),
      own,
      make("text", "section", { "aria-label": say("table") }),
      make("pieces", "section", { "aria-label": say("pieces") }),
      h("div", { class: "around" },
        make("scores", "section", { "aria-label": say("scores") }),
        make("others", "section", { "aria-label": say("others") }),
        h("section", { "aria-label": say("log"), class: "story" },
          h("div", { class: "story-head" }, h("h2", {}, say("log")), this.#detailSwitch()),
          make("log", "div", { role: "log", tabindex: 0, "aria-label": say("log") })),
      ),
    );
  }

  #detailSwitch() {
    const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", checked: memory.wishes.details, onchange: () => {
      memory.wish({ details: box.checked });
      this.#render();
    } }));
    return h("label", {}, box, say("details"));
  }

  /** @param {View} view */
  #tools(view) {
    const { session } = this;
    const names = /** @type {Names} */ (this.#names);
    const button = (/** @type {string} */ key, /** @type {() => void} */ onclick, /** @type {object} */ more = {}) =>
      h("button", { type: "button", "data-key": `tool ${key}`, onclick, ...more }, say(key));
    const wish = (/** @type {"textMode" | "ask"} */ name) => () => {
      memory.wish({ [name]: !memory.wishes[name] });
      this.#render();
    };
    const playing = session.seat !== null && view.status === "running" && !view.seats[session.seat]?.resigned;
    return h("div", { class: "buttons" },
      line.online ? null : h("span", { class: "offline", role: "alert" }, say("offline")),
      playing ? button("undo", () => void session.undo(), { disabled: !view.canUndo || session.busy }) : null,
      button("text.mode", wish("textMode"), { "aria-pressed": memory.wishes.textMode }),
      button("tiles", () => tileSheet(session, names)),
      button("replay", () => replaySheet(session, names)),
      button("links", () => linkSheet(session)),
      button("record", () => recordSheet(session)),
      playing ? button("orders", () => orderSheet(session, names)) : null,
      playing ? button("ask", wish("ask"), { "aria-pressed": memory.wishes.ask }) : null,
      playing ? button("resign", () => this.#resign()) : null,
    );
  }

  #resign() {
    const sheet = dialogue(say("resign"), say("back"), h("p", {}, say("resign.text")),
      h("button", { type: "button", class: "danger", onclick: () => (sheet.close(), void this.session.resign()) }, say("resign")));
  }

  /** @param {View} view */
  #question(view) {
    const { session } = this;
    const { decision } = view;
    const who = decision ? view.seats[decision.seat] : undefined;
    const proposal = view.undoProposal;
    return h("div", {},
      view.status === "over" ? this.#result(view) : null,
      decision && who
        ? h("p", { class: session.asked ? "mine" : "" }, dot(who.colour), h("strong", {}, who.name), ` ${decision.text}`, decision.deadline ? h("span", { class: "clock", "data-until": decision.deadline }) : null)
        : null,
      proposal && session.seat !== null && proposal.waitingFor.includes(session.seat)
        ? h("p", {}, say("undo.wanted", { name: view.seats[proposal.seat]?.name ?? "" }),
            h("button", { type: "button", onclick: () => void session.answerUndo(proposal.seat, true) }, say("agree")),
            h("button", { type: "button", onclick: () => void session.answerUndo(proposal.seat, false) }, say("refuse")))
        : null,
    );
  }

  /** @param {View} view */
  #result(view) {
    const ranking = view.result?.ranking ?? [];
    return h("div", { class: "result" }, h("h2", {}, say("over")),
      h("ol", {}, ranking.map(({ seat, place, score }) => h("li", { value: place }, `${view.seats[seat]?.name ?? "Dirk"}: ${score}`))),
      h("button", { type: "button", class: "plain", "data-key": "record", onclick: () => recordSheet(this.session) }, say("record")));
  }

  /** @param {View} view */
  #waitingFor(view) {
    const { session } = this;
    const who = view.decision ? view.seats[view.decision.seat]?.name : "";
    return h("div", {},
      session.refused.length ? h("p", { class: "refused", role: "alert" }, session.refused.join(" ")) : null,
      view.status === "running" ? h("p", { class: "note" }, say(session.seat === null ? "watching" : "waiting", { name: who ?? "" })) : null);
  }

  /** @param {View} view */
  #scores(view) {
    const rows = view.seats.map((seat) => {
      const turn = view.decision?.seat === seat.seat;
      const open = () => wholeBoard(this.session, seat.seat);
      return h("li", { class: turn ? "turn" : "" },
        h("button", { type: "button", "data-key": `score ${seat.seat}`, onclick: open, title: say("whole", { name: seat.name }) },
          dot(seat.colour), h("span", { class: "who" }, seat.name, turn ? h("span", { class: "unseen" }, ` (${say("asked")})`) : null, turn ? h("span", { "aria-hidden": "true" }, " ◀") : null),
          h("span", { class: "cards-held", title: say("hand") }, h("span", { class: "unseen" }, `${say("hand")}: `), `🂠 ${seat.handCount}`),
          h("strong", {}, h("span", { class: "unseen" }, `${say("score")}: `), seat.score)));
    });
    const third = view.table?.dirk;
    if (third) rows.push(h("li", {}, h("span", { class: "plain-row" }, h("span", { class: "who" }, "Dirk"), h("span", { class: "cards-held" }, `▦ ${third.tiles.length}`), h("strong", {}, third.score))));
    return h("ul", { class: "score-list" }, rows);
  }

  /**
   * @param {SeatView} me
   * @param {Things} things
   */
  #own(me, things) {
    return [
      h("h2", {}, say("hand")),
      things.hand(me),
      me.pending.length ? [h("h2", {}, say("pending")), things.tiles(me.pending)] : null,
      me.reserve.length ? [h("h2", {}, say("aside")), things.tiles(me.reserve)] : null,
      things.pieces(me.seat),
    ];
  }

  // -- Alhambras -----------------------------------------------------------------------------------------------------

  /** @param {View} view */
  #drawBoards(view) {
    const { session } = this;
    const own = session.seat ?? view.decision?.seat ?? 0;
    for (const seat of view.seats) {
      let board = this.#boards.get(seat.seat);
      const mine = seat.seat === own;
      if (board && board.hasAttribute("whole") === mine) {
        board.closest(".seat-board")?.remove();
        board = undefined;
      }
      if (!board) {
        board = /** @type {PlayBoard} */ (h("play-board", mine ? {} : { whole: true }));
        this.#boards.set(seat.seat, board);
        const open = () => wholeBoard(session, seat.seat);
        const shown = h("figure", { class: "seat-board" }, board,
          h("figcaption", {}, mine ? h("span", { class: "caption" }) : null, h("button", { type: "button", class: "plain", onclick: open, "aria-label": say("whole", { name: seat.name }) }, "⤢")));
        if (mine) this.#parts.own?.replaceChildren(shown, h("div", { class: "preview", role: "status" }));
        else this.#parts.others?.append(shown);
        const drawn = board;
        drawn.addEventListener("drawn", () => {
          const caption = shown.querySelector(".caption");
          if (caption) caption.textContent = drawn.caption;
        });
      }
      void board.draw(session.path, seat.seat, view.version, memory.language);
      if (mine) void this.#offerCells(view, seat, board);
    }
  }

  /**
   * Shows which cells of the own Alhambra a move names, and what the move would come to.
   *
   * @param {View} view
   * @param {SeatView} seat
   * @param {PlayBoard} board
   */
  async #offerCells(view, seat, board) {
    const { choice } = this.session;
    const names = /** @type {Names} */ (this.#names);
    const open = choice.open;
    const tile = choice.common("tile");
    const lying = new Map(seat.alhambra.map((placed) => [`${placed.cell.x},${placed.cell.y}`, placed.tile]));
    /** @type {Map<string, string>} */
    const found = new Map();
    for (const one of open.keys()) {
      const [noun, value] = parts(one);
      if (noun === CELL) found.set(value, one);
    }
    for (const [cell, placed] of lying) if (!found.has(cell) && open.has(atom("tile", placed))) found.set(cell, atom("tile", placed));
    const ghost = tile ? names.component(tile, "tile") : undefined;
    const turn = choice.common("rotation");
    const drawn = ghost && choice.picked.some((one) => parts(one)[0] === CELL) ? await pictureOf(ghost).catch(() => undefined) : undefined;
    const spots = [...found].map(([cell, one]) => ({
      ...cellOf(cell),
      label: [`(${cell.replace(",", ", ")})`, lying.has(cell) ? names.of(lying.get(cell) ?? "") : ""].filter(Boolean).join(" "),
      picked: choice.times(one) > 0,
      ...(drawn ? { ghost: drawn, turn: turn ?? 0 } : {}),
    }));
    board.offer(this.session.asked ? spots : [], (cell) => {
      const name = `${cell.x},${cell.y}`;
      const one = found.get(name) ?? atom(CELL, cell);
      if (choice.times(one)) choice.drop(one);
      else if (!choice.pick([one, ...(lying.has(name) ? [atom("tile", lying.get(name))] : [])])) return void this.#explainCell(tile, cell);
      this.#render();
    });
    void this.#preview(view, seat.seat);
  }

  /**
   * Says in words why a tile cannot lie on a cell.
   *
   * @param {string | undefined} tile
   * @param {{x: number, y: number}} cell
   */
  async #explainCell(tile, cell) {
    const place = this.#parts.own?.querySelector(".preview");
    if (!place || !tile || this.session.seat === null) return;
    try {
      const answer = await post(`${this.session.path}/placements:validate`, { placement: { tile, cell }, seat: this.session.seat }, { token: this.session.token });
      const texts = answer.violations.map((/** @type {any} */ one) => one.text).filter(Boolean);
      place.replaceChildren(h("p", { class: "refused" }, `(${cell.x}, ${cell.y}) ${[...new Set(texts)].join(" ")}`));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      place.replaceChildren(h("p", { class: "refused" }, error.lines.join(" ")));
    }
  }

  /**
   * @param {View} view
   * @param {number} seat
   */
  async #preview(view, seat) {
    const { choice, setup } = this.session;
    const place = this.#parts.own?.querySelector(".preview");
    const [only] = choice.left;
    const move = choice.picked.length && choice.common("tile") && choice.common("cell") ? only?.move : undefined;
    const wanted = move ? `${view.version} ${JSON.stringify(move)}` : "";
    if (!place || wanted === this.#previewed) return;
    this.#previewed = wanted;
    place.replaceChildren();
    const found = move && setup ? await preview(view, setup, seat, move) : null;
    if (!found || wanted !== this.#previewed) return;
    const [before, after] = found;
    place.replaceChildren(h("p", { class: "note" }, say("preview", { before: before.points, after: after.points, wall: before.wall, longer: after.wall })));
  }

  // -- Before, between and after --------------------------------------------------------------------------------------

  /** @param {View} view */
  #renderWaiting(view) {
    const known = memory.game(this.session.game);
    const rows = view.seats.map((seat) => {
      const invitation = known.invitations[seat.seat];
      const state = seat.occupancy === "open" ? say("seat.open") : say("seat.taken");
      return h("li", {}, dot(seat.colour), h("strong", {}, seat.name), ` – ${state}`,
        seat.occupancy === "open" && invitation ? link(say("links.friend", { name: seat.name }), this.session.game, { invitation }) : null);
    });
    this.#parts = {};
    this.#boards.clear();
    fill(this, h("section", { class: "panel" }, h("h1", {}, say("gathering")), h("p", {}, say("gathering.text")), h("ul", { class: "gathering" }, rows)));
  }

  /** @param {View} view */
  #renderCurtain(view) {
    const name = this.session.seat === null ? "" : (view.seats[this.session.seat]?.name ?? "");
    const go = () => {
      this.#curtain = false;
      this.#parts = {};
      this.#boards.clear();
      this.#render();
    };
    this.#parts = {};
    fill(this, h("section", { class: "panel" }, h("h1", {}, say("curtain", { name })), h("p", {}, say("curtain.text")),
      h("button", { type: "button", class: "primary", "data-key": "curtain", onclick: go }, say("curtain.go", { name }))));
    /** @type {HTMLElement | null} */ (this.querySelector(".primary"))?.focus();
  }

  /** Puts the focus where the next thing is to be done, once for each question. @param {View} view */
  #announce(view) {
    const { session } = this;
    const asked = session.asked ? `${view.decision?.sinceVersion} ${session.seat}` : "";
    if (asked && asked !== this.#asked && (document.activeElement === document.body || !document.activeElement)) {
      /** @type {HTMLElement | null} */ (this.querySelector(".moves button"))?.focus({ preventScroll: true });
    }
    this.#asked = asked;
    this.#tick();
  }

  #tick() {
    for (const place of this.querySelectorAll("[data-until]")) {
      const left = Math.max(0, Math.round((Date.parse(place.getAttribute("data-until") ?? "") - Date.now()) / SECOND));
      place.textContent = ` ⏳ ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    }
  }
}

customElements.define("play-table", PlayTable);

/**
 * Takes a seat by its invitation; the token is kept before it is used for the first time.
 *
 * @param {string} game
 * @param {string} invitation
 * @param {string} name Another name than the one given at creation; empty to keep that.
 */
export async function takeSeat(game, invitation, name) {
  const claimed = await post(`/v1/games/${game}:claimSeat`, { invitation, name, entropy: entropy() });
  memory.remember(game, (known) => {
    known.seats[claimed.seat] = { token: claimed.token, name: claimed.view.seats[claimed.seat].name };
    delete known.invitations[claimed.seat];
    known.opened = Date.now();
  });
}
