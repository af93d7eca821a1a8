import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";
import { type CallDeps, toCall } from "../call-deps.ts";
import { insertCarrierLeg } from "../carrier-legs.table.ts";
import { insertInboundCall } from "./ringing-calls.table.ts";
import type { Unanswered } from "./stop-ringing.ts";

export interface InboundRecord {
  callSid: string;
  organisationId: string;
  carrier: string;
  connectionId: string;
  call: Pick<InboundCall, "from" | "fromName" | "to" | "verification" | "forwardedBy" | "headers">;
  /** Set for a call that is missed before it rang. Null: it rings. */
  missed: Pick<Unanswered, "status" | "cause"> | null;
  /** It rings in no tab, because voicemail is about to answer. */
  unannounced?: boolean;
}

const longestWritten = 64;

/** Stores an inbound call and notifies every tab: it rings, or it was missed and can be called back. */
export async function recordInboundCall(
  deps: Pick<CallDeps, "database" | "carriers" | "processKey" | "callIdIn" | "callerVerification">,
  { callSid, organisationId, carrier, connectionId, call, missed, unannounced = false }: InboundRecord,
): Promise<void> {
  const { processKey } = deps;
  const { headers = {} } = call;
  await deps.database.withTransaction({ organisationId }, async (tx) => {
    const country = await defaultCountryOf(tx, organisationId);
    const phoneNumber = (call.from === null ? null : e164(call.from, country)) ?? "";
    const callerId = phoneNumber === "" ? callerAsWritten(call) : null;
    const calledNumber = e164(call.to, country) ?? asWritten(call.to);
    const forwarder = call.forwardedBy ?? null;
    const forwardedBy = forwarder === null ? null : (e164(forwarder, country) ?? asWritten(forwarder));
    const said =
      call.verification ?? (await deps.callerVerification(tx, { organisationId, carrierId: connectionId }, headers));
    // There is nothing to vouch for if the number is withheld.
    const callerVerification = phoneNumber === "" ? null : said;
    const through = { carrier, connectionId, processKey };
    const caller = { phoneNumber, callerId, callerVerification, forwardedBy };
    const came = { callSid, organisationId, ...caller, calledNumber, ringsFor: null, ...through };
    const stored = await insertInboundCall(tx, came, missed);
    const carrierCallId = deps.callIdIn(headers);
    if (carrierCallId !== null) await insertCarrierLeg(tx, { organisationId, connectionId, carrierCallId, callSid });
    if (stored && !unannounced)
      await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
  });
}

function e164(text: string, country: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(text, country);
  return parsed?.isValid() ? parsed.number : null;
}

/** A colleague at the PBX: "Ada Byron (301)". */
function callerAsWritten({ from, fromName }: InboundRecord["call"]): string | null {
  const [id, name] = [from, fromName].map((text) => (text === null ? null : asWritten(text)));
  if (!id) return null;
  return name && name !== id ? `${name} (${id})` : id;
}

/**
 * A caller or number that isn't E.164, such as an extension. It comes from the far end, so remove what the database
 * can't store and limit the length.
 */
function asWritten(text: string): string | null {
  return (
    text
      .replaceAll(/\p{Cc}/gu, "")
      .trim()
      .slice(0, longestWritten) || null
  );
}
