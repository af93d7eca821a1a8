import { z } from "zod";
import type { Sealer } from "../../../seal-secrets.ts";
import type { LeftCall } from "./remembered-calls.table.ts";

const SavedCall = z.object({
  media: z.unknown(),
  leg: z.unknown(),
  /** On hold only while the person talks on their other line. */
  waitsForOther: z.boolean().default(false),
});
export type SavedCall = z.infer<typeof SavedCall>;

/** As JSON for the call's row: keys that seal its sound may be among it. */
export const encryptSavedCall = (sealer: Sealer, callSid: string, remembered: string): string =>
  JSON.stringify(sealer.seal(remembered, callSid));

/** Throws Unsealable where SECRET_KEY is another than it was. */
export function decryptSavedCall(sealer: Sealer, { callSid, remembered }: LeftCall): SavedCall {
  return SavedCall.parse(JSON.parse(sealer.open(z.string().parse(remembered), callSid)));
}
