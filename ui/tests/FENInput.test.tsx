import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FENInput, type FENInputProps, type ValidationReport } from "../src/lib";

const VALID: ValidationReport = { valid: true, errors: [], warnings: [] };
const WARNED: ValidationReport = { valid: true, errors: [], warnings: [{ code: "W", message: "unusual", component: "round" }] };
const INVALID: ValidationReport = {
  valid: false,
  errors: [
    { code: "A", message: "first", component: "factories" },
    { code: "B", message: "second", component: "scores" },
  ],
  warnings: [],
};

const field = () => screen.getByRole("textbox", { name: "FEN" });
const load = () => screen.getByRole("button", { name: /^Load/ });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const wait = (time: number) => act(async () => void (await vi.advanceTimersByTimeAsync(time)));

function setup(props: FENInputProps = {}) {
  const validate = vi.fn((_fen: string) => Promise.resolve(VALID));
  const onLoad = vi.fn();
  const view = render(<FENInput validate={validate} onLoad={onLoad} {...props} />);
  const state = () => view.container.querySelector<HTMLElement>(".fen-input")!.dataset.state;
  return { validate, onLoad, state, ...view };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("FENInput", () => {
  it("is neutral while empty", async () => {
    const { state, validate } = setup();
    await wait(1000);
    expect(state()).toBe("empty");
    expect(load()).toBeDisabled();
    expect(field()).toHaveAttribute("aria-invalid", "false");
    expect(screen.queryByText(/Valid FEN/)).toBeNull();
    expect(validate).not.toHaveBeenCalled();
  });

  it("waits 250 ms after the last key", async () => {
    const { state, validate } = setup();
    type("a");
    expect(state()).toBe("typing");
    await wait(200);
    type("ab");
    await wait(249);
    expect(validate).not.toHaveBeenCalled();
    await wait(1);
    expect(validate).toHaveBeenCalledOnce();
    expect(validate.mock.calls[0]![0]).toBe("ab");
  });

  it("says that it validates", async () => {
    const { state } = setup({ validate: () => new Promise(() => undefined) });
    type("a");
    await wait(250);
    expect(state()).toBe("validating");
    expect(load()).toBeDisabled();
  });

  it("loads a valid text once, trimmed", async () => {
    const { state, onLoad } = setup();
    type("  a b  ");
    await wait(250);
    expect(state()).toBe("valid");
    fireEvent.click(load());
    await wait(0);
    expect(onLoad).toHaveBeenCalledExactlyOnceWith("a b");
    expect(state()).toBe("loaded");
  });

  it("loads a text with warnings and lists them", async () => {
    const { state } = setup({ validate: () => Promise.resolve(WARNED) });
    type("a");
    await wait(250);
    expect(state()).toBe("warnings");
    expect(screen.getByText("round: unusual")).toBeVisible();
    expect(load()).toBeEnabled();
  });

  it("lists every error with its component and refuses to load", async () => {
    const { state, onLoad } = setup({ validate: () => Promise.resolve(INVALID) });
    type("a");
    await wait(250);
    expect(state()).toBe("invalid");
    expect(screen.getByText("factories: first")).toBeVisible();
    expect(screen.getByText("scores: second")).toBeVisible();
    expect(field()).toHaveAttribute("aria-invalid", "true");
    expect(load()).toBeDisabled();
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
    expect(onLoad).not.toHaveBeenCalled();
  });

  it("announces the verdict politely", () => {
    const { container } = setup();
    const verdict = container.querySelector(".fen-verdict")!;
    expect(verdict).toHaveAttribute("aria-live", "polite");
    expect(field()).toHaveAttribute("aria-describedby", verdict.id);
  });

  it("ignores answers that come out of order", async () => {
    const settle: Record<string, (report: ValidationReport) => void> = {};
    const { state } = setup({ validate: (fen) => new Promise((resolve) => (settle[fen] = resolve)) });
    type("one");
    await wait(250);
    type("two");
    await wait(250);
    await act(async () => settle.two!(VALID));
    await act(async () => settle.one!(INVALID));
    expect(state()).toBe("valid");
  });

  it("shows that it is loading and does not load twice", async () => {
    let settle!: () => void;
    const onLoad = vi.fn(() => new Promise<void>((resolve) => (settle = resolve)));
    const { state } = setup({ onLoad });
    type("a");
    await wait(250);
    fireEvent.click(load());
    await wait(0);
    expect(state()).toBe("loading");
    expect(load()).toBeDisabled();
    fireEvent.keyDown(field(), { key: "Enter", metaKey: true });
    await act(async () => settle());
    expect(onLoad).toHaveBeenCalledOnce();
    expect(state()).toBe("loaded");
  });

  it("keeps the text and the message when loading fails", async () => {
    const { state } = setup({ onLoad: () => Promise.reject(new Error("no such game")) });
    type("a");
    await wait(250);
    fireEvent.click(load());
    await wait(0);
    expect(state()).toBe("failed");
    expect(screen.getByText(/no such game/)).toBeVisible();
    expect(field()).toHaveValue("a");
  });

  it("checks the format itself when the service is unavailable", async () => {
    const { state, onLoad } = setup({ validate: () => Promise.reject(new Error("down")) });
    type("a");
    await wait(250);
    expect(state()).toBe("unavailable");
    expect(screen.getByText(/Only the format was checked/)).toBeVisible();
    fireEvent.click(load());
    await wait(0);
    expect(onLoad).toHaveBeenCalledWith("a");
    type("a\u0007b");
    await wait(250);
    expect(screen.getByText(/control characters/)).toBeVisible();
    expect(load()).toBeDisabled();
  });

  it.each([{ ctrlKey: true }, { metaKey: true }])("loads with Enter and %o", async (modifier) => {
    const { onLoad } = setup();
    type("a");
    await wait(250);
    fireEvent.keyDown(field(), { key: "Enter", ...modifier });
    await wait(0);
    expect(onLoad).toHaveBeenCalledExactlyOnceWith("a");
  });

  it("clears field and verdict", async () => {
    const { state } = setup({ validate: () => Promise.resolve(INVALID) });
    type("a");
    await wait(250);
    fireEvent.click(screen.getByRole("button", { name: "Clear" }));
    await wait(250);
    expect(field()).toHaveValue("");
    expect(state()).toBe("empty");
    expect(screen.queryByText("factories: first")).toBeNull();
  });

  it("trims what is pasted", () => {
    setup();
    fireEvent.paste(field(), { clipboardData: { getData: () => "  a b\n" } });
    expect(field()).toHaveValue("a b");
  });

  it("fills in and validates an example at once", async () => {
    const { validate } = setup({ examples: [{ name: "One", fen: "x/y", description: "the first" }, "plain"] });
    fireEvent.click(screen.getByRole("button", { name: "One" }));
    await wait(0);
    expect(field()).toHaveValue("x/y");
    expect(validate.mock.calls[0]![0]).toBe("x/y");
    fireEvent.click(screen.getByRole("button", { name: "plain" }));
    expect(field()).toHaveValue("plain");
  });

  it("offers start, midgame and endgame by default", () => {
    setup();
    for (const name of ["Start", "Midgame", "Endgame"]) expect(screen.getByRole("button", { name })).toBeVisible();
  });

  it("begins with a value, says what to type, and can be disabled", async () => {
    const { validate } = setup({ initialValue: "a", placeholder: "here", disabled: true, className: "mine" });
    await wait(250);
    expect(validate).toHaveBeenCalledOnce();
    expect(field()).toBeDisabled();
    expect(field()).toHaveAttribute("placeholder", "here");
    expect(load()).toBeDisabled();
  });

  it("gives the game state to the older callback", async () => {
    const onFENLoad = vi.fn();
    setup({ onFENLoad, load: (fen) => Promise.resolve({ fen_string: fen }) });
    type("a");
    await wait(250);
    fireEvent.click(load());
    await wait(0);
    expect(onFENLoad).toHaveBeenCalledExactlyOnceWith({ fen_string: "a" });
  });

  it("asks the service by default", async () => {
    const fetch = vi.fn(async () => new Response(JSON.stringify(VALID)));
    vi.stubGlobal("fetch", fetch);
    render(<FENInput />);
    type("a");
    await wait(250);
    expect(fetch).toHaveBeenCalledWith("/api/v1/validate-fen", expect.objectContaining({ body: '{"fen_string":"a","game":"azul"}' }));
  });
});
