// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hasTwoWayAudio } from "../call/phone-state.ts";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { PhoneStatus } from "./phone-status.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function show(options: Parameters<typeof openTestPhone>[0] = {}) {
  const opened = openTestPhone(options);
  await opened.phone.devices.whenReady;
  render(
    <PhoneContext value={opened.phone}>
      <PhoneStatus />
    </PhoneContext>,
  );
  return opened;
}
const words = () => screen.getByTestId("phone-status").textContent;

test("the phone shows its state in a call, and never that it is ready for one", async () => {
  const { phone, report } = await show();
  await act(() => phone.start("+12025550100"));
  expect(words()).toBe("Calling…");
  act(() => void report({ status: "ringing" }));
  expect(words()).toBe("Ringing…");
  act(() => void report({ status: "in-progress", answeredAt: new Date().toISOString() }));
  expect(words()).toBe("In call");
  act(() => void report({ held: true }));
  expect(words()).toBe("On hold");
  act(() => void report({ heldByThem: true }));
  expect(words()).toBe("On hold by both sides");
  act(() => void report({ held: false }));
  expect(words()).toBe("They put you on hold");
  expect(hasTwoWayAudio(phone.getState())).toBe(false);
  act(() => void report({ heldByThem: false }));
  expect(words()).toBe("In call");
});
test("without a network the phone says so, also in a call", async () => {
  const { phone } = await show();
  expect(words()).toBe("Connecting…");
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
  expect(words()).toBe("Offline");
  online.mockReturnValue(true);
  await act(() => phone.start("+12025550100"));
  online.mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event("offline")));
  expect(words()).toBe("OfflineTrying to reconnect the call.");
});
test("without a microphone the phone isn't ready", async () => {
  const { phone } = await show({ microphoneRefusal: "NotFoundError" });
  await act(() => phone.devices.open().then(null, () => {}));
  expect(words()).toBe("No microphone");
});
