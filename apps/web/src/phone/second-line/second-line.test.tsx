// @vitest-environment happy-dom
import type { Call } from "@leadline/contract/calls";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { audioLocation } from "../call/phone-state.ts";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { TestPanel } from "../testing/test-panel.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ada = "+12025550100";
const bob = "+12025550199";
const adaShown = "+1 202 555 0100";
const bobShown = "+1 202 555 0199";
const answered = { status: "in-progress", answeredAt: new Date().toISOString() } as const;

const press = (name: string): boolean => fireEvent.click(screen.getByRole("button", { name }));
const isShown = (name: string): boolean => screen.queryByRole("button", { name }) !== null;
const stage = () => screen.getByTestId("call-stage").textContent;
const otherLine = () => within(screen.getByRole("region", { name: "Other line" }));

/** In an answered call with Ada, with its controls shown. */
async function talking() {
  const opened = openTestPhone();
  render(
    <PhoneContext value={opened.phone}>
      <TestPanel />
    </PhoneContext>,
  );
  await act(() => opened.phone.start(ada));
  const tell = (number: string, change: Partial<Call>) => act(() => void opened.reportOf(number, change));
  tell(ada, answered);
  act(() => opened.phone.show("active-call"));
  return { ...opened, tell };
}

/** And with Bob on the second line, just called through the dialog that this button opens. */
async function consulting(opener: "Transfer" | "Add" = "Transfer") {
  const opened = await talking();
  const adaAnsweredMs = opened.phone.getState().answeredMs;
  press(opener);
  fireEvent.change(screen.getByRole("combobox", { name: "Phone number" }), { target: { value: bob } });
  press(opener === "Transfer" ? "Talk first" : "Call");
  await screen.findByRole("region", { name: "Other line" });
  return { ...opened, adaAnsweredMs };
}

