import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import { hasAnybody } from "../users/add-person.ts";

/** At start, if registration is restricted: until the first account exists, whoever reads the log can create it. */
export async function logSetUpLink(database: Database, log: Log, url: string): Promise<void> {
  const scope = { system: "whether this is a fresh installation" };
  if (await database.withTransaction(scope, hasAnybody)) return;
  log.warn({ url }, "no one has registered yet: open this link to create the first account");
}
