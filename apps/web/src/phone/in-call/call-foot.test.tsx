// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { CallFoot } from "./call-foot.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("what covers the phone warns of the call's end, and then says why it ended", async () => {
  const { phone, report } = openTestPhone();
  await phone.devices.whenReady;
  render(
    <PhoneContext value={phone}>
      <CallFoot />
    </PhoneContext>,
  );
  await act(() => phone.start("+12025550100"));
  const answeredMs = Date.now();
  const cutOff = { at: new Date(answeredMs + 90_000).toISOString(), reason: "spending-limit" } as const;
  act(() => void report({ status: "in-progress", answeredAt: new Date(answeredMs).toISOString(), cutOff }));
  screen.getByRole("status", { name: "This call is about to end" });
  const cause = { reason: "spending-limit", sip: null, q850: null } as const;
  act(() => void report({ status: "completed", cause, cutOff: null }));
  screen.getByText("Your organisation reached its daily spending limit. An admin can raise it under Settings, Limits.");
  expect(screen.queryByRole("button", { name: "Hang up" })).toBeNull();
});
