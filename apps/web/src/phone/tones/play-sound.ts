interface PlaySound {
  /** 0 to 1. */
  volume?: number;
  /** Null: the system's. */
  speakerId?: string | null;
}

/** Plays a short sound once. A browser that refuses (no gesture yet, no output) stays silent: it is an ornament. */
export async function playSound(url: string, { volume = 0.4, speakerId = null }: PlaySound = {}): Promise<void> {
  const audio = new Audio(url);
  audio.volume = volume;
  try {
    if (speakerId && "setSinkId" in audio) await audio.setSinkId(speakerId);
    await audio.play();
  } catch {
    // Nothing depends on it.
  }
}
