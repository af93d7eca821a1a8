// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPhone } from "../testing/open-phone.ts";
import { callStageWords } from "./phone-state.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

const start = "POST /calls";
const look = "GET /calls";
const hangUp = "POST /calls/{id}/hang-up";
const countOf = (asked: string[], what: string): number => asked.filter((one) => one === what).length;

/** Hung up while the start is on its way, which then fares as told. */
async function hangUpWhileStarting(fate: "hang up" | "answer lost") {
  const { phone, server, isHeard } = await openPhone();
  const letGo = server.keepWaiting(start);
  const starting = phone.start("+12025550101");
  await vi.waitFor(() => expect(server.asked()).toContain(start));
  server.refuse(start, fate);
  await phone.hangUp();
  expect(callStageWords(phone.getState())).toBe("Hanging up…");
  expect(isHeard()).toBe(false);
  return { phone, server, isHeard, letGo, starting };
}

test("a start whose answer is lost while it is hung up is found once the network is back, and hung up", async () => {
  const { phone, server, isHeard, letGo, starting } = await hangUpWhileStarting("answer lost");
  server.refuse(look, "hang up");
  letGo();
  await vi.waitFor(() => expect(callStageWords(phone.getState())).toBe("Hanging up when you’re back online…"));
  // What the stream tells meanwhile brings neither the sound nor the microphone back.
  phone.see(server.change("CA00000000000000000000000000000001", { status: "in-progress" }));
  expect(isHeard()).toBe(false);
  window.dispatchEvent(new Event("online"));
  await starting;
  expect(countOf(server.asked(), start)).toBe(1);
  expect(countOf(server.asked(), hangUp)).toBe(1);
  expect(phone.getState()).toMatchObject({ phase: "ended", hangingUp: false, hangUpWaits: false, startFailure: null });
  expect(phone.getState().call?.status).toBe("completed");
});

test("a start that is lost while it is hung up, and never came, is not sent again and dials nobody", async () => {
  const { phone, server, letGo, starting } = await hangUpWhileStarting("hang up");
  letGo();
  await starting;
  expect(phone.getState()).toMatchObject({ phase: "idle", hangingUp: false, hangUpWaits: false, startFailure: null });
  expect(countOf(server.asked(), start)).toBe(1);
  expect(countOf(server.asked(), hangUp)).toBe(0);
});

test("a start that comes to the server only after it was looked for is hung up all the same", async () => {
  const { server, letGo, starting } = await hangUpWhileStarting("hang up");
  letGo();
  await starting;
  const key = server.seen.find(({ what }) => what === start)?.idempotencyKey ?? "";
  const { callSid } = server.begin(null, key);
  await vi.waitFor(() => expect(server.asked()).toContain(hangUp));
  expect(server.call(callSid)?.status).toBe("completed");
});

/** Nobody hung up; the start and its second try stay without an answer, though the first has dialled. */
async function startUnanswered() {
  const { phone, server } = await openPhone();
  const letGo = server.keepWaiting(start);
  const starting = phone.start("+12025550101");
  await vi.waitFor(() => expect(server.asked()).toContain(start));
  server.refuse(start, "answer lost", "hang up");
  const begun = () => server.call("CA00000000000000000000000000000001");
  return { phone, server, starting, letGo, begun };
}

test("a start without an answer has failed only until its call is seen to live", async () => {
  const { phone, server, starting, letGo, begun } = await startUnanswered();
  const letLook = server.keepWaiting(look);
  letGo();
  await starting;
  expect(phone.getState()).toMatchObject({ phase: "idle", startFailure: expect.any(String) });
  letLook();
  await vi.waitFor(() => expect(phone.getState().phase).toBe("live"));
  expect(phone.getState()).toMatchObject({ call: { callSid: begun()?.callSid }, startFailure: null });
});

test("a start without an answer has not failed where its call was seen, and ended, before", async () => {
  const { phone, server, starting, letGo, begun } = await startUnanswered();
  letGo();
  const letTryAgain = server.keepWaiting(start);
  await vi.waitFor(() => expect(begun()).toBeDefined());
  phone.see(server.change(begun()?.callSid ?? "", { status: "busy" }));
  letTryAgain();
  await starting;
  expect(phone.getState()).toMatchObject({ phase: "ended", call: { status: "busy" }, startFailure: null });
});
