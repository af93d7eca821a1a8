// @vitest-environment happy-dom
import { type CallTransfer, TransferRefusal } from "@leadline/contract/call-transfer";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { transferSentence, transferLabel } from "../../components/transfer-label.ts";
import { queryClient } from "../../data/query-client.ts";
import { hasTwoWayAudio } from "../call/phone-state.ts";
import { PhoneContext } from "../phone-context.ts";
import { testUserId } from "../testing/new-test-call.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { TestPanel } from "../testing/test-panel.tsx";

beforeEach(() => {
  localStorage.setItem("leadline.access-token", "for-the-test-server");
  queryClient.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** In an answered call, with its controls shown. */
async function inCall(
  more: Parameters<ReturnType<typeof openTestPhone>["report"]>[0] = {},
  options: Parameters<typeof openTestPhone>[0] = {},
) {
  const opened = openTestPhone(options);
  render(
    <PhoneContext value={opened.phone}>
      <TestPanel />
    </PhoneContext>,
  );
  await act(() => opened.phone.start("+12025550100"));
  const report = (change: typeof more) => act(() => void opened.report(change));
  report({ status: "in-progress", answeredAt: new Date().toISOString(), ...more });
  act(() => opened.phone.show("active-call"));
  return { ...opened, report };
}
const control = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const dialog = () => screen.getByRole("dialog", { name: "Transfer call" });
const field = () => within(dialog()).getByRole<HTMLInputElement>("combobox", { name: "Phone number" });
const send = () => fireEvent.click(within(dialog()).getByRole("button", { name: "Transfer" }));
const teammate = () => within(dialog()).findByRole("button", { name: "Ada Byron Free" });
const choose = async () => fireEvent.click(await teammate());
const to = (status: CallTransfer["status"], refusal: CallTransfer["refusal"] = null): { transfer: CallTransfer } => ({
  transfer: { phoneNumber: "+12025550199", member: null, leads: [], attended: false, status, refusal, sip: null },
});

const ada = {
  id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0003",
  firstName: "Ada",
  lastName: "Byron",
  status: "New",
} as const;

const teammates = [
  { userId: ada.id, firstName: "Ada", lastName: "Byron", presence: "free" },
  { userId: "b", firstName: "Bob", lastName: "Stone", presence: "in-call" },
  { userId: "c", firstName: "Cleo", lastName: "Marsh", presence: "away" },
] as const;

describe("transferring a call", () => {
  test("asks where to, sends the number, and shows the progress until someone answers", async () => {
    const { transfers, report, phone } = await inCall();
    fireEvent.click(control("Transfer"));
    fireEvent.change(field(), { target: { value: "(202) 555-0199" } });
    field().select();
    report({ note: "They want somebody who knows the prices." });
    expect([field().selectionStart, field().selectionEnd]).toEqual([0, "(202) 555-0199".length]);
    send();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(transfers).toEqual([{ phoneNumber: "+12025550199", askWhenClosed: true }]);
    expect(screen.getByTestId("call-stage").textContent).toBe("Transferring…");
    // Silence isn't a problem then.
    expect(hasTwoWayAudio(phone.getState())).toBe(false);
    await screen.findByText("Sending them to +1 202 555 0199…");
    expect(["Transfer", "Hold", "Hang up"].map((name) => control(name).disabled)).toEqual([true, true, false]);
    report({ waitsFor: "Sales" });
    await screen.findByText("Waiting for a free line at Sales…");
    report({ ...to("ringing"), waitsFor: null });
    await screen.findByText("Ringing +1 202 555 0199…");
    report({ ...to("taken"), status: "completed", cause: { reason: "transferred", sip: 200, q850: 16 } });
    await screen.findByText("Transferred to +1 202 555 0199.");
    expect(phone.getState().phase).toBe("ended");
  });

  test("offers teammates by name with their presence, and transfers the call to one of them, who takes it over", async () => {
    const { transfers, report, phone } = await inCall({}, { teammates });
    fireEvent.click(control("Transfer"));
    const offered = async () =>
      (await within(dialog()).findAllByRole<HTMLButtonElement>("button", { name: / (Free|In a call|Away)$/ })).map(
        (button) => [button.textContent, button.disabled],
      );
    await within(dialog()).findByText("Ada Byron");
    expect(await offered()).toEqual([
      ["Ada ByronFree", false],
      ["Bob StoneIn a call", true],
      ["Cleo MarshAway", true],
    ]);
    fireEvent.change(field(), { target: { value: "byr" } });
    expect(await offered()).toEqual([["Ada ByronFree", false]]);
    await choose();
    expect(transfers).toEqual([]);
    send();
    await screen.findByText("Sending them to Ada Byron…");
    fireEvent.click(control("Take back"));
    await screen.findByText("You took the call back. They’re still on your call.");
    fireEvent.click(control("Transfer"));
    await choose();
    // Continuing to type means a number.
    fireEvent.change(field(), { target: { value: "byro" } });
    expect((await teammate()).getAttribute("aria-pressed")).toBe("false");
    await choose();
    send();
    await screen.findByText("Sending them to Ada Byron…");
    expect(transfers).toEqual([{ userId: ada.id }, { userId: ada.id }]);
    const { transfer } = phone.getState().call ?? {};
    if (!transfer) throw new Error("nothing was transferred");
    report({ userId: ada.id, userName: "Ada Byron", transfer: { ...transfer, status: "taken" } });
    await screen.findByText("Transferred to Ada Byron.");
    expect(phone.getState().phase).toBe("ended");
  });

  test.each([
    ["Transfer", "Transfer call", "Talk first"],
    ["Add", "Add someone to the call", "Call"],
  ])("%s calls an available teammate by name on the second line", async (opener, title, press) => {
    const { phone } = await inCall({}, { teammates });
    fireEvent.click(control(opener));
    const asking = within(screen.getByRole("dialog", { name: title }));
    await asking.findByText("Bob Stone");
    expect(asking.getByRole<HTMLButtonElement>("button", { name: "Bob Stone In a call" }).disabled).toBe(true);
    fireEvent.click(asking.getByRole("button", { name: "Ada Byron Free" }));
    expect(phone.getState().other).toBeNull();
    fireEvent.click(asking.getByRole("button", { name: press }));
    await screen.findByRole("region", { name: "Other line" });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect([phone.getState().call, phone.getState().other]).toMatchObject([
      { ringsFor: ada.id, line: 2 },
      { phoneNumber: "+12025550100", held: true },
    ]);
    expect(screen.getAllByText("Ada Byron").length).toBeGreaterThan(0);
  });

  test("that fails shows the reason until it is dismissed, and the call can be transferred again", async () => {
    const { report } = await inCall(to("ringing"));
    report(to("refused", "busy"));
    expect((await screen.findByRole("alert")).textContent).toBe("+1 202 555 0199 is busy. They’re still on your call.");
    expect(screen.getByTestId("call-stage").textContent).toBe("In call");
    fireEvent.click(control("Dismiss"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect([control("Transfer").disabled, control("Hold").disabled]).toEqual([false, false]);
    report(to("asked"));
    expect((await screen.findByRole("status")).textContent).toBe("Sending them to +1 202 555 0199…");
  });

  test("to a refused number keeps it, with the reason until another is typed", async () => {
    const { refuseNextTransfer, transfers } = await inCall();
    const words = "Your organisation doesn’t allow calls to Germany. An admin can allow them under Settings, Limits.";
    refuseNextTransfer(403, "country-not-allowed", words);
    fireEvent.click(control("Transfer"));
    fireEvent.change(field(), { target: { value: "+4930901820" } });
    fireEvent.submit(field());
    expect((await within(dialog()).findByRole("alert")).textContent).toBe(words);
    expect(field().value).toBe("+49 30 901820");
    fireEvent.change(field(), { target: { value: "+1 202 555 0199" } });
    expect(within(dialog()).queryByRole("alert")).toBeNull();
    fireEvent.submit(field());
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(transfers.map(({ phoneNumber }) => phoneNumber)).toEqual(["+4930901820", "+12025550199"]);
  });

  test.each([
    ["", "Enter a phone number."],
    ["911", "Leadline cannot call emergency numbers. Use a telephone."],
  ])("to “%s” is not requested: %s", async (typed, words) => {
    const { transfers } = await inCall();
    fireEvent.click(control("Transfer"));
    fireEvent.change(field(), { target: { value: typed } });
    send();
    expect((await within(dialog()).findByRole("alert")).textContent).toBe(words);
    expect(transfers).toEqual([]);
  });

  test("opens with T, but not while typing, before the answer, or if the carrier can't", async () => {
    const { report } = await inCall();
    const note = document.body.appendChild(document.createElement("textarea"));
    fireEvent.keyDown(note, { key: "t" });
    note.remove();
    expect(screen.queryByRole("dialog")).toBeNull();
    for (const change of [
      { status: "ringing" },
      { status: "in-progress", canTransfer: false, canHold: false },
    ] as const) {
      report(change);
      fireEvent.keyDown(document.body, { key: "t" });
      expect(screen.queryByRole("dialog")).toBeNull();
    }
    expect(screen.queryByRole("button", { name: "Transfer" })).toBeNull();
    report({ canTransfer: true, canHold: true });
    // Where the pad's digits go.
    fireEvent.click(control("Keypad"));
    const isTyped = fireEvent.keyDown(screen.getByLabelText("Keys sent"), { key: "T" });
    expect([isTyped, field().value]).toEqual([false, ""]);
    fireEvent.keyDown(field(), { key: "Escape" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("is reported on the ended call too, once its result is known, and doesn't announce a second end", async () => {
    const { report, phone, sounds } = await inCall(to("ringing"));
    report({ ...to("unknown"), status: "completed", cause: { reason: "hung-up-there", sip: 200, q850: 16 } });
    await screen.findByText("They left the call. It isn’t known whether +1 202 555 0199 answered.");
    const heard = [...sounds];
    const { call } = phone.getState();
    if (!call) throw new Error("no call is shown");
    act(() => phone.applyUpdate({ ...call, ...to("taken"), revision: call.revision + 1 }));
    await screen.findByText("Transferred to +1 202 555 0199.");
    // An earlier report arrives late.
    act(() => phone.applyUpdate(call));
    screen.getByText("Transferred to +1 202 555 0199.");
    expect([phone.getState().phase, sounds]).toEqual(["ended", heard]);
  });

  test("goes to the chosen lead, and nowhere for a name that no lead has", async () => {
    const { transfers } = await inCall();
    const contact = { ...ada, email: "ada@example.com", phone: "+12025550107", phoneNumber: "+12025550107" };
    const serve = globalThis.fetch;
    vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
      /\/v1\/leads/.test(url)
        ? Promise.resolve(Response.json(/search=Ada/.test(url) ? [contact] : []))
        : serve(url, init),
    );
    fireEvent.click(control("Transfer"));
    field().focus();
    fireEvent.change(field(), { target: { value: "Nobody" } });
    await within(dialog()).findByText("No matching lead has a phone number.");
    send();
    expect(within(dialog()).queryByRole("alert")).toBeNull();
    fireEvent.change(field(), { target: { value: "Ada" } });
    await within(dialog()).findByRole("option", { name: /^Ada Byron/, selected: true });
    send();
    expect([field().value, transfers]).toEqual(["+1 202 555 0107", []]);
    send();
    await waitFor(() => expect(transfers).toMatchObject([{ phoneNumber: "+12025550107", leadId: ada.id }]));
  });

  test("isn't offered once the call has ended", async () => {
    const { report } = await inCall();
    fireEvent.keyDown(document.body, { key: "t" });
    dialog();
    report({ status: "completed", cause: { reason: "hung-up-there", sip: 200, q850: 16 } });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("the sentences about a transfer", () => {
  test("there is a sentence for every refusal", () => {
    for (const refusal of TransferRefusal.options) {
      const { transfer } = to("refused", refusal);
      const unnamed = transferSentence(transfer, () => "+1 202 555 0199");
      expect(unnamed).toMatch(/^([A-Z]|\+1 202 555 0199 ).+\. They’re still on your call\.$/);
      const named = transferSentence({ ...transfer, leads: [ada] }, () => "+1 202 555 0199");
      expect(named).toBe(
        ["number-unknown", "carrier-refused"].includes(refusal)
          ? unnamed
          : unnamed.replace("+1 202 555 0199", "Ada Byron"),
      );
    }
  });

  test.each([
    ["taken", "transferred", "Transferred to 0199.", "transferred to 0199"],
    ["taken", "hung-up-there", "Transferred to 0199.", "transferred to 0199"],
    ["refused", "hung-up-here", "You hung up.", "not transferred to 0199"],
    ["ringing", "hung-up-here", "You hung up. It isn’t known whether 0199 answered.", "being transferred to 0199"],
    [
      "unknown",
      "hung-up-there",
      "They left the call. It isn’t known whether 0199 answered.",
      "perhaps transferred to 0199",
    ],
  ] as const)("of a call that has ended, %s with %s says: %s", (status, reason, sentence, words) => {
    const call = { status: "completed", cause: { reason, sip: null, q850: null }, ...to(status) } as const;
    expect(callEndedSentence(call, (number) => number.slice(-4))).toBe(sentence);
    expect(transferLabel(call.transfer, (number) => number.slice(-4))).toBe(words);
  });

  test("name the recipient if it is one lead, and the number that is called", () => {
    const transfer = { ...to("taken").transfer, leads: [ada] };
    const number = () => "0199";
    expect(transferSentence({ ...transfer, status: "asked" }, number)).toBe("Sending them to Ada Byron (0199)…");
    expect(transferLabel(transfer, number)).toBe("transferred to Ada Byron");
    const cause = { reason: "transferred", sip: 200, q850: 16 } as const;
    const ended = { status: "completed", cause, transfer } as const;
    expect(callEndedSentence(ended, number)).toBe("Transferred to Ada Byron (0199).");
    const shared = { ...ended, transfer: { ...transfer, leads: [ada, { ...ada, id: testUserId }] } };
    expect(callEndedSentence(shared, number)).toBe("Transferred to 0199.");
  });
});
