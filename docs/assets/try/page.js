// The page Try it: sends what is typed to the worker and shows its answers. Nothing leaves the browser.
const root = document.getElementById("try");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const PATIENCE = 20_000; // milliseconds for one answer
const MISSING = "Python is not on this copy of the site, so the text cannot be checked here.";

let worker;
let ready = false;
let asked = 0;
let clock;

const say = (words) => {
  part("state").textContent = words;
};

const begin = () => {
  ready = false;
  say("Loading Python, about 14 MB, once …");
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => receive(data));
  worker.addEventListener("error", () => say(MISSING));
};

const receive = ({ ready: isReady, failed, number, answer }) => {
  if (isReady) {
    ready = true;
    ask();
  } else if (number === undefined) {
    say(MISSING);
  } else if (number === asked) {
    clearTimeout(clock);
    if (failed) say(`Forsyth could not answer: ${failed}`);
    else show(answer);
  }
};

const ask = () => {
  if (!ready) return;
  asked += 1;
  clearTimeout(clock);
  clock = setTimeout(() => {
    worker.terminate();
    begin();
  }, PATIENCE);
  const { value: text } = part("text");
  worker.postMessage({ number: asked, text, game: part("game").value, mode: part("mode").value });
};

const show = ({ ok, game, findings, canonical, picture }) => {
  say(`${ok ? "The text is ok" : "The text is not ok"}${game ? ` (${game})` : ""}.`);
  root.dataset.ok = ok;
  part("findings").textContent = findings;
  part("canonical").textContent = canonical;
  part("board").hidden = !picture;
  // As an image: whatever is in it, it is only looked at.
  if (picture) part("board").src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
  else part("board").removeAttribute("src");
};

for (const name of ["text", "game", "mode"]) part(name).addEventListener("input", ask);
for (const button of root.querySelectorAll("button[data-text]")) {
  button.addEventListener("click", () => {
    part("text").value = button.dataset.text;
    ask();
  });
}
begin();
