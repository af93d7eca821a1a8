import { CrmError, type CrmGrant, type CrmSandbox } from "@leadline/adapter-kit/crm";

const vendorHost = "api.podio.com";

/** Podio has one address for all customers; only the sandbox's name may be entered. */
export function readWorkspace(typed: string, sandboxDomain: string | null): string | null {
  const given = typed.trim().toLowerCase();
  if (given === "") return null;
  if (given === sandboxDomain) return given;
  throw new CrmError("workspace-refused", "Podio needs no workspace domain. Leave it empty.");
}

/** The API host of a workspace, as stored in a grant. */
export const hostOf = (workspace: string | null): string => workspace ?? vendorHost;

/** The grant's host, if it is the vendor's or the sandbox's. */
export function apiHost({ own }: CrmGrant, sandboxDomain: string | null): string {
  const host = own["apiHost"];
  if (host === vendorHost || (host !== undefined && host === sandboxDomain)) return host;
  throw new CrmError("refused", "This access leads to an address that is not Podio’s. Nothing was sent there.");
}

/** The address of a page that Podio links to. */
export function shownAt(grant: CrmGrant, sandbox: CrmSandbox | null, link: URL): string {
  const isSandbox = apiHost(grant, sandbox?.domain ?? null) === sandbox?.domain;
  return isSandbox ? `${sandbox?.browserPath}${link.pathname}` : link.href;
}
