import { type NoticeName, wantsNotice } from "../../data/notice-choices.ts";
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

function playWanted(name: NoticeName, url: string): void {
  if (wantsNotice(name)) void playSound(url);
}

/** Each is silent where the person switched its kind off, under Notifications. */
export function createPhoneSounds(): PhoneSounds {
  const loop = createDialingLoop(() => {
    const sound = new Audio(dialing);
    sound.volume = 0.3;
    return sound;
  });
  return {
    dialing: {
      start: () => {
        if (wantsNotice("dialing-sound")) loop.start();
      },
      stop: loop.stop,
    },
    key: () => playWanted("key-sounds", pickKeySound()),
    mute: (muted: boolean) => playWanted("call-sounds", muted ? muteOn : muteOff),
    hangUp: () => playWanted("call-sounds", hangUp),
  };
}
