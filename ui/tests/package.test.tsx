/** What the package promises beyond each component: where the service is, which game, the answer's own words. */
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Board, FENDisplay, FENInput, FENManager, forsythService, ForsythProvider, useForsyth, type Fetch } from "../src/lib";
import { draw, PALETTE, position } from "./toy";

const VALID = { valid: true, errors: [], warnings: [] };
const TRUNCATED = "BYRK|WBYR|KWBY|RKWB|YRKW";
const CUT_OFF = `Invalid FEN format: ${TRUNCATED}`;

/** A service that answers each path with the same data, and remembers what it was asked. */
function answering(answers: Record<string, unknown>, status = 200) {
  const asked: { address: string; body: Record<string, unknown> }[] = [];
  const fetch: Fetch = vi.fn(function (this: unknown, address: string, init?: RequestInit) {
    // A browser's fetch refuses to be called as the method of anything but the window.
    expect(this).toBeUndefined();
    asked.push({ address, body: JSON.parse(String(init?.body)) });
    const path = address.slice(address.indexOf("/api/v1") + 7);
    return Promise.resolve(new Response(JSON.stringify(answers[path] ?? {}), { status }));
  });
  return { fetch, asked };
}

const valid = () => answering({ "/validate-fen": VALID });

describe("where the service is", () => {
  it.each([
    ["https://fen.example", "https://fen.example/api/v1/validate-fen"],
    ["https://fen.example/", "https://fen.example/api/v1/validate-fen"],
    ["/tools/fen", "/tools/fen/api/v1/validate-fen"],
    ["", "/api/v1/validate-fen"],
  ])("with the base %j asks %s", async (baseUrl, address) => {
    const { fetch, asked } = valid();
    render(
      <ForsythProvider baseUrl={baseUrl} fetch={fetch}>
        <FENDisplay fenString="a" />
      </ForsythProvider>,
    );
    await screen.findByText("Valid FEN");
    expect(asked.map((one) => one.address)).toEqual([address]);
  });

  it("is what a component's own props say before what the provider says", async () => {
    const outer = valid();
    const inner = valid();
    render(
      <ForsythProvider baseUrl="https://one.example" fetch={outer.fetch} theme="dark">
        <FENManager fenString="a" baseUrl="https://two.example" fetch={inner.fetch} theme="light" />
      </ForsythProvider>,
    );
    await screen.findByText("Valid FEN");
    expect(outer.asked).toEqual([]);
    expect(inner.asked[0]?.address).toMatch("https://two.example/");
    expect(screen.getByRole("tablist").parentElement).toHaveAttribute("data-theme", "light");
  });

  it("is asked again when it changes", async () => {
    const { fetch, asked } = valid();
    const { rerender } = render(<FENDisplay fenString="a" baseUrl="https://one.example" fetch={fetch} />);
    await screen.findByText("Valid FEN");
    rerender(<FENDisplay fenString="a" baseUrl="https://two.example" fetch={fetch} />);
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[1]?.address).toMatch("https://two.example/");
  });

  it("is not asked again because a page makes a new function for each rendering", async () => {
    const { fetch, asked } = valid();
    const page = () => <FENDisplay fenString="a" fetch={(...given) => fetch(...given)} />;
    const { rerender } = render(page());
    await screen.findByText("Valid FEN");
    rerender(page());
    await act(async () => undefined);
    expect(asked).toHaveLength(1);
  });

  it("is there for the page's own calls", async () => {
    const { fetch, asked } = answering({ "/game_state": { game_state: { fen_string: "b" } } });
    function Caller() {
      const service = useForsyth();
      return <button onClick={() => void service.load("a", { game: null })}>call</button>;
    }
    render(
      <ForsythProvider fetch={fetch}>
        <Caller />
      </ForsythProvider>,
    );
    fireEvent.click(screen.getByRole("button"));
    expect(asked).toEqual([{ address: "/api/v1/game_state", body: { fen_string: "a" } }]);
    expect(await forsythService({ fetch }).load("a")).toEqual({ fen_string: "b" });
  });
});

describe("the game", () => {
  it.each([
    [undefined, "azul"],
    ["chess", "chess"],
    [null, undefined],
  ])("%j of FENInput and FENManager is asked for as %j", async (game, asks) => {
    const { fetch, asked } = answering({ "/validate-fen": VALID, "/game_state": { game_state: { round: 3 } } });
    const onFENLoad = vi.fn();
    const about = game === undefined ? {} : { game };
    render(
      <ForsythProvider fetch={fetch}>
        <FENInput {...about} initialValue="input" onFENLoad={onFENLoad} examples={[]} />
        <FENManager {...about} fenString="manager" examples={[]} />
      </ForsythProvider>,
    );
    await waitFor(() => expect(asked).toHaveLength(2));
    await waitFor(() => expect(screen.getByRole("button", { name: "Load" })).toBeEnabled());
    fireEvent.click(screen.getByRole("button", { name: "Load" }));
    await waitFor(() => expect(onFENLoad).toHaveBeenCalledWith({ round: 3 }));
    expect(asked.map(({ body }) => body.game)).toEqual([asks, asks, asks]);
  });

  it("is told from the text by FENDisplay unless it is named", async () => {
    const { fetch, asked } = valid();
    const { rerender } = render(<FENDisplay fenString="a" fetch={fetch} />);
    await waitFor(() => expect(asked).toHaveLength(1));
    rerender(<FENDisplay fenString="a" fetch={fetch} game="chess" variant="crazyhouse" />);
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked.map(({ body }) => body)).toEqual([
      { fen_string: "a" },
      { fen_string: "a", game: "chess", variant: "crazyhouse" },
    ]);
  });

  it("has the examples of Azul only where it is Azul", () => {
    const { rerender } = render(<FENInput />);
    expect(screen.getByRole("list", { name: "Examples" })).toBeVisible();
    rerender(<FENInput game="chess" />);
    expect(screen.queryByRole("list", { name: "Examples" })).toBeNull();
  });
});

