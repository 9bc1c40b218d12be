import { ForsythProvider } from "forsyth-components";
import "forsyth-components/style.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.js";
import "./page.css";

/** The service is another origin, started with `--cors` and the address of this page. */
const service = new URLSearchParams(location.search).get("service") ?? "http://127.0.0.1:8000";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <ForsythProvider baseUrl={service}>
      <App />
    </ForsythProvider>
  </StrictMode>,
);
