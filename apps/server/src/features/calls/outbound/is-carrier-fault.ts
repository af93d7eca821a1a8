import type { CarrierHangUpCause } from "@leadline/adapter-kit/carrier";
import type { ExplainedRefusal } from "@leadline/adapter-kit/provisioner";

/**
 * Whether another carrier may be able to place the call. The callee's own answer is final: someone who was busy,
 * declined or isn't known is never called twice.
 */
export function isCarrierFault({ reason, sip }: CarrierHangUpCause, explained: ExplainedRefusal | null): boolean {
  if (explained) return explained.ofCarrier;
  if (reason === "credentials-refused") return true;
  // There was no response, or the carrier can't place calls now.
  return reason === "network-failure" && (sip === null || sip === 500 || sip === 502 || sip === 503 || sip === 504);
}
