// A board on which clicks play moves. Python keeps the position and the rules. This script shows the picture
// and sends a message for each click.
function render({ model, el }) {
  el.classList.add("forsyth-board");
  const picture = document.createElement("div");
  picture.tabIndex = 0;
  picture.setAttribute("role", "group");
  const choices = document.createElement("div");
  choices.className = "choices";
  const status = document.createElement("div");
  status.setAttribute("role", "status");
  const undo = document.createElement("button");
  undo.type = "button";
  undo.textContent = "Undo";
  el.append(picture, choices, status, undo);

  // Setting innerHTML is safe, because Forsyth escapes all texts in the picture.
  const showPicture = () => { picture.innerHTML = model.get("svg"); };
  const showChoices = () => {
    choices.replaceChildren(...model.get("choices").map((text) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", () => model.send({ play: text }));
      return button;
    }));
  };
  const showStatus = () => {
    status.textContent = model.get("message");
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

  const handlers = [
    ["change:svg", showPicture],
    ["change:choices", showChoices],
    ["change:message", showStatus],
    ["change:moves", showStatus],
  ];
  for (const [name, handler] of handlers) model.on(name, handler);
  showPicture();
  showChoices();
  showStatus();
  return () => { for (const [name, handler] of handlers) model.off(name, handler); };
}

export default { render };
