import { expect, test, vi } from "vitest";
import { carrierModules } from "../../../adapters.ts";
import { connectSwitchboard, sit, switchboard } from "../../../testing/open-switchboard.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

const app = testAppWithCalls([...carrierModules, switchboard], { ringForMs: 300 });

test("refuses the caller after the ring time if nobody answers, and lists the call as missed", async () => {
  const rep = await newRep(app);
  const putThrough = await connectSwitchboard(app, rep);
  await sit(app, rep);
  const heard = putThrough();
  await vi.waitFor(() => expect(heard).toEqual(["ringing"]));
  await vi.waitFor(() => expect(heard).toEqual(["ringing", "nobody-there"]));
  await vi.waitFor(async () => {
    const [missed] = (await app.ask("GET", "/v1/calls?direction=inbound", { token: rep.token })).json();
    expect(missed).toMatchObject({ status: "no-answer", userId: null, durationMs: 0 });
    expect(missed.cause).toEqual({ reason: "no-answer", sip: 480, q850: 19 });
  });
});
