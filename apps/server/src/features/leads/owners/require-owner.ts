import type { Tx } from "../../../db/transaction.ts";
import { invalidInput } from "../../../http/read-input.ts";
import { findRole } from "../leads.table.ts";

interface Person {
  organisationId: string;
  userId: string | null | undefined;
}

const notMember = "Choose a member of your organisation.";

/** A sentence for whoever chose this person; null for a member who can work with leads. Analysts only read. */
export async function whyNotOwner(tx: Tx, { organisationId, userId }: Person): Promise<string | null> {
  const role = userId ? await findRole(tx, { organisationId, userId }) : null;
  if (role === null) return notMember;
  return role === "analyst" ? "Analysts can’t own leads. Choose another member." : null;
}

/** A lead is given to a member who isn't an analyst, or to nobody. */
export async function requireOwner(tx: Tx, person: Person): Promise<void> {
  const refusal = person.userId ? await whyNotOwner(tx, person) : null;
  if (refusal !== null) throw invalidInput([{ path: ["ownerId"], message: refusal }]);
}

/** Any member: leads are also found by owners who are analysts by now. */
export async function requireMember(tx: Tx, key: { organisationId: string; userId: string }): Promise<void> {
  if ((await findRole(tx, key)) === null) throw invalidInput([{ path: ["ownerId"], message: notMember }]);
}
