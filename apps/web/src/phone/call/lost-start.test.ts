// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPhone } from "../testing/open-phone.ts";
import { callStageLabel } from "./phone-state.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

const start = "POST /calls";
const look = "GET /calls";
const hangUp = "POST /calls/{id}/hang-up";
const countOf = (asked: string[], what: string): number => asked.filter((one) => one === what).length;

/** Hangs up while the start request is pending, which then gets the given result. */
async function hangUpWhileStarting(fate: "hang up" | "answer lost") {
  const { phone, server, isHeard } = await openPhone();
  const letGo = server.keepWaiting(start);
  const starting = phone.start("+12025550101");
  await vi.waitFor(() => expect(server.asked()).toContain(start));
  server.refuse(start, fate);
  await phone.hangUp();
  expect(callStageLabel(phone.getState())).toBe("Hanging up…");
  expect(isHeard()).toBe(false);
  return { phone, server, isHeard, letGo, starting };
}

test("a start whose response is lost during a hang-up is found once the network is back, and hung up", async () => {
  const { phone, server, isHeard, letGo, starting } = await hangUpWhileStarting("answer lost");
  server.refuse(look, "hang up");
  letGo();
  await vi.waitFor(() => expect(callStageLabel(phone.getState())).toBe("Hanging up when you’re back online…"));
  // Stream events in the meantime bring back neither the audio nor the microphone.
  phone.applyUpdate(server.change("CA00000000000000000000000000000001", { status: "in-progress" }));
  expect(isHeard()).toBe(false);
  window.dispatchEvent(new Event("online"));
  await starting;
  expect(countOf(server.asked(), start)).toBe(1);
  expect(countOf(server.asked(), hangUp)).toBe(1);
  expect(phone.getState()).toMatchObject({ phase: "ended", hangingUp: false, hangUpWaits: false, startFailure: null });
  expect(phone.getState().call?.status).toBe("completed");
});

test("a start that is lost during a hang-up and never arrived isn't sent again, and dials no one", async () => {
  const { phone, server, letGo, starting } = await hangUpWhileStarting("hang up");
  letGo();
  await starting;
  expect(phone.getState()).toMatchObject({ phase: "idle", hangingUp: false, hangUpWaits: false, startFailure: null });
  expect(countOf(server.asked(), start)).toBe(1);
  expect(countOf(server.asked(), hangUp)).toBe(0);
});

test("a start that reaches the server after we asked for it is still hung up", async () => {
  const { server, letGo, starting } = await hangUpWhileStarting("hang up");
  letGo();
  await starting;
  const key = server.seen.find(({ what }) => what === start)?.idempotencyKey ?? "";
  const { callSid } = server.begin(null, key);
  await vi.waitFor(() => expect(server.asked()).toContain(hangUp));
  expect(server.call(callSid)?.status).toBe("completed");
});

/** Without a hang-up: the start and its retry get no response, though the first one has dialled. */
async function startUnanswered() {
  const { phone, server } = await openPhone();
  const letGo = server.keepWaiting(start);
  const starting = phone.start("+12025550101");
  await vi.waitFor(() => expect(server.asked()).toContain(start));
  server.refuse(start, "answer lost", "hang up");
  const begun = () => server.call("CA00000000000000000000000000000001");
  return { phone, server, starting, letGo, begun };
}

test("a start without a response has only failed until its call is seen live", async () => {
  const { phone, server, starting, letGo, begun } = await startUnanswered();
  const letLook = server.keepWaiting(look);
  letGo();
  await starting;
  expect(phone.getState()).toMatchObject({ phase: "idle", startFailure: expect.any(String) });
  letLook();
  await vi.waitFor(() => expect(phone.getState().phase).toBe("live"));
  expect(phone.getState()).toMatchObject({ call: { callSid: begun()?.callSid }, startFailure: null });
});

test("a start without a response hasn't failed if its call was seen before, even ended", async () => {
  const { phone, server, starting, letGo, begun } = await startUnanswered();
  letGo();
  const letTryAgain = server.keepWaiting(start);
  await vi.waitFor(() => expect(begun()).toBeDefined());
  phone.applyUpdate(server.change(begun()?.callSid ?? "", { status: "busy" }));
  letTryAgain();
  await starting;
  expect(phone.getState()).toMatchObject({ phase: "ended", call: { status: "busy" }, startFailure: null });
});
