// Finish the package after its build: write the type declarations and copy the licence.
//
// The TypeScript compiler writes declarations of all sources. Only those that `lib/index` needs are kept. Their imports get
// the extension `.js`, which Node's module resolution requires.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ui = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(ui, "package/dist");
const RELATIVE_IMPORT = /(from |import\()"(\.[^"]+)"/g;
const copied = new Set();

/** Copy the declarations of a module and of all modules that it imports. `module` is a path without extension. */
function copyDeclarations(module) {
  if (copied.has(module)) return;
  copied.add(module);
  const text = readFileSync(join(dist, "all", `${module}.d.ts`), "utf8");
  const target = join(dist, "types", `${module}.d.ts`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replace(RELATIVE_IMPORT, (_, keyword, name) => `${keyword}"${name}.js"`));
  for (const [, , name] of text.matchAll(RELATIVE_IMPORT)) copyDeclarations(join(dirname(module), name));
}

copyDeclarations("lib/index");
copyFileSync(join(ui, "../LICENSE"), join(ui, "package/LICENSE"));
rmSync(join(dist, "all"), { recursive: true });
console.log(`Wrote ${copied.size} declaration files.`);
