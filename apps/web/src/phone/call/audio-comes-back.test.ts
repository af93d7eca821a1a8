// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newTestCall } from "../testing/new-test-call.ts";
import { openPhone } from "../testing/open-phone.ts";
import { callStageLabel, idlePhone, isUnheard, audioLocation } from "./phone-state.ts";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => vi.unstubAllGlobals());

/** With a call that it can rejoin. */
async function openPhoneInCall(options: { microphoneRefusal?: string } = {}) {
  const opened = await openPhone(options);
  const { callSid } = opened.server.begin(null);
  await opened.phone.loadLiveCall();
  const untilHeard = () => vi.waitFor(() => expect(opened.isHeard()).toBe(true));
  return { ...opened, callSid, untilHeard };
}

test("a report from before the attachment that arrives after its response takes away neither audio nor microphone", async () => {
  const { server, phone, callSid, isHeard, untilHeard } = await openPhoneInCall();
  const older = server.change(callSid, { mediaConnectionId: server.openConnection() });
  await phone.moveAudioHere();
  await untilHeard();
  phone.applyUpdate(older);
  phone.applyUpdate(server.change(callSid, {}));
  await server.quiet();
  expect(phone.getState().audioOf).toBe(callSid);
  expect(isHeard()).toBe(true);
});

test("audio that returns from another tab also returns the microphone", async () => {
  const { server, browser, phone, callSid, isHeard, untilHeard } = await openPhoneInCall();
  phone.driver.keepWarm();
  await vi.waitFor(() => expect(phone.driver.state()).toBe("ready"));
  await phone.moveAudioHere();
  await untilHeard();
  const here = phone.driver.connectionId();
  phone.applyUpdate(server.change(callSid, { mediaConnectionId: server.openConnection() }));
  await vi.waitFor(() => expect(isHeard()).toBe(false));
  phone.applyUpdate(server.change(callSid, { mediaConnectionId: here }));
  await untilHeard();
  expect(browser.open()).toHaveLength(1);
  phone.driver.coolDown();
});

test("a reloaded tab knows that the audio was its own, and any other tab that it is elsewhere", async () => {
  const { server, phone, callSid, untilHeard } = await openPhoneInCall();
  await phone.moveAudioHere();
  await untilHeard();
  const asLoaded = { ...idlePhone, phase: "live", call: server.call(callSid) ?? null } as const;
  expect(asLoaded.call?.mediaConnectionId).toEqual(expect.any(String));
  expect([audioLocation(asLoaded), callStageLabel(asLoaded)]).toEqual([
    "lost",
    "You’re still connected, but without audio",
  ]);
  // Each tab has its own session storage.
  sessionStorage.clear();
  expect([audioLocation(asLoaded), callStageLabel(asLoaded)]).toEqual(["elsewhere", "In call"]);
});

test("a call muted in another tab stays muted when its audio moves here", async () => {
  const { server, browser, phone, callSid, isHeard } = await openPhoneInCall();
  phone.applyUpdate(server.change(callSid, { muted: true }));
  await phone.moveAudioHere();
  await vi.waitFor(() => expect(browser.open().some((peer) => peer.microphone)).toBe(true));
  expect(isHeard()).toBe(false);
});

test("of two reports of a call the one with the higher revision wins, whatever the order of arrival", async () => {
  const { server, phone, callSid } = await openPhoneInCall();
  const held = server.change(callSid, { held: true });
  const resumed = server.change(callSid, { held: false });
  phone.applyUpdate(resumed);
  phone.applyUpdate(held);
  expect(phone.getState().held).toBe(false);
});

test("a refused microphone is reported once, and not requested again at every report", async () => {
  const { server, phone, callSid } = await openPhoneInCall({ microphoneRefusal: "NotAllowedError" });
  const asked = vi.spyOn(navigator.mediaDevices, "getUserMedia");
  await phone.moveAudioHere();
  expect(phone.getState().trouble).toContain("They can’t hear you.");
  for (let report = 0; report < 3; report += 1) phone.applyUpdate(server.change(callSid, {}));
  await server.quiet();
  expect(asked).toHaveBeenCalledTimes(1);
});

test("a call that this page is starting has its audio here from the click on, whatever reports say before the response", async () => {
  const { server, phone, callSid } = await openPhoneInCall();
  phone.applyUpdate(server.change(callSid, { status: "completed" }));
  phone.driver.keepWarm();
  await vi.waitFor(() => expect(phone.driver.state()).toBe("ready"));
  const places = new Set<string>();
  phone.subscribe(() => places.add(audioLocation(phone.getState())));
  const answer = server.keepWaiting("POST /calls");
  const starting = phone.start("+12025550101");
  await vi.waitFor(() => expect(server.asked()).toContain("POST /calls"));
  for (const mediaConnectionId of [null, phone.driver.connectionId()])
    phone.applyUpdate(newTestCall("+12025550101", 2, { mediaConnectionId, status: "ringing" }));
  expect(phone.getState().phase).toBe("live");
  answer();
  await starting;
  expect([...places]).toEqual(["here"]);
  phone.driver.coolDown();
});

test("a page that the browser keeps silent tries to play at every click and at the answer, and says so until it plays", async () => {
  const { server, page, phone, callSid } = await openPhoneInCall();
  page.block(true);
  const atRejoin = page.resumes();
  await phone.moveAudioHere();
  expect(page.resumes()).toBeGreaterThan(atRejoin);
  expect(isUnheard(phone.getState())).toBe(true);
  const atClick = page.resumes();
  phone.resumePlayback();
  expect(page.resumes()).toBe(atClick + 1);
  page.block(false);
  expect(isUnheard(phone.getState())).toBe(false);

  phone.applyUpdate(server.change(callSid, { status: "completed" }));
  const atCall = page.resumes();
  const starting = phone.start("+12025550101");
  expect(page.resumes()).toBe(atCall + 1);
  await starting;
  const next = phone.getState().call?.callSid ?? "";
  const beforeAnswer = page.resumes();
  phone.applyUpdate(server.change(next, { status: "in-progress" }));
  expect(page.resumes()).toBe(beforeAnswer + 1);
});

test("a hang-up without a network is shown, closes the microphone, and reaches the server once it is back", async () => {
  const { server, browser, phone, callSid, isHeard, untilHeard } = await openPhoneInCall();
  await phone.moveAudioHere();
  await untilHeard();
  server.refuse("POST /calls/{id}/hang-up", "hang up");
  const hangingUp = phone.hangUp();
  await vi.waitFor(() => expect(callStageLabel(phone.getState())).toBe("Hanging up when you’re back online…"));
  expect(isHeard()).toBe(false);
  phone.applyUpdate(server.change(callSid, { muted: false }));
  expect(isHeard()).toBe(false);
  window.dispatchEvent(new Event("online"));
  await hangingUp;
  expect(server.asked().filter((what) => what === "POST /calls/{id}/hang-up")).toHaveLength(2);
  expect(phone.getState()).toMatchObject({ phase: "ended", hangUpWaits: false, hangingUp: false });
  await vi.waitFor(() => expect(browser.open()).toEqual([]));
});

test("a hang-up that the server refuses is shown, and the call and its microphone continue", async () => {
  const { server, phone, untilHeard } = await openPhoneInCall();
  await phone.moveAudioHere();
  server.refuse("POST /calls/{id}/hang-up", [403, "not-allowed"]);
  await phone.hangUp();
  expect(phone.getState()).toMatchObject({ phase: "live", hangingUp: false });
  expect(phone.getState().trouble).toContain("The call hasn’t ended.");
  await untilHeard();
});
