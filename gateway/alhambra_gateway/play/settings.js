/** The reader's wishes about the table: confirming, sound, notices, the pace of what others do. */

import { dialogue, h, select } from "./dom.js";
import { memory } from "./memory.js";
import { allowNotices, TurnSignal } from "./turn-signal.js";
import { say } from "./words.js";

const PACES = /** @type {const} */ (["slow", "normal", "fast", "none"]);

/** @param {() => void} changed Called when a wish has changed. */
export function settingsSheet(changed) {
    const box = (
        /** @type {"ask" | "sound" | "notify"} */ wish,
        /** @type {(on: boolean) => boolean | Promise<boolean>} */ turn = (on) => on,
    ) => {
        const field = /** @type {HTMLInputElement} */ (
            h("input", {
                type: "checkbox",
                checked: memory.wishes[wish],
                "data-key": `wish ${wish}`,
                onchange: async () => {
                    field.checked = await turn(field.checked);
                    memory.wish({ [wish]: field.checked });
                    changed();
                },
            })
        );
        return h("li", {}, h("label", {}, field, say(`wish.${wish}`)));
    };
    const pace = select(
        PACES.map((one) => [one, say(`pace.${one}`)]),
        { "data-key": "wish pace", onchange: () => (memory.wish({ pace: pace.value }), changed()) },
        memory.wishes.pace,
    );
    dialogue(
        say("settings"),
        say("close"),
        h(
            "ul",
            { class: "settings" },
            box("ask"),
            box("sound", (on) => (on && new TurnSignal().sound(), on)),
            box("notify", async (on) => on && (await allowNotices())),
            h("li", {}, h("label", {}, say("pace"), pace)),
        ),
    );
}
