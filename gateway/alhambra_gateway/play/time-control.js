/**
 * The time in a new game: for each decision, for all decisions of a player together (with what each turn adds), and what
 * happens when a player has no time left. In short, and as fields of a form.
 */

import { DAY, HOUR, MINUTE } from "./clock.js";
import { h, select } from "./dom.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/** What can be chosen, in seconds; 0 for no limit. */
const PER_DECISION = [0, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY];
const PER_PLAYER = [0, ...[5, 10, 15, 20, 30, 45, 60, 90].map((minutes) => minutes * MINUTE), DAY, 3 * DAY, 7 * DAY];
const PER_TURN = [0, 5, 10, 15, 30, MINUTE, 2 * MINUTE, HOUR, 12 * HOUR, DAY];
/** What a turn adds at first, for players who have minutes. */
const USUAL_INCREMENT = 15;
const FLAG_FALLS = ["server_plays", "resigns"];

/** @typedef {{clockSeconds?: number, clockIncrementSeconds?: number, flagFall?: string}} Clock */

export class TimeControl {
    #decision = 0;
    #player = 0;
    #turn = USUAL_INCREMENT;
    #flagFall = "server_plays";
    #changed;

    /** @param {() => void} changed Called when other fields are needed. */
    constructor(changed) {
        this.#changed = changed;
    }

    /** What CreateGame takes. */
    get chosen() {
        return {
            turnSeconds: this.#decision,
            ...(this.#player
                ? { clockSeconds: this.#player, clockIncrementSeconds: this.#turn, flagFall: this.#flagFall }
                : {}),
        };
    }

    /** @returns {HTMLElement[]} */
    render() {
        const seconds = (
            /** @type {string} */ key,
            /** @type {number[]} */ all,
            /** @type {number} */ value,
            /** @type {(seconds: number) => void} */ take,
        ) => {
            const none = say(key === "time.turn" ? "time.nothing" : "time.none");
            const choose = select(
                all.map((one) => [String(one), one ? duration(one) : none]),
                { "data-key": key, onchange: () => take(Number(choose.value)) },
                String(value),
            );
            return h("label", {}, h("span", {}, say(key)), choose);
        };
        const flag = select(
            FLAG_FALLS.map((one) => [one, say(`flag.${one}`)]),
            { "data-key": "flag", onchange: () => (this.#flagFall = flag.value) },
            this.#flagFall,
        );
        return [
            seconds("time", PER_DECISION, this.#decision, (value) => (this.#decision = value)),
            seconds("time.player", PER_PLAYER, this.#player, (value) => {
                this.#player = value;
                this.#changed();
            }),
            ...(this.#player
                ? [
                      seconds("time.turn", PER_TURN, this.#turn, (value) => (this.#turn = value)),
                      h("label", {}, h("span", {}, say("flag")), flag),
                  ]
                : []),
        ];
    }
}

/**
 * The times that were agreed on, in a few words.
 *
 * @param {Clock & {turnSeconds?: number}} setup
 * @returns {string[]}
 */
export function agreedTimes({ turnSeconds, clockSeconds, clockIncrementSeconds, flagFall }) {
    return [
        ...(turnSeconds ? [`${say("time")}: ${duration(turnSeconds)}`] : []),
        ...(clockSeconds
            ? [
                  `${say("time.player")}: ${duration(clockSeconds)}`,
                  ...(clockIncrementSeconds ? [`${say("time.turn")}: ${duration(clockIncrementSeconds)}`] : []),
                  `${say("flag")}: ${say(`flag.${flagFall}`)}`,
              ]
            : []),
    ];
}

/**
 * @param {number} seconds
 * @returns {string}
 */
export function duration(seconds) {
    const [value, unit] =
        seconds % DAY === 0
            ? [seconds / DAY, "day"]
            : seconds % HOUR === 0
              ? [seconds / HOUR, "hour"]
              : seconds % MINUTE === 0
                ? [seconds / MINUTE, "minute"]
                : [seconds, "second"];
    return new Intl.NumberFormat(memory.locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
}
