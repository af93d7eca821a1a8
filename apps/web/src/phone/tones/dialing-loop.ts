/** The dialing sound is paused after this, however long the far end rings. */
const dialingLoopMs = 6000;

export interface LoopedSound {
  loop: boolean;
  currentTime: number;
  play(): Promise<void> | undefined;
  pause(): void;
}

export interface DialingLoop {
  /** Returns whether it is audible: the browser may block it before the first click. */
  start(): Promise<boolean>;
  stop(): void;
}

/** Loops a sound until stopped, for six seconds by default. `sound` is created on the first start. */
export function createDialingLoop(makeSound: () => LoopedSound, longestMs = dialingLoopMs): DialingLoop {
  let sound: LoopedSound | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    sound?.pause();
  };
  return {
    start: () => {
      stop();
      sound ??= makeSound();
      sound.loop = true;
      sound.currentTime = 0;
      timer = setTimeout(stop, longestMs);
      return Promise.resolve(sound.play()).then(
        () => true,
        () => false,
      );
    },
    stop,
  };
}
