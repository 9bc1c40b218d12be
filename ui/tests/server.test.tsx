// @vitest-environment node
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { Board, FENDisplay, FENInput, FENManager, ForsythProvider } from "../src/lib";

it("the components are rendered where there is no browser", () => {
  const html = renderToString(
    <ForsythProvider baseUrl="https://fen.example">
      <FENDisplay fenString="one" theme="dark" />
      <FENInput />
      <FENManager fenString="two" />
      <Board fenString="three" />
    </ForsythProvider>,
  );
  for (const part of ["one", "two", "Paste a FEN", 'role="application"', 'data-theme="dark"']) expect(html).toContain(part);
});
