import { existsSync } from "node:fs";
import { join } from "node:path";

import type { CarrierLegEvent, CarrierListener, CarrierState, InboundCall } from "@leadline/adapter-kit/carrier";
import { hear } from "@leadline/adapter-kit/conformance/hear";
import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "./open-sip-trunk.ts";
import { settings, type TrunkSettings } from "./settings.ts";
import { account, number, openStage, type Stage } from "./testing/start-callees.ts";
import { freePort, until } from "./testing/start-program.ts";

const ownNumber = "+442079460123";

function listen() {
  const states: CarrierState[] = [];
  const calls: InboundCall[] = [];
  const listener: CarrierListener = {
    onState: (state) => void states.push(state),
    onInbound: (call) => void calls.push(call),
  };
  return { states, calls, listener };
}

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const trunkAt = (port: number, rest: Partial<TrunkSettings> = {}): TrunkSettings => ({
  ...settings.parse({ host: `127.0.0.1:${port}`, transport: "udp", numbers: [ownNumber], ...account }),
  keepAliveSeconds: 1,
  ...rest,
});

describe.concurrent("a trunk with registration", () => {
  it.each(["MD5", "SHA-256"] as const)("is registered with %s, and then puts calls through", async (algorithm) => {
    const echo = await stage.sipp({ scenario: "answer", echoes: true });
    const { port } = await stage.kamailio({ algorithm, callees: { "01": echo } });
    const heard = listen();
    const trunk = await openSipTrunk(trunkAt(port), { listener: heard.listener });
    await until("registered", () => trunk.state?.().level === "working");
    const call = await placeCall(trunk, number("01"));
    await call.answered();
    await call.hangUp();
    expect(await trunk.check?.()).toEqual([
      expect.objectContaining({ what: "Find the server", ok: true }),
      expect.objectContaining({ what: "Reach it", ok: true }),
      expect.objectContaining({ what: "Sign in", ok: true }),
      expect.objectContaining({ what: "Encryption", ok: true }),
    ]);
    expect(heard.states.at(-1)).toEqual({ level: "working", sentence: `Registered at 127.0.0.1:${port}.` });
    await trunk.close();
  });

  it("explains that the password is wrong", async () => {
    const { port } = await stage.kamailio({ callees: {} });
    const trunk = await openSipTrunk(trunkAt(port, { password: "wrong" }));
    const checks = await trunk.check?.();
    expect(checks?.at(-1)).toEqual({
      what: "Sign in",
      ok: false,
      sentence: `127.0.0.1:${port} rejected our registration. Check the user and the password.`,
    });
    expect(trunk.state?.().level).toBe("down");
    await trunk.close();
  });

  it.each([
    ["ringing", "call-in"],
    ["ringing that it acknowledges", "call-in-reliable"],
  ])("receives calls: caller and callee, %s, audio both ways, and the caller's hang-up", async (_, scenario) => {
    const { port } = await stage.kamailio({ callees: {} });
    const heard = listen();
    const trunk = await openSipTrunk(trunkAt(port), { listener: heard.listener });
    await until("registered", () => trunk.state?.().level === "working");
    await stage.sipp({ scenario, echoes: true, calls: { port, number: ownNumber } });
    await until("a call", () => heard.calls.length === 1);
    const [call] = heard.calls;
    expect(call).toMatchObject({ to: ownNumber, from: "+442071838750", fromName: "Ada Lovelace" });
    call?.ring();
    if (scenario === "call-in-reliable")
      await until("the ringing is acknowledged", () => existsSync(join(stage.folder, "acknowledged")));
    const endpoint = await openRtpEndpoint();
    const events: CarrierLegEvent[] = [];
    await call?.answer({
      offer: endpoint.offer,
      onEvent(event) {
        events.push(event);
        if (event.type === "answered") endpoint.acceptAnswer(event.answer);
      },
    });
    endpoint.sendTone(650);
    const share = await hear(endpoint, 650);
    await until("the caller's end", () => events.some(({ type }) => type === "ended"));
    endpoint.close();
    expect(share).toBeGreaterThan(0.8);
    // The caller only accepts A-law.
    expect(new Set(endpoint.packets.map(({ payloadType }) => payloadType))).toEqual(new Set([8]));
    expect(events.map(({ type }) => type)).toEqual(["answered", "ended"]);
    expect(events.at(-1)).toEqual({ type: "ended", cause: { reason: "hung-up-there", sip: 200, q850: 16 } });
    await trunk.close();
  });

  it("explains that a call failed because of a wrong saved password", async () => {
    const { port } = await stage.kamailio({ callees: {} });
    const trunk = await openSipTrunk(trunkAt(port, { password: "wrong" }));
    const call = await placeCall(trunk, number("01"));
    expect((await call.ended(20_000)).reason).toBe("credentials-refused");
    call.endpoint.close();
    await trunk.close();
  });
});

describe.concurrent("an inbound call on a registered trunk", () => {
  it("is refused with the decliner's reason, and its caller can withhold their number", async () => {
    const { port } = await stage.kamailio({ callees: {} });
    const heard = listen();
    const trunk = await openSipTrunk(trunkAt(port), { listener: heard.listener });
    await until("registered", () => trunk.state?.().level === "working");
    const caller = await stage.keep(stage.caller({ scenario: "call-refused", port, number: ownNumber }));
    await until("a call", () => heard.calls.length === 1);
    expect(heard.calls[0]).toMatchObject({ to: ownNumber, from: null, fromName: null });
    heard.calls[0]?.refuse("busy");
    await until("the caller is done", () => caller.process.exitCode !== null);
    expect(caller.process.exitCode).toBe(0);
    await trunk.close();
  });

  it("reports that the caller gave up, and sends no answer after that", async () => {
    const port = await freePort();
    const { port: registrar } = await stage.kamailio({ port, callees: {} });
    const heard = listen();
    const [called, calling] = await Promise.all([
      openSipTrunk(trunkAt(registrar), { listener: heard.listener }),
      openSipTrunk(trunkAt(registrar, { authentication: "ip" })),
    ]);
    await until("registered", () => called.state?.().level === "working");
    const call = await placeCall(calling, ownNumber);
    await until("a call", () => heard.calls.length === 1);
    const [inbound] = heard.calls;
    let gone = false;
    inbound?.onGivenUp(() => (gone = true));
    inbound?.ring();
    await until("ringing", () => call.kinds() === "ringing");
    await call.hangUp();
    await until("given up", () => gone);
    await expect(inbound?.answer({ offer: call.endpoint.offer, onEvent: () => {} })).rejects.toThrow("given up");
    await Promise.all([called.close(), calling.close()]);
  });

  it("stops ringing when the caller's carrier closes", async () => {
    const { port } = await stage.kamailio({ callees: {} });
    const heard = listen();
    const [called, calling] = await Promise.all([
      openSipTrunk(trunkAt(port), { listener: heard.listener }),
      openSipTrunk(trunkAt(port, { authentication: "ip" })),
    ]);
    await until("registered", () => called.state?.().level === "working");
    const call = await placeCall(calling, ownNumber);
    await until("a call", () => heard.calls.length === 1);
    let gone = false;
    heard.calls[0]?.onGivenUp(() => (gone = true));
    heard.calls[0]?.ring();
    await until("ringing", () => call.kinds() === "ringing");
    await calling.close();
    await until("given up", () => gone);
    expect(call.kinds()).toBe("ringing ended");
    call.endpoint.close();
    await called.close();
  });
});
