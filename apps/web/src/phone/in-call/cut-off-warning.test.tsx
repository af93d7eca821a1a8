// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { CutOffWarning } from "./cut-off-warning.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a call that is about to reach a limit sounds a warning once and counts down, until the limit is raised", async () => {
  const { phone, report, sounds } = openTestPhone();
  await phone.devices.whenReady;
  render(
    <PhoneContext value={phone}>
      <CutOffWarning />
    </PhoneContext>,
  );
  await act(() => phone.start("+12025550100"));
  const answeredMs = Date.now();
  act(() => void report({ status: "in-progress", answeredAt: new Date(answeredMs).toISOString() }));
  expect(screen.queryByRole("status")).toBeNull();
  const warnings = () => sounds.filter((sound) => sound === "warning").length;

  const at = new Date(answeredMs + 90_400).toISOString();
  act(() => void report({ cutOff: { at, reason: "spending-limit" } }));
  expect(screen.getByRole("status").textContent).toMatch(/Ends in 1:(30|2\d)\./);
  expect(screen.getByRole("status").textContent).toContain("daily spending limit");
  act(() => void report({ note: "Wants a quote.", cutOff: { at, reason: "spending-limit" } }));
  expect(warnings()).toBe(1);

  act(() => void report({ cutOff: null }));
  expect(screen.queryByRole("status")).toBeNull();
});

test.each([
  ["spending-limit", "Your organisation has almost reached its daily spending limit."],
  ["member-spending-limit", "You’ve almost reached your own daily spending limit."],
  ["member-call-length-limit", "You’ve almost reached your own maximum call length."],
] as const)(
  "a %s is named on a computer whose clock is ten minutes wrong, with the right time",
  async (reason, words) => {
    const { phone, report } = openTestPhone();
    await phone.devices.whenReady;
    render(
      <PhoneContext value={phone}>
        <CutOffWarning />
      </PhoneContext>,
    );
    await act(() => phone.start("+12025550100"));
    const serverMs = Date.now() - 600_000;
    act(() => void report({ status: "in-progress", answeredAt: new Date(serverMs).toISOString() }));
    act(() => void report({ cutOff: { at: new Date(serverMs + 90_400).toISOString(), reason } }));
    expect(screen.getByRole("status").textContent).toMatch(/Ends in 1:(30|2\d)\./);
    expect(screen.getByRole("status").textContent).toContain(words);
  },
);
