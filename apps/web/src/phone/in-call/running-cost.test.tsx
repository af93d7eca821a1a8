// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { RunningCost } from "./running-cost.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("shows what the call has cost from its answer on, and nothing for a call without a rate", async () => {
  const { phone, report } = openTestPhone();
  await phone.devices.whenReady;
  render(
    <PhoneContext value={phone}>
      <RunningCost />
    </PhoneContext>,
  );
  const rate = { perMinuteMicros: 20_000, connectionFeeMicros: 5_000, firstSeconds: 60, nextSeconds: 60 };
  const shown = () => screen.queryByRole("group", { name: "Cost so far" })?.textContent;
  await act(() => phone.start("+12025550100"));
  act(() => void report({ status: "ringing", rate }));
  expect(shown()).toBeUndefined();
  act(() => void report({ status: "in-progress", answeredAt: new Date().toISOString() }));
  expect(shown()).toBe("$0.025");
  act(() => void report({ rate: null }));
  expect(shown()).toBeUndefined();
});
