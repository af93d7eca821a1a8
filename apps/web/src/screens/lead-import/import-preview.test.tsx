// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ImportPreview } from "./import-preview.tsx";

afterEach(cleanup);

const leadImport = {
  id: "an-import",
  fileName: "fair.csv",
  state: "draft" as const,
  columns: ["Name", "Surname", "Mail", "Call"],
  preview: [["A", "Lo", "a@lo.example", "+12025550100"]],
  suggestedMapping: {},
  rowCount: 1,
  created: 0,
  skipped: 0,
  duplicates: 0,
  failed: 0,
  problem: null,
  createdAt: "2026-01-14T10:00:00Z",
  finishedAt: null,
};

test("a row shows no errors until the columns it needs are mapped", () => {
  const preview = (mapping: object) => (
    <ImportPreview leadImport={leadImport} mapping={mapping} fates={undefined} skipKnownNumbers />
  );
  const { rerender } = render(preview({ firstName: 0, lastName: 1 }));
  expect(screen.getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["A", "Lo", "", "", "", "–"]);
  rerender(preview({ firstName: 0, phone: 3 }));
  expect(screen.getAllByRole("cell").at(-1)?.textContent?.trim()).toBe("First name must be at least 2 characters.");
});
