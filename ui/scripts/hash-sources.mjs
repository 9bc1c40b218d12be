// Write the hash of all sources of the bundle. With --check, compare it with the stored hash instead.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ui = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(ui, "../src/forsyth/server/static/sources.sha256");
const rootFiles = ["index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];
const folders = ["src", "public", "scripts"];

/** Return the paths of all files in a folder, relative to `ui` and with slashes. */
function listFiles(folder) {
  return readdirSync(join(ui, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ui, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

const files = [...rootFiles, ...folders.flatMap(listFiles)].sort();
const hash = createHash("sha256");
for (const file of files) {
  const content = readFileSync(join(ui, file));
  hash.update(`${file}\0${content.length}\0`).update(content);
}
const digest = `${hash.digest("hex")}\n`;

if (process.argv.includes("--check")) {
  const storedDigest = readFileSync(target, "utf8");
  if (storedDigest !== digest) {
    console.error("The committed bundle does not match these sources. Run `npm run build` in ui/.");
    process.exit(1);
  }
  console.log("The committed bundle matches these sources.");
} else {
  writeFileSync(target, digest);
  console.log(`${files.length} source files, sha256 ${digest.slice(0, 16)}…`);
}
