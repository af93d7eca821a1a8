let playing: HTMLAudioElement | null = null;

/** Whatever else of these plays stops: two voices at once are none. */
export async function playAlone(audio: HTMLAudioElement): Promise<void> {
  if (playing !== audio) playing?.pause();
  playing = audio;
  await audio.play();
}
