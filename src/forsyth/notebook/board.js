// A board to click. Python keeps the position and the rules; this shows the picture and says what was clicked.
function render({ model, el }) {
  el.classList.add("forsyth-board");
  const picture = document.createElement("div");
  picture.tabIndex = 0;
  picture.setAttribute("role", "group");
  const choices = document.createElement("div");
  choices.className = "choices";
  const said = document.createElement("div");
  said.setAttribute("role", "status");
  const undo = document.createElement("button");
  undo.type = "button";
  undo.textContent = "Undo";
  el.append(picture, choices, said, undo);

  // The picture is written by Forsyth, which escapes every word in it.
  const draw = () => { picture.innerHTML = model.get("svg"); };
  const ask = () => {
    choices.replaceChildren(...model.get("choices").map((text) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", () => model.send({ play: text }));
      return button;
    }));
  };
  const say = () => {
    said.textContent = model.get("message");
    undo.disabled = model.get("moves").length === 0;
  };
  picture.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-square]");
    if (cell) model.send({ click: cell.dataset.square });
  });
  picture.addEventListener("keydown", (event) => {
    if (event.key === "Escape") model.send({ click: "" });
  });
  undo.addEventListener("click", () => model.send({ undo: true }));

  const watched = [["change:svg", draw], ["change:choices", ask], ["change:message", say], ["change:moves", say]];
  for (const [name, react] of watched) model.on(name, react);
  draw();
  ask();
  say();
  return () => { for (const [name, react] of watched) model.off(name, react); };
}

export default { render };
