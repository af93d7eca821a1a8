import { flushCompileCache } from "node:module";
import { openDatabase } from "../db/database.ts";
import { createLog } from "../log.ts";
import { AccountWork, doAccountWork } from "./account-work.ts";

const [databaseUrl = ""] = process.argv.slice(2);
const database = openDatabase(databaseUrl, createLog("fatal"), { maxConnections: 2 });

/** A process that works with an account as its parent says, until it is killed. */
process.on("message", (message) => {
  const work = AccountWork.parse(message);
  // A killed process writes no compile cache at its end; with one, the next process starts in half the time.
  void doAccountWork(database, work, flushCompileCache).then(() => process.send?.("done"));
});
