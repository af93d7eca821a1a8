import type { Database } from "../../../db/database.ts";
import { Problem } from "../../../http/problem.ts";
import type { MailedLinks } from "../../../mail/mailed-links.ts";
import { countAttempts, throttledAddress } from "../../attempts/count-attempts.ts";
import { isResetOpen } from "./password-resets.table.ts";

export const linkInvalid = (): Problem =>
  new Problem("link-invalid", "This link has been used or is older than an hour. Ask for a new one.");

/** Refuses an invalid link before its user thinks of a password. */
export async function checkResetLink(
  { database, links }: { database: Database; links: MailedLinks },
  given: { token: string; ip: string },
): Promise<void> {
  const { withTransaction } = database;
  const by = throttledAddress(given.ip);
  await countAttempts(withTransaction, "check reset link", { by, most: 50 });
  const scope = { system: "whether a mailed link still works; no one is signed in", by };
  if (!(await withTransaction(scope, (tx) => isResetOpen(tx, links.hash(given.token))))) throw linkInvalid();
}
