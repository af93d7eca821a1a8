import { randomUUID } from "node:crypto";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import { type CallDeps, toCall } from "./call-deps.ts";
import { findCall } from "./calls.table.ts";
import { insertMissedCall } from "./missed-calls.table.ts";

export interface CallThatCame {
  organisationId: string;
  carrier: string;
  /** As the carrier gave it; null where it is withheld. */
  from: string | null;
}

/** Whom nobody could be rung for is called back from the list. A caller without a number cannot be, and is not listed. */
export async function logMissedCall(
  deps: Pick<CallDeps, "database" | "carriers" | "processKey">,
  { organisationId, carrier, from }: CallThatCame,
): Promise<void> {
  if (from === null) return;
  await deps.database.withTransaction({ organisationId }, async (tx) => {
    const parsed = parsePhoneNumberFromString(from, await defaultCountryOf(tx, organisationId));
    if (!parsed?.isValid()) return;
    const callSid = `CA${randomUUID().replaceAll("-", "")}`;
    const { processKey } = deps;
    await insertMissedCall(tx, { callSid, organisationId, phoneNumber: parsed.number, carrier, processKey });
    const stored = await findCall(tx, callSid);
    if (stored)
      await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
  });
}
