import { CrmService, type CrmServiceDescription, crmServiceNames } from "@leadline/contract/integrations";
import type { OpenCrms } from "./open-crms.ts";

export function describeCrms(crms: OpenCrms): CrmServiceDescription[] {
  return CrmService.options.map((service) => {
    const opened = crms.find(service);
    return {
      service,
      name: crmServiceNames[service],
      connects: opened !== null,
      registered: opened?.crm.registered ?? false,
      workspaceField: opened?.module.workspaceField ?? null,
      deletions: opened?.module.capabilities.deletions ?? false,
      choosesSource: opened !== null && opened.crm.defaultMapping === null,
      sandboxDomain: crms.sandboxes.get(service)?.domain ?? null,
    };
  });
}
