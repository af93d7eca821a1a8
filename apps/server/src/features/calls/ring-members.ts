import { randomUUID } from "node:crypto";
import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import { toCall } from "./call-deps.ts";
import type { CallDeps } from "./call-deps.ts";
import { logMissedCall } from "./log-missed-call.ts";
import { insertRingingCall } from "./ringing-calls.table.ts";
import { stopRinging } from "./stop-ringing.ts";
import { whoMayTake } from "./who-may-take.ts";

/** Of one organisation. */
const mostAtOnce = 30;

interface Through {
  organisationId: string;
  carrier: string;
}

/** Rings in the tabs of every member who may take the call; without any, the caller is refused and listed as missed. */
export async function ringMembers(deps: CallDeps, call: InboundCall, through: Through): Promise<void> {
  const { organisationId, carrier } = through;
  const { free, present } = whoMayTake(deps, organisationId);
  const others = deps.ringingCalls.all().filter((ringing) => ringing.organisationId === organisationId);
  // A flood: nobody answers so many, and each is a row.
  if (others.length >= mostAtOnce) return call.refuse("busy");
  if (free.size === 0) {
    call.refuse(present.size === 0 ? "nobody-there" : "busy");
    await logMissedCall(deps, { organisationId, carrier, from: call.from });
    return;
  }
  const callSid = `CA${randomUUID().replaceAll("-", "")}`;
  const written = writeDown(deps, through, { callSid, from: call.from });
  const ringing = deps.ringingCalls.begin({ callSid, organisationId, carrierId: carrier, call, written });
  call.onGivenUp(() => void stopRinging(deps, ringing, "given-up"));
  call.ring();
  ringing.patience = setTimeout(() => void stopRinging(deps, ringing, "rung-out"), deps.ringForMs);
  try {
    await written;
  } catch (error) {
    // Nobody can be told of it.
    deps.ringingCalls.forget(callSid);
    if (ringing.state === "ringing") call.refuse("nobody-there");
    ringing.state = "over";
    throw error;
  }
}

function writeDown(
  deps: CallDeps,
  { organisationId, carrier }: Through,
  { callSid, from }: { callSid: string; from: string | null },
): Promise<void> {
  const { processKey } = deps;
  return deps.database.withTransaction({ organisationId }, async (tx) => {
    const country = await defaultCountryOf(tx, organisationId);
    const parsed = from === null ? undefined : parsePhoneNumberFromString(from, country);
    const phoneNumber = parsed?.isValid() ? parsed.number : "";
    const stored = await insertRingingCall(tx, { callSid, organisationId, phoneNumber, carrier, processKey });
    if (stored)
      await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
  });
}
