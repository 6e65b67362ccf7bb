/**
 * How a game stood when this browser saw it last, so that a page that is opened without a network shows the table. Only
 * the newest few games are kept. Where a browser keeps nothing (a page without HTTPS, a private window), nothing is shown.
 */

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").GameEvent} GameEvent
 * @typedef {{view: View, setup: View["setup"], events: GameEvent[], pictures: {seat: number, svg: string}[], at: number}} KeptGame
 */

const CACHE = "alhambra-kept-games";
const MOST = 3;
/** Changes that follow each other within this time are written once, in milliseconds. */
const PAUSE = 1500;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * @param {string} game
 * @param {number | null} seat
 */
const address = (game, seat) => `/play/kept/${game}/${seat ?? "watched"}`;

/**
 * Keeps how a game stands, soon.
 *
 * @param {Session} session
 */
export function keepGame(session) {
    clearTimeout(timer);
    timer = setTimeout(() => void write(session).catch(() => undefined), PAUSE); // a full disk must not disturb the game
}

/** @param {Session} session */
async function write(session) {
    const { view, setup, events, game, seat } = session;
    if (!view || !("caches" in window)) return;
    const pictures = view.seats.flatMap((one) => {
        const svg = session.picture(view, one.seat);
        return svg ? [{ seat: one.seat, svg }] : [];
    });
    const { clocks: _, decision, ...others } = view; // how the time stands later is not known
    const shown = { ...others, ...(decision ? { decision: { ...decision, deadline: undefined } } : {}) };
    const kept = { view: shown, setup, events, pictures, at: Date.now() };
    const cache = await caches.open(CACHE);
    await cache.put(address(game, seat), new Response(JSON.stringify(kept)));
    const all = await cache.keys();
    await Promise.all(all.slice(0, -MOST).map((old) => cache.delete(old)));
}

/**
 * @param {string} game
 * @param {number | null} seat
 * @returns {Promise<KeptGame | null>} How the game stood; null if it is not kept.
 */
export async function recallGame(game, seat) {
    if (!("caches" in window)) return null;
    const found = await (await caches.open(CACHE)).match(address(game, seat));
    return found ? found.json() : null;
}

/** @param {string} game */
export async function dropGame(game) {
    if (!("caches" in window)) return;
    const cache = await caches.open(CACHE);
    const kept = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(`/play/kept/${game}/`));
    await Promise.all(kept.map((one) => cache.delete(one)));
}
