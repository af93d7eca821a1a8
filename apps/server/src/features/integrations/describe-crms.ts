import type { CrmServiceDescription } from "@leadline/contract/integrations";
import type { OpenCrms } from "./open-crms.ts";

export function describeCrms({ all, sandboxes }: OpenCrms): CrmServiceDescription[] {
  return all.map(({ module, crm }) => ({
    service: module.id,
    name: module.name,
    notRegistered: crm.notRegistered,
    workspaceField: module.workspaceField,
    deletions: module.capabilities.deletions,
    writingHelp: module.writingHelp,
    choosesSource: crm.defaultMapping === null,
    sandboxDomain: sandboxes.get(module.id)?.domain ?? null,
  }));
}
