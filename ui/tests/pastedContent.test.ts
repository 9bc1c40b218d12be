import { describe, expect, it } from "vitest";
import { classifyPaste } from "../src/text/pastedContent";

const CHESS = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
const POCKETS = "rnbqkb1r/ppp1pppp/5n2/8/8/2N5/PPPP1PPP/R1BQKBNR/Pp w KQkq - 0 4";
const SHOGI = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const XIANGQI = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

describe("addresses", () => {
  const path = (text: string) => text.replaceAll(" ", "_");
  it.each([
    [`https://lichess.org/editor/${path(CHESS)}`, CHESS],
    [`https://lichess.org/editor/${path(CHESS)}?color=white`, CHESS],
    [`lichess.org/analysis/${path(CHESS)}`, CHESS],
    [`https://lichess.org/analysis/standard/${path(CHESS)}`, CHESS],
    [`https://lichess.org/analysis/fromPosition/${CHESS.replaceAll(" ", "%20")}`, CHESS],
    [`https://www.chess.com/analysis?fen=${CHESS.replaceAll(" ", "+")}&flip=false`, CHESS],
    [`https://www.chess.com/analysis?fen=${encodeURIComponent(CHESS)}`, CHESS],
    [`https://board.example/#fen=${encodeURIComponent(CHESS)}`, CHESS],
    [`https://lishogi.org/editor/${path(SHOGI)}`, SHOGI],
    [`https://lishogi.org/analysis/standard/${path(SHOGI)}`, SHOGI],
    [`https://www.pychess.org/analysis/xiangqi?fen=${path(XIANGQI)}`, XIANGQI],
    [`https://xiangqi.example/board/${path(XIANGQI)}`, XIANGQI],
    [`https://lichess.org/analysis/crazyhouse/${path(POCKETS)}`, POCKETS],
    [`https://lichess.org/analysis/crazyhouse/${path(POCKETS.replace("Pp", ""))}`, POCKETS.replace("Pp", "")],
    ["https://fen.example/p/fenz_abc-DEF_9", "fenz_abc-DEF_9"],
    [`https://fen.example/?text=${encodeURIComponent(CHESS)}&game=x`, CHESS],
  ])("%s holds its text", (address, text) => {
    expect(classifyPaste(address)).toEqual({ kind: "text", text });
  });

  it("may hold a record", () => {
    expect(classifyPaste("https://www.chess.com/analysis?pgn=1.%20e4%20e5")).toEqual({ kind: "record", text: "1. e4 e5" });
    expect(classifyPaste("https://lichess.org/analysis/pgn/e4_e5_Nf3")).toEqual({ kind: "record", text: "e4 e5 Nf3" });
  });

  it.each(["https://example.org/news/today", "https://example.org/", "https://%zz/", "http://[", "https://a.b/%E0%A4%A"])(
    "%s holds none and stays what it is",
    (address) => expect(classifyPaste(address)).toEqual({ kind: "text", text: address }),
  );
});

describe("texts", () => {
  it("are one, many, or a record", () => {
    expect(classifyPaste(`  ${CHESS}\n`)).toEqual({ kind: "text", text: CHESS });
    expect(classifyPaste(`${CHESS}\r\n\r\n${SHOGI}`).kind).toBe("many");
    expect(classifyPaste('[Event "x"]\n\n1. e4 *').kind).toBe("record");
    expect(classifyPaste("\uFEFF; a comment\n1.e4 e5").kind).toBe("record");
    expect(classifyPaste("1. e4 e5 2. Nf3").kind).toBe("record");
    expect(classifyPaste("1n2k3/8/8/8/8/8/8/4K3 w - - 0 1").kind).toBe("text");
    expect(classifyPaste("").kind).toBe("text");
  });

  it("are not changed where they are records", () => {
    const record = ' [Event "x"]\r\n\r\n1. e4 *\r\n';
    expect(classifyPaste(record)).toEqual({ kind: "record", text: record });
  });

  it("of any length are looked at in no time", () => {
    expect(classifyPaste(`https://a.b/${"a/".repeat(3000)}`).kind).toBe("text");
    expect(classifyPaste("%".repeat(100_000)).kind).toBe("text");
    expect(classifyPaste(`${"{".repeat(50_000)}`).kind).toBe("text");
  });
});
