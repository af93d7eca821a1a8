/** As routers decode it, without what they would leave out of it. */
function isReadable(path: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The server answers such an address with the app; the router would fail on it, or take it for another. */
export function replaceUnreadableAddress(): void {
  if (!isReadable(location.pathname)) history.replaceState(null, "", "/not-found");
}
