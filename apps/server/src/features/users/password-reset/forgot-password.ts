import { randomUUID } from "node:crypto";
import type { Database } from "../../../db/database.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import { countAttempts, throttledAddress } from "../../attempts/count-attempts.ts";
import type { MailPasswordResetJob } from "./mail-password-reset.ts";

export interface PasswordDeps {
  database: Database;
  jobs: Pick<Jobs, "enqueue">;
  mailPasswordReset: MailPasswordResetJob;
}

/** Does the same for every address in the same time. Only the job finds out whether anyone has it. */
export async function forgotPassword(deps: PasswordDeps, given: { email: string; ip: string }): Promise<void> {
  const { withTransaction } = deps.database;
  const by = throttledAddress(given.ip);
  const perPerson = { by: `${given.email}:${by}`, most: 5 };
  await countAttempts(withTransaction, "forgot password", perPerson, { by, most: 50 });
  await withTransaction({}, (tx) =>
    deps.jobs.enqueue(tx, deps.mailPasswordReset, { resetId: randomUUID(), email: given.email }),
  );
}
