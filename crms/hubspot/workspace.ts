import { CrmError, type CrmGrant, type CrmSandbox } from "@leadline/adapter-kit/crm";

const vendorHost = "api.hubapi.com";

/** HubSpot has one address for all customers; only the sandbox's name may be entered. */
export function readWorkspace(typed: string, sandboxDomain: string | null): string | null {
  const given = typed.trim().toLowerCase();
  if (given === "") return null;
  if (given === sandboxDomain) return given;
  throw new CrmError("workspace-refused", "HubSpot needs no workspace domain. Leave it empty.");
}

/** The API host of a workspace, as stored in a grant. */
export const hostOf = (workspace: string | null): string => workspace ?? vendorHost;

/** The grant's host, if it is the vendor's or the sandbox's. */
export function apiHost({ own }: CrmGrant, sandboxDomain: string | null): string {
  const host = own["apiHost"];
  if (host === vendorHost || (host !== undefined && host === sandboxDomain)) return host;
  throw new CrmError("refused", "This access leads to an address that is not HubSpot’s. Nothing was sent there.");
}

/** A contact's page. */
export function contactUrl(grant: CrmGrant, sandbox: CrmSandbox | null, contactId: string): string {
  const isSandbox = apiHost(grant, sandbox?.domain ?? null) === sandbox?.domain;
  const shown = isSandbox ? (sandbox?.browserPath ?? "") : "https://app.hubspot.com";
  return `${shown}/contacts/${grant.accountId}/record/0-1/${contactId}`;
}
