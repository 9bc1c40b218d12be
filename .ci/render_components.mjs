// Proves that the components are rendered on a server, without a warning; run in the folder of an app that has them.
import { createElement, version } from "react";
import { renderToString } from "react-dom/server";
import { Board, FENDisplay, FENInput, FENManager } from "forsyth-components";

console.error = (...said) => {
  throw new Error(said.join(" "));
};
for (const component of [Board, FENDisplay, FENInput, FENManager]) {
  if (!renderToString(createElement(component, { fenString: "start" })).includes("forsyth")) {
    throw new Error(`${component.name} is not rendered`);
  }
}
console.log(`React ${version} renders the components on a server.`);
