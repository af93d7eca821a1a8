import type { Registration } from "@leadline/contract/hosted-login";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { isInvited } from "../members/is-invited.ts";
import { hasAnybody } from "../users/add-person.ts";

interface Registering {
  email: string;
  /** Invited by a mailed link, which is valid for its address only, or by an address that an external login has verified. */
  invitedBy: { tokenHash: Buffer; email: string; setUpHash?: Buffer | undefined } | { email: string } | null;
}

/**
 * Allows invited people, and the holder of the set-up link until the first registration. Others are decided by their
 * address's domain.
 */
export async function refuseRegistration(
  tx: Tx,
  registration: Registration,
  { email, invitedBy }: Registering,
): Promise<"let-in" | "by-domain"> {
  if (registration === "open") return "let-in";
  const { domains } = registration;
  if (invitedBy !== null && ((await isInvited(tx, invitedBy)) || (await isSettingUp(tx, invitedBy)))) return "let-in";
  if (domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase())) return "by-domain";
  if (invitedBy !== null && "tokenHash" in invitedBy)
    throw new Problem(
      "registration-refused",
      "This invitation is for another address or has expired. Register with the address it was sent to, or ask for a new one.",
    );
  throw new Problem(
    "registration-refused",
    domains.length === 0
      ? "Registration is by invitation only. Ask for an invitation and open the link in the email."
      : `Only addresses at ${domains.join(", ")} can register here. Ask for an invitation to join with another address.`,
  );
}

async function isSettingUp(tx: Tx, invitedBy: NonNullable<Registering["invitedBy"]>): Promise<boolean> {
  const isLink = "tokenHash" in invitedBy && invitedBy.setUpHash?.equals(invitedBy.tokenHash) === true;
  return isLink && !(await hasAnybody(tx));
}
