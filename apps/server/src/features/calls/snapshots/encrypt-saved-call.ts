import { z } from "zod";
import type { Sealer } from "../../../seal-secrets.ts";
import type { OrphanedCall } from "./call-snapshots.table.ts";

const SavedCall = z.object({
  media: z.unknown(),
  leg: z.unknown(),
  /** On hold only while the person talks on the other line. */
  waitsForOther: z.boolean().default(false),
});
export type SavedCall = z.infer<typeof SavedCall>;

/** Encrypts the snapshot for the call's row. It may contain SRTP keys. */
export const encryptSavedCall = (sealer: Sealer, callSid: string, snapshot: string): string =>
  JSON.stringify(sealer.encrypt(snapshot, callSid));

/** Throws Unsealable if SECRET_KEY has changed. */
export function decryptSavedCall(sealer: Sealer, { callSid, snapshot }: OrphanedCall): SavedCall {
  return SavedCall.parse(JSON.parse(sealer.open(z.string().parse(snapshot), callSid)));
}
