/** Building the page without a template language: elements, focus, dialogues. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element with its properties and children. A property that starts with `on` is a listener; null, undefined and
 * false leave a property out.
 *
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else made.setAttribute(name, value === true ? "" : String(value));
    }
    made.append(...kept(children));
    return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of a drawing.
 *
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
    const made = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else made.setAttribute(name, String(value));
    }
    made.append(...children);
    return made;
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function kept(children) {
    return children
        .flat()
        .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
        .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Replaces what an element holds. The focus stays on the element with the same `data-key`.
 *
 * @param {Element} place
 * @param {...(Child | Child[])} children
 */
export function fill(place, ...children) {
    const held = document.activeElement;
    const key = held && place.contains(held) ? held.getAttribute("data-key") : null;
    place.replaceChildren(...kept(children));
    if (key === null) return;
    const again = place.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
    else if (place instanceof HTMLElement) {
        place.tabIndex = -1;
        place.focus({ preventScroll: true });
    }
}

/**
 * Shows a dialogue until it is closed.
 *
 * @param {string} title
 * @param {string} close What the button says that closes it.
 * @param {(Child | Child[])[]} content
 * @returns {HTMLDialogElement}
 */
export function dialogue(title, close, ...content) {
    const heading = h("h2", { id: "dialogue-title" }, title);
    const made = /** @type {HTMLDialogElement} */ (h("dialog", { "aria-labelledby": heading.id, class: "sheet" }));
    made.append(
        h("div", { class: "sheet-head" }, heading, h("button", { type: "button", onclick: () => made.close() }, close)),
        ...kept(content),
    );
    made.addEventListener("close", () => made.remove());
    document.body.append(made);
    made.showModal();
    return made;
}

/**
 * A choice from a short list.
 *
 * @param {[string, string][]} entries Value and text of each.
 * @param {Record<string, any>} properties
 * @param {string} [chosen]
 * @returns {HTMLSelectElement}
 */
export function select(entries, properties, chosen) {
    return /** @type {HTMLSelectElement} */ (
        h(
            "select",
            properties,
            entries.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
        )
    );
}
