import { join } from "node:path";
import type { CrmSandbox } from "@leadline/adapter-kit/crm";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { crms } from "../adapters.ts";

/** What the app needs of its sandboxes, by the CRM's id. */
export type RunningSandboxes = ReadonlyMap<string, CrmSandbox & Pick<SandboxCrm, "routes" | "sendWebhooks" | "close">>;
export interface StartSandboxes {
  dataDir: string | null;
  publicUrl: URL | null;
  isUnlimited?: boolean;
}

/** The sandbox of each CRM that has one, by the CRM's id. Without a folder they keep nothing. */
export async function startSandboxCrms(options: StartSandboxes): Promise<ReadonlyMap<string, SandboxCrm>> {
  const { dataDir, ...further } = options;
  const started = await Promise.all(
    crms.map(async ({ module: { id }, startSandbox }, index) => {
      // The first sandbox existed before there was a second, so it keeps its file name.
      const name = index === 0 ? "sandbox-crm.json" : `sandbox-crm-${id}.json`;
      const file = dataDir === null ? null : join(dataDir, name);
      return startSandbox === null ? [] : [[id, await startSandbox({ file, ...further })] as const];
    }),
  );
  return new Map(started.flat());
}
