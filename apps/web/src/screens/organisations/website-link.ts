import { readWebsite } from "@leadline/contract/organisations";

/** A link for an organisation's website; null where it is none that a browser should open. */
export function websiteLink(typed: string): { href: string; label: string } | null {
  const url = readWebsite(typed);
  return url && { href: url.href, label: `${url.host}${url.pathname}`.replace(/\/$/, "") };
}
