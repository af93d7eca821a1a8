// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { ImportProgress } from "./import-progress.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const leadImport = {
  id: "an-import",
  fileName: "fair.csv",
  state: "completed" as const,
  columns: [],
  preview: [],
  suggestedMapping: {},
  rowCount: 3,
  created: 2,
  skipped: 1,
  duplicates: 1,
  failed: 0,
  problem: null,
  createdAt: "2026-01-14T10:00:00Z",
  finishedAt: "2026-01-14T10:00:01Z",
};

test("counts rows left out as duplicates, and lists them", async () => {
  vi.stubGlobal("fetch", async () => Response.json([]));
  await showScreens({ at: "/import", screens: { "/import": () => <ImportProgress leadImport={leadImport} /> } });
  const left = screen.getByText("Duplicates left out");
  expect(left.nextElementSibling?.textContent).toBe("1");
  screen.getByRole("heading", { name: "Duplicates" });
});
