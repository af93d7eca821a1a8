import { readRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { isKey } from "@leadline/adapter-kit/rtp/telephone-event";

import type { NgAnswer, NgRequest } from "./ng-client.ts";

const keyMs = 100;
const pauseMs = 100;

/** The description of who can be sent these; throws where nobody can. */
export function takerOfKeys(farDescription: string | null, digits: string): string {
  const unknown = [...digits].find((key) => !isKey(key));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not a telephone key.`);
  if (farDescription === null || readRtpDescription(farDescription)?.telephoneEventType === null)
    throw new Error("The far end takes no keys on this call.");
  return farDescription;
}

/** One after the other, to whoever is across from that party, as RFC 4733 events. */
export async function pressKeys(
  ask: (command: string, given: NgRequest) => Promise<NgAnswer>,
  { tag, digits }: { tag: string; digits: string },
): Promise<void> {
  for (const code of digits) await ask("play DTMF", { "from-tag": tag, code, duration: keyMs, pause: pauseMs });
}
