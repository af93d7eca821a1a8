// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { padField, press, showDialPad } from "../testing/show-dial-pad.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("an extension is kept apart from the number, pasted or typed, and its digits are sent after the answer", async () => {
  const opened = showDialPad();
  const paste = (text: string) => fireEvent.paste(padField(), { clipboardData: { getData: () => text } });
  paste("+1 202 555 0100 ext 5");
  expect([padField().value, screen.getByText("Extension").textContent]).toEqual([
    "+1 202 555 0100",
    "Extension 5 · send it once they answer",
  ]);
  press("Remove extension");
  expect(screen.queryByText("Extension")).toBeNull();
  fireEvent.change(padField(), { target: { value: "+1 202 555 0100 x" } });
  fireEvent.change(padField(), { target: { value: "+1 202 555 0100 x12" } });
  expect(padField().value).toBe("+1 202 555 0100 x12");
  await opened.phone.devices.whenReady;
  press("Call");
  await screen.findByRole("button", { name: "Hang up" });
  await waitFor(() => expect(opened.phone.getState().call?.phoneNumber).toBe("+12025550100"));
  expect([screen.queryByRole("button", { name: "Send extension" }), opened.digits]).toEqual([null, []]);
  act(() => void opened.report({ status: "in-progress", answeredAt: new Date().toISOString() }));
  press("Send extension");
  await waitFor(() => expect(opened.digits).toEqual(["1", "2"]));
  expect(screen.queryByRole("button", { name: "Send extension" })).toBeNull();
});
