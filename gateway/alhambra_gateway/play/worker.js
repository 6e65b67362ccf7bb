/**
 * The service worker: keeps the files of the table, so that the page opens without a network. It keeps no answer of `/v1`;
 * without a network, what the browser itself has of the catalogue (names, pictures) is good enough, and is marked with the
 * header Alhambra-Kept. Files have their version in the address and come from the cache; the page itself comes from the
 * server as long as that answers, so that nobody sees an old page after an upgrade. A new version has a cache of its own,
 * which replaces the old one as a whole.
 */

/** What is kept, written in by the server. @type {any} */
const KEPT = null;
const PREFIX = "alhambra-play-";
const CACHE = `${PREFIX}${KEPT?.version}`;
const PAGE = "/play";
const CATALOGUE = "/v1/catalog/";
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fetchAll()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(dropOthers()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { pathname, origin } = new URL(event.request.url);
    if (event.request.method !== "GET" || origin !== location.origin) return;
    if (event.request.mode === "navigate" && pathname === PAGE) event.respondWith(newestPage(event.request));
    else if (pathname.startsWith(CATALOGUE)) event.respondWith(catalogue(event.request));
    else if (KEPT.files.includes(pathname) && pathname !== PAGE) event.respondWith(keptFile(event.request));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    event.notification.close();
    event.waitUntil(openTable(event.notification.data));
});

/**
 * Brings the table of a notice to the front, or opens it if it was closed.
 *
 * @param {string} address
 */
async function openTable(address) {
    const tables = await worker.clients.matchAll();
    const open = tables.find((/** @type {any} */ one) => one.url === address);
    return open ? open.focus() : worker.clients.openWindow(address);
}

async function fetchAll() {
    const cache = await caches.open(CACHE);
    await cache.addAll(KEPT.files.map((/** @type {string} */ file) => new Request(file, { cache: "no-cache" })));
    await worker.skipWaiting();
}

async function dropOthers() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
    await worker.clients.claim();
}

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function newestPage(request) {
    try {
        return await fetch(request);
    } catch (error) {
        const kept = await (await caches.open(CACHE)).match(PAGE);
        if (!kept) throw error;
        return kept;
    }
}

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function catalogue(request) {
    try {
        return await fetch(request);
    } catch (error) {
        const kept = await fetch(request, { cache: "force-cache" });
        if (!kept.ok) throw error;
        const headers = new Headers(kept.headers);
        headers.set("Alhambra-Kept", "true");
        return new Response(kept.body, { status: kept.status, headers });
    }
}

/**
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function keptFile(request) {
    return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}
