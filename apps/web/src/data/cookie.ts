/** A cookie for appearance and sounds only (theme, sidebar, notices): readable by the page, sent to no other site. */
export function readCookie(cookies: string, name: string): string | null {
  for (const pair of cookies.split("; ")) {
    const cut = pair.indexOf("=");
    if (cut > 0 && pair.slice(0, cut) === name) return decodeURIComponent(pair.slice(cut + 1));
  }
  return null;
}

export const cookieLine = (name: string, value: string, maxAgeSeconds: number): string =>
  `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax`;
