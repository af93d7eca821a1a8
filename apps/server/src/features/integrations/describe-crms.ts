import { CrmService, type CrmServiceDescription, crmServiceNames } from "@leadline/contract/integrations";
import type { OpenCrms } from "./open-crms.ts";

export function describeCrms(crms: OpenCrms): CrmServiceDescription[] {
  return CrmService.options.map((service) => {
    const opened = crms.find(service);
    return {
      service,
      name: crmServiceNames[service],
      connects: opened !== null,
      workspaceDomainHelp: opened?.module.workspaceDomainHelp ?? null,
      sandboxDomain: crms.sandbox !== null && opened?.module.speaksSandbox === true ? crms.sandbox.domain : null,
    };
  });
}
