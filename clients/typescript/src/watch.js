/**
 * A watcher of one game, over as many streams as it takes. It is told what arrives and says what to show, when to open
 * the stream again, and where it goes on. Events come before the snapshot that contains them, also after a
 * reconnection.
 */

import { Call } from "./calls.js";
import { Stale, Unreachable } from "./errors.js";
import { EventParser } from "./event-parser.js";
import { Attempts } from "./retries.js";

/**
 * @import { GameEvent, Resume, Snapshot, View } from "./contract.js"
 * @import { AlhambraError } from "./errors.js"
 * @import { Retry } from "./retries.js"
 * @import { GameState } from "./state.js"
 *
 * @typedef {{ type: "snapshot", view: View, lastEvent: string }} SnapshotMessage The game as it is now.
 * @typedef {{ type: "event", event: GameEvent }} EventMessage Something happened.
 * @typedef {{ type: "wentBack" }} WentBackMessage The server lost the newest moves of the game. Forget the events until
 *     now; a snapshot of the game follows.
 * @typedef {SnapshotMessage | EventMessage | WentBackMessage} Message What a watcher is told.
 */

const DELETED = "deleted";
const WENT_BACK = "went_back";

export class Watch {
    /** Whether there is nothing more to watch: the game is over or deleted. */
    isFinished = false;
    /** Whether the present stream has said that it ends. */
    isClosed = false;
    #state;
    #retry;
    #after;
    #fromVersion;
    #parser = new EventParser();
    #attempts;
    /** A snapshot that contains events which have not arrived yet. @type {Snapshot | null} */
    #held = null;
    /** Whether the present stream has sent something. */
    #isAlive = false;
    #wentBack = false;

    /**
     * @param {GameState} state
     * @param {Retry} retry
     * @param {string} [after] The id of the last event that is known.
     * @param {number} [fromVersion] Where to begin if no event is known; by default with what happens from now on.
     */
    constructor(state, retry, after = "", fromVersion) {
        this.#state = state;
        this.#retry = retry;
        this.#after = after;
        this.#fromVersion = fromVersion;
        this.#attempts = new Attempts(retry);
    }

    /**
     * The call that opens the next stream.
     *
     * @returns {Call}
     */
    open() {
        this.#parser = new EventParser();
        this.#held = null;
        this.#isAlive = this.isClosed = false;
        const { id, token } = this.#state;
        const begin = this.#after ? undefined : this.#fromVersion;
        const headers = { Accept: "text/event-stream", ...(this.#after && { "Last-Event-ID": this.#after }) };
        return new Call("watchEvents", { game: id, fromVersion: begin, snapshots: true }, token, headers);
    }

    /**
     * Yield what the watcher is told by these bytes of the stream.
     *
     * @param {Uint8Array} bytes
     * @returns {Generator<Message, void>}
     */
    *feed(bytes) {
        for (const { type, id, data } of this.#parser.feed(bytes)) {
            this.#isAlive = true;
            if (this.#wentBack) {
                this.#wentBack = false;
                yield { type: "wentBack" };
            }
            if (id !== null) this.#after = id;
            if (type === "snapshot") yield* this.#snapshot(JSON.parse(data));
            else if (type === "event") {
                yield { type: "event", event: JSON.parse(data) };
                if (this.#held) yield* this.#snapshot(this.#held);
            } else if (type === "resume") this.#end(JSON.parse(data));
        }
    }

    /**
     * @param {Snapshot} snapshot
     * @returns {Generator<Message, void>}
     */
    *#snapshot(snapshot) {
        const { lastEvent } = snapshot;
        const view = this.#state.see(snapshot.view);
        this.#held = this.#isResumed && isBefore(this.#after, lastEvent) ? snapshot : null;
        if (this.#held) return;
        if (this.#isResumed && !isSame(this.#after, lastEvent)) return; // the server is behind, or has lost moves
        this.#after ||= lastEvent;
        yield { type: "snapshot", view, lastEvent };
        this.isFinished = view.status === "over";
    }

    get #isResumed() {
        return this.#after !== "" || this.#fromVersion !== undefined;
    }

    /** @param {Resume} resume */
    #end(resume) {
        this.isClosed = true;
        this.isFinished = resume.because === DELETED;
        if (resume.because === WENT_BACK) this.#goBack();
    }

    #goBack() {
        this.#state.forget();
        this.#after = "";
        this.#fromVersion = undefined;
        this.#wentBack = true;
    }

    /**
     * How many seconds to wait before the next stream is opened. Throws the failure if another stream is not worth it.
     *
     * @param {AlhambraError | null} failure Why the present stream could not be opened or read; null if it ended.
     * @returns {number}
     */
    pauseAfter(failure) {
        if (failure instanceof Stale && this.#isResumed) {
            this.#goBack();
            return 0;
        }
        if (this.#isAlive) {
            this.#attempts = new Attempts(this.#retry);
            return this.#parser.retrySeconds;
        }
        return this.#attempts.pauseAfter(failure ?? new Unreachable("The stream ended before it had begun."));
    }
}

/**
 * Whether an event comes before another one. Ids begin with a version and an index, "17.2.9f3c1a"; "" is the beginning.
 *
 * @param {string} one
 * @param {string} other
 */
export function isBefore(one, other) {
    const [version = -1, index = -1] = position(one);
    const [otherVersion = -1, otherIndex = -1] = position(other);
    return version < otherVersion || (version === otherVersion && index < otherIndex);
}

/**
 * Whether two ids name the same event. An id may lack the digits of the link.
 *
 * @param {string} one
 * @param {string} other
 */
function isSame(one, other) {
    const [digits, others] = [one.split(".")[2], other.split(".")[2]];
    return position(one).join() === position(other).join() && (digits === others || !digits || !others);
}

/** @param {string} event */
function position(event) {
    return event ? event.split(".").slice(0, 2).map(Number) : [];
}
