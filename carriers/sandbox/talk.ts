import { silence, type SoundCodec } from "@leadline/adapter-kit/rtp/g711";
import { tickMs } from "@leadline/adapter-kit/rtp/ticker";

import type { Talk } from "./callees.ts";
import type { Clip, Speech } from "./speech.ts";

/** What one callee says, 20 ms at a time. */
export interface Voice {
  /** Null if it sends nothing of its own in this tick. */
  nextPayload(): Buffer | null;
  /** It has finished speaking and ends the call. */
  isDone(): boolean;
  hearKey(key: string): void;
}

const messageTicks = 30_000 / tickMs;
const menuRepeatTicks = 8_000 / tickMs;

/** Plays clips one after the other; `rest` returns what follows when none is left. */
function play(codec: SoundCodec, first: Clip[], rest: () => Buffer | null) {
  let queue: Clip[] = first;
  let at = 0;
  return {
    isPlaying: (): boolean => queue.length > 0,
    add: (clip: Clip): void => void queue.push(clip),
    interrupt(): void {
      queue = [];
      at = 0;
    },
    next(): Buffer | null {
      const clip = queue[0];
      if (!clip) return rest();
      const payload = clip[codec][at++] ?? silence[codec];
      if (at >= clip[codec].length) {
        queue.shift();
        at = 0;
      }
      return payload;
    },
  };
}

function speaks(codec: SoundCodec, speech: Speech): Voice {
  let at = 0;
  const payloads = speech.conversation[codec];
  return {
    nextPayload: () => payloads[at++ % payloads.length] ?? null,
    isDone: () => false,
    hearKey: () => {},
  };
}

function takesAMessage(codec: SoundCodec, speech: Speech): Voice {
  let listenedTicks = 0;
  const player = play(codec, [speech.voicemail, speech.beep], () => {
    listenedTicks++;
    return silence[codec];
  });
  return { nextPayload: player.next, isDone: () => listenedTicks >= messageTicks, hearKey: () => {} };
}

function namesKeys(codec: SoundCodec, speech: Speech): Voice {
  let idleTicks = 0;
  let prompting = true;
  const player = play(codec, [speech.menu], () => {
    if (++idleTicks >= menuRepeatTicks) {
      idleTicks = 0;
      prompting = true;
      player.add(speech.menu);
    }
    return silence[codec];
  });
  return {
    nextPayload: player.next,
    isDone: () => false,
    hearKey(key) {
      const name = speech.key(key);
      if (!name) return;
      // A digit interrupts the prompt, but never the name of the digit before it.
      if (prompting) player.interrupt();
      prompting = false;
      idleTicks = 0;
      player.add(name);
    },
  };
}

/** The echo is sent as packets arrive; it has nothing of its own to say. */
const echoes: Voice = { nextPayload: () => null, isDone: () => false, hearKey: () => {} };

export function startTalk(talk: Talk, codec: SoundCodec, speech: Speech): Voice {
  if (talk === "echoes") return echoes;
  if (talk === "takes-a-message") return takesAMessage(codec, speech);
  return talk === "names-keys" ? namesKeys(codec, speech) : speaks(codec, speech);
}
