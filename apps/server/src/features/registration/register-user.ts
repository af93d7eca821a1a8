import { createHash, randomUUID } from "node:crypto";
import type { Registration } from "@leadline/contract/hosted-login";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { hashPassword } from "../sessions/hash-password.ts";
import { refuseCommonPassword } from "../sessions/refuse-common-password.ts";
import { countDaily } from "../attempts/count-daily.ts";
import { countAttempts, throttledAddress } from "../attempts/count-attempts.ts";
import { refuseRegistration } from "./refuse-registration.ts";
import { emailTaken } from "../users/email-taken.ts";
import { addPerson } from "../users/add-person.ts";

/** Per network: each account may have organisations and files. */
const maxPerDay = 500;

export interface RegistrationRules {
  registration: Registration;
  /** Hash of the set-up link's token, which creates the very first account. */
  setUpHash: Buffer;
  /** Mails a link for setting a password to an unproven address. */
  confirmByMail(tx: Tx, email: string): Promise<void>;
}

interface NewPerson {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  /** The token of a mailed invitation, or of the set-up link. */
  invitation?: string | undefined;
}

/**
 * An address allowed only by its domain must be proven first: nobody can log in until its mailed link has set a
 * password. The password entered here is dropped, because it may come from a stranger to that inbox.
 */
export async function registerUser(
  database: Database,
  person: NewPerson,
  ip: string,
  rules: RegistrationRules | null = null,
): Promise<{ id: string; confirmationMailed?: true }> {
  refuseCommonPassword(person.password);
  const network = throttledAddress(ip);
  await countAttempts(database.withTransaction, "register", { by: network, most: 100 });
  await countDaily(database.withTransaction, "register", {
    by: network,
    most: maxPerDay,
    sentence: "Your network has created too many accounts today.",
  });
  const { firstName, lastName, email, invitation } = person;
  const scope = { system: "no one is signed in yet", by: network };
  const tokenHash = invitation === undefined ? null : createHash("sha256").update(invitation).digest();
  const invitedBy = tokenHash && { tokenHash, email, setUpHash: rules?.setUpHash };
  const check = async (tx: Tx) => (rules ? refuseRegistration(tx, rules.registration, { email, invitedBy }) : "let-in");
  // Checked before hashing the password, which is slow, and again when the account is created.
  await database.withTransaction(scope, check);
  const hashed = await hashPassword(person.password);
  const id = randomUUID();
  const isProven = await database.withTransaction(scope, async (tx) => {
    const proven = (await check(tx)) === "let-in";
    const passwordHash = proven ? hashed : null;
    if (!(await addPerson(tx, { id, firstName, lastName, email }, passwordHash))) throw emailTaken();
    if (!proven) await rules?.confirmByMail(tx, email);
    return proven;
  });
  return isProven ? { id } : { id, confirmationMailed: true };
}
