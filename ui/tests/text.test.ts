import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../src/api/types";
import { applyFix, applyFixes, describeFix, splitIntoRuns, squaresOf } from "../src/text/spans";

const finding = (start: number, end: number, more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: "a.b",
  family: "a.b",
  stage: "fields",
  field: 0,
  severity: "error",
  span: [start, end],
  square: null,
  message: "m",
  fix: null,
  ...more,
});
const shape = (text: string, found: Diagnostic[]) => splitIntoRuns(text, found).map((run) => [run.text, run.severity, run.findings]);

describe("runs", () => {
  it("cuts a text at the edges of spans", () => {
    expect(shape("abcdef", [finding(1, 3)])).toEqual([["a", null, []], ["bc", "error", [0]], ["def", null, []]]);
  });
  it("gives overlapping findings the worst severity", () => {
    expect(shape("abcd", [finding(0, 3, { severity: "warning" }), finding(2, 4)])).toEqual([
      ["ab", "warning", [0]],
      ["c", "error", [0, 1]],
      ["d", "error", [1]],
    ]);
  });
  it("marks where something is missing, also at the end", () => {
    expect(shape("ab", [finding(2, 2)])).toEqual([["ab", null, []], ["", "error", [0]]]);
  });
  it("counts characters, not halves of them, and behind leading space", () => {
    expect(shape(" 🀄b", [finding(1, 2)])).toEqual([[" 🀄", null, []], ["b", "error", [0]]]);
  });
  it("keeps spans inside the text", () => {
    expect(shape("a", [finding(0, 9)])).toEqual([["a", "error", [0]]]);
  });
  it("leaves a text without findings whole", () => {
    expect(shape("abc", [])).toEqual([["abc", null, []]]);
  });
});

describe("fixes", () => {
  const fix = (start: number, end: number, replacement: string) => ({ span: [start, end] as [number, number], replacement, confidence: "certain" as const });
  it("replaces, inserts and removes", () => {
    expect(applyFix(" abc", fix(1, 2, "X"))).toBe(" aXc");
    expect(applyFix("abc", fix(3, 3, "!"))).toBe("abc!");
    expect(applyFix("abc", fix(0, 1, ""))).toBe("bc");
  });
  it("says what it does", () => {
    expect(describeFix("abc", fix(1, 2, "X"))).toBe("replace “b” with “X”");
    expect(describeFix("abc", fix(1, 1, "X"))).toBe("insert “X”");
    expect(describeFix("abc", fix(1, 2, ""))).toBe("remove “b”");
  });
  it("applies all that do not overlap", () => {
    const found = [finding(0, 1, { fix: fix(0, 1, "XX") }), finding(0, 2, { fix: fix(0, 2, "Y") }), finding(4, 5, { fix: fix(4, 5, "Z") })];
    expect(applyFixes("abcde", found)).toBe("XXbcdZ");
    const touching = [finding(3, 3, { fix: fix(3, 3, " 0 1") }), finding(2, 3, { fix: fix(2, 3, "-") })];
    expect(applyFixes("a e", touching)).toBe("a - 0 1");
  });
  it("collects squares by severity", () => {
    expect([...squaresOf([finding(0, 1, { square: "a1" }), finding(0, 1)], "error")]).toEqual(["a1"]);
  });
});
