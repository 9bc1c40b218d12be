/** The entry point of the package build. The import makes Vite write the style sheet as a separate file. */
import "../styles/components.css";

export * from "./index";
