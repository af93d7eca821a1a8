// @vitest-environment happy-dom
import { CreateCarrierInput, minPriceMicros } from "@leadline/contract/carriers";
import { centMicros, UpdateLimitsInput } from "@leadline/contract/limits";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { DollarInput } from "./dollar-input.tsx";

const isSpending = (dailySpend: number) => UpdateLimitsInput.safeParse({ dailySpend }).success;
const isPrice = (pricePerMinute: number) => CreateCarrierInput.shape.pricePerMinute.safeParse(pricePerMinute).success;

function type(stepMicros: number, values: readonly string[]): number[] {
  const told: number[] = [];
  const tell = (micros: number) => void told.push(micros);
  render(<DollarInput aria-label="Amount" micros={50_000_000} stepMicros={stepMicros} onMicros={tell} />);
  for (const value of values) fireEvent.change(screen.getByLabelText("Amount"), { target: { value } });
  return told;
}

afterEach(cleanup);

test("an amount is reported in whole cents, as dollars are written, and an empty field as no amount", () => {
  const told = type(centMicros, ["12.35", "0.1", ""]);
  expect(told).toEqual([12_350_000, 100_000, NaN]);
  expect(told.map(isSpending)).toEqual([true, true, false]);
});

test.each(["0.001", "12.349", "0.0000001", "12.3499999"])(
  "$%s is not an amount in whole cents, and isn't rounded to one",
  (typed) => {
    expect(type(centMicros, [typed]).map(isSpending)).toEqual([false]);
  },
);

test("a price has four decimals, and a fifth isn't rounded away", () => {
  const told = type(minPriceMicros, ["0.013", "0.0135", "0.0001", "100", "0.01355", "0.00001", "-0.01", "100.0001"]);
  expect(told.slice(0, 4)).toEqual([13_000, 13_500, 100, 100_000_000]);
  expect(told.map(isPrice)).toEqual([true, true, true, true, false, false, false, false]);
});
