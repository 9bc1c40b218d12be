// What chess.js and chessops say of the texts in the file that is named: one JSON object on standard output.
// Run by bench/tricky.py. chessops is under the GPL: it is asked here and is part of nothing.
import { readFileSync } from "node:fs";
import { Chess as ChessJs } from "chess.js";
import { Chess } from "chessops/chess";
import { parseFen } from "chessops/fen";

const readers = {
  "chess.js": (text) => {
    new ChessJs(text);
    return "";
  },
  chessops: (text) =>
    parseFen(text)
      .chain((setup) => Chess.fromSetup(setup))
      .unwrap(
        () => "",
        (error) => error.message,
      ),
};
const said = (reader, text) => {
  try {
    return reader(text);
  } catch (error) {
    return error.message || String(error);
  }
};
const pairs = JSON.parse(readFileSync(process.argv[2], "utf8"));
const answers = Object.entries(readers).map(([name, reader]) => [name, pairs.map(([, text]) => said(reader, text))]);
console.log(JSON.stringify(Object.fromEntries(answers)));
