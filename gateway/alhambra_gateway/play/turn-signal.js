/** Calls a person whose turn it is: the title and the icon of the page, a sound, a notice of the system. */

import { h } from "./dom.js";
import { memory } from "./memory.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").View} View
 * @typedef {import("./session.js").Session} Session
 */

const ICON = "/static/fountain.svg";
const CALLING =
    "data:image/svg+xml," +
    encodeURIComponent(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#e08a00"/>' +
            '<circle cx="16" cy="16" r="10" fill="#fff"/><circle cx="16" cy="16" r="6" fill="#b3001b"/></svg>',
    );
/** Two tones upwards: hertz, and seconds from the beginning. */
const TONES = /** @type {const} */ ([
    [523.25, 0],
    [783.99, 0.16],
]);
const TONE_SECONDS = 0.35;
const LOUDNESS = 0.12;

export class TurnSignal {
    #asked = "";
    #first = true;
    /** The deadline that was warned of last. */
    #warned = "";
    #aloud = h("p", { class: "unseen", role: "alert" });
    /** @type {AudioContext | null} */
    #audio = null;

    /**
     * Looks at the table; calls once for each turn of the person, and never when a page has just been opened.
     *
     * @param {Session} session
     * @param {View} view
     */
    see(session, view) {
        const who = view.decision ? (view.seats[view.decision.seat]?.name ?? "") : "";
        const state = session.asked ? `● ${say("your.turn")}` : who ? say("choosing", { name: who }) : "";
        document.title = state ? `${state} – Alhambra` : "Alhambra";
        document.querySelector("link[rel=icon]")?.setAttribute("href", session.asked ? CALLING : ICON);
        const asked = session.asked ? `${view.turn?.number} ${view.decision?.kind} ${session.seat}` : "";
        const called = asked && asked !== this.#asked && !this.#first;
        this.#asked = asked;
        this.#first = false;
        if (!called) return;
        if (memory.wishes.sound) this.sound();
        if (memory.wishes.notify && document.hidden) void notify(view.decision?.text ?? "");
    }

    /**
     * Says once for each decision that the time runs out: aloud to screen readers, with a sound and a notice if wished.
     *
     * @param {string} warning Empty if no time runs out.
     * @param {string} deadline
     */
    warn(warning, deadline) {
        if (!warning || this.#warned === deadline) return;
        this.#warned = deadline;
        this.#aloud.textContent = warning;
        if (!this.#aloud.isConnected) document.body.append(this.#aloud);
        if (memory.wishes.sound) this.sound();
        if (memory.wishes.notify && document.hidden) void notify(warning);
    }

    /** Plays the tones. */
    sound() {
        this.#audio ??= new AudioContext();
        void this.#audio.resume();
        const begin = this.#audio.currentTime;
        for (const [pitch, at] of TONES) {
            const tone = new OscillatorNode(this.#audio, { type: "triangle", frequency: pitch });
            const volume = new GainNode(this.#audio, { gain: 0 });
            volume.gain.setValueAtTime(0, begin + at);
            volume.gain.linearRampToValueAtTime(LOUDNESS, begin + at + 0.02);
            volume.gain.exponentialRampToValueAtTime(0.001, begin + at + TONE_SECONDS);
            tone.connect(volume).connect(this.#audio.destination);
            tone.start(begin + at);
            tone.stop(begin + at + TONE_SECONDS);
        }
    }
}

/** @param {string} text */
async function notify(text) {
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    const [title, options] = [say("your.turn"), { body: text, icon: "/static/icon-192.png", tag: "alhambra", data: location.href }];
    // Phones show a notice only through the service worker, which opens the table again when the notice is pressed.
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) return worker.showNotification(title, options);
    const shown = new Notification(title, options);
    shown.onclick = () => (window.focus(), shown.close());
}

/**
 * Asks the reader for notices of the system.
 *
 * @returns {Promise<boolean>} Whether they may be shown.
 */
export async function allowNotices() {
    return "Notification" in window && (await Notification.requestPermission()) === "granted";
}
