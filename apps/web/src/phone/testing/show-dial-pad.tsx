import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { ActiveCallScreen } from "../in-call/active-call-screen.tsx";
import { DialPad } from "../pad/dial-pad.tsx";
import { OutsideHoursDialog } from "../pad/outside-hours-dialog.tsx";
import { StartFailedDialog } from "../pad/start-failed-dialog.tsx";
import { PhoneContext, usePhoneState } from "../phone-context.ts";
import { openTestPhone } from "./open-test-phone.ts";

function Panel() {
  const { screen: shown, phase } = usePhoneState();
  return shown === "active-call" && phase === "live" ? (
    <ActiveCallScreen onSettings={() => {}} />
  ) : (
    <DialPad recentNumbers={["+12025550107", "+442079460000"]} />
  );
}

/** The pad and the call's controls, with the test's own phone. */
export function showDialPad(options: Parameters<typeof openTestPhone>[0] = {}) {
  const opened = openTestPhone(options);
  render(
    <PhoneContext value={opened.phone}>
      <StartFailedDialog />
      <OutsideHoursDialog />
      <Panel />
    </PhoneContext>,
  );
  return opened;
}

export const padField = () => screen.getByPlaceholderText<HTMLInputElement>("Phone number");
export const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
export const typeOnPage = (keys: string) => {
  for (const key of keys) fireEvent.keyDown(document.body, { key });
};

export async function startCall(opened: ReturnType<typeof showDialPad>, number = "2025550100"): Promise<void> {
  await opened.phone.devices.whenReady;
  typeOnPage(number);
  press("Call");
  await screen.findByRole("button", { name: "Hang up" });
  await waitFor(() => expect(opened.phone.getState().phase).toBe("live"));
}
