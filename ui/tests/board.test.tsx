import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Board } from "../src/board/Board";
import { cellBoxes, groupOf, neighbour, readingOrder } from "../src/board/geometry";
import { parsePicture } from "../src/board/picture";
import { Names, tokenElements } from "../src/board/tokens";
import { draw, PALETTE } from "./toy";

const picture = parsePicture(draw("A.a w"))!;
const boxes = readingOrder(cellBoxes(picture.root));
const box = (id: string) => boxes.find((one) => one.id === id)!;

describe("geometry", () => {
  it("finds the cells in the drawing's units", () => {
    expect(boxes.map(({ id }) => id)).toEqual(["a1", "b1", "c1", "t", "t.1"]);
    expect(box("b1")).toMatchObject({ x: 110, y: 20, width: 100 });
    expect(box("t.1")).toMatchObject({ x: 60, y: 140, width: 50, scale: 0.5 });
  });
  it("moves to the nearest cell in a direction", () => {
    expect(neighbour(boxes, box("a1"), "ArrowRight")?.id).toBe("b1");
    expect(neighbour(boxes, box("a1"), "ArrowDown")?.id).toBe("t");
    expect(neighbour(boxes, box("t.1"), "ArrowUp")?.id).toBe("a1");
    expect(neighbour(boxes, box("a1"), "ArrowLeft")).toBeNull();
  });
  it("groups cells by the part before the dot", () => {
    expect([groupOf("t.1"), groupOf("t"), groupOf("a1")]).toEqual(["t", "t", "a1"]);
  });
});

describe("tokens", () => {
  it("tells tokens from hatchings", () => {
    expect(tokenElements(box("a1").element)).toHaveLength(1);
    expect(tokenElements(box("b1").element)).toHaveLength(0);
  });
  it("names them by their looks", () => {
    const names = new Names(PALETTE);
    const name = (id: string) => names.of(tokenElements(box(id).element)[0]!, picture.style);
    expect(name("a1")).toEqual({ symbol: "A", label: "white stone" });
    expect(name("c1")).toEqual({ symbol: "a", label: "black stone" });
  });
});

describe("Board", () => {
  it("is walked with the arrow keys and says what is there", async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    render(<Board svg={draw("A.a w")} label="Toy" names={new Names(PALETTE)} targets={new Set(["b1"])} onPick={onPick} />);
    const board = screen.getByRole("application", { name: "Toy" });
    board.focus();
    await user.keyboard("{ArrowRight}");
    expect(screen.getByText("a1 white stone")).toBeInTheDocument();
    await user.keyboard("{ArrowRight}");
    expect(screen.getByText("b1 empty, target")).toBeInTheDocument();
    await user.keyboard("{Enter}");
    expect(onPick).toHaveBeenLastCalledWith("b1", null, false);
    await user.keyboard("{End} ");
    expect(onPick).toHaveBeenLastCalledWith("t.1", { symbol: "a", label: "black stone" }, false);
  });

  it("picks the cell and the token under the pointer", () => {
    const onPick = vi.fn();
    const { container } = render(<Board svg={draw("A.a w")} label="Toy" names={new Names(PALETTE)} onPick={onPick} />);
    const use = container.querySelector('[data-square="c1"] use:last-child')!;
    fireEvent.pointerDown(use, { button: 0 });
    fireEvent.pointerUp(use, { button: 0 });
    expect(onPick).toHaveBeenCalledExactlyOnceWith("c1", { symbol: "a", label: "black stone" }, false);
  });

  it("drags what can be taken up and drops it", () => {
    const onPick = vi.fn();
    const onDrop = vi.fn();
    const { container } = render(<Board svg={draw("A.a w")} label="Toy" origins={new Set(["a1"])} onPick={onPick} onDrop={onDrop} />);
    const from = container.querySelector('[data-square="a1"] rect')!;
    const to = container.querySelector('[data-square="b1"] rect')!;
    document.elementFromPoint = () => to;
    fireEvent.pointerDown(from, { button: 0, clientX: 0, clientY: 0 });
    fireEvent.pointerMove(from, { clientX: 40, clientY: 0 });
    fireEvent.pointerUp(from, { clientX: 60, clientY: 0 });
    expect(onPick).toHaveBeenCalledWith("a1", null, true);
    expect(onDrop).toHaveBeenCalledExactlyOnceWith("a1", "b1");
  });

  it("shows signs by cell and by group", () => {
    const { container } = render(
      <Board svg={draw("A.a w")} label="Toy" targets={new Set(["t"])} selected="a1" lit={new Set(["c1"])} errors={new Set(["b1"])} />,
    );
    const signs = [...container.querySelectorAll<SVGElement>("[data-sign]")].map((sign) => sign.dataset.sign);
    expect(signs).toEqual(["selected", "error", "lit", "target", "target"]);
  });

  it("leaves no inline style behind and keeps the last drawing", () => {
    const { container, rerender } = render(<Board svg={draw("A.a w")} label="Toy" />);
    rerender(<Board svg={draw("A.a w")} label="Toy" stale />);
    expect(container.querySelector(".paper svg [data-square]")).not.toBeNull();
    expect(container.querySelector(".board")).toHaveClass("stale");
  });
});
