// Python beside the page: loads Pyodide and the pure wheel from this folder, then answers one question at a time.
const load = async () => {
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const pyodide = await loadPyodide();
  const [wheel, source] = await Promise.all(["./forsyth.whl", "./answer.py"].map(fetched));
  pyodide.unpackArchive(await wheel.arrayBuffer(), "wheel");
  pyodide.runPython(await source.text());
  return pyodide.globals.get("answer");
};

const fetched = async (name) => {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name} is not there`);
  return response;
};

const loading = load();
loading.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);

addEventListener("message", async ({ data: { number, text, game, mode } }) => {
  const answer = await loading;
  try {
    postMessage({ number, answer: JSON.parse(answer(text, game, mode)) });
  } catch (error) {
    postMessage({ number, failed: String(error) });
  }
});
