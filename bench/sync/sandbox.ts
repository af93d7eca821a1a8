import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { crms } from "../../apps/server/src/adapters.ts";
import type { SandboxElsewhere, SandboxOrder } from "./processes.ts";

const { service, ...size }: SandboxOrder = JSON.parse(process.argv[2] ?? "");
const startSandbox = crms.find(({ module }) => module.id === service)?.startSandbox;
if (!startSandbox) throw new Error(`${service} has no sandbox`);
const sandbox = await startSandbox({ file: null, publicUrl: null, size });

process.on("message", (authoriseUrl: string) => {
  process.send?.(answerConsent(sandbox, authoriseUrl, "allow").href);
});
const { domain, browserPath, clientId, clientSecret, address } = sandbox;
const started: SandboxElsewhere = { service, domain, browserPath, clientId, clientSecret, address: address.href };
process.send?.(started);
