/**
 * QR codes: a text as a square of dark and light modules (ISO/IEC 18004, bytes, error correction level M, versions 1 to
 * 10, which hold up to 213 bytes). Links with secrets must not leave the browser, so no server draws them.
 */

/** By version: codewords for error correction in each block, and the data codewords of the blocks. */
const BLOCKS = [
    { correction: 10, data: [16] },
    { correction: 16, data: [28] },
    { correction: 26, data: [44] },
    { correction: 18, data: [32, 32] },
    { correction: 24, data: [43, 43] },
    { correction: 16, data: [27, 27, 27, 27] },
    { correction: 18, data: [31, 31, 31, 31] },
    { correction: 22, data: [38, 38, 39, 39] },
    { correction: 22, data: [36, 36, 36, 37, 37] },
    { correction: 26, data: [43, 43, 43, 43, 44] },
];
/** By version: rows and columns in which alignment patterns have their centres. */
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];
const BYTE_MODE = 0b0100;
const PADDING = [0xec, 0x11];
/** From this version on, the number of bytes takes two bytes. */
const LONG_COUNT = 10;
/** From this version on, the version itself stands in the code. */
const VERSION_SHOWN = 7;
/** The patterns that avoid large areas of one colour. @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
    (row, column) => (row + column) % 2 === 0,
    (row) => row % 2 === 0,
    (_, column) => column % 3 === 0,
    (row, column) => (row + column) % 3 === 0,
    (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
    (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
    (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
    (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/**
 * The modules of the code of a text, row by row; true is dark. Null if the text is too long.
 *
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function qrCode(text) {
    const bytes = new TextEncoder().encode(text);
    const version = 1 + BLOCKS.findIndex((_, index) => bytes.length <= capacity(index + 1));
    if (!version) return null;
    const codewords = interleave(version, dataCodewords(version, bytes));
    const codes = MASKS.map((_, mask) => draw(version, codewords, mask));
    return codes.reduce((best, one) => (penalty(one) < penalty(best) ? one : best));
}

/** @param {number} version */
function capacity(version) {
    return total(version) - (version >= LONG_COUNT ? 3 : 2);
}

/** @param {number} version */
function total(version) {
    return blocks(version).data.reduce((sum, count) => sum + count, 0);
}

/** @param {number} version */
function blocks(version) {
    return /** @type {typeof BLOCKS[number]} */ (BLOCKS[version - 1]);
}

// -- Codewords ---------------------------------------------------------------------------------------------------------

/**
 * @param {number} version
 * @param {Uint8Array} bytes
 * @returns {number[]}
 */
function dataCodewords(version, bytes) {
    /** @type {number[]} */
    const bits = [];
    const put = (/** @type {number} */ value, /** @type {number} */ length) => {
        for (let place = length - 1; place >= 0; place--) bits.push((value >> place) & 1);
    };
    put(BYTE_MODE, 4);
    put(bytes.length, version >= LONG_COUNT ? 16 : 8);
    for (const byte of bytes) put(byte, 8);
    put(0, Math.min(4, 8 * total(version) - bits.length));
    while (bits.length % 8) bits.push(0);
    const found = [];
    for (let start = 0; start < bits.length; start += 8)
        found.push(bits.slice(start, start + 8).reduce((value, bit) => 2 * value + bit, 0));
    for (let extra = 0; found.length < total(version); extra++) found.push(/** @type {number} */ (PADDING[extra % 2]));
    return found;
}

/**
 * The codewords of all blocks in the order in which they are drawn: data first, then error correction.
 *
 * @param {number} version
 * @param {number[]} data
 * @returns {number[]}
 */
function interleave(version, data) {
    const { correction, data: counts } = blocks(version);
    let start = 0;
    const parts = counts.map((count) => data.slice(start, (start += count)));
    const corrections = parts.map((part) => remainder(part, correction));
    const columns = (/** @type {number[][]} */ rows) =>
        Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, index) =>
            rows.filter((row) => index < row.length).map((row) => /** @type {number} */ (row[index])),
        ).flat();
    return [...columns(parts), ...columns(corrections)];
}

/** Powers of 2 in the field of 256 elements, and their logarithms. */
const POWERS = /** @type {number[]} */ ([]);
const LOGARITHMS = /** @type {number[]} */ ([]);
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
    POWERS[exponent] = value;
    LOGARITHMS[value] = exponent;
    value = value < 128 ? 2 * value : (2 * value) ^ 0x11d;
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {number}
 */
function times(one, other) {
    if (!one || !other) return 0;
    return POWERS[(/** @type {number} */ (LOGARITHMS[one]) + /** @type {number} */ (LOGARITHMS[other])) % 255] ?? 0;
}

/**
 * The Reed–Solomon codewords of a block.
 *
 * @param {number[]} data
 * @param {number} count
 * @returns {number[]}
 */
function remainder(data, count) {
    let generator = [1];
    for (let root = 0; root < count; root++) {
        const next = [...generator, 0];
        generator.forEach((factor, place) => {
            next[place + 1] = (next[place + 1] ?? 0) ^ times(factor, POWERS[root] ?? 0);
        });
        generator = next;
    }
    const rest = [...data, ...Array(count).fill(0)];
    data.forEach((_, place) => {
        const lead = rest[place];
        generator.forEach((factor, index) => (rest[place + index] ^= times(factor, lead)));
    });
    return rest.slice(data.length);
}

