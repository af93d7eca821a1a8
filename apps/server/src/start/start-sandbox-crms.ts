import { join } from "node:path";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { crms } from "../adapters.ts";

/** The sandbox of each CRM that has one, by the CRM's id. Without a folder they forget everything at the end. */
export async function startSandboxCrms(options: {
  dataDir: string | null;
  publicUrl: URL | null;
}): Promise<ReadonlyMap<string, SandboxCrm>> {
  const { dataDir, publicUrl } = options;
  const started = await Promise.all(
    crms.map(async ({ module: { id }, startSandbox }, index) => {
      // The first was there before there was a second, and keeps its file.
      const name = index === 0 ? "sandbox-crm.json" : `sandbox-crm-${id}.json`;
      const file = dataDir === null ? null : join(dataDir, name);
      return startSandbox === null ? [] : [[id, await startSandbox({ file, publicUrl })] as const];
    }),
  );
  return new Map(started.flat());
}
