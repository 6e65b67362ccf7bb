// A bot for `alhambra arena` that speaks the line protocol, for Node.js without any package.
//
//     alhambra arena "cmd:node examples/line_bot.js" random --seats 2 --games 20
//
// It buys the dearest tile it can pay, builds wherever it can, and otherwise takes the most money.
"use strict";

const readline = require("node:readline");

const TASTE = ["reserve", "take_money", "add", "place", "buy"]; // what this bot likes to do, best last

const numbers = (id) => (id || "").split("-").map(Number).filter((part) => part > 0);
const value = (cards) => (cards || []).reduce((sum, card) => sum + (numbers(card)[0] || 0), 0);

function worth(view, move) {
  const dear = numbers(view.table.market[move.slot])[0] || 0;
  const waste = move.verb === "buy" ? value(move.cards) - dear : 0;
  return 1000 * TASTE.indexOf(move.verb) + dear - waste + value(move.display);
}

function decide({ view, moves }) {
  let best = 0;
  for (let index = 1; index < moves.length; index += 1) {
    if (worth(view, moves[index]) > worth(view, moves[best])) best = index;
  }
  return best;
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const space = line.indexOf(" ");
  const verb = space < 0 ? line : line.slice(0, space);
  const text = space < 0 ? "" : line.slice(space + 1);
  if (verb === "alhambra") console.log("name Dear Dora\nok 1");
  else if (verb === "new") console.log("ready");
  else if (verb === "decide") console.log(`move ${decide(JSON.parse(text))}`);
  else if (verb === "quit") process.exit(0);
}).on("close", () => process.exit(0));
