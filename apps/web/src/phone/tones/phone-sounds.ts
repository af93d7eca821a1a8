import { type NoticeName, wantsNotice } from "../../data/notice-choices.ts";
import dialing from "../sounds/dialing.wav";
import hangUp from "../sounds/hang-up.wav";
import incoming from "../sounds/incoming.wav";
import muteOff from "../sounds/mute-off.wav";
import muteOn from "../sounds/mute-on.wav";
import warning from "../sounds/warning.wav";
import { createDialingLoop } from "./dialing-loop.ts";
import { pickKeySound } from "./pick-key-sound.ts";
import { playSound } from "./play-sound.ts";
import { ringInOneTab } from "./ring-in-one-tab.ts";

interface LoopedTone {
  start: () => void;
  stop: () => void;
}

export interface PhoneSounds {
  dialing: LoopedTone;
  /** An inbound call rings. */
  ringing: LoopedTone;
  key: () => void;
  mute: (muted: boolean) => void;
  hangUp: () => void;
  /** A limit is about to end the call. */
  warning: () => void;
}

/** The server stops the ringing before this. */
const longestRingMs = 120_000;

function playWanted(name: NoticeName, url: string): void {
  if (wantsNotice(name)) void playSound(url);
}

/** Each is silent if the user has switched it off under Notifications. */
export function createPhoneSounds(): PhoneSounds {
  const ringing = createDialingLoop(() => {
    const sound = new Audio(incoming);
    sound.volume = 0.6;
    return sound;
  }, longestRingMs);
  const ring = ringInOneTab(ringing, { locks: "locks" in navigator ? navigator.locks : undefined });
  const loop = createDialingLoop(() => {
    const sound = new Audio(dialing);
    sound.volume = 0.3;
    return sound;
  });
  return {
    dialing: {
      start: () => {
        if (wantsNotice("dialing-sound")) void loop.start();
      },
      stop: loop.stop,
    },
    ringing: {
      start: () => {
        if (wantsNotice("ringing-sound")) void ring.start();
      },
      stop: ring.stop,
    },
    key: () => playWanted("key-sounds", pickKeySound()),
    mute: (muted: boolean) => playWanted("call-sounds", muted ? muteOn : muteOff),
    hangUp: () => playWanted("call-sounds", hangUp),
    // Can't be switched off: the user has no other way to hear that the call is about to end.
    warning: () => void playSound(warning),
  };
}
