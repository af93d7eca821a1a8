// @vitest-environment happy-dom
import type { Statement } from "@leadline/contract/billing";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../../data/query-client.ts";
import { StatementFigures } from "./statement-figures.tsx";
import { StatementNumbers } from "./statement-numbers.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const held = (id: string, monthlyCostMicros: number | null): Statement["numbers"][number] => ({
  id,
  number: `+1202555010${id}`,
  acquiredAt: "2026-03-05T12:00:00.000Z",
  releasedAt: null,
  monthlyCostMicros,
});

test("numbers without a known price are listed, and a sentence says that they aren't counted", async () => {
  const { rerender } = render(<StatementNumbers numbers={[held("0", 1_150_000), held("1", null)]} />);
  expect(screen.getAllByRole("row").map((row) => row.textContent)).toEqual([
    expect.stringContaining("Monthly fee"),
    expect.stringContaining("$1.15"),
    expect.stringContaining("Unknown"),
  ]);
  screen.getByText(/^1 number has no known price, .* Its fee isn’t counted/);
  rerender(<StatementNumbers numbers={[held("0", null), held("1", null)]} />);
  screen.getByText(/^2 numbers have no known price, .* Their fees aren’t counted/);
  rerender(<StatementNumbers numbers={[held("0", 1_150_000)]} />);
  expect(screen.queryByText(/no known price/)).toBeNull();
});

test("what a metered organisation has spent this month says which numbers and currencies it leaves out", async () => {
  const summary = { mode: "metered", balanceMicros: 0, heldMicros: 0, month: "2026-03", monthCostMicros: 1_150_000 };
  vi.stubGlobal("fetch", async () => Response.json(summary));
  const otherCurrencies = [
    { currency: "EUR", micros: 1_250_000, uncountedMicros: 250_000 },
    { currency: "GBP", micros: 1, uncountedMicros: 0 },
  ];
  const figures = (month: string) => (
    <QueryClientProvider client={queryClient}>
      <StatementFigures
        statement={{
          month,
          timeZone: "UTC",
          balanceMicros: 0,
          days: [],
          numbers: [held("0", 1), held("1", null)],
          otherCurrencies,
        }}
      />
    </QueryClientProvider>
  );
  const { rerender } = render(figures("2026-03"));
  const spent = () => screen.getByText("Spent").nextElementSibling?.textContent;
  const inEuro = "Without costs in other currencies: 0.25 EUR.";
  expect(screen.getByText("Calls cost").nextElementSibling?.textContent).toContain(`in March 2026. ${inEuro}`);
  const soFar = "$1.15this month so far";
  await vi.waitFor(() => expect(spent()).toBe(`${soFar}. Without 1 phone number whose price isn’t known. ${inEuro}`));
  // The numbers of an earlier month say nothing about this one.
  rerender(figures("2026-02"));
  expect(spent()).toBe(soFar);
});
