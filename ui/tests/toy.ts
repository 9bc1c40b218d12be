/** A small game for the tests: three squares in a row and a tray with a group of two. */
import { vi } from "vitest";
import type { Diagnostic, GameInfo, Move, PositionView, Scene, Token } from "../src/api/types";
import type { Drawing } from "../src/board/Board";

const STYLE = ".fa0{fill:#fff;stroke:#fff;color:#000}.fa1{fill:#000;stroke:#000;color:#fff}";
const GLYPHS = '<g id="fag0"><path d="M0 0h9"/></g><g id="fag1"><rect width="100"/><path d="M1 1"/></g>';
const LETTERS: Record<string, string> = {
  A: '<use class="fa0" data-token="A" href="#fag0" x="0" y="0"/>',
  a: '<use class="fa1" data-token="a" href="#fag0" x="0" y="0"/>',
};

function cell(id: string, column: number, content: string): string {
  return `<g data-square="${id}"><rect x="${column * 100}" y="0" width="100" height="100"/><use class="fa0" href="#fag1"/>${content}</g>`;
}

/** The drawing of a text such as `A.a`: a1 b1 c1, and the tray t, t.1 below, half as large. */
export function draw(text: string): string {
  const squares = ["a1", "b1", "c1"].map((id, index) => cell(id, index, LETTERS[text[index] ?? ""] ?? "")).join("");
  const tray = cell("t", 0, LETTERS.A!) + cell("t.1", 1, LETTERS.a!);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" width="480"><title>t</title><style>${STYLE}</style><defs>${GLYPHS}</defs>` +
    `<g data-area="Board" transform="translate(10 20)">${squares}</g>` +
    `<g data-area="Tray" transform="translate(10 140) scale(0.5)">${tray}</g></svg>`
  );
}

const TOKENS: Record<string, Token> = {
  A: { symbol: "A", label: "white stone", owner: "white", count: 1 },
  a: { symbol: "a", label: "black stone", owner: "black", count: 1 },
};

/** What stands on the places of a text. */
export function sceneOf(text: string, ...captions: string[]): Scene {
  const at = (id: string, symbol: string | undefined) => ({ id, tokens: TOKENS[symbol ?? ""] ? [TOKENS[symbol!]!] : [] });
  return {
    areas: [
      { name: "Board", cells: ["a1", "b1", "c1"].map((id, index) => at(id, text[index])) },
      { name: "Tray", cells: [at("t", "A"), at("t.1", "a")] },
    ],
    captions,
  };
}

export function drawing(text: string): Drawing {
  return { svg: draw(text), scene: sceneOf(text) };
}

/** The start with a line of words below it. */
export function drawWithCaption(words: string): Drawing {
  const svg = draw("A.a w").replace("</svg>", `<text x="10" y="190" font-size="30">${words}</text></svg>`);
  return { svg, scene: sceneOf("A.a w", words) };
}

