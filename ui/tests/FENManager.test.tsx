import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { FENManager } from "../src/lib";

const validate = () => Promise.resolve({ valid: true, errors: [], warnings: [] });
const tab = (name: string) => screen.getByRole("tab", { name });

describe("FENManager", () => {
  it("shows the current text first", () => {
    render(<FENManager fenString="a b" validate={validate} />);
    expect(tab("Current FEN")).toHaveAttribute("aria-selected", "true");
    expect(screen.getByTestId("fen-text")).toBeVisible();
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  it("can begin with the input", () => {
    render(<FENManager fenString="a b" defaultTab="input" validate={validate} className="mine" />);
    expect(screen.getByRole("textbox")).toBeVisible();
  });

  it("changes tabs with the arrow keys", async () => {
    const user = userEvent.setup();
    render(<FENManager fenString="a b" validate={validate} />);
    tab("Current FEN").focus();
    await user.keyboard("{ArrowRight}");
    expect(tab("Load FEN")).toHaveFocus();
    expect(tab("Load FEN")).toHaveAttribute("aria-selected", "true");
    await user.keyboard("{ArrowRight}");
    expect(tab("Current FEN")).toHaveFocus();
    await user.keyboard("{ArrowLeft}");
    expect(tab("Load FEN")).toHaveFocus();
    await user.keyboard("{Home}");
    expect(tab("Current FEN")).toHaveFocus();
  });

  it("keeps unsaved text over a change of tabs", async () => {
    const user = userEvent.setup();
    render(<FENManager fenString="a b" validate={validate} />);
    await user.click(tab("Load FEN"));
    await user.type(screen.getByRole("textbox"), "half a te");
    await user.click(tab("Current FEN"));
    await user.click(tab("Load FEN"));
    expect(screen.getByRole("textbox")).toHaveValue("half a te");
  });

  it("shows the display after a load", async () => {
    const onLoad = vi.fn();
    render(<FENManager fenString="a b" defaultTab="input" onLoad={onLoad} validate={validate} examples={["c d"]} />);
    fireEvent.click(screen.getByRole("button", { name: "c d" }));
    await waitFor(() => expect(screen.getByRole("button", { name: "Load" })).toBeEnabled());
    fireEvent.click(screen.getByRole("button", { name: "Load" }));
    await waitFor(() => expect(tab("Current FEN")).toHaveAttribute("aria-selected", "true"));
    expect(onLoad).toHaveBeenCalledExactlyOnceWith("c d");
  });

  it("passes onCopy and the older props on", async () => {
    const onCopy = vi.fn();
    const onFENLoad = vi.fn();
    render(
      <FENManager
        gameState={{ fen_string: "x y" }}
        onCopy={onCopy}
        onFENLoad={onFENLoad}
        load={(fen) => Promise.resolve({ fen_string: fen })}
        validate={validate}
        examples={["c d"]}
      />,
    );
    fireEvent.click(screen.getByRole("button", { name: "Copy" }));
    expect(onCopy).toHaveBeenCalledOnce();
    fireEvent.click(tab("Load FEN"));
    fireEvent.click(screen.getByRole("button", { name: "c d" }));
    await waitFor(() => expect(screen.getByRole("button", { name: "Load" })).toBeEnabled());
    fireEvent.click(screen.getByRole("button", { name: "Load" }));
    await waitFor(() => expect(onFENLoad).toHaveBeenCalledWith({ fen_string: "c d" }));
  });
});
