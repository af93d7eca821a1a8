import type { Call } from "@leadline/contract/calls";

/** Whether the network verifies the caller's number; null if it doesn't say, and for outbound calls. */
export function verifiedInWords({ callerVerified }: Pick<Call, "callerVerified">): string | null {
  if (callerVerified === null) return null;
  return callerVerified ? "Verified caller" : "Unverified caller";
}

export const forwardedInWords = (
  { forwardedBy }: Pick<Call, "forwardedBy">,
  format: (phoneNumber: string) => string,
): string | null => (forwardedBy === null ? null : `forwarded by ${format(forwardedBy)}`);
