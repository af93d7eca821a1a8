import { randomUUID } from "node:crypto";
import type { CarrierListener, CarrierModule, InboundCall } from "@leadline/adapter-kit/carrier";
import { openRtpEndpoint, type RtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { openEventStream } from "./open-event-stream.ts";
import type { TestApp, TestPerson } from "./test-app.ts";
import type { Rep } from "./test-calls.ts";

export const ownNumber = "+442079460123";
const kind = `switchboard-${randomUUID().slice(0, 8)}`;
const listeners = new Map<string, CarrierListener>();

/** A carrier whose inbound calls are made by the tests; it can't dial. */
export const switchboard: CarrierModule = {
  id: kind,
  name: "Switchboard",
  capabilities: { hold: false, transfer: false, inbound: true, digits: null, numbers: false },
  settings: z.object({ line: z.string() }),
  async open({ line }, listener) {
    if (listener) listeners.set(String(line), listener);
    return { dial: () => Promise.reject(new Error("It dials nobody.")), close: async () => {} };
  },
};

/** An inbound caller with real audio, sent and received. */
export interface Caller {
  phone: RtpEndpoint;
  /** Once the call is answered. */
  hangUp(): void;
}
export async function openCaller(): Promise<Caller> {
  const phone = await openRtpEndpoint();
  onTestFinished(() => phone.close());
  return { phone, hangUp: () => {} };
}

/** Makes calls to the organisation; returns what the caller hears, as it arrives. */
export async function connectSwitchboard(
  app: TestApp,
  rep: Rep,
): Promise<
  (
    from?: string | null,
    caller?: Caller,
    fromName?: string,
    vouched?: Pick<InboundCall, "verification" | "forwardedBy">,
  ) => string[]
> {
  const line = randomUUID();
  const body = { kind, label: "Switchboard", settings: { line } };
  const made = await app.ask("POST", "/v1/carriers", { token: rep.token, body });
  expect(made.json()).toMatchObject({ inUse: true });
  await vi.waitFor(() => expect(listeners.has(line)).toBe(true));
  return (from = "+442071838750", caller = undefined, fromName = undefined, vouched = {}) => {
    const heard: string[] = [];
    const call: InboundCall = {
      to: ownNumber,
      from,
      fromName: fromName ?? null,
      ...vouched,
      ring: () => void heard.push("ringing"),
      async answer({ offer, onEvent }) {
        if (!caller) throw new Error("This caller hangs up as it is answered.");
        heard.push("answered");
        caller.phone.acceptAnswer(offer);
        onEvent({ type: "answered", answer: caller.phone.offer });
        caller.hangUp = () => onEvent({ type: "ended", cause: { reason: "hung-up-there", sip: null, q850: 16 } });
        return { hangUp: async () => void heard.push("hung-up") };
      },
      refuse: (why) => void heard.push(why),
      onGivenUp: () => {},
    };
    listeners.get(line)?.onInbound(call);
    return heard;
  };
}

/** Keeps Leadline open in a tab until the test ends, or until the returned function is called. */
export async function sit(app: TestApp, rep: TestPerson): Promise<() => void> {
  const origin = app.http.server.listening
    ? app.http.listeningOrigin
    : await app.http.listen({ port: 0, host: "127.0.0.1" });
  const stream = await openEventStream(origin, { token: rep.token });
  const leave = () => stream.close();
  onTestFinished(leave);
  return leave;
}