export const PALETTE = (["A", "a"] as const).map((symbol) => ({
  symbol,
  label: symbol === "A" ? "white stone" : "black stone",
  group: symbol === "A" ? "White" : "Black",
  svg:
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><style>.fb3{fill:${symbol === "A" ? "#fff" : "#000"};stroke:${symbol === "A" ? "#fff" : "#000"};color:${symbol === "A" ? "#000" : "#fff"}}</style>` +
    '<defs><g id="fbg0"><path d="M0 0h9"/></g></defs><g data-area="x"><g data-square="x"><rect width="100" height="100"/><use class="fb3" href="#fbg0"/></g></g></svg>',
}));

export const GAME: GameInfo = {
  name: "toy",
  title: "Toy",
  variants: ["plain", "wild"],
  start: "A.a w",
  names: { start: "A.a w", empty: "... w" },
  styles: {},
  examples: { "The start": "A.a w", "A wrong letter": "Axa w" },
  players: ["White", "Black"],
  player_names: ["White", "Black"],
  looks: [],
  boards: [],
  overlays: false,
  not_judged: ["stalling"],
  codes: 1,
};

export const FINDING: Diagnostic = {
  code: "board.char",
  family: "board.char",
  stage: "fields",
  field: 0,
  severity: "error",
  span: [1, 2],
  square: "b1",
  message: "'x' is not a stone",
  fix: { span: [1, 2], replacement: ".", confidence: "certain" },
};

const move = (text: string, from: string, to: string, piece: string): Move => ({
  move: text,
  lan: text,
  from,
  to,
  flags: "",
  captured: null,
  after: "",
  piece,
});

export const MOVES: Move[] = [
  move("Ab", "a1", "b1", "A"),
  move("Ab+", "a1", "b1", "A"),
  move("Ac", "a1", "c1", "A"),
  move("tA", "t", "b1", "A"),
  move("ta", "t", "b1", "a"),
];

export function position(text: string, extra: Partial<PositionView> = {}): PositionView {
  return {
    text,
    canonical: text,
    game: "toy",
    variant: "plain",
    title: "Toy",
    state_id: "state_x",
    key: "0",
    side_to_move: "White",
    player: 0,
    move_number: 1,
    outcome: null,
    scores: [],
    unfinished: null,
    overlays: [],
    claims: [],
    moves: MOVES,
    actions: [],
    checked: [],
    ...drawing(text),
    description: "A toy board.",
    ...extra,
  };
}

type Handler = (body: any, path: string) => unknown;

/** Answers the page's questions; `calls` keeps them. */
export function serve(handlers: Record<string, Handler> = {}) {
  const calls: { key: string; body: any; path: string }[] = [];
  const all: Record<string, Handler> = {
    "GET /games": () => ({ games: [GAME], index: null }),
    "POST /read": ({ text }) => {
      const bad = text.includes("x");
      return {
        text,
        game: "toy",
        form: "plain",
        ok: !bad,
        canonical: bad ? null : text,
        state_id: null,
        key: null,
        diagnostics: bad ? [FINDING] : [],
        position: bad ? null : position(text),
      };
    },
    "POST /fix": ({ text }) => ({ text, game: "toy", ok: false, fixed: text.replaceAll("x", "."), diagnostics: [FINDING] }),
    "POST /partial": ({ text }) => ({ game: "toy", partial: { ...position(text.replaceAll("x", ".")), unread: ["b1"] } }),
    "POST /forms": ({ text }) => ({
      forms: { plain: text, canonical: text, base64: "base64_x", fenz: "fenz_y", state: "state_z", url: "u", link: "/p/fenz_y" },
    }),
    "POST /edit": ({ text, put, move: moved, field }) => {
      const squares = [...text.slice(0, 3)];
      const at = (id: string) => "abc".indexOf(id[0]!);
      if (put) squares[at(put.square)] = put.symbol ?? ".";
      if (moved) [squares[at(moved.to)], squares[at(moved.from)]] = [squares[at(moved.from)]!, "."];
      const next = `${squares.join("")} ${field?.value ?? text.slice(4)}`;
      return {
        text: next,
        diagnostics: [],
        position: position(next),
        palette: PALETTE,
        fields: [
          { name: "side", label: "Side", value: next.slice(4), kind: "choice", choices: [{ value: "w", label: "White" }, { value: "b", label: "Black" }] },
        ],
      };
    },
    "POST /match": ({ moves, at, start }) => ({
      ...position(start ?? GAME.start),
      start: start ?? GAME.start,
      history: moves.map((text: string, index: number) => ({ number: 1 + (index >> 1), player: index % 2, move: text, after: "", from: null, to: null, captured: null, piece: "" })),
      captured: [],
      result: null,
      record: `record of ${moves.join(" ")}`,
      at: at ?? moves.length,
    }),
    "POST /move": ({ move: text }) => ({ move: null, error: `no move ${text}`, candidates: [], why: null }),
    "POST /explain": () => ({ why: null }),
    "POST /record/list": ({ record }) => ({ records: [{ text: record, game: "toy", ok: true, tags: {}, result: "*", plies: 0 }], more: false }),
    "POST /record/write": ({ line }) => ({ record: `record of ${line.map((node: { move: string }) => node.move).join(" ")}` }),
    "GET /library": () => ({ positions: [], next: null, total: 0 }),
    ...handlers,
  };
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const path = address.replace("/api/v1", "");
    const method = init.method ?? "GET";
    const body = init.body ? JSON.parse(String(init.body)) : {};
    const key = `${method} ${path.split("?")[0]}`;
    calls.push({ key, body, path });
    const handler = all[key] ?? all[`${method} ${path.split("/").slice(0, 2).join("/")}/*`];
    if (!handler) return new Response(JSON.stringify({ error: `no ${key}`, code: "NOT_FOUND" }), { status: 404 });
    const answer = handler(body, path);
    if (answer instanceof Response) return answer;
    return new Response(JSON.stringify(answer));
  });
  return calls;
}
