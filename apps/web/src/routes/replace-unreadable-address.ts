/** Decoded like routers do, but without dropping anything. */
function isReadable(path: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The server responds to such an address with the app. The router would fail on it or misread it. */
export function replaceUnreadableAddress(): void {
  if (!isReadable(location.pathname)) history.replaceState(null, "", "/not-found");
}
