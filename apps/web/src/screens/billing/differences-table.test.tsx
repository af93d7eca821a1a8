// @vitest-environment happy-dom
import type { CostDifference } from "@leadline/contract/carrier-costs";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../../data/query-client.ts";
import { DifferencesTable } from "./differences-table.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const shared = { begunAt: "2026-11-05T12:00:00.000Z", phoneNumber: "+12025550100", seconds: 61 } as const;
const differences: CostDifference[] = [
  {
    ...shared,
    kind: "differs",
    key: "1",
    callSid: "CA1",
    direction: "outbound",
    carrier: "Sales",
    countedMicros: 20_000,
    carrierCost: { micros: 13_000, currency: "USD" },
    differenceMicros: -7_000,
  },
  {
    ...shared,
    kind: "no-record",
    key: "2",
    callSid: "CA2",
    direction: "outbound",
    carrier: null,
    countedMicros: 20_000,
    carrierCost: null,
    differenceMicros: null,
  },
  {
    ...shared,
    kind: "no-call",
    key: "3",
    callSid: null,
    direction: null,
    phoneNumber: "",
    carrier: "Sales",
    countedMicros: null,
    carrierCost: { micros: 13_000, currency: "EUR" },
    differenceMicros: null,
  },
];

test("shows calls whose cost differs, calls without a record, and records without a call", () => {
  vi.stubGlobal("fetch", async () => Response.json({}));
  render(
    <QueryClientProvider client={queryClient}>
      <DifferencesTable differences={differences} />
    </QueryClientProvider>,
  );
  const rows = screen.getAllByRole("row").slice(1);
  const wide = rows.map((row) =>
    [...row.querySelectorAll("td")].slice(1).map((cell) => {
      const shown = cell.cloneNode(true) as HTMLElement;
      shown.querySelector("[data-narrow]")?.remove();
      return shown.textContent;
    }),
  );
  expect(wide).toEqual([
    ["+1 202 555 0100", "Cost differs", "Sales", "1:01", "$0.02", "$0.013", "−$0.007"],
    ["+1 202 555 0100", "No record", "Disconnected", "1:01", "$0.02", "–", "–"],
    [expect.stringMatching(/withheld/i), "No call", "Sales", "1:01", "–", "0.013 EUR", "–"],
  ]);
  // On a phone, the columns that don't fit are lines below the number.
  const narrow = rows.map((row) => row.querySelector("[data-narrow]")?.textContent);
  expect(narrow).toEqual([
    expect.stringMatching(/^Cost differs · .+Sales · 1:01Counted \$0\.02, carrier’s cost \$0\.013$/),
    expect.stringMatching(/^No record · .+Disconnected · 1:01Counted \$0\.02, carrier’s cost –$/),
    expect.stringMatching(/^No call · .+Sales · 1:01Counted –, carrier’s cost 0\.013 EUR$/),
  ]);
});