describe("talking to someone before transferring the call", () => {
  test("holds the first call and switches to the second line, which rings and is answered", async () => {
    const { tell, phone } = await consulting();
    expect(stage()).toBe("Calling…");
    expect(screen.queryByRole("dialog")).toBeNull();
    await otherLine().findByText(adaShown);
    expect(otherLine().queryByText("On hold")).not.toBeNull();
    expect(audioLocation(phone.getState())).toBe("here");
    const deeds = ["Complete transfer", "Merge calls", "Swap"];
    const areDisabled = () => deeds.map((name) => screen.getByRole<HTMLButtonElement>("button", { name }).disabled);
    expect(areDisabled()).toEqual([true, true, true]);
    expect([isShown("Transfer"), isShown("Add")]).toEqual([false, false]);
    tell(bob, { status: "ringing" });
    expect(stage()).toBe("Ringing…");
    tell(bob, answered);
    expect([stage(), ...areDisabled()]).toEqual(["In call", false, false, false]);
    tell(ada, { heldByThem: true });
    expect([stage(), otherLine().queryByText("On hold by both sides")]).toEqual(["In call", expect.anything()]);
  });

  test("and back: the active line is shown first, and receives the digits", async () => {
    const { tell, phone, digits } = await consulting();
    tell(bob, answered);
    press("Swap");
    await otherLine().findByText(bobShown);
    expect(phone.getState()).toMatchObject({ call: { phoneNumber: ada, held: false }, other: { phoneNumber: bob } });
    act(() => phone.pressKey("5"));
    await waitFor(() => expect(digits).toEqual(["5"]));
    press("Swap");
    await otherLine().findByText(adaShown);
    // A report from before isn't news.
    act(() => phone.applyUpdate({ ...(phone.getState().call as Call), revision: 0, held: true }));
    expect(phone.getState().call).toMatchObject({ phoneNumber: bob, held: false });
  });

  test("an unanswered second line leaves the first one, with the reason until that is dismissed", async () => {
    const { tell, phone } = await consulting();
    const calling = phone.getState().call as Call;
    const cause = { reason: "busy", sip: 486, q850: 17 } as const;
    tell(bob, { status: "busy", cause, endedAt: new Date().toISOString() });
    tell(ada, { held: false });
    // A response from before its end arrives late.
    act(() => phone.applyUpdate(calling));
    const sentence = `${bobShown}: The line is busy. You’re talking to ${adaShown}.`;
    await screen.findByText(sentence);
    expect(phone.getState()).toMatchObject({ phase: "live", call: { phoneNumber: ada }, other: null });
    press("Dismiss");
    expect(screen.queryByText(sentence)).toBeNull();
    expect(isShown("Transfer")).toBe(true);
  });

  test("is no choice during a transfer that Leadline carries out, which says what follows", async () => {
    const { tell } = await consulting();
    const target = { phoneNumber: bob, member: null, leads: [], attended: false, refusal: null, sip: null };
    tell(ada, { transfer: { ...target, status: "ringing" } });
    await otherLine().findByText(
      `When ${bobShown} answers, they’re connected and you leave the call. Hang up on ${bobShown} to take ${adaShown} back.`,
    );
    expect([isShown("Complete transfer"), isShown("Merge calls")]).toEqual([false, false]);
    const cause = { reason: "busy", sip: 486, q850: 17 } as const;
    tell(bob, { status: "busy", cause, endedAt: new Date().toISOString() });
    tell(ada, { held: false, transfer: { ...target, status: "refused", refusal: "busy" } });
    // One note, not two.
    await screen.findByText(`${bobShown} is busy. They’re still on your call.`);
    expect(screen.queryByText(/You’re talking to/)).toBeNull();
  });

  test("a limit that is about to end the call on hold sounds a warning and names it", async () => {
    const { tell, sounds, adaAnsweredMs } = await consulting();
    tell(bob, answered);
    await otherLine().findByText(adaShown);
    const talkedMs = performance.now() - (adaAnsweredMs ?? 0);
    const warnings = () => sounds.filter((sound) => sound === "warning").length;
    const cutOff = {
      at: new Date(Date.parse(answered.answeredAt) + talkedMs + 90_400).toISOString(),
      reason: "call-length-limit",
    } as const;
    tell(ada, { cutOff });
    const shown = () => screen.getAllByRole("status", { name: `The call with ${adaShown} is about to end` });
    expect(shown().map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining(`The call with ${adaShown} ends in 1:`),
    ]);
    tell(ada, { note: "Wants a quote.", cutOff });
    expect(warnings()).toBe(1);
    const tenSecondsLater = new Date(Date.parse(cutOff.at) + 10_000).toISOString();
    tell(bob, { cutOff: { at: tenSecondsLater, reason: "spending-limit" } });
    const both = screen.getByRole("status", { name: "Both calls are about to end" });
    expect(both.textContent).toMatch(/^Both calls end in 1:(30|2\d) and \d:\d\d\. .* maximum call length\.$/);
    expect([screen.getAllByRole("status", { name: /about to end/ }).length, warnings()]).toEqual([1, 2]);
    tell(ada, { cutOff: null });
    screen.getByRole("status", { name: `The call with ${bobShown} is about to end` });
  });

  test("in a conference one duration counts for both, whichever is shown first", async () => {
    const { tell, phone, adaAnsweredMs } = await consulting();
    await waitFor(() => expect(phone.getState().other).not.toBeNull());
    expect(adaAnsweredMs).not.toBeNull();
    // The clock may not advance during all this.
    await waitFor(() => expect(performance.now()).toBeGreaterThan(adaAnsweredMs ?? 0));
    tell(bob, answered);
    await waitFor(() => expect(phone.getState().call?.phoneNumber).toBe(bob));
    press("Merge calls");
    await screen.findByRole("region", { name: "Conference" });
    const sinceMs = phone.getState().answeredMs as number;
    tell(ada, { held: true });
    tell(bob, { silenced: true });
    tell(ada, { held: false });
    expect(phone.getState().answeredMs).toBe(sinceMs);
    expect(sinceMs).toBe(adaAnsweredMs);
    act(() => phone.driver.release());
  });

  test("ends by hanging up the second line, and the first one is shown again", async () => {
    const { tell, phone } = await consulting();
    tell(bob, answered);
    press("Hang up");
    await waitFor(() => expect(phone.getState().other).toBeNull());
    expect(phone.getState()).toMatchObject({ phase: "live", hangingUp: false, call: { phoneNumber: ada } });
    expect(screen.queryByRole("status")).toBeNull();
  });

  test("continues with the second line if the first hangs up", async () => {
    const { tell, phone } = await consulting();
    tell(bob, answered);
    const cause = { reason: "hung-up-there", sip: 200, q850: 16 } as const;
    tell(ada, { status: "completed", cause, line: null });
    await screen.findByText(`${adaShown}: They hung up. You’re talking to ${bobShown}.`);
    expect(phone.getState()).toMatchObject({ phase: "live", call: { phoneNumber: bob }, other: null });
  });

  test("connects them to each other, and says where the call went", async () => {
    const { tell, phone, sounds } = await consulting();
    tell(bob, answered);
    press("Complete transfer");
    await screen.findByText(`Transferred to ${bobShown}.`);
    expect(phone.getState()).toMatchObject({ phase: "ended", call: { phoneNumber: ada }, other: null });
    const heard = sounds.filter((sound) => sound === "hang up").length;
    // Their end isn't news here.
    const ended = { status: "completed", cause: { reason: "transferred", sip: 200, q850: 16 } } as const;
    tell(bob, ended);
    tell(ada, ended);
    expect(phone.getState()).toMatchObject({ phase: "ended", call: { phoneNumber: ada, status: "completed" } });
    expect(sounds.filter((sound) => sound === "hang up")).toHaveLength(heard);
  });
});

