import { randomUUID } from "node:crypto";
import type { Registration } from "@leadline/contract/hosted-login";
import type { Tx } from "../../db/transaction.ts";
import { endAllSessions } from "../sessions/end-session.ts";
import { findPersonByEmail, isDisabled } from "../users/find-person-by-email.ts";
import { refuseRegistration } from "../registration/refuse-registration.ts";
import { addPerson } from "../users/add-person.ts";
import { removePassword } from "../users/replace-password.ts";
import { findIdentity, insertIdentity } from "./hosted-login.table.ts";
import type { ProvenPerson } from "./login-provider.ts";

export type FoundPerson =
  | { userId: string; became: "known" | "registered" | "linked" }
  | { refused: "disabled" | "email not verified" | "verified or not is not said" | "somebody else's account" };

/** Finds or registers the user, within the system scope. Only an email address that the provider verified counts. */
export async function findProvenPerson(
  tx: Tx,
  person: ProvenPerson,
  registration: Registration = "open",
): Promise<FoundPerson> {
  const known = await findIdentity(tx, person);
  if (known !== undefined) return welcome(tx, known);
  const { verifiedEmail: email } = person;
  if (email === null)
    return { refused: person.saysWhetherVerified ? "email not verified" : "verified or not is not said" };
  if ((await findPersonByEmail(tx, email)) === undefined)
    await refuseRegistration(tx, registration, { email, invitedBy: { email } });
  const id = randomUUID();
  const registered = await addPerson(tx, { ...person, id, email });
  if (!registered) return linkAccount(tx, person, email);
  await insertIdentity(tx, { ...person, userId: id });
  return { userId: id, became: "registered" };
}

/**
 * An existing account with this address has never proved it. The person who proves it now takes it over, and its
 * password and sessions, which may be a stranger's, are removed.
 */
async function linkAccount(tx: Tx, person: ProvenPerson, email: string): Promise<FoundPerson> {
  const found = await findPersonByEmail(tx, email);
  if (found === undefined || found.disabled) return { refused: "disabled" };
  if (!(await insertIdentity(tx, { ...person, userId: found.id }))) {
    // The same login in another tab may have linked them just now. Otherwise the account belongs to another person at
    // the same provider, which has reassigned the address. It stays theirs.
    const sinceThen = await findIdentity(tx, person);
    return sinceThen === undefined ? { refused: "somebody else's account" } : welcome(tx, sinceThen);
  }
  await removePassword(tx, found.id);
  await endAllSessions(tx, found.id);
  return { userId: found.id, became: "linked" };
}

const welcome = async (tx: Tx, userId: string): Promise<FoundPerson> =>
  (await isDisabled(tx, userId)) ? { refused: "disabled" } : { userId, became: "known" };
