import { z } from "zod";

export const Id = z.uuid();
export const Timestamp = z.iso.datetime({ offset: true }).describe("RFC 3339, UTC");
/** Twilio's shape of a call identifier: CA and 32 hexadecimal digits. */
export const CallSid = z.string().regex(/^CA[0-9a-f]{32}$/, "A call identifier is CA and 32 hexadecimal digits.");
export const IdParams = z.object({ id: Id });
