import type { CrmGrant } from "@leadline/adapter-kit/crm";
import { checkInstanceUrl } from "./workspace-domain.ts";

const apiVersion = "v62.0";

/** Where the grant's API answers, checked each time: the address came from outside. */
export const instanceOf = ({ own }: CrmGrant, sandboxDomain: string | null): string =>
  checkInstanceUrl(own["instanceUrl"] ?? "", sandboxDomain);

/** Of the REST API, at the version that this adapter is written for. */
export const restPath = (path: string): string => `/services/data/${apiVersion}/${path}`;
