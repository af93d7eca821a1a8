import { randomUUID } from "node:crypto";
import type { CarrierListener, CarrierModule, InboundCall } from "@leadline/adapter-kit/carrier";
import type { Call } from "@leadline/contract/calls";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { carrierModules } from "../../adapters.ts";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

const own = "+442079460123";
const kind = `switchboard-${randomUUID().slice(0, 8)}`;
const listeners = new Map<string, CarrierListener>();

/** A carrier over which calls come in as the tests put them through; it can dial nobody. */
const switchboard: CarrierModule = {
  id: kind,
  name: "Switchboard",
  capabilities: { hold: false, inbound: true, digits: null, numbers: false },
  settings: z.object({ line: z.string() }),
  async open({ line }, listener) {
    if (listener) listeners.set(String(line), listener);
    return { dial: () => Promise.reject(new Error("It dials nobody.")), close: async () => {} };
  },
};
const app = testAppWithCalls([...carrierModules, switchboard]);

async function connect(rep: Rep): Promise<(from?: string | null) => string[]> {
  const line = randomUUID();
  const body = { kind, label: "Switchboard", settings: { line } };
  const made = await app.ask("POST", "/v1/carriers", { token: rep.token, body });
  expect(made.json()).toMatchObject({ inUse: true });
  await vi.waitFor(() => expect(listeners.has(line)).toBe(true), 5_000);
  /** Puts a call through; what the caller then hears. */
  return (from = "+442071838750") => {
    const heard: string[] = [];
    const call: InboundCall = {
      to: own,
      from,
      fromName: null,
      ring: () => void heard.push("ringing"),
      answer: () => Promise.reject(new Error("Nobody answers in these tests.")),
      refuse: (why) => void heard.push(why),
      onGivenUp: () => {},
    };
    listeners.get(line)?.onInbound(call);
    return heard;
  };
}
async function sit(rep: Rep): Promise<void> {
  const origin = await app.http.listen({ port: 0, host: "127.0.0.1" }).catch(() => app.http.listeningOrigin);
  const stream = await openEventStream(origin, { token: rep.token });
  onTestFinished(() => stream.close());
}
const came = async (rep: Rep): Promise<Call[]> =>
  (await app.ask("GET", "/v1/calls?direction=inbound&limit=100", { token: rep.token })).json();
const used = async (rep: Rep) => (await app.ask("GET", "/v1/limits", { token: rep.token })).json().used;

test("a caller who withholds the number is listed as missed too", async () => {
  const rep = await newRep(app);
  const putThrough = await connect(rep);
  expect(putThrough(null)).toEqual(["nobody-there"]);
  await vi.waitFor(async () => expect(await came(rep)).toHaveLength(1), 5_000);
  expect((await came(rep))[0]).toMatchObject({ phoneNumber: "", calledNumber: own, status: "no-answer" });
});

test("of a flood so many are listed as may come in a minute, and the rest is refused", async () => {
  const rep = await newRep(app);
  const putThrough = await connect(rep);
  const heard = Array.from({ length: 150 }, () => putThrough());
  expect(heard.filter(([first]) => first === "nobody-there")).toHaveLength(120);
  expect(heard.filter(([first]) => first === "busy")).toHaveLength(30);
  // Another organisation's are counted apart.
  const other = await newRep(app);
  expect((await connect(other))()).toEqual(["nobody-there"]);
});

test("a call beyond those that may ring at once hears busy and is listed, and none of them keeps anybody from dialling", async () => {
  const rep = await newRep(app);
  const putThrough = await connect(rep);
  await sit(rep);
  await vi.waitFor(() => expect(putThrough()).toEqual(["ringing"]), 5_000);
  const heard = Array.from({ length: 30 }, () => putThrough());
  expect(heard.at(-1)).toEqual(["busy"]);
  await vi.waitFor(async () => {
    const statuses = (await came(rep)).map(({ status }) => status);
    expect(statuses.filter((status) => status === "ringing")).toHaveLength(30);
    expect(statuses).toContain("no-answer");
  }, 10_000);
  expect(await used(rep)).toMatchObject({ concurrentCalls: 0, callsPerMinute: 0 });
  // Over the sandbox: the switchboard dials nobody.
  const [carrier] = (await app.ask("GET", "/v1/carriers", { token: rep.token })).json();
  await app.ask("PUT", `/v1/carriers/${carrier.id}`, { token: rep.token, body: { inUse: false } });
  const callSid = await dial(app, rep, "+12025550100");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  expect(await used(rep)).toMatchObject({ concurrentCalls: 1, callsPerMinute: 1 });
  await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
});
