import type { TrunkSettings } from "./settings.ts";
import { withoutSeparators } from "./signalling/verbatim-uri.ts";

/**
 * A user that is a number and not what the account signs in as: the provider doesn't vouch for it, so it counts as a caller ID.
 * E.164; null if there is none.
 */
export function numberInUser({ authentication, user, authenticationUser }: TrunkSettings): string | null {
  if (authentication === "ip" || user === null || authenticationUser === null || authenticationUser === user)
    return null;
  const number = withoutSeparators(user);
  return /^(?:\+\d{7,15}|\d{10,15})$/.test(number) ? `+${number.replace("+", "")}` : null;
}
