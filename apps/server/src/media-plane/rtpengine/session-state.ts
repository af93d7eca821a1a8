import { z } from "zod";

import { drawKeptKeys, KeptKey } from "./kept-keys.ts";

/** What restores a session, in this process or after it. Who hears whom there is a room's to say. */
export const SessionState = z.object({
  node: z.string(),
  callId: z.string(),
  /** The browser's last offer. */
  offer: z.string(),
  version: z.int(),
  /** Each browser that comes, and each far end, is a party of its own to the node, with its own ports and keys. */
  browsers: z.int(),
  farEnds: z.int(),
  /** Where the node listens for the far end. */
  plain: z.object({ host: z.string(), port: z.int() }),
  /** Ours, of which the far end takes up one where it seals. */
  keys: z.array(KeptKey),
  /** With its key, where it seals. */
  farDescription: z.string().nullable(),
  /** The far end is sent audio: it has not put us on hold. */
  farTakesSound: z.boolean().default(true),
  /** No browser speaks: the far end hears silence, as a line that falls mute is taken for dead. */
  away: z.boolean(),
  takesKeys: z.boolean(),
});
export type SessionState = z.infer<typeof SessionState>;

/** As long as there is no far end; the next one has keys of its own. */
export const withoutFarEnd = (): Pick<SessionState, "keys" | "farDescription" | "farTakesSound" | "takesKeys"> => ({
  keys: drawKeptKeys(),
  farDescription: null,
  farTakesSound: true,
  takesKeys: false,
});
