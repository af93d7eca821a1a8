const keyOf = (organisationId: string): string => `leadline.first-steps.${organisationId}`;

/** Also null if the browser refuses: then wait for the server's response. */
function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * The steps that were complete when last viewed in this tab, until the user logs out (forget-person.ts). Not in local
 * storage, which only holds session tokens.
 */
export const stepsSeen = {
  keep(organisationId: string, done: readonly string[]): void {
    const key = keyOf(organisationId);
    const value = done.join("|");
    if (read(key) === value) return;
    try {
      sessionStorage.setItem(key, value);
    } catch {
      // Storage is full or blocked: the next visit waits for the server.
    }
  },
  /** Undefined if this organisation's steps haven't been viewed here. */
  wasDone(organisationId: string, title: string): boolean | undefined {
    return read(keyOf(organisationId))?.split("|").includes(title);
  },
};
