/** A link for what somebody typed as a website; null where it is none that a browser should open (javascript:, text). */
export function websiteLink(typed: string): { href: string; label: string } | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || !url.hostname.includes(".")) return null;
  return { href: url.href, label: `${url.host}${url.pathname}`.replace(/\/$/, "") };
}
