import type { Call } from "@leadline/contract/calls";

/** What the network says about the caller's number; null if it says nothing, and for outbound calls. */
export function verifiedLabel({
  callerVerified,
  callerVerification,
}: Pick<Call, "callerVerified" | "callerVerification">): string | null {
  if (callerVerified === null) return null;
  if (callerVerified) return "Verified caller";
  return callerVerification?.startsWith("failed")
    ? "Failed verification: may be spoofed"
    : "Caller’s number not confirmed";
}

export const forwardedLabel = (
  { forwardedBy }: Pick<Call, "forwardedBy">,
  format: (phoneNumber: string) => string,
): string | null => (forwardedBy === null ? null : `forwarded by ${format(forwardedBy)}`);
