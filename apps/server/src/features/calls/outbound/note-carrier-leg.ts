import type { CallDeps } from "../call-deps.ts";
import { insertCarrierLeg } from "../carrier-legs.table.ts";
import type { LiveCall } from "../live-calls.ts";
import { retryWrite } from "../retry-write.ts";

/**
 * Stores the carrier's identifier of its leg, by which its call records are matched, as soon as a response contains it.
 */
export function noteCarrierLeg(
  deps: Pick<CallDeps, "database" | "callIdIn" | "log">,
  { callSid, organisationId }: Pick<LiveCall, "callSid" | "organisationId">,
  connection: { id: string } | null,
): (headers: Record<string, string>) => void {
  if (connection === null) return () => {};
  const known = new Set<string>();
  return (headers) => {
    const carrierCallId = deps.callIdIn(headers);
    if (carrierCallId === null || known.has(carrierCallId)) return;
    known.add(carrierCallId);
    const leg = { organisationId, connectionId: connection.id, carrierCallId, callSid };
    void retryWrite(deps.log, callSid, () =>
      deps.database.withTransaction({ organisationId, forLiveCall: true }, (tx) => insertCarrierLeg(tx, leg)),
    );
  };
}