describe("the words of the service", () => {
  const cutOff = { valid: false, errors: [{ code: "COMPONENT_COUNT", message: CUT_OFF, component: "fen" }], warnings: [], error: CUT_OFF };
  const short = {
    valid: false,
    errors: [{ code: "FACTORY_SIZE", message: "Factory 0 has 3 tiles, expected 4", component: "factories" }],
    warnings: [],
    error: "Factory 0 has 3 tiles, expected 4",
  };

  it("are shown once for a text that is cut off", async () => {
    render(
      <>
        <FENInput initialValue={TRUNCATED} validate={() => Promise.resolve(cutOff)} />
        <FENDisplay fenString={TRUNCATED} validation={cutOff} />
      </>,
    );
    await waitFor(() => expect(screen.getAllByText(CUT_OFF)).toHaveLength(2));
    expect(screen.queryByText(/fen: Invalid/)).toBeNull();
  });

  it("stand above the other errors", async () => {
    const more = { ...cutOff, errors: [...cutOff.errors, ...short.errors] };
    const { container } = render(<FENInput initialValue={TRUNCATED} validate={() => Promise.resolve(more)} />);
    expect(await screen.findByText(CUT_OFF)).toBeVisible();
    const listed = [...container.querySelectorAll(".fen-list li")].map((item) => item.textContent);
    expect(listed).toEqual(["factories: Factory 0 has 3 tiles, expected 4"]);
  });

  it("are shown with their place for any other error", async () => {
    render(<FENInput initialValue="a" validate={() => Promise.resolve(short)} />);
    expect(await screen.findByText("Invalid FEN")).toBeVisible();
    expect(screen.getByText("factories: Factory 0 has 3 tiles, expected 4")).toBeVisible();
  });

  it("are shown when it refuses the question", async () => {
    const { fetch } = answering({ "/validate-fen": { error: "there is no game 'go'" } }, 400);
    render(
      <ForsythProvider fetch={fetch}>
        <FENInput initialValue="a" game="go" />
        <FENDisplay fenString="a" game="go" />
      </ForsythProvider>,
    );
    expect(await screen.findByText(/^Validation unavailable: there is no game 'go'\. Only the format/)).toBeVisible();
    expect(await screen.findByText("Validation unavailable: there is no game 'go'")).toBeVisible();
  });
});

describe("Board", () => {
  const read = (fen: string) => ({ ok: true, diagnostics: [], position: { ...position(fen), svg: draw(fen) } });
  const service = (fen: string) => answering({ "/read": read(fen), "/edit": { palette: PALETTE } });
  const state = (container: HTMLElement) => (container.firstElementChild as HTMLElement).dataset.state;

  it("draws a text and says what stands where", async () => {
    const user = userEvent.setup();
    const { fetch, asked } = service("A.a w");
    const { container } = render(<Board fenString=" A.a w " game="toy" flip fetch={fetch} label="Mine" />);
    await waitFor(() => expect(state(container)).toBe("drawn"));
    expect(asked[0]?.body).toEqual({ text: "A.a w", game: "toy", theme: "light", flip: true });
    screen.getByRole("application", { name: "Mine" }).focus();
    await user.keyboard("{ArrowRight}");
    expect(await screen.findByText("a1 white stone")).toBeInTheDocument();
    expect(asked).toHaveLength(1);
  });

  it("takes no moves", async () => {
    const { fetch } = service("A.a w");
    const { container } = render(<Board fenString="A.a w" fetch={fetch} />);
    await waitFor(() => expect(state(container)).toBe("drawn"));
    expect(container.querySelector(".forsyth-board")).not.toHaveClass("live");
  });

  it.each([
    ["dark", "dark"],
    ["light dark", "light"],
    ["", "light"],
  ])("is drawn in the colours of its place: %j is %s", async (scheme, theme) => {
    const { fetch, asked } = service("A.a w");
    render(
      <div style={{ colorScheme: scheme }}>
        <Board fenString="A.a w" fetch={fetch} className="mine" />
      </div>,
    );
    await waitFor(() => expect(asked[0]?.body.theme).toBe(theme));
    expect(document.querySelector(".mine")).toHaveAttribute("data-theme", theme);
  });

  it("changes its colours with the page's", async () => {
    const { fetch, asked } = service("A.a w");
    const { container } = render(<Board fenString="A.a w" fetch={fetch} />);
    await waitFor(() => expect(state(container)).toBe("drawn"));
    container.style.colorScheme = "dark";
    document.body.dataset.theme = "dark";
    await waitFor(() => expect(container.firstElementChild).toHaveAttribute("data-theme", "dark"));
    await waitFor(() => expect(asked.filter(({ body }) => body.theme === "dark" && body.flip === false)).toHaveLength(1));
    delete document.body.dataset.theme;
  });

  it("says why there is nothing to see", async () => {
    const { rerender, container } = render(<Board fenString={null} />);
    expect(screen.getByText("No FEN available")).toBeVisible();
    const undrawable = answering({ "/read": { ok: false, diagnostics: [], position: null } });
    rerender(<Board fenString="x" fetch={undrawable.fetch} />);
    expect(await screen.findByText("This text cannot be drawn.")).toBeVisible();
    const away: Fetch = () => Promise.reject(new TypeError("network"));
    rerender(<Board fenString="y" fetch={away} />);
    expect(await screen.findByText("The board is not available: The service cannot be reached.")).toBeVisible();
    expect(state(container)).toBe("undrawn");
  });
});