describe("a conference", () => {
  test("shows all participants, each of whom can be muted, held and dropped", async () => {
    const { tell, phone, digits } = await consulting("Add");
    tell(bob, answered);
    press("Merge calls");
    const conference = within(await screen.findByRole("region", { name: "Conference" }));
    expect(stage()).toBe("In conference");
    await screen.findByText("2 people");
    await waitFor(() =>
      expect(conference.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([adaShown, bobShown]),
    );
    expect(isShown("Hold")).toBe(false);
    act(() => phone.pressKey("5"));
    await waitFor(() => expect(digits).toEqual(["5", "5"]));
    press(`Mute ${adaShown}`);
    await conference.findByRole("button", { name: `Unmute ${adaShown}` });
    press(`Hold ${bobShown}`);
    await conference.findByRole("button", { name: `Resume ${bobShown}` });
    expect(conference.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      `${adaShown}Muted`,
      `${bobShown}On hold`,
    ]);
    tell(ada, { heldByThem: true });
    expect(conference.getAllByRole("listitem")[0]?.textContent).toBe(`${adaShown}Put you on holdMuted`);
    screen.getByRole("button", { name: `Hang up on ${bobShown}` }).focus();
    press(`Hang up on ${bobShown}`);
    await waitFor(() => expect(phone.getState().other).toBeNull());
    expect(phone.getState()).toMatchObject({ phase: "live", call: { phoneNumber: ada } });
    const heading = screen.getByTestId("call-stage").closest("[tabindex]");
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  test("ends for all with one button, or continues without the rep with the other", async () => {
    const first = await consulting("Add");
    first.tell(bob, answered);
    press("Merge calls");
    await screen.findByRole("region", { name: "Conference" });
    // The keypad's own button says the same.
    act(() => first.phone.show("keypad"));
    screen.getByText("Both people hear the keys you press.");
    press("End for all");
    await waitFor(() => expect(first.phone.getState().phase).toBe("ended"));
    cleanup();
    vi.unstubAllGlobals();
    const second = await consulting("Add");
    second.tell(bob, answered);
    press("Merge calls");
    await screen.findByRole("region", { name: "Conference" });
    press("Leave the conference");
    await screen.findByText(`You left. ${adaShown} and ${bobShown} are still talking.`);
    const cause = { reason: "hung-up-there", sip: 200, q850: 16 } as const;
    for (const number of [bob, ada]) second.tell(number, { status: "completed", cause });
    await screen.findByText(`Transferred to ${bobShown}.`);
  });
});
