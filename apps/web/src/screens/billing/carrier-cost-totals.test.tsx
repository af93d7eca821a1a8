// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { CostTotals } from "./carrier-cost-totals.tsx";

afterEach(cleanup);

const totals = {
  matchedCalls: 2,
  countedMicros: 13_000,
  carrierMicros: 13_000,
  differing: 1,
  withoutRecord: 0,
  withoutCall: 0,
  otherCurrencies: [{ currency: "EUR", micros: 1_250_000, uncountedMicros: 0 }],
};

test("what carriers bill says which costs in other currencies it leaves out", () => {
  render(<CostTotals totals={totals} />);
  const billed = screen.getByText("Billed by carriers").nextElementSibling?.textContent;
  expect(billed).toBe("$0.013Without costs in other currencies: 1.25 EUR.");
});
