// Completes the package after its build: the declarations and the licence.
//
// Of the declarations of all sources it takes those that the package's index leads to, and names files in full in
// them, as Node's way of finding modules asks for.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ui = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(ui, "package/dist");
const IMPORTED = /(from |import\()"(\.[^"]+)"/g;
const taken = new Set();

function take(path) {
  if (taken.has(path)) return;
  taken.add(path);
  const text = readFileSync(join(dist, "all", `${path}.d.ts`), "utf8");
  const target = join(dist, "types", `${path}.d.ts`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replace(IMPORTED, (_, before, name) => `${before}"${name}.js"`));
  for (const [, , name] of text.matchAll(IMPORTED)) take(join(dirname(path), name));
}

take("lib/index");
copyFileSync(join(ui, "../LICENSE"), join(ui, "package/LICENSE"));
rmSync(join(dist, "all"), { recursive: true });
console.log(`${taken.size} declaration files`);
