// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPhone } from "../testing/open-phone.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

test("a user who leaves the organisation also leaves their call, and isn't heard any more, without an event from the server", async () => {
  const { phone, server, isHeard } = await openPhone();
  await phone.start("+12025550101");
  expect(phone.getState()).toMatchObject({ startFailure: null, phase: "live" });
  const [callSid = ""] = [phone.getState().call?.callSid];
  phone.applyUpdate(server.change(callSid, { status: "in-progress" }));
  await vi.waitFor(() => expect(isHeard()).toBe(true));
  const asked = server.asked().length;
  phone.leave();
  expect(phone.getState()).toMatchObject({ phase: "ended", audioOf: null, call: { callSid, status: "completed" } });
  expect(isHeard()).toBe(false);
  expect(server.asked()).toHaveLength(asked);
});
