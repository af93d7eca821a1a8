// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { ImportProgress } from "./import-progress.tsx";

afterEach(cleanup);

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
  failed: 0,
  problem: null,
  createdAt: "2026-01-14T10:00:00Z",
  finishedAt: "2026-01-14T10:00:01Z",
};

test("a row left out is told in the preview's words, which may be that the file repeats it", async () => {
  await showScreens({ at: "/import", screens: { "/import": () => <ImportProgress leadImport={leadImport} /> } });
  const left = screen.getByText("In your leads already or repeated in the file");
  expect(left.nextElementSibling?.textContent).toBe("1");
});
