import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterAll, expect, test, vi } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { openOffice, untilMissed } from "../../../testing/open-office.ts";
import { openCaller, sit, switchboard } from "../../../testing/open-switchboard.ts";
import { testAppWithCalls } from "../../../testing/test-calls.ts";

/** An rtpengine that never responds. */
const silent = createSocket("udp4").bind(0, "127.0.0.1");
await once(silent, "listening");
afterAll(() => void silent.close());
const rtpengines = [{ host: "127.0.0.1", port: silent.address().port }];
const app = testAppWithCalls([...carrierModules, switchboard], { rtpengines });

test("while no media server responds, voicemail answers at once; without voicemail the caller is refused and the missed call says why", async () => {
  const { rep, putThrough } = await openOffice(app);
  await sit(app, rep);
  const caller = await openCaller();
  const greeted = putThrough("+442071838750", caller);
  await vi.waitFor(() => expect(greeted).not.toEqual([]));
  expect(greeted[0]).toBe("answered");
  caller.hangUp();

  await app.ask("PUT", "/v1/voicemail", { token: rep.token, body: { enabled: false } });
  const refused = putThrough("+442071838751");
  const { cause, phoneNumber, status } = await untilMissed(app, rep, "media-lost");
  expect(refused).toEqual(["nobody-there"]);
  expect({ cause, phoneNumber, status }).toMatchObject({
    cause: { sip: 480 },
    phoneNumber: "+442071838751",
    status: "no-answer",
  });
});
