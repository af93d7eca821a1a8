import type { Role } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import type { Identity } from "../../http/route.ts";
import { confirmedIfRequired, passwordRequired } from "../users/confirm-password.ts";

const raisesLimits = (role: Role): boolean => role === "owner" || role === "admin";

/**
 * Runs `attempt`, which calls `grant` with the role that someone gets and the one they have. A stolen session must not
 * raise limits by way of a second account either, so becoming an admin or owner takes the caller's password.
 */
export const confirmedIfMayRaiseLimits = <T>(
  database: Pick<Database, "withTransaction">,
  caller: Identity,
  currentPassword: string | undefined,
  attempt: (grant: (role: Role, before?: Role) => void) => Promise<T>,
): Promise<T> =>
  confirmedIfRequired(database, caller, currentPassword, (isConfirmed) =>
    attempt((role, before = "member") => {
      const isRaised = role === "owner" ? before !== "owner" : raisesLimits(role) && !raisesLimits(before);
      if (isRaised && !isConfirmed) throw passwordRequired(`make someone an ${role}`);
    }),
  );
