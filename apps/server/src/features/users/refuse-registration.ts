import type { Registration } from "@leadline/contract/hosted-login";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import { isInvited } from "../members/is-invited.ts";

/** Invited people always may. By the mailed link, or by an address that somebody else has verified. */
export async function refuseRegistration(
  tx: Tx,
  registration: Registration,
  person: { email: string; invitedBy: { tokenHash: Buffer } | { email: string } | null },
): Promise<void> {
  if (registration === "open") return;
  const { domains } = registration;
  if (domains.includes(person.email.slice(person.email.lastIndexOf("@") + 1).toLowerCase())) return;
  if (person.invitedBy !== null && (await isInvited(tx, person.invitedBy))) return;
  throw new Problem(
    "registration-refused",
    domains.length === 0
      ? "Registration is by invitation only. Ask for an invitation and open the link in its mail."
      : `Only addresses at ${domains.join(", ")} can register here. Ask for an invitation to join with another one.`,
  );
}
