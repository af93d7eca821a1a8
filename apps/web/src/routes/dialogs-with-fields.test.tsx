// @vitest-environment happy-dom
import type { CarrierConnection } from "@leadline/contract/carriers";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { usePasswordConfirmation } from "../components/use-password-confirmation.tsx";
import { ProblemError } from "../data/problem-error.ts";
import { OutsideHoursDialog } from "../phone/pad/outside-hours-dialog.tsx";
import { PhoneContext } from "../phone/phone-context.ts";
import { openTestPhone } from "../phone/testing/open-test-phone.ts";
import { TopUpDialog } from "../screens/billing/top-up-dialog.tsx";
import { TestCallDialog } from "../screens/carriers/test-call-dialog.tsx";
import { VerifyCallerIdDialog } from "../screens/carriers/verify-caller-id-dialog.tsx";
import { showScreens } from "./testing/show-screens.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  localStorage.clear();
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
  callerId: { number: "+442079460123", unverifiedAt: ["sip.example.com"] },
  createdAt: "2026-11-21T12:00:00.000Z",
};
const { callerId } = carrier;

function Confirming() {
  const { confirmed, dialog } = usePasswordConfirmation();
  const buy = () =>
    confirmed(async (password) => {
      const [code, detail] =
        password === undefined
          ? (["password-required", "This costs money."] as const)
          : (["wrong-credentials", "Incorrect password."] as const);
      throw new ProblemError({ code, title: "Refused", detail, status: 403 });
    });
  return (
    <>
      <button type="button" onClick={() => void buy().catch(() => {})}>
        Buy
      </button>
      {dialog}
    </>
  );
}

interface DialogCase {
  dialog: string;
  Shown: (props: { onClose: () => void }) => React.ReactNode;
  /** Until the field is there. */
  reach?: () => Promise<unknown>;
  field: string;
  wrong: string;
  submit: string;
  message: string;
  /** The question about closing with typed text. */
  asks: string | null;
  night?: true;
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));

const cases: DialogCase[] = [
  {
    dialog: "Top up",
    Shown: ({ onClose }) => (
      <TopUpDialog provider={{ name: "Sandbox", isSandbox: true, canSaveMethod: false }} onClose={onClose} />
    ),
    field: "Other amount (US$)",
    wrong: "2",
    submit: "Continue to payment",
    message: "Enter an amount from $5 to $1,000.",
    asks: "Leave without saving?",
  },
  {
    dialog: "Call outside calling hours?",
    Shown: () => <OutsideHoursDialog />,
    night: true,
    field: "Reason",
    wrong: "ab",
    submit: "Call anyway",
    message: "Enter a reason.",
    asks: "Leave without saving?",
  },
  {
    dialog: "Verify +44 20 7946 0123",
    Shown: ({ onClose }) =>
      callerId && <VerifyCallerIdDialog carrier={carrier} callerId={callerId} onClose={onClose} />,
    reach: () => press("Call +44 20 7946 0123"),
    field: "Code",
    wrong: "123",
    submit: "Verify",
    message: "Enter the six digits you heard.",
    asks: "Stop verifying?",
  },
  {
    dialog: "Test call through Trunk",
    Shown: ({ onClose }) => <TestCallDialog carrier={carrier} onClose={onClose} />,
    field: "Number to call",
    wrong: "abcd",
    submit: "Call",
    message: "Enter a phone number.",
    asks: "Leave without saving?",
  },
  {
    dialog: "Confirm it’s you",
    Shown: Confirming,
    reach: () => press("Buy"),
    field: "Your password",
    wrong: "not mine",
    submit: "Confirm",
    message: "Incorrect password.",
    asks: null,
  },
];

async function open({ Shown, reach, field, night }: DialogCase) {
  const { phone } = openTestPhone(night ? { isNight: true } : {});
  await phone.devices.whenReady;
  const serve = globalThis.fetch;
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    url.endsWith("caller-id/call")
      ? Promise.resolve(Response.json({ number: "+442079460123", server: "sip.example.com" }, { status: 201 }))
      : serve(url, init),
  );
  const close = vi.fn<() => void>();
  const Screen = () => (
    <PhoneContext value={phone}>
      <Shown onClose={close} />
    </PhoneContext>
  );
  await showScreens({ at: "/calls", screens: { "/calls": Screen } });
  if (night) await act(() => phone.start("+12025550100"));
  await reach?.();
  return { phone, close, input: await screen.findByLabelText<HTMLInputElement>(field) };
}

test.each(cases)("“$dialog” says at its field what is wrong, and goes there", async (shown) => {
  const { input } = await open(shown);
  fireEvent.change(input, { target: { value: shown.wrong } });
  const button = screen.getByRole("button", { name: shown.submit });
  button.focus();
  await act(async () => fireEvent.click(button));
  await screen.findByText(shown.message);
  expect(input.getAttribute("aria-invalid")).toBe("true");
  await waitFor(() => expect(document.activeElement).toBe(input));
});

test.each(cases.filter(({ asks }) => asks !== null))(
  "Escape in “$dialog” asks before it drops what was typed",
  async (shown) => {
    const { input, close, phone } = await open(shown);
    fireEvent.change(input, { target: { value: shown.wrong } });
    fireEvent.keyDown(input, { key: "Escape" });
    const question = await screen.findByRole("dialog", { name: shown.asks ?? "" });
    fireEvent.click(within(question).getByRole("button", { name: "Stay" }));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: shown.asks ?? "" })).toBeNull());
    expect(input.value).toBe(shown.wrong);
    expect([close.mock.calls.length, phone.getState().asksOutsideHours === null]).toEqual([0, shown.night !== true]);
  },
);

test("an empty password is asked for at its field too", async () => {
  const confirm = cases.at(-1);
  if (!confirm) throw new Error("no case");
  const { input } = await open(confirm);
  screen.getByRole("button", { name: "Confirm" }).focus();
  await press("Confirm");
  await screen.findByText("Enter your password.");
  await waitFor(() => expect(document.activeElement).toBe(input));
});
