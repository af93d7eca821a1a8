import type { CarrierHangUpCause } from "@leadline/adapter-kit/carrier";
import type { ExplainedRefusal } from "@leadline/adapter-kit/provisioner";

/**
 * Whether another carrier may place the call. A callee's own answer stands, whichever carrier brought it: who declined, was busy
 * or isn't known there is never called twice.
 */
export function isCarrierFault({ reason, sip }: CarrierHangUpCause, explained: ExplainedRefusal | null): boolean {
  if (explained) return explained.ofCarrier;
  if (reason === "credentials-refused") return true;
  // Nothing came back, or the carrier says that it can't now.
  return reason === "network-failure" && (sip === null || sip === 500 || sip === 502 || sip === 503 || sip === 504);
}
