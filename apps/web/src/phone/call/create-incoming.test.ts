import { describe, expect, test, vi } from "vitest";
import { newTestCall } from "../testing/new-test-call.ts";
import { createIncoming } from "./create-incoming.ts";

const ringing = (number: number, more = {}) =>
  newTestCall("+442071838750", number, { direction: "inbound", status: "ringing", userId: null, ...more });
const sids = ({ list }: ReturnType<typeof createIncoming>) => list().map(({ callSid }) => callSid);
const [first, second] = [ringing(1), ringing(2)];

describe("the calls that ring here", () => {
  test("are inbound and unassigned, the longest first, until one is answered or over", () => {
    const incoming = createIncoming();
    incoming.applyUpdate(newTestCall("+442071838750", 3, { status: "ringing" }));
    for (const call of [first, second]) incoming.applyUpdate(call);
    expect(sids(incoming)).toEqual([first.callSid, second.callSid]);
    incoming.applyUpdate({ ...first, userId: "somebody", revision: 1 });
    expect(sids(incoming)).toEqual([second.callSid]);
    // A late, older report has no effect.
    incoming.applyUpdate({ ...second, status: "no-answer", revision: 2 });
    incoming.applyUpdate(second);
    expect(sids(incoming)).toEqual([]);
  });
  test("include a teammate's call to this user, and not to someone else", () => {
    const incoming = createIncoming(() => "me");
    incoming.applyUpdate({ ...first, ringsFor: "bob" });
    incoming.reading()([{ ...first, ringsFor: "bob" }]);
    expect(sids(incoming)).toEqual([]);
    incoming.applyUpdate({ ...second, ringsFor: "me" });
    expect(sids(incoming)).toEqual([second.callSid]);
  });
  test("are those that the server lists, after missed events", () => {
    const incoming = createIncoming();
    incoming.applyUpdate(first);
    incoming.reading()([second, newTestCall("+12025550100", 3, {})]);
    expect(sids(incoming)).toEqual([second.callSid]);
  });
  test("include one that started to ring while the server was being asked", () => {
    const incoming = createIncoming();
    const take = incoming.reading();
    incoming.applyUpdate(first);
    take([]);
    expect(sids(incoming)).toEqual([first.callSid]);
    const takeLater = incoming.reading();
    incoming.applyUpdate(second);
    takeLater([second, first]);
    expect(sids(incoming)).toEqual([first.callSid, second.callSid]);
  });
  test("include one that a teammate transfers here, but not to someone else, and again if the transfer failed and is repeated", () => {
    const incoming = createIncoming(() => "me");
    const member = { userId: "me", name: "Ada Byron" };
    const to = { phoneNumber: "", leads: [], attended: false };
    const asked = { ...to, status: "ringing" as const, refusal: null, sip: null };
    const sent = newTestCall("+12025550100", 4, { userId: "robin", status: "in-progress" });
    incoming.applyUpdate({ ...sent, transfer: { ...asked, member: { ...member, userId: "bob" } } });
    expect(sids(incoming)).toEqual([]);
    incoming.applyUpdate({ ...sent, transfer: { ...asked, member } });
    expect(sids(incoming)).toEqual([sent.callSid]);
    incoming.decline(sent.callSid);
    incoming.applyUpdate({ ...sent, transfer: { ...asked, member } });
    expect(sids(incoming)).toEqual([]);
    incoming.applyUpdate({ ...sent, transfer: { ...asked, member, status: "refused", refusal: "rejected" } });
    incoming.applyUpdate({ ...sent, transfer: { ...asked, member } });
    expect(sids(incoming)).toEqual([sent.callSid]);
    incoming.applyUpdate({ ...sent, userId: "me", transfer: { ...asked, member, status: "taken" } });
    expect(sids(incoming)).toEqual([]);
  });
  test("don't include one that was declined in another tab", async () => {
    const [opened, otherTab] = [createIncoming(), createIncoming()];
    for (const tab of [opened, otherTab]) tab.applyUpdate(first);
    opened.decline(first.callSid);
    expect(sids(opened)).toEqual([]);
    opened.applyUpdate({ ...first, revision: 1 });
    expect(sids(opened)).toEqual([]);
    await vi.waitFor(() => expect(sids(otherTab)).toEqual([]));
  });
  test("notify only of changes", () => {
    const incoming = createIncoming();
    let told = 0;
    incoming.subscribe(() => void (told += 1));
    incoming.applyUpdate(newTestCall("+442071838750", 3, {}));
    expect(told).toBe(0);
    incoming.applyUpdate(first);
    expect(told).toBe(1);
  });
});
