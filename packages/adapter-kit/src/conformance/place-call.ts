import { setTimeout as sleep } from "node:timers/promises";

import type { Carrier, CarrierHangUpCause, CarrierLegEvent } from "../carrier.ts";
import { openRtpEndpoint } from "./rtp-endpoint.ts";

/** Enough on a busy machine. Give a time where the call must take less. */
const defaultMs = 30_000;

/**
 * Dials with the suite's own RTP endpoint, records every event, and connects the audio at early media and at the
 * answer.
 */
export async function placeCall(carrier: Carrier, to: string) {
  const endpoint = await openRtpEndpoint();
  const events: CarrierLegEvent[] = [];
  const leg = await carrier.dial({
    callSid: `CA${endpoint.port.toString(16).padStart(32, "0")}`,
    to,
    callerId: null,
    offer: endpoint.offer,
    onEvent(event) {
      events.push(event);
      if (event.type === "answered" || event.type === "early-media") endpoint.acceptAnswer(event.answer);
    },
  });

  async function until(type: CarrierLegEvent["type"], withinMs = defaultMs): Promise<void> {
    const lastMs = performance.now() + withinMs;
    while (!events.some((event) => event.type === type)) {
      if (performance.now() > lastMs) throw new Error(`no "${type}" within ${withinMs} ms; came: ${kinds()}`);
      await sleep(10);
    }
  }

  const kinds = (): string => events.map(({ type }) => type).join(" ");

  return {
    endpoint,
    leg,
    events,
    kinds,
    told: until,
    answered: (withinMs = defaultMs): Promise<void> => until("answered", withinMs),
    async ended(withinMs = defaultMs): Promise<CarrierHangUpCause> {
      await until("ended", withinMs);
      const last = events.at(-1);
      if (last?.type !== "ended") throw new Error(`something followed the end: ${kinds()}`);
      return last.cause;
    },
    async hangUp(): Promise<void> {
      await leg.hangUp();
      endpoint.close();
    },
  };
}
