import "@fontsource-variable/figtree/wght.css";
import "./styles/app.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

// After React, in a task of its own: on a slow phone either takes long enough to be felt.
const { App } = await import("./app.tsx");

const place = document.getElementById("app");
if (!place) throw new Error("index.html has no #app.");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
