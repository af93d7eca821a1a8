import dialing from "../sounds/dialing.wav";
import hangUp from "../sounds/hang-up.wav";
import muteOff from "../sounds/mute-off.wav";
import muteOn from "../sounds/mute-on.wav";
import { createDialingLoop, type DialingLoop } from "./dialing-loop.ts";
import { pickKeySound } from "./pick-key-sound.ts";
import { playSound } from "./play-sound.ts";

export interface PhoneSounds {
  dialing: DialingLoop;
  key: () => void;
  mute: (muted: boolean) => void;
  hangUp: () => void;
}

export function createPhoneSounds(): PhoneSounds {
  return {
    dialing: createDialingLoop(() => {
      const sound = new Audio(dialing);
      sound.volume = 0.3;
      return sound;
    }),
    key: () => void playSound(pickKeySound()),
    mute: (muted: boolean) => void playSound(muted ? muteOn : muteOff),
    hangUp: () => void playSound(hangUp),
  };
}
