/** What the package is built from: the components, and their style sheet as a file beside them. */
import "../styles/components.css";

export * from "./index";
