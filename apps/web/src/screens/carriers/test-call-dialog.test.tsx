// @vitest-environment happy-dom
import type { CarrierConnection } from "@leadline/contract/carriers";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PhoneContext } from "../../phone/phone-context.ts";
import { openPhone } from "../../phone/testing/open-phone.ts";
import { TestCallDialog } from "./test-call-dialog.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const carrier: CarrierConnection = {
  id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009",
  kind: "sip-trunk",
  label: "Trunk",
  settings: {},
  secretsSet: [],
  callsPerSecond: null,
  channels: null,
  inUse: false,
  state: { level: "unused", sentence: "No calls go there." },
  callerId: null,
  createdAt: "2026-11-21T12:00:00.000Z",
};

test("calls the number through this carrier and shows the call's progress", async () => {
  const { phone, server } = await openPhone();
  await phone.devices.whenReady;
  render(
    <PhoneContext value={phone}>
      <TestCallDialog carrier={carrier} onClose={() => {}} />
    </PhoneContext>,
  );
  fireEvent.change(screen.getByLabelText(/Number to call/), { target: { value: "+44 20 7946 0123" } });
  fireEvent.click(screen.getByRole("button", { name: "Call" }));
  await waitFor(() =>
    expect(server.seen.find(({ what }) => what === "POST /calls")?.body).toMatchObject({
      phoneNumber: "+442079460123",
      carrierId: carrier.id,
    }),
  );
  const hangUp = await screen.findByRole("button", { name: "Hang up" });
  await waitFor(() => expect(phone.getState().call).not.toBeNull());
  const { call } = phone.getState();
  if (!call) throw new Error("no call");
  const cause = { reason: "busy", sip: 486, q850: 17 } as const;
  expect(hangUp).toBeTruthy();
  act(() => phone.applyUpdate({ ...call, revision: call.revision + 5, status: "busy", cause }));
  expect(await screen.findByText(/The line is busy\. Your carrier’s status: 486\./)).toBeTruthy();
});
