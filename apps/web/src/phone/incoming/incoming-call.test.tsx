// @vitest-environment happy-dom
import type { Call } from "@leadline/contract/calls";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chooseNotice } from "../../data/notice-choices.ts";
import { ProblemError } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { StartFailedDialog } from "../pad/start-failed-dialog.tsx";
import { PhoneContext } from "../phone-context.ts";
import { newTestCall } from "../testing/new-test-call.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { IncomingCall } from "./incoming-call.tsx";
import { notifyOfMissedCall } from "./notify-of-missed-call.ts";

/** The system notifications, by tag. */
const shown = new Map<string, string>();
class SystemNotice extends EventTarget {
  static permission: NotificationPermission = "granted";
  readonly #tag: string;
  constructor(title: string, { tag = "" }: NotificationOptions = {}) {
    super();
    this.#tag = tag;
    shown.set(tag, title);
  }
  close(): void {
    shown.delete(this.#tag);
  }
}

beforeEach(() => {
  shown.clear();
  queryClient.clear();
  document.title = "Leads";
  localStorage.setItem("leadline.access-token", "for-the-test-server");
  vi.stubGlobal("Notification", SystemNotice);
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

let calls = 0;
const ada = { id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0003", firstName: "Ada", lastName: "Byron", status: "New" } as const;
const ringing = (more: Partial<Call> = {}): Call =>
  newTestCall("+442071838750", (calls += 1), {
    direction: "inbound",
    status: "ringing",
    userId: null,
    calledNumber: "+442079460123",
    leads: [ada],
    ...more,
  });
const over = (call: Call, reason: NonNullable<Call["cause"]>["reason"], more: Partial<Call> = {}): Call => ({
  ...call,
  revision: call.revision + 1,
  status: "no-answer",
  endedAt: new Date().toISOString(),
  cause: { reason, sip: null, q850: null },
  ...more,
});

function open() {
  const opened = openTestPhone();
  render(
    <QueryClientProvider client={queryClient}>
      <PhoneContext value={opened.phone}>
        <IncomingCall />
        <StartFailedDialog />
      </PhoneContext>
    </QueryClientProvider>,
  );
  return { ...opened, applyUpdate: (call: Call) => act(() => opened.phone.applyUpdate(call)) };
}

test.each([
  ["passed", true, "Verified caller"],
  ["passed-a", true, "Verified caller"],
  ["passed-b", false, "Caller’s number not confirmed"],
  ["passed-c", false, "Caller’s number not confirmed"],
  ["none", false, "Caller’s number not confirmed"],
  [null, false, "Caller’s number not confirmed"],
  ["failed", false, "Failed verification: may be spoofed"],
  ["failed-a", false, "Failed verification: may be spoofed"],
] as const)(
  "says how the caller is verified (%s), and who forwarded the call",
  async (callerVerification, callerVerified, words) => {
    const { applyUpdate } = open();
    applyUpdate(ringing({ callerVerification, callerVerified, forwardedBy: "+442079460188" }));
    expect(screen.getByText(words)).toBeTruthy();
    expect(await screen.findByText(/^forwarded by \+44/)).toBeTruthy();
  },
);

test("says nothing about a caller if the network says nothing", () => {
  const { applyUpdate } = open();
  applyUpdate(ringing());
  expect(screen.queryByText(/verif|confirmed|forwarded/i)).toBe(null);
});

test("a call rings, in the title and in a notification, until someone else answers it", async () => {
  const { applyUpdate, sounds } = open();
  const call = ringing();
  applyUpdate(call);
  screen.getByRole("region", { name: "Incoming call" });
  expect([sounds, document.title, [...shown.values()]]).toEqual([
    ["ringing"],
    "☎ Ada Byron is calling",
    ["Ada Byron is calling"],
  ]);
  applyUpdate({ ...call, revision: 1, userId: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009", userName: "Bob Stone" });
  await waitFor(() => expect(screen.queryByRole("region")).toBeNull());
  expect([sounds, document.title, [...shown.values()]]).toEqual([["ringing", "ringing stopped"], "Leads", []]);
});

test("a call that can't be answered says why while it still rings, and in a dialog once it doesn't", async () => {
  const { phone, applyUpdate, ringInVain } = open();
  const call = ringing();
  const detail = "No media server is responding.";
  const problem = new ProblemError({ code: "media-unavailable", title: "Unavailable", detail, status: 503 });
  act(() => ringInVain(call, problem));
  fireEvent.click(screen.getByRole("button", { name: "Answer" }));
  await waitFor(() => within(screen.getByRole("region", { name: "Incoming call" })).getByText(detail));
  expect([phone.getState().phase, screen.queryByRole("alertdialog")]).toEqual(["idle", null]);
  applyUpdate(over(call, "no-answer"));
  within(await screen.findByRole("alertdialog", { name: "Failed to answer call" })).getByText(detail);
});

test("a caller without a number is shown with the caller's own text, also as a missed call", async () => {
  const { applyUpdate } = open();
  const call = ringing({ leads: [], phoneNumber: "", callerId: "Ada Byron (301)" });
  applyUpdate(call);
  screen.getByText("Ada Byron (301)");
  await notifyOfMissedCall(call);
  await notifyOfMissedCall(over(call, "no-answer"));
  expect([...shown.values()]).toContain("Missed call: Ada Byron (301)");
});

test("a missed call is notified once, whatever is reported of it later", async () => {
  const call = ringing();
  await notifyOfMissedCall(call);
  expect(shown.size).toBe(0);
  const missed = over(call, "no-answer");
  await notifyOfMissedCall(missed);
  expect([...shown]).toEqual([[call.callSid, "Missed call: Ada Byron"]]);
  shown.clear();
  await notifyOfMissedCall({ ...missed, revision: 2, note: "Called back." });
  expect(shown.size).toBe(0);
});

test("a call that could ring nowhere is notified too, and an answered one isn't", async () => {
  const refused = over(ringing({ leads: [], phoneNumber: "" }), "no-answer", { revision: 0 });
  await notifyOfMissedCall(refused);
  expect([...shown.values()]).toEqual(["Missed call: Withheld number"]);
  shown.clear();
  const call = ringing();
  await notifyOfMissedCall(call);
  const taken = { ...call, revision: 1, userId: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009" };
  await notifyOfMissedCall(taken);
  await notifyOfMissedCall(over(taken, "hung-up-there"));
  expect(shown.size).toBe(0);
});

test("a voicemail is notified once its message is complete, if the user wants that", async () => {
  const leave = async (): Promise<string[]> => {
    shown.clear();
    const call = ringing();
    await notifyOfMissedCall(call);
    await notifyOfMissedCall(over(call, "in-voicemail"));
    expect(shown.size).toBe(0);
    const voicemail = { durationMs: 32_000, heardAt: null };
    const left = over(call, "left-message", { revision: 2, voicemail });
    await notifyOfMissedCall(left);
    const told = [...shown.values()];
    shown.clear();
    await notifyOfMissedCall({ ...left, revision: 3, voicemail: { ...voicemail, heardAt: new Date().toISOString() } });
    expect(shown.size).toBe(0);
    return told;
  };
  expect(await leave()).toEqual(["New message: Ada Byron"]);
  chooseNotice("message-left", false);
  expect(await leave()).toEqual([]);
  chooseNotice("message-left", true);
});
