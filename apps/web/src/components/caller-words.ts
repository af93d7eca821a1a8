import type { Call } from "@leadline/contract/calls";

/** Whether the network confirms the caller's number; null if it says nothing, and for calls of ours. */
export function verifiedInWords({ callerVerified }: Pick<Call, "callerVerified">): string | null {
  if (callerVerified === null) return null;
  return callerVerified ? "Verified caller" : "Unverified caller";
}

export const forwardedInWords = (
  { forwardedBy }: Pick<Call, "forwardedBy">,
  format: (phoneNumber: string) => string,
): string | null => (forwardedBy === null ? null : `forwarded by ${format(forwardedBy)}`);
