import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FENDisplay, type ValidationReport } from "../src/lib";

const FEN = "a/b/c w 0 1";
const VALID: ValidationReport = { valid: true, errors: [], warnings: [] };
const WARNED: ValidationReport = {
  valid: true,
  errors: [],
  warnings: [{ code: "CENTER_OVERFULL", message: "Center holds 5 tiles", component: "center" }],
};
const INVALID: ValidationReport = {
  valid: false,
  errors: [
    { code: "FACTORY_SIZE", message: "Factory 0 has 3 tiles, expected 4", component: "factories" },
    { code: "ROUND", message: "Round is missing", component: "round" },
  ],
  warnings: [],
};

const answer = (report: ValidationReport) => () => Promise.resolve(report);
const state = (container: HTMLElement) => container.querySelector<HTMLElement>(".fen")!.dataset.state;

afterEach(() => vi.useRealTimers());

describe("FENDisplay", () => {
  it("without a text says so and cannot copy", () => {
    const { container } = render(<FENDisplay fenString="" />);
    expect(screen.getByText("No FEN available")).toBeVisible();
    expect(screen.getByRole("button", { name: "Copy" })).toBeDisabled();
    expect(state(container)).toBe("empty");
  });

  it("shows the text verbatim", () => {
    render(<FENDisplay fenString={"a  b|<c>"} validate={answer(VALID)} />);
    expect(screen.getByTestId("fen-text").textContent).toBe("a  b|<c>");
  });

  it("validates: first validating, then valid", async () => {
    let settle!: (report: ValidationReport) => void;
    const { container } = render(<FENDisplay fenString={FEN} validate={() => new Promise((resolve) => (settle = resolve))} />);
    expect(screen.getByText("Validating…")).toBeVisible();
    await act(async () => settle(VALID));
    expect(screen.getByText("Valid FEN")).toBeVisible();
    expect(state(container)).toBe("valid");
  });

  it("lists warnings", async () => {
    const { container } = render(<FENDisplay fenString={FEN} validate={answer(WARNED)} />);
    expect(await screen.findByText("Valid FEN, with warnings")).toBeVisible();
    expect(screen.getByText("center: Center holds 5 tiles")).toBeVisible();
    expect(state(container)).toBe("warnings");
  });

  it("shows the first error, the others on demand, and still copies", async () => {
    const { container } = render(<FENDisplay fenString={FEN} validate={answer(INVALID)} />);
    expect(await screen.findByText(/Invalid FEN: factories: Factory 0 has 3 tiles/)).toBeVisible();
    expect(state(container)).toBe("invalid");
    expect(screen.queryByText("round: Round is missing")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Show all 2 errors" }));
    expect(screen.getByText("round: Round is missing")).toBeVisible();
    expect(screen.getByRole("button", { name: "Copy" })).toBeEnabled();
  });

  it("keeps Copy when validation is unavailable", async () => {
    render(<FENDisplay fenString={FEN} validate={() => Promise.reject(new Error("down"))} />);
    expect(await screen.findByText("Validation unavailable")).toBeVisible();
    expect(screen.getByRole("button", { name: "Copy" })).toBeEnabled();
  });

  it("takes a result from elsewhere and does not ask", () => {
    const validate = vi.fn(answer(VALID));
    render(<FENDisplay fenString={FEN} validation={INVALID} validate={validate} />);
    expect(screen.getByText(/Invalid FEN/)).toBeVisible();
    expect(validate).not.toHaveBeenCalled();
  });

  it("ignores the answer for a text that is no longer shown", async () => {
    const settle: Record<string, (report: ValidationReport) => void> = {};
    const validate = (fen: string) => new Promise<ValidationReport>((resolve) => (settle[fen] = resolve));
    const { rerender } = render(<FENDisplay fenString="one" validate={validate} />);
    rerender(<FENDisplay fenString="two" validate={validate} />);
    await act(async () => settle.two!(VALID));
    await act(async () => settle.one!(INVALID));
    expect(screen.getByText("Valid FEN")).toBeVisible();
  });

  it("says Copied for two seconds", async () => {
    vi.useFakeTimers();
    const onCopy = vi.fn(() => Promise.resolve());
    render(<FENDisplay fenString={FEN} onCopy={onCopy} validation={VALID} />);
    await act(async () => fireEvent.click(screen.getByRole("button", { name: "Copy" })));
    expect(onCopy).toHaveBeenCalledOnce();
    expect(screen.getByRole("button", { name: "Copied" })).toBeVisible();
    act(() => vi.advanceTimersByTime(2000));
    expect(screen.getByRole("button", { name: "Copy" })).toBeVisible();
  });

  it("says Copy failed when it is refused", async () => {
    render(<FENDisplay fenString={FEN} onCopy={() => Promise.reject(new Error("no"))} validation={VALID} />);
    fireEvent.click(screen.getByRole("button", { name: "Copy" }));
    expect(await screen.findByRole("button", { name: "Copy failed" })).toBeVisible();
  });

  it("writes to the clipboard by default", async () => {
    const user = userEvent.setup();
    render(<FENDisplay fenString={FEN} validation={VALID} />);
    await user.click(screen.getByRole("button", { name: "Copy" }));
    expect(await navigator.clipboard.readText()).toBe(FEN);
  });

  it("folds a long text and unfolds it again", () => {
    render(<FENDisplay fenString={"x".repeat(101)} validation={VALID} />);
    expect(screen.getByTestId("fen-text")).toHaveClass("short");
    fireEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(screen.getByTestId("fen-text")).not.toHaveClass("short");
    fireEvent.click(screen.getByRole("button", { name: "Show less" }));
    expect(screen.getByTestId("fen-text")).toHaveClass("short");
  });

  it("leaves a short text as it is", () => {
    render(<FENDisplay fenString={"x".repeat(100)} validation={VALID} />);
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("breaks the text down into its parts on demand", async () => {
    const load = vi.fn(() => Promise.resolve({ round: 3, factories: [["B", "Y"], []], current_player: 0 }));
    const { container } = render(<FENDisplay fenString={FEN} validation={VALID} showDetails load={load} />);
    expect(load).not.toHaveBeenCalled();
    const details = container.querySelector("details")!;
    details.open = true;
    fireEvent(details, new Event("toggle"));
    await waitFor(() => expect(screen.getByText("current player")).toBeInTheDocument());
    expect(screen.getByText("B, Y")).toBeInTheDocument();
    expect(load).toHaveBeenCalledExactlyOnceWith(FEN);
  });

  it("hides the parts unless asked to show them", () => {
    const { container } = render(<FENDisplay fenString={FEN} validation={VALID} />);
    expect(container.querySelector("details")).toBeNull();
  });

  it("takes the text from the older prop", () => {
    render(<FENDisplay gameState={{ fen_string: FEN }} validation={VALID} className="mine" label="Text" />);
    expect(screen.getByTestId("fen-text")).toHaveTextContent(FEN);
    expect(screen.getByRole("group", { name: "Text" })).toHaveClass("mine");
  });
});
