import { readConfig } from "../../apps/server/src/config.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { startLeadline } from "../../apps/server/src/start-leadline.ts";
import type { SandboxElsewhere } from "./processes.ts";

const { service, address, ...described }: SandboxElsewhere = JSON.parse(process.argv[2] ?? "");
const config = readConfig(process.env, { dev: false });
const sandbox = { ...described, address: new URL(address), routes: [], sendWebhooks: () => {}, close: async () => {} };
const leadline = await startLeadline(config, createLog(config.logLevel), {
  startSandboxes: async () => new Map([[service, sandbox]]),
});
process.once("SIGTERM", () => void leadline.close().then(() => process.exit(0)));
process.send?.(leadline.address);
