// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PhoneContext } from "../phone-provider.tsx";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { OutsideHoursDialog } from "./outside-hours-dialog.tsx";

beforeEach(() => {
  localStorage.setItem("leadline.access-token", "for-the-test-server");
  // A Saturday.
  vi.useFakeTimers({ now: new Date("2026-01-10T12:00:00Z"), toFake: ["Date"] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open() {
  const { phone } = openTestPhone();
  await phone.devices.whenReady;
  render(
    <PhoneContext value={phone}>
      <OutsideHoursDialog />
    </PhoneContext>,
  );
  phone.setOpeningHours({ timeZone: "UTC", openingHours: [{ day: "monday", opensAt: "09:00", closesAt: "17:00" }] });
  return phone;
}

test("outside the opening hours a call is placed only once the person says so", async () => {
  const phone = await open();
  await act(() => phone.start("+12025550100"));
  screen.getByRole("alertdialog", { name: "Call outside opening hours?" });
  expect(phone.getState().phase).toBe("idle");
  fireEvent.click(screen.getByRole("button", { name: "Don’t call" }));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(phone.getState()).toMatchObject({ phase: "idle", call: null });

  await act(() => phone.start("+12025550100"));
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Call anyway" })));
  await vi.waitFor(() => expect(phone.getState().call?.phoneNumber).toBe("+12025550100"));
});

test("within the opening hours nothing is asked", async () => {
  const phone = await open();
  vi.setSystemTime(new Date("2026-01-12T12:00:00Z"));
  await act(() => phone.start("+12025550100"));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(phone.getState().call?.phoneNumber).toBe("+12025550100");
});
