import { CallerVerification } from "@leadline/contract/caller-verification";

/**
 * Reads `verstat`, such as TN-Validation-Passed-A (3GPP TS 24.229, section 7.2A.20; ATIS-1000074 for the level). Null if
 * it is missing. Anything unknown confirms nothing.
 */
export function readVerstat(text: string | null | undefined): CallerVerification | null {
  if (!text?.trim()) return null;
  const [, result] = /^TN-Validation-((?:Passed|Failed)(?:-[ABC])?)$/i.exec(text.trim()) ?? [];
  return CallerVerification.catch("none").parse(result?.toLowerCase());
}
