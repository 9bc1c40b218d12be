import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Diagnostic } from "../src/api/types";
import { Findings } from "../src/text/Findings";

const finding = (more: Partial<Diagnostic>): Diagnostic => ({
  code: "toy.word",
  family: "toy.word",
  stage: "fields",
  field: 0,
  severity: "error",
  span: [0, 1],
  square: null,
  message: "a sentence",
  fix: null,
  ...more,
});

test("what is wrong inside a wrapped text is listed below its finding, with the characters it is about", () => {
  const inner = finding({ code: "toy.letter", span: [4, 5], message: "no such letter" });
  const outer = finding({ code: "base64.payload", unwrapped: "toy x", inside: [inner] });
  render(<Findings text="base64_dG95IHg=" diagnostics={[outer]} highlighted={null} onHighlight={() => undefined} />);
  expect(screen.getByText("no such letter")).toBeDefined();
  expect(screen.getByText("toy.letter")).toBeDefined();
  expect(screen.getByText("x")).toBeDefined();
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
});
