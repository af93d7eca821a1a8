import { readWebsite } from "@leadline/contract/organisations";

/** A link to an organisation's website. Null if a browser shouldn't open it. */
export function websiteLink(typed: string): { href: string; label: string } | null {
  const url = readWebsite(typed);
  return url && { href: url.href, label: `${url.host}${url.pathname}`.replace(/\/$/, "") };
}
