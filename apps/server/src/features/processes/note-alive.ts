import type { Database } from "../../db/database.ts";
import { noteProcessSeen } from "./processes.table.ts";

/** One row a process, however many calls it carries: when it was last seen is when its calls were. */
export const noteAlive = ({ database, processKey }: { database: Database; processKey: number }): Promise<void> =>
  database.withTransaction({ system: "a process is nobody’s" }, (tx) => noteProcessSeen(tx, processKey));
