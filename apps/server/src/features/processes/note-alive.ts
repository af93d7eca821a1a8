import type { Database } from "../../db/database.ts";
import { noteProcessSeen } from "./processes.table.ts";

/** One row per process, however many calls it carries: its last update is when its calls were last seen. */
export const noteAlive = ({ database, processKey }: { database: Database; processKey: number }): Promise<void> =>
  database.withTransaction({ system: "a process belongs to no organisation" }, (tx) => noteProcessSeen(tx, processKey));
