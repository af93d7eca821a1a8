// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { DollarInput } from "./dollar-input.tsx";

afterEach(cleanup);

test("an amount is told in whole cents, as dollars are written, and nothing as no amount", () => {
  const told: number[] = [];
  render(<DollarInput aria-label="Amount" micros={50_000_000} onMicros={(micros) => told.push(micros)} />);
  const type = (value: string) => fireEvent.change(screen.getByLabelText("Amount"), { target: { value } });
  for (const typed of ["12.349", "0.1", ""]) type(typed);
  expect(told).toEqual([12_350_000, 100_000, NaN]);
});
