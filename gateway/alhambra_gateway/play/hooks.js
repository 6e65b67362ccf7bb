/**
 * Where other parts of the page join the table, without the table knowing them:
 *
 * - `play:rules` asks for the rules at an anchor ("scoring"). Whoever shows them calls `preventDefault`; otherwise the
 *   pages of the rules are opened.
 * - `play:shown` tells after each drawing what is shown. A guide listens to it, and puts what it says into the element
 *   `.overlay` of the table, which the table never touches.
 */

export const RULES = "play:rules";
export const SHOWN = "play:shown";
const PAGES = "/modules/";

/**
 * Opens the rules.
 *
 * @param {Element} place Where they were asked for.
 * @param {string} anchor
 */
export function openRules(place, anchor) {
    const asked = new CustomEvent(RULES, { bubbles: true, cancelable: true, detail: { anchor } });
    if (place.dispatchEvent(asked)) open(`${PAGES}#${anchor}`, "_blank", "noopener");
}

/**
 * Tells what the table shows.
 *
 * @param {Element} table
 * @param {{state: string, view: import("./types.js").View, choice: import("./choice.js").Choice}} shown
 */
export function tellShown(table, shown) {
    table.dispatchEvent(new CustomEvent(SHOWN, { bubbles: true, detail: shown }));
}
