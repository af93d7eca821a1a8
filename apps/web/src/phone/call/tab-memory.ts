const key = "leadline.call-audio";

/** The connection that this tab had the audio on, kept across reloads (session storage belongs to one tab). */
export function recordAudioHere(connectionId: string): void {
  try {
    sessionStorage.setItem(key, connectionId);
  } catch {
    // Storage is blocked: after a reload, the page offers to take the audio instead of rejoining.
  }
}

export function hadAudioHere(connectionId: string): boolean {
  try {
    return sessionStorage.getItem(key) === connectionId;
  } catch {
    return false;
  }
}
