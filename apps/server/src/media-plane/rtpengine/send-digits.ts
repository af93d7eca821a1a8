import { readRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { isKey } from "@leadline/adapter-kit/rtp/telephone-event";

import type { NgAnswer, NgRequest } from "./ng-client.ts";

const keyMs = 100;
const pauseMs = 100;

export const takesKeyEvents = (farDescription: string | null): boolean =>
  farDescription === null || readRtpDescription(farDescription)?.telephoneEventType !== null;

/** The description of the far end that can be sent these digits; throws if there is none. */
export function takerOfKeys(farDescription: string | null, digits: string): string {
  const unknown = [...digits].find((key) => !isKey(key));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not a telephone key.`);
  if (farDescription === null) throw new Error("There is no far end to send digits to.");
  return farDescription;
}

/**
 * Sends digits one after the other to the party across from this one: as RFC 4733 events, or as tones if it doesn't
 * accept events.
 */
export async function pressKeys(
  ask: (command: string, given: NgRequest) => Promise<NgAnswer>,
  { tag, digits }: { tag: string; digits: string },
): Promise<void> {
  for (const code of digits) await ask("play DTMF", { "from-tag": tag, code, duration: keyMs, pause: pauseMs });
}
