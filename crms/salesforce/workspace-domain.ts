import { CrmError } from "@leadline/adapter-kit/crm";

/** Whatever stands before them is the customer's; nobody else can have a name below them. */
const vendorSuffixes = [".salesforce.com", ".salesforce.mil"];

const refused = (message: string) => new CrmError("workspace-refused", message);

/**
 * The host of what a person typed or pasted: a name, or an https address of which only the host counts. Only names below
 * the vendor's own, and the sandbox's, pass.
 */
export function readWorkspaceDomain(typed: string, sandboxDomain: string | null): string {
  const host = hostOf(typed.trim().toLowerCase());
  if (host === null)
    throw refused(
      "That is not a workspace domain. Copy it from Setup, My Domain: acme.my.salesforce.com, for example.",
    );
  if (host === sandboxDomain) return host;
  // People copy the address of the page they work in; its API is next door.
  const domain = host.replace(/\.lightning\.force\.com$/, ".my.salesforce.com");
  if (!isVendorHost(domain))
    throw refused("A Salesforce domain ends in .my.salesforce.com. Copy it from Setup, My Domain.");
  return domain;
}

/** The API's address in a token answer: https, nothing but a host, and one of the vendor's. */
export function checkInstanceUrl(given: string, sandboxDomain: string | null): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const bare = url !== null && url.protocol === "https:" && url.href === `https://${url.hostname}/`;
  if (url === null || !bare || !(isVendorHost(url.hostname) || url.hostname === sandboxDomain))
    throw new CrmError("refused", "Salesforce named an API address that is not Salesforce’s. Nothing was sent there.");
  return url.origin;
}

function hostOf(text: string): string | null {
  if (text.startsWith("https://")) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || url.username !== "" || url.password !== "" || url.port !== "") return null;
    return isHostName(url.hostname) ? url.hostname : null;
  }
  return isHostName(text) ? text : null;
}

/** Labels of letters, digits and hyphens, the last with a letter first: no IP address in any notation, no trailing dot. */
const isHostName = (text: string): boolean =>
  text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text);

const isVendorHost = (host: string): boolean =>
  isHostName(host) && vendorSuffixes.some((suffix) => host.endsWith(suffix));
