import { z } from "zod";

import { drawKeptKeys, KeptKey } from "./srtp-keys.ts";

/** What it takes to restore a session, in this process or a later one. Who hears whom is up to the room. */
export const SessionState = z.object({
  node: z.string(),
  callId: z.string(),
  /** The browser's latest offer. */
  offer: z.string(),
  version: z.int(),
  /** Each new browser, and each new far end, is a separate party in the rtpengine, with its own ports and keys. */
  browsers: z.int(),
  farEnds: z.int(),
  /** Where the rtpengine listens for the far end. */
  plain: z.object({ host: z.string(), port: z.int() }),
  /** Our keys; a far end that encrypts picks one. */
  keys: z.array(KeptKey),
  /** Includes its key, if it encrypts. */
  farDescription: z.string().nullable(),
  /** The far end accepts audio: it has not put us on hold. */
  farTakesSound: z.boolean().default(true),
  /** No browser sends: the far end hears silence, because some carriers drop a line without packets. */
  away: z.boolean(),
  takesKeys: z.boolean(),
});
export type SessionState = z.infer<typeof SessionState>;

/** State without a far end; the next one gets its own keys. */
export const withoutFarEnd = (): Pick<SessionState, "keys" | "farDescription" | "farTakesSound" | "takesKeys"> => ({
  keys: drawKeptKeys(),
  farDescription: null,
  farTakesSound: true,
  takesKeys: false,
});

/** Sets it, and sets it back if `carryOut` fails. */
export async function unlessItFails(
  state: SessionState,
  what: "away" | "takesKeys",
  value: boolean,
  carryOut: () => Promise<unknown>,
): Promise<void> {
  const before = state[what];
  state[what] = value;
  try {
    await carryOut();
  } catch (error) {
    state[what] = before;
    throw error;
  }
}
