// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { padField, press, showDialPad, typeOnPage } from "../testing/show-dial-pad.tsx";
import { OutsideHoursDialog } from "./outside-hours-dialog.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open(server: { isClosed?: boolean; isNight?: boolean }) {
  const { phone } = openTestPhone(server);
  await phone.devices.whenReady;
  render(
    <PhoneContext value={phone}>
      <OutsideHoursDialog />
    </PhoneContext>,
  );
  return phone;
}

test("outside the opening hours a call is only placed once the rep confirms", async () => {
  const phone = await open({ isClosed: true });
  await act(() => phone.start("+12025550100"));
  screen.getByRole("alertdialog", { name: "Call outside opening hours?" });
  expect(phone.getState()).toMatchObject({ phase: "idle", startFailure: null });
  fireEvent.click(screen.getByRole("button", { name: "Don’t call" }));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(phone.getState()).toMatchObject({ phase: "idle", call: null });

  await act(() => phone.start("+12025550100"));
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Call anyway" })));
  await vi.waitFor(() => expect(phone.getState().call?.phoneNumber).toBe("+12025550100"));
});

test("who doesn’t call has the keyboard on Call again", async () => {
  const { phone } = showDialPad({ isClosed: true });
  await phone.devices.whenReady;
  padField().focus();
  typeOnPage("2025550100");
  await act(async () => press("Call"));
  await screen.findByRole("alertdialog", { name: "Call outside opening hours?" });
  await act(async () => press("Don’t call"));
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe("Call"));
});

test("outside the opening hours a second line is only called once the rep confirms, and a teammate immediately", async () => {
  const phone = await open({ isClosed: true });
  await act(() => phone.start("+12025550100"));
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Call anyway" })));
  await vi.waitFor(() => expect(phone.getState().phase).toBe("live"));
  await act(() => phone.consult({ phoneNumber: "+12025550101" }));
  screen.getByRole("alertdialog", { name: "Call outside opening hours?" });
  expect(phone.getState()).toMatchObject({ phase: "live", other: null, trouble: null });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Call anyway" })));
  await vi.waitFor(() => expect(phone.getState().call?.phoneNumber).toBe("+12025550101"));
  expect(phone.getState().other?.phoneNumber).toBe("+12025550100");
});

test("outside the opening hours a transfer to a number waits until the rep confirms, and the call continues meanwhile", async () => {
  const phone = await open({ isClosed: true });
  await act(() => phone.start("+12025550100"));
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Call anyway" })));
  await vi.waitFor(() => expect(phone.getState().phase).toBe("live"));
  await act(() => phone.transfer({ phoneNumber: "+12025550101" }));
  screen.getByRole("alertdialog", { name: "Call outside opening hours?" });
  expect(phone.getState().call).toMatchObject({ transfer: null });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Call anyway" })));
  await vi.waitFor(() =>
    expect(phone.getState().call?.transfer).toMatchObject({ phoneNumber: "+12025550101", status: "asked" }),
  );
});

test("outside the callee’s calling hours a call is only placed with a reason, which is sent", async () => {
  const phone = await open({ isNight: true });
  await act(() => phone.start("+12025550100"));
  screen.getByRole("alertdialog", { name: "Call outside calling hours?" });
  screen.getByText(/^It’s 03:30 there\./);
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Call anyway" })));
  screen.getByText("Enter a reason.");
  expect(phone.getState().call).toBeNull();
  fireEvent.change(screen.getByLabelText("Reason"), { target: { value: " They asked for this time " } });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Call anyway" })));
  await vi.waitFor(() => expect(phone.getState().call?.hoursOverride).toBe("They asked for this time"));
});

test("within the opening hours no confirmation is asked", async () => {
  const phone = await open({ isClosed: false });
  await act(() => phone.start("+12025550100"));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(phone.getState().call?.phoneNumber).toBe("+12025550100");
});
