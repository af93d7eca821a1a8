import type { Database } from "../../db/database.ts";
import type { FileStore } from "./file-store.ts";

export interface FileDeps {
  database: Database;
  store: FileStore;
  /** The limits of an organisation's files together, and of one person's uploads across organisations. */
  quotaBytes: number;
}

export const defaultQuotaBytes = 2 ** 30;
