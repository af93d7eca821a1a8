import type { CrmGrant, CrmSandbox } from "@leadline/adapter-kit/crm";
import { checkInstanceUrl } from "./workspace-domain.ts";

const apiVersion = "v62.0";

/** Where the grant's API answers, checked each time: the address came from outside. */
export const instanceOf = ({ own }: CrmGrant, sandboxDomain: string | null): string =>
  checkInstanceUrl(own["instanceUrl"] ?? "", sandboxDomain);

/** Where people see the instance's records, before their paths. */
export function shownAt(grant: CrmGrant, sandbox: CrmSandbox | null): string {
  const instance = new URL(instanceOf(grant, sandbox?.domain ?? null));
  return instance.hostname === sandbox?.domain ? sandbox.browserPath : instance.origin;
}

/** Of the REST API, at the version that this adapter is written for. */
export const restPath = (path: string): string => `/services/data/${apiVersion}/${path}`;
