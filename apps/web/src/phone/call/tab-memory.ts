const key = "leadline.call-audio";

/** Which connection this tab had the sound on, kept over a reload (session storage belongs to one tab). */
export function rememberSoundHere(connectionId: string): void {
  try {
    sessionStorage.setItem(key, connectionId);
  } catch {
    // Storage is refused: after a reload the page offers to take the sound instead of to rejoin.
  }
}

export function hadSoundHere(connectionId: string): boolean {
  try {
    return sessionStorage.getItem(key) === connectionId;
  } catch {
    return false;
  }
}
