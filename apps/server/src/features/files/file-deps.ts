import type { Database } from "../../db/database.ts";
import type { FileStore } from "./file-store.ts";

export interface FileDeps {
  database: Database;
  store: FileStore;
  /** What one organisation's files may take together, and what one person's uploads may in all organisations. */
  quotaBytes: number;
}

export const defaultQuotaBytes = 2 ** 30;
