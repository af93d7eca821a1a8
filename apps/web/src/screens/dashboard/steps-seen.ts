const keyOf = (organisationId: string): string => `leadline.first-steps.${organisationId}`;

/** null also where the browser refuses: then the server's answer is waited for. */
function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * The steps that were done when they were last looked at in this tab, until whoever looked logs out (forget-person.ts).
 * Not in local storage, which holds session tokens only.
 */
export const stepsSeen = {
  keep(organisationId: string, done: readonly string[]): void {
    const key = keyOf(organisationId);
    const value = done.join("|");
    if (read(key) === value) return;
    try {
      sessionStorage.setItem(key, value);
    } catch {
      // Full or refused: the next time waits for the server.
    }
  },
  /** undefined where this organisation's were never looked at here. */
  wasDone(organisationId: string, title: string): boolean | undefined {
    return read(keyOf(organisationId))?.split("|").includes(title);
  },
};
