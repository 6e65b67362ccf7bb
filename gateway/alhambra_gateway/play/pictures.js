/** Pictures of components. Each is asked for once, a few at a time, so that a sheet of hundreds does not flood the server. */

import { server } from "./api.js";
import { h, svg } from "./dom.js";
import { memory } from "./memory.js";

/** @typedef {import("./types.js").Component} Component */

const AT_ONCE = 4;
/** The pause before the next picture that is asked for in advance, in milliseconds. */
const PREFETCH_PAUSE = 150;
const PICTURE = "image/svg+xml";
/** By address and language: the picture as an address of its own. @type {Map<string, Promise<string>>} */
const known = new Map();
let running = 0;
/** @type {(() => void)[]} */
const waiting = [];

/**
 * The picture of a component as an address that an image can show.
 *
 * @param {Component} component
 * @returns {Promise<string>}
 */
export function pictureOf(component) {
    const key = `${memory.language} ${component.picture}`;
    let found = known.get(key);
    if (!found) {
        found = inTurn(() => server.componentPicture(component.kind, component.id)).then(
            (drawn) => `data:${PICTURE};charset=utf-8,${encodeURIComponent(drawn)}`,
        );
        known.set(key, found);
        found.catch(() => known.delete(key));
    }
    return found;
}

/**
 * @param {() => Promise<string>} call
 * @returns {Promise<string>}
 */
async function inTurn(call) {
    if (running >= AT_ONCE) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    running += 1;
    try {
        return await call();
    } finally {
        running -= 1;
        waiting.shift()?.();
    }
}

/**
 * Asks for pictures before they are needed, while the page has nothing else to do, one after the other.
 *
 * @param {readonly Component[]} components
 */
export function prefetch(components) {
    const rest = [...components];
    const next = async () => {
        const one = rest.shift();
        if (!one) return;
        await pictureOf(one).catch(() => undefined);
        setTimeout(later, PREFETCH_PAUSE);
    };
    const later = () => ("requestIdleCallback" in window ? requestIdleCallback(() => void next()) : void next());
    later();
}

/**
 * An image of a component. Its name stands beside it or in a label, so that it has no text of its own.
 *
 * @param {Component | undefined} component
 * @returns {HTMLElement}
 */
export function image(component) {
    const made = h("img", { alt: "", class: `picture ${component?.kind ?? ""}` });
    if (component)
        pictureOf(component).then(
            (address) => made.setAttribute("src", address),
            () => made.remove(),
        );
    return made;
}

/**
 * A small drawing from an outline of the catalogue.
 *
 * @param {string} outline
 * @returns {SVGElement}
 */
export function figure(outline) {
    return svg(
        "svg",
        { viewBox: "0 0 48 48", class: "figure", "aria-hidden": "true" },
        svg("path", { d: outline, "fill-rule": "evenodd" }),
    );
}
