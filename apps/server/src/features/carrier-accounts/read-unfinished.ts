import type { Database } from "../../db/database.ts";
import { selectUnfinished, type StoredAccount } from "./carrier-accounts.table.ts";

/** Accounts of every organisation whose connecting or disconnecting hasn't finished. */
export const readUnfinished = (database: Database): Promise<StoredAccount[]> =>
  database.withTransaction({ system: "resume accounts of killed processes" }, selectUnfinished);
