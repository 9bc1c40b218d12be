import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Board } from "../src/board/Board";
import { measureCells, groupOf, findNeighbour, sortForReading } from "../src/board/geometry";
import { parsePicture } from "../src/board/picture";
import { MIN_CELL_PIXELS, reflow } from "../src/board/reflow";
import { contentsByCell, occupiedCells, tokenElements } from "../src/board/cells";
import { findTokenMoves } from "../src/board/moveAnimation";
import { columnCount } from "../src/views/edit/Palette";
import { draw, drawing, drawWithCaption, sceneOf } from "./toy";

const picture = parsePicture(draw("A.a w"))!;
const boxes = sortForReading(measureCells(picture.root));
const box = (id: string) => boxes.find((one) => one.id === id)!;

describe("geometry", () => {
  it("finds the cells in the drawing's units", () => {
    expect(boxes.map(({ id }) => id)).toEqual(["a1", "b1", "c1", "t", "t.1"]);
    expect(box("b1")).toMatchObject({ x: 110, y: 20, width: 100 });
    expect(box("t.1")).toMatchObject({ x: 60, y: 140, width: 50, scale: 0.5 });
  });
  it("moves to the nearest cell in a direction", () => {
    expect(findNeighbour(boxes, box("a1"), "ArrowRight")?.id).toBe("b1");
    expect(findNeighbour(boxes, box("a1"), "ArrowDown")?.id).toBe("t");
    expect(findNeighbour(boxes, box("t.1"), "ArrowUp")?.id).toBe("a1");
    expect(findNeighbour(boxes, box("a1"), "ArrowLeft")).toBeNull();
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
  it("are known by the scene, in the order of their elements", () => {
    const contents = contentsByCell(sceneOf("A.a w"));
    expect(contents.get("c1")?.tokens.map(({ label }) => label)).toEqual(["black stone"]);
    expect(tokenElements(box("c1").element).map((element) => element.getAttribute("data-token"))).toEqual(["a"]);
    expect([...occupiedCells(sceneOf("A.. w"))]).toEqual(["a1", "t", "t.1"]);
  });
  it("travel from where they were to where they are", () => {
    const before = contentsByCell(sceneOf("A.a w"));
    expect(findTokenMoves(before, contentsByCell(sceneOf(".Aa w")))).toEqual([{ from: "a1", to: "b1" }]);
    expect(findTokenMoves(before, contentsByCell(sceneOf("A.. w")))).toEqual([]);
  });
});

describe("Board", () => {
  it("is walked with the arrow keys and says what is there", async () => {
    const user = userEvent.setup();
    const onPick = vi.fn();
    render(<Board drawing={drawing("A.a w")} label="Toy" targets={new Set(["b1"])} onPick={onPick} />);
    const board = screen.getByRole("application", { name: "Toy" });
    board.focus();
    await user.keyboard("{ArrowRight}");
    expect(screen.getByText("a1 white stone")).toBeInTheDocument();
    await user.keyboard("{ArrowRight}");
    expect(screen.getByText("b1 empty, target")).toBeInTheDocument();
    await user.keyboard("{Enter}");
    expect(onPick).toHaveBeenLastCalledWith("b1", null, false);
    await user.keyboard("{End} ");
    expect(onPick).toHaveBeenLastCalledWith("t.1", { symbol: "a", label: "black stone", owner: "black", count: 1 }, false);
  });

  it("picks the cell and the token under the pointer", () => {
    const onPick = vi.fn();
    const { container } = render(<Board drawing={drawing("A.a w")} label="Toy" onPick={onPick} />);
    const use = container.querySelector('[data-square="c1"] use:last-child')!;
    fireEvent.pointerDown(use, { button: 0 });
    fireEvent.pointerUp(use, { button: 0 });
    expect(onPick).toHaveBeenCalledExactlyOnceWith("c1", { symbol: "a", label: "black stone", owner: "black", count: 1 }, false);
  });

  it("drags what can be taken up and drops it", () => {
    const onPick = vi.fn();
    const onDrop = vi.fn();
    const { container } = render(<Board drawing={drawing("A.a w")} label="Toy" origins={new Set(["a1"])} onPick={onPick} onDrop={onDrop} />);
    const from = container.querySelector('[data-square="a1"] rect')!;
    const to = container.querySelector('[data-square="b1"] rect')!;
    document.elementFromPoint = () => to;
    fireEvent.pointerDown(from, { button: 0, clientX: 0, clientY: 0 });
    fireEvent.pointerMove(from, { clientX: 40, clientY: 0 });
    fireEvent.pointerUp(from, { clientX: 60, clientY: 0 });
    expect(onPick).toHaveBeenCalledWith("a1", expect.objectContaining({ symbol: "A" }), true);
    expect(onDrop).toHaveBeenCalledExactlyOnceWith("a1", "b1");
  });

  it("lets what was dropped lie until the next drawing, and puts back what was not taken", async () => {
    const onDrop = vi.fn(() => true);
    const { container, rerender } = render(<Board drawing={drawing("A.a w")} label="Toy" origins={new Set(["a1"])} onDrop={onDrop} />);
    const cell = (name: string) => container.querySelector(`[data-square="${name}"] rect`)!;
    const drag = () => {
      document.elementFromPoint = () => cell("b1");
      fireEvent.pointerDown(cell("a1"), { button: 0, clientX: 0, clientY: 0 });
      fireEvent.pointerMove(cell("a1"), { clientX: 40, clientY: 0 });
      fireEvent.pointerUp(cell("a1"), { clientX: 60, clientY: 0 });
    };
    const ghost = container.querySelector(".forsyth-ghost")!;
    drag();
    expect(ghost.getAttribute("transform")).toBe("translate(160 70)");
    expect(ghost.childElementCount).toBe(1);
    rerender(<Board drawing={drawing(".Aa w")} label="Toy" origins={new Set(["a1"])} onDrop={() => false} />);
    expect(ghost.childElementCount).toBe(0);
    drag();
    await waitFor(() => expect(ghost.childElementCount).toBe(0));
  });

  it("sets the words below a drawing itself", () => {
    const { container } = render(<Board drawing={drawWithCaption("White to move")} label="Toy" />);
    expect(screen.getByText("White to move").closest("svg")).toBeNull();
    expect(container.querySelector(".forsyth-paper svg")?.getAttribute("viewBox")).toBe("0 0 320 160");
  });

  it("shows signs by cell and by group", () => {
    const { container } = render(
      <Board drawing={drawing("A.a w")} label="Toy" targets={new Set(["t"])} selected="a1" highlighted={new Set(["c1"])} errors={new Set(["b1"])} />,
    );
    const signs = [...container.querySelectorAll<SVGElement>("[data-sign]")].map((sign) => sign.dataset.sign);
    expect(signs).toEqual(["selected", "error", "lit", "target", "target"]);
  });

  it("leaves no inline style behind and keeps the last drawing", () => {
    const { container, rerender } = render(<Board drawing={drawing("A.a w")} label="Toy" />);
    rerender(<Board drawing={drawing("A.a w")} label="Toy" stale />);
    expect(container.querySelector(".forsyth-paper svg [data-square]")).not.toBeNull();
    expect(container.querySelector(".forsyth-board")).toHaveClass("stale");
  });
});

describe("a drawing of several areas", () => {
  const area = (name: string, x: number, y: number, columns: number) =>
    `<g data-area="${name}" transform="translate(${x} ${y})">${Array.from(
      { length: columns },
      (_, column) => `<g data-square="${name}${column}"><rect x="${column * 100}" y="0" width="100" height="100"/></g>`,
    ).join("")}</g>`;
  const wide = () =>
    parsePicture(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1300 500">${area("p", 50, 0, 5)}${area("q", 700, 0, 5)}${area("r", 50, 200, 12)}${area("s", 100, 400, 3)}</svg>`,
    )!;

  it("stays as it is where its cells are large enough", () => {
    const { root, size } = wide();
    const before = root.outerHTML;
    expect(reflow(root, size, 13 * MIN_CELL_PIXELS)).toEqual([1300, 500]);
    expect(reflow(root, size, 0)).toEqual([1300, 500]);
    expect(root.outerHTML).toBe(before);
  });

  it("is set in lines on a narrow screen, in the same order and without overlap", () => {
    const { root, size } = wide();
    const [width, height] = reflow(root, size, 6 * MIN_CELL_PIXELS);
    expect(width).toBe(560);
    const boxes = measureCells(root);
    for (const box of boxes) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
    }
    const top = (name: string) => boxes.find(({ id }) => id === name)!;
    const order = ["p0", "q0", "r0", "s0"].map(top);
    order.slice(1).forEach((box, index) => expect(box.y).toBeGreaterThanOrEqual(order[index]!.y + order[index]!.height));
    expect(top("r0").width).toBeCloseTo(500 / 12, 1);
    expect(top("s0").width).toBe(100);
  });
});

describe("a palette", () => {
  it("has lines of the same length where it can", () => {
    expect([1, 5, 6, 11, 12, 22, 23].map(columnCount)).toEqual([1, 5, 6, 6, 6, 6, 6]);
  });
});
