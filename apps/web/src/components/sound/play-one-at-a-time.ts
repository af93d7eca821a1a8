let playing: HTMLAudioElement | null = null;

/** Pauses any other of these players: two voices at once are unintelligible. */
export async function playAlone(audio: HTMLAudioElement): Promise<void> {
  if (playing !== audio) playing?.pause();
  playing = audio;
  await audio.play();
}