// -- Modules -----------------------------------------------------------------------------------------------------------

/**
 * @param {number} version
 * @param {number[]} codewords
 * @param {number} mask
 * @returns {boolean[][]}
 */
function draw(version, codewords, mask) {
    const size = 17 + 4 * version;
    /** Undefined where data goes. @type {(boolean | undefined)[][]} */
    const code = Array.from({ length: size }, () => Array(size).fill(undefined));
    const set = (/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean} */ dark) => {
        const line = code[row];
        if (line && column >= 0 && column < size) line[column] = dark;
    };
    for (const [row, column] of /** @type {[number, number][]} */ ([[0, 0], [0, size - 7], [size - 7, 0]]))
        for (let down = -1; down <= 7; down++)
            for (let right = -1; right <= 7; right++) {
                const ring = Math.max(Math.abs(down - 3), Math.abs(right - 3));
                set(row + down, column + right, ring !== 2 && ring !== 4);
            }
    for (let place = 8; place < size - 8; place++) {
        set(6, place, place % 2 === 0);
        set(place, 6, place % 2 === 0);
    }
    const centres = ALIGNMENT[version - 1] ?? [];
    const last = centres.at(-1);
    for (const row of centres)
        for (const column of centres) {
            if ((row === 6 && (column === 6 || column === last)) || (column === 6 && row === last)) continue;
            for (let down = -2; down <= 2; down++)
                for (let right = -2; right <= 2; right++)
                    set(row + down, column + right, Math.max(Math.abs(down), Math.abs(right)) !== 1);
        }
    set(size - 8, 8, true);
    drawFormat(set, size, mask);
    if (version >= VERSION_SHOWN) drawVersion(set, size, version);
    drawData(code, codewords, /** @type {typeof MASKS[number]} */ (MASKS[mask]));
    return code.map((row) => row.map(Boolean));
}

/**
 * The level of error correction (M: 00) and the mask, twice.
 *
 * @param {(row: number, column: number, dark: boolean) => void} set
 * @param {number} size
 * @param {number} mask
 */
function drawFormat(set, size, mask) {
    const format = ((mask << 10) | divided(mask << 10, 0x537)) ^ 0x5412;
    for (let place = 0; place < 15; place++) {
        const dark = ((format >> place) & 1) === 1;
        set(place < 6 ? place : place < 8 ? place + 1 : size - 15 + place, 8, dark);
        set(8, place < 8 ? size - 1 - place : place < 9 ? 15 - place : 14 - place, dark);
    }
}

/**
 * @param {(row: number, column: number, dark: boolean) => void} set
 * @param {number} size
 * @param {number} version
 */
function drawVersion(set, size, version) {
    const shown = (version << 12) | divided(version << 12, 0x1f25);
    for (let place = 0; place < 18; place++) {
        const dark = ((shown >> place) & 1) === 1;
        const [long, short] = [Math.floor(place / 3), size - 11 + (place % 3)];
        set(long, short, dark);
        set(short, long, dark);
    }
}

/**
 * The remainder of a division of polynomials with coefficients 0 and 1.
 *
 * @param {number} value
 * @param {number} by
 * @returns {number}
 */
function divided(value, by) {
    const length = (/** @type {number} */ number) => 32 - Math.clz32(number);
    let rest = value;
    while (length(rest) >= length(by)) rest ^= by << (length(rest) - length(by));
    return rest;
}

/**
 * Fills what is left, in columns of two from the right, upwards and downwards in turn.
 *
 * @param {(boolean | undefined)[][]} code
 * @param {number[]} codewords
 * @param {(row: number, column: number) => boolean} flips
 */
function drawData(code, codewords, flips) {
    const size = code.length;
    const free = code.map((row) => row.map((dark) => dark === undefined));
    let bit = 0;
    for (let right = size - 1, upwards = true; right > 0; right -= 2, upwards = !upwards) {
        if (right === 6) right = 5; // the column of the timing pattern
        for (let step = 0; step < size; step++) {
            const row = upwards ? size - 1 - step : step;
            for (const column of [right, right - 1]) {
                if (!free[row]?.[column]) continue;
                const value = (/** @type {number} */ (codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
                bit += 1;
                /** @type {boolean[]} */ (code[row])[column] = (value === 1) !== flips(row, column);
            }
        }
    }
}

/**
 * How hard a code is to read: long runs, squares of one colour, patterns like the corners, too much of one colour.
 *
 * @param {boolean[][]} code
 * @returns {number}
 */
function penalty(code) {
    const size = code.length;
    const at = (/** @type {number} */ row, /** @type {number} */ column) => code[row]?.[column] ?? false;
    const lines = [code, code.map((_, column) => code.map((row) => row[column] ?? false))].flat();
    let sum = 0;
    let dark = 0;
    for (const line of lines) {
        const text = line.map((one) => (one ? "1" : "0")).join("");
        for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
        sum += 40 * (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0);
    }
    for (let row = 0; row < size; row++)
        for (let column = 0; column < size; column++) {
            dark += Number(at(row, column));
            if (row && column) {
                const square = [at(row, column), at(row - 1, column), at(row, column - 1), at(row - 1, column - 1)];
                if (square.every((one) => one === square[0])) sum += 3;
            }
        }
    return sum + 10 * Math.floor(Math.abs((20 * dark) / (size * size) - 10));
}
