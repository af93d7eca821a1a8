// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openPhone } from "../testing/open-phone.ts";
import { testUserId } from "../testing/new-test-call.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe("a ringing call", () => {
  test("is answered with its audio here, and heard", async () => {
    const { server, phone, isHeard } = await openPhone();
    const call = server.ring();
    phone.applyUpdate(call);
    expect(phone.incoming.list()).toEqual([call]);
    await phone.answer(call);
    expect(phone.getState()).toMatchObject({ phase: "live", screen: "active-call", audioOf: call.callSid });
    expect(phone.getState().call).toMatchObject({ callSid: call.callSid, userId: testUserId, line: 1 });
    phone.applyUpdate(server.change(call.callSid, { status: "in-progress" }));
    expect(phone.getState().call?.status).toBe("in-progress");
    expect(phone.incoming.list()).toEqual([]);
    await vi.waitFor(() => expect(isHeard()).toBe(true));
  });
  test("that someone else has answered leaves the phone as it was, and says so", async () => {
    const { server, phone, isHeard } = await openPhone();
    const call = server.ring();
    server.refuse("POST /calls/{id}/answer", [409, "call-taken"]);
    await phone.answer(call);
    expect(phone.getState()).toMatchObject({ phase: "idle", call: null, answerFailedOf: call.callSid });
    expect(phone.getState().startFailure).not.toBeNull();
    expect(isHeard()).toBe(false);
  });
  test("is hung up if the rep hangs up while answering", async () => {
    const { server, phone } = await openPhone();
    const call = server.ring();
    const letAnswer = server.keepWaiting("POST /calls/{id}/answer");
    const answering = phone.answer(call);
    await vi.waitFor(() => expect(phone.getState().phase).toBe("starting"));
    void phone.hangUp();
    letAnswer();
    await answering;
    expect(server.asked()).toContain("POST /calls/{id}/hang-up");
    expect(server.call(call.callSid)?.status).toBe("completed");
  });
});
