/** Choosing modules: a ready mix, or one by one, each with its picture, its rule and its variants. */

import { server } from "./api.js";
import { h, select } from "./dom.js";
import { figure, image } from "./pictures.js";
import { say } from "./words.js";

/**
 * @typedef {import("./types.js").Module} Module
 * @typedef {import("./types.js").Editions} Editions
 * @typedef {import("./types.js").Component} Component
 */

export class ModulePicker {
    #place;
    #changed;
    /** @type {Editions["presets"]} */
    #presets = [];
    /** @type {Module[]} */
    #modules = [];
    /** @type {Set<string>} */
    #chosen = new Set();
    /** @type {Set<string>} */
    #variants = new Set();
    #preset = "";
    #search = "";
    /** By module: a component that can stand for it. @type {Map<string, Component>} */
    #faces = new Map();

    /**
     * @param {HTMLElement} place Where the picker is shown.
     * @param {() => void} changed Called when it has to be drawn anew.
     */
    constructor(place, changed) {
        this.#place = place;
        this.#changed = changed;
    }

    /**
     * @param {Module[]} modules
     * @param {Editions["presets"]} presets
     */
    offer(modules, presets) {
        this.#modules = modules;
        this.#presets = presets;
    }

    /** What was chosen, as CreateGame wants it. */
    get chosen() {
        const set = this.#preset ? { preset: this.#preset } : { modules: [...this.#chosen] };
        return { ...set, variants: [...this.#variants] };
    }

    /** @returns {HTMLElement[]} */
    render() {
        return [this.#presetChoice(), this.#moduleList()];
    }

    #presetChoice() {
        const presets = this.#presets;
        /** @type {[string, string][]} */
        const entries = [
            ["", say("preset.none")],
            ...presets.map(
                ({ key, name, modules }) => /** @type {[string, string]} */ ([key, `${name} (${modules.length})`]),
            ),
        ];
        const chosen = presets.find(({ key }) => key === this.#preset);
        const choose = select(
            entries,
            {
                id: "preset",
                "data-key": "preset",
                onchange: () => {
                    this.#preset = choose.value;
                    this.#chosen = new Set(presets.find(({ key }) => key === choose.value)?.modules ?? []);
                    this.#variants.clear();
                    this.#changed();
                },
            },
            this.#preset,
        );
        return h(
            "fieldset",
            {},
            h("legend", {}, say("modules")),
            h("label", { for: "preset" }, say("preset")),
            choose,
            chosen ? h("p", { class: "note" }, chosen.text) : null,
        );
    }

    #moduleList() {
        const wanted = this.#search.toLowerCase();
        const fits = (/** @type {Module} */ one) => `${one.name} ${one.text}`.toLowerCase().includes(wanted);
        const rows = this.#modules.filter(fits).map((one) => this.#moduleRow(one));
        const search = /** @type {HTMLInputElement} */ (
            h("input", {
                type: "search",
                value: this.#search,
                "aria-label": say("search"),
                placeholder: say("search"),
                "data-key": "search",
                oninput: () => {
                    this.#search = search.value;
                    this.#changed();
                },
            })
        );
        const open = this.#place.querySelector("details.module-list")?.hasAttribute("open");
        const made = h(
            "details",
            { class: "module-list", open, ontoggle: () => this.#loadFaces() },
            h("summary", {}, say("modules.choose", { count: this.#chosen.size, all: this.#modules.length })),
            search,
            h("ul", {}, rows),
        );
        return made;
    }

    /** @param {Module} one */
    #moduleRow(one) {
        const box = /** @type {HTMLInputElement} */ (
            h("input", {
                type: "checkbox",
                checked: this.#chosen.has(one.key),
                "data-key": `module ${one.key}`,
                onchange: () => {
                    if (box.checked) this.#chosen.add(one.key);
                    else this.#chosen.delete(one.key);
                    this.#preset = "";
                    this.#changed();
                },
            })
        );
        const outline = one.pieces.find((piece) => piece.outline)?.outline;
        const face = this.#faces.get(one.key);
        const variants = this.#chosen.has(one.key)
            ? one.variants.map((variant) => {
                  const tick = /** @type {HTMLInputElement} */ (
                      h("input", {
                          type: "checkbox",
                          checked: this.#variants.has(variant.key),
                          "data-key": `variant ${variant.key}`,
                          onchange: () => {
                              if (tick.checked) this.#variants.add(variant.key);
                              else this.#variants.delete(variant.key);
                          },
                      })
                  );
                  return h(
                      "label",
                      { class: "variant" },
                      tick,
                      h("span", {}, h("strong", {}, variant.name), " ", variant.text),
                  );
              })
            : [];
        return h(
            "li",
            {},
            h(
                "label",
                {},
                box,
                h("span", { class: "face" }, outline ? figure(outline) : face ? image(face) : null),
                h("span", {}, h("strong", {}, one.name), h("span", { class: "note" }, one.text)),
            ),
            h(
                "details",
                { class: "rule" },
                h("summary", {}, say("rule")),
                h("p", {}, one.rule),
                one.example ? h("p", { class: "note" }, one.example) : null,
            ),
            variants,
        );
    }

    /** Pictures for modules without figures, once the list is opened. */
    async #loadFaces() {
        if (this.#faces.size) return;
        for (const one of await server.components().catch(() => []))
            if (one.module && !this.#faces.has(one.module)) this.#faces.set(one.module, one);
        this.#changed();
    }
}
