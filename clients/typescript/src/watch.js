/**
 * A watcher of one game, over as many streams as it takes. It is told what arrives and says what to show, when to open
 * the stream again, and where it goes on. Events come before the snapshot that contains them, also after a
 * reconnection.
 */

import { Call } from "./calls.js";
import { Stale } from "./errors.js";
import { Stream } from "./stream.js";

/**
 * @import { GameEvent, Included, Reaction, Resume, Snapshot, View } from "./contract.js"
 * @import { AlhambraError } from "./errors.js"
 * @import { Retry } from "./retries.js"
 * @import { GameState } from "./state.js"
 *
 * @typedef {{ type: "snapshot", view: View, lastEvent: string, included?: Included }} SnapshotMessage The game as it is
 *     now.
 * @typedef {{ type: "event", event: GameEvent }} EventMessage Something happened.
 * @typedef {{ type: "wentBack" }} WentBackMessage The server lost the newest moves of the game. Forget the events until
 *     now; a snapshot of the game follows.
 * @typedef {{ type: "reaction", reaction: Reaction }} ReactionMessage A player says something.
 * @typedef {SnapshotMessage | EventMessage | WentBackMessage | ReactionMessage} Message What a watcher is told.
 *
 * @typedef {object} WatchOptions
 * @property {string} [after] The id of the last event that is known: those that followed it come first.
 * @property {number} [fromVersion] Where to begin if no event is known: 0 for the events of the whole game; by default
 *     with what happens from now on.
 * @property {boolean} [reactions] Whether to be told what players say. They still talk when the game is over, so watching
 *     ends only when it is deleted.
 */

const DELETED = "deleted";
const WENT_BACK = "went_back";

/**
 * It is finished when the game is over or deleted; with reactions, when it is deleted.
 *
 * @extends {Stream<Message>}
 */
export class Watch extends Stream {
    #state;
    #after;
    #fromVersion;
    #reactions;
    /** A snapshot that contains events which have not arrived yet. @type {Snapshot | null} */
    #held = null;
    #wentBack = false;

    /**
     * @param {GameState} state
     * @param {Retry} retry
     * @param {WatchOptions} [options]
     */
    constructor(state, retry, { after = "", fromVersion, reactions } = {}) {
        super(retry);
        this.#state = state;
        this.#after = after;
        this.#fromVersion = fromVersion;
        this.#reactions = reactions;
    }

    /** @override */
    open() {
        this.begin();
        this.#held = null;
        const { id, token, include } = this.#state;
        const fromVersion = this.#after ? undefined : this.#fromVersion;
        const headers = { Accept: "text/event-stream", ...(this.#after && { "Last-Event-ID": this.#after }) };
        const request = { game: id, fromVersion, snapshots: true, reactions: this.#reactions, include };
        return new Call("watchEvents", request, token, headers);
    }

    /**
     * @override
     * @param {Uint8Array} bytes
     * @returns {Generator<Message, void>}
     */
    *feed(bytes) {
        for (const { type, id, data } of this.parse(bytes)) {
            if (this.#wentBack) {
                this.#wentBack = false;
                yield { type: "wentBack" };
            }
            if (id !== null) this.#after = id;
            if (type === "snapshot") yield* this.#snapshot(JSON.parse(data));
            else if (type === "event") {
                yield { type: "event", event: JSON.parse(data) };
                if (this.#held) yield* this.#snapshot(this.#held);
            } else if (type === "reaction") yield { type, reaction: JSON.parse(data) };
            else if (type === "resume") this.#end(JSON.parse(data));
        }
    }

    /**
     * @param {Snapshot} snapshot
     * @returns {Generator<Message, void>}
     */
    *#snapshot(snapshot) {
        const { view, lastEvent } = snapshot;
        if (view.version < this.#state.version) this.#state.isDoubtful = true;
        this.#held = this.#isResumed && isBefore(this.#after, lastEvent) ? snapshot : null;
        if (this.#held) return;
        if (this.#isResumed && !isSame(this.#after, lastEvent)) return; // the server is behind, or has lost moves
        this.#after ||= lastEvent;
        yield { type: "snapshot", ...snapshot };
        this.isFinished = view.status === "over" && !this.#reactions;
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
     * @override
     * @param {AlhambraError | null} failure
     */
    pauseAfter(failure) {
        if (failure instanceof Stale && this.#isResumed) {
            this.#goBack();
            return 0;
        }
        return super.pauseAfter(failure);
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
