import { createHash, randomUUID } from "node:crypto";
import type { Registration } from "@leadline/contract/hosted-login";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import { hashPassword } from "../sessions/hash-password.ts";
import { refuseCommonPassword } from "../sessions/refuse-common-password.ts";
import { countAttempts, throttledAddress } from "../sessions/sign-in-throttle.ts";
import { refuseRegistration } from "./refuse-registration.ts";
import { insertUser } from "./users.table.ts";

export async function registerUser(
  database: Database,
  person: { firstName: string; lastName: string; email: string; password: string; invitation?: string | undefined },
  ip: string,
  registration: Registration = "open",
): Promise<string> {
  refuseCommonPassword(person.password);
  await countAttempts(database.withTransaction, "register", { by: throttledAddress(ip), most: 100 });
  const { invitation } = person;
  const invitedBy = invitation === undefined ? null : { tokenHash: createHash("sha256").update(invitation).digest() };
  const scope = { system: "nobody is signed in yet" };
  await database.withTransaction(scope, (tx) =>
    refuseRegistration(tx, registration, { email: person.email, invitedBy }),
  );
  const passwordHash = await hashPassword(person.password);
  const id = randomUUID();
  const { firstName, lastName, email } = person;
  const inserted = await database.withTransaction(scope, (tx) =>
    insertUser(tx, { id, firstName, lastName, email, passwordHash }),
  );
  if (!inserted) throw emailTaken();
  return id;
}

export function emailTaken(): Problem {
  return new Problem("email-taken", "Somebody is registered with this email already. Sign in, or use another.");
}
