import { shareAt } from "@leadline/adapter-kit/conformance/tone";
import { expect, test } from "vitest";
import { carrierModules } from "../../adapters.ts";
import { openOffice, untilMissed } from "../../testing/open-office.ts";
import { openCaller, switchboard } from "../../testing/open-switchboard.ts";
import { testAppWithCalls } from "../../testing/test-calls.ts";

/** None is too long in these tests. */
const bounds = { longestMs: 600_000, maxMs: 6_000_000, quietMs: 2_500 };
const app = testAppWithCalls([...carrierModules, switchboard], { voicemailBounds: bounds });
const { openToWrite } = app.store;

test("a message ends at silence, and one without speech isn't kept", async () => {
  const { rep, putThrough } = await openOffice(app);
  const before = await app.store.listOlderThan(Infinity);
  const heard = putThrough("+442071838750", await openCaller());
  expect(await untilMissed(app, rep, "left-no-message")).toMatchObject({ status: "no-answer", voicemail: null });
  expect(heard).toEqual(["answered", "hung-up"]);
  await expect.poll(() => app.store.listOlderThan(Infinity)).toEqual(before);
});

test("a disk that fills up during a message ends the call, and what was recorded is kept", async () => {
  const { rep, putThrough } = await openOffice(app);
  const caller = await openCaller();
  app.store.openToWrite = async (...asked) => {
    const handle = await openToWrite(...asked);
    const write = handle.write.bind(handle);
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    handle.write = ((bytes: Buffer, offset: number, length: number, position: number) =>
      position > 8_000 ? Promise.reject(full) : write(bytes, offset, length, position)) as typeof handle.write;
    return handle;
  };
  const heard = putThrough("+442071838750", caller);
  caller.phone.sendTone(440);
  const { callSid, voicemail } = await untilMissed(app, rep, "left-message");
  expect(heard).toEqual(["answered", "hung-up"]);
  expect(voicemail?.durationMs).toBeGreaterThanOrEqual(300);
  const wave = (await app.ask("GET", `/v1/calls/${callSid}/voicemail`, { token: rep.token })).rawPayload;
  const sound = Int16Array.from({ length: (wave.length - 44) / 2 }, (_, at) => wave.readInt16LE(44 + 2 * at));
  expect(shareAt(440, sound)).toBeGreaterThan(0.9);
});
