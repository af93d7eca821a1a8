// @vitest-environment happy-dom
import { UpdateLimitsInput } from "@leadline/contract/limits";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { limitsQuery } from "../../data/limits-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { DollarInput } from "./dollar-input.tsx";
import { LimitsForm } from "./limits-form.tsx";

const isTaken = (dailySpend: number) => UpdateLimitsInput.safeParse({ dailySpend }).success;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("an amount is told in whole cents, as dollars are written, and nothing as no amount", () => {
  const told: number[] = [];
  render(<DollarInput aria-label="Amount" micros={50_000_000} onMicros={(micros) => told.push(micros)} />);
  const type = (value: string) => fireEvent.change(screen.getByLabelText("Amount"), { target: { value } });
  for (const typed of ["12.35", "0.1", ""]) type(typed);
  expect(told).toEqual([12_350_000, 100_000, NaN]);
  expect(told.map(isTaken)).toEqual([true, true, false]);
});

test.each(["0.001", "12.349", "0.0000001"])("$%s is no amount in whole cents, and is not rounded to one", (typed) => {
  const told: number[] = [];
  render(<DollarInput aria-label="Amount" micros={50_000_000} onMicros={(micros) => told.push(micros)} />);
  fireEvent.change(screen.getByLabelText("Amount"), { target: { value: typed } });
  expect(told.map(isTaken)).toEqual([false]);
});

test("a fraction of a cent as the spending a day is refused in words, and nothing is saved", async () => {
  const fetched = vi.fn<() => Promise<Response>>(async () => Response.json({}));
  vi.stubGlobal("fetch", fetched);
  const used = { concurrentCalls: 0, callsPerMinute: 0, dailySpend: 0 };
  const limits = { allowedCountries: ["US"], concurrentCalls: 10, callsPerMinute: 30, dailySpend: 50_000_000, used };
  const screens = { "/limits": () => <LimitsForm limits={limits} mayChange /> };
  await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, limits]] });
  fireEvent.change(screen.getByLabelText("Spending a day"), { target: { value: "0.001" } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await screen.findByText("Write dollars with at most two decimals, such as 12.50.");
  expect(fetched).not.toHaveBeenCalled();
});
