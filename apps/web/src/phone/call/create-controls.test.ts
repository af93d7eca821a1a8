// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";
import { openPhone } from "../testing/open-phone.ts";

type Phone = Awaited<ReturnType<typeof openPhone>>["phone"];

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));

test.each([
  ["the call's own controls", (phone: Phone, _: string, held: boolean) => phone.setHeld(held)],
  ["a conference's", (phone: Phone, callSid: string, held: boolean) => phone.change(callSid, { held })],
])("a call that is resumed while its hold is still on the way is held, then resumed: %s", async (_, setHeld) => {
  const { server, phone } = await openPhone();
  const { callSid } = server.begin(null);
  await phone.loadLiveCall();
  const answerHold = server.keepWaiting("PATCH /calls/{id}");
  const changes = () => server.seen.flatMap(({ what, body }) => (what.startsWith("PATCH") ? [body] : []));
  const changing = [setHeld(phone, callSid, true), setHeld(phone, callSid, false)];
  await vi.waitFor(() => expect(changes()).toHaveLength(1));
  await server.quiet();
  expect(changes()).toEqual([{ held: true }]);
  answerHold();
  await Promise.all(changing);
  expect(changes()).toEqual([{ held: true }, { held: false }]);
  expect(server.call(callSid)?.held).toBe(false);
  expect(phone.getState().held).toBe(false);
});
