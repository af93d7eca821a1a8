import "@fontsource-variable/figtree/wght.css";
import "./styles/app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./data/query-client.ts";
import { waitForServer } from "./data/wait-for-server.ts";
import { router } from "./router.tsx";
import { fetchPartsAfter } from "./ui/later-part.tsx";

fetchPartsAfter(waitForServer);

const app = document.getElementById("app");
if (!app) throw new Error("index.html has no #app.");
createRoot(app).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
