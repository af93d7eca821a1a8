import { crms } from "../../apps/server/src/adapters.ts";
import { openDatabase } from "../../apps/server/src/db/database.ts";
import { openCrms } from "../../apps/server/src/features/integrations/open-crms.ts";
import { runCrmWriting } from "../../apps/server/src/features/integrations/run-crm-writing.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { createSealer } from "../../apps/server/src/seal-secrets.ts";
import type { WriterOrder } from "./writers.ts";

const { databaseUrl, key, sandboxes }: WriterOrder = JSON.parse(process.argv[2] ?? "");
const log = createLog("fatal");
const running = new Map(
  sandboxes.map(({ service, address, ...described }) => [service, { ...described, address: new URL(address) }]),
);
const modules = crms.map(({ module }) => module);
const writing = runCrmWriting({
  database: openDatabase(databaseUrl, log),
  crms: openCrms(modules, { environment: {}, sandboxes: running }),
  sealer: createSealer(() => Buffer.from(key, "hex"), "crm-grants"),
  log,
  publicUrl: null,
  publishCall: async (_, callSid) => void process.send?.(callSid),
});
process.send?.("ready");
process.once("SIGTERM", () => void writing.close().then(() => process.exit(0)));
// Listening keeps the process alive, which the timer of the writing doesn't.
process.once("disconnect", () => process.exit(0));
