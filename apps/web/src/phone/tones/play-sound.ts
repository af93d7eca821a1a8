interface PlaySound {
  /** 0 to 1. */
  volume?: number;
  /** Null: the system default. */
  speakerId?: string | null;
}

/**
 * Plays a short sound once. If the browser refuses (no gesture yet, no output), it stays silent: the sound isn't
 * essential.
 */
export async function playSound(url: string, { volume = 0.4, speakerId = null }: PlaySound = {}): Promise<void> {
  const audio = new Audio(url);
  audio.volume = volume;
  try {
    if (speakerId && "setSinkId" in audio) await audio.setSinkId(speakerId);
    await audio.play();
  } catch {
    // Not essential.
  }
}
