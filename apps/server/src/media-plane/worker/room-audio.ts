import { encodeSound, sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { clockRates, soundPayloadTypes } from "@leadline/adapter-kit/rtp/rtp-description";
import { createKeyListener } from "@leadline/adapter-kit/rtp/telephone-event";

import type { PromptEnd, Room, Source, TappedAudio } from "../room.ts";
import type { BrowserLeg } from "./browser-leg.ts";
import type { CarrierLeg } from "./carrier-leg.ts";
import { limitPassedKeys } from "./digit-queue.ts";
import type { Leg } from "./leg.ts";
import { createMixer, type Voice } from "./mixer.ts";
import { createPlayout } from "./playout.ts";
import { playInLoop, playOnce } from "./prompts.ts";
import { createTaps } from "./taps.ts";
import { translatePacket } from "./translate-packet.ts";

interface Options {
  /** Throws if the leg is closed. */
  legOf(legId: string): Leg;
  /** µ-law packets. */
  music: readonly Buffer[];
  onPromptEnd(end: PromptEnd): void;
  onTapped(audio: TappedAudio): void;
}

/** What a leg hears now, and how to stop it. */
interface Ear {
  legId: string;
  legs: readonly Leg[];
  plays: readonly string[];
  isMix: boolean;
  close(): void;
  tick(): void;
}

/**
 * Lets the legs of this thread hear each other as their rooms say. A leg that hears a single source gets its packets
 * passed through; everything else is mixed in even 20 ms steps.
 */
export function createRoomAudio({ legOf, music, onPromptEnd, onTapped }: Options) {
  const ears = new Map<Leg, Ear>();
  const taps = createTaps(onTapped);
  const mixer = createMixer(openSpeaker);

  /** Passes a far end's DTMF digits to the far ends that hear it. */
  function openSpeaker(leg: Leg): { voice: Voice; close: () => void } {
    const playout = createPlayout();
    const stop = leg.listen((read) => playout.add(read, read.samples));
    const [keyOf, mayPass] = [createKeyListener(), limitPassedKeys()];
    const stopKeys = leg.onPacket((packet, format) => {
      if (leg.side !== "carrier" || format?.codec !== null) return;
      const key = keyOf(packet);
      if (key === null || !mayPass.take()) return;
      for (const [listener, ear] of ears)
        if (listener.side === "carrier" && ear.isMix && ear.legs.includes(leg)) listener.takeKey(key);
    });
    return {
      voice: playout,
      close() {
        stop();
        stopKeys();
      },
    };
  }

  function openMix(leg: Leg, legs: readonly Leg[], played: ReturnType<typeof play>[]): Pick<Ear, "close" | "tick"> {
    const heard = mixer.listen(
      legs,
      played.map(({ voice }) => voice),
    );
    const close = (): void => {
      heard.close();
      for (const each of played) each.close();
    };
    if (leg.side === "browser") return { close, tick: () => sendTo(leg, heard.next()) };
    leg.hear({ mix: heard.next });
    return { close, tick: () => {} };
  }

  function open(
    legId: string,
    leg: Leg,
    { legs, played }: { legs: readonly Leg[]; played: Exclude<Source, string>[] },
  ) {
    const [only] = legs;
    const isPassed = only !== undefined && legs.length === 1 && played.length === 0 && only.side !== leg.side;
    const isMix = !isPassed && (legs.length > 0 || played.length > 0);
    const nothing = { close: () => {}, tick: () => {} };
    if (isPassed && leg.side === "browser") return { isMix, ...nothing, close: passToBrowser(leg, only as CarrierLeg) };
    if (isPassed && leg.side === "carrier") leg.hear({ pass: only as BrowserLeg });
    if (isMix) {
      const voices = played.map((source) => play(legId, source, { music, onPromptEnd }));
      return { isMix, ...openMix(leg, legs, voices) };
    }
    if (!isPassed && leg.side === "carrier") leg.hear(null);
    return { isMix, ...nothing };
  }

  function setSources(legId: string, leg: Leg, sources: readonly Source[]): void {
    const legs = sources.flatMap((source) => (typeof source === "string" ? legOf(source) : []));
    const played = sources.filter((source) => typeof source !== "string");
    const plays = played.map((source) => source.play);
    const now = ears.get(leg);
    if (now && isSame(now.legs, legs) && isSame(now.plays, plays)) return;
    now?.close();
    ears.set(leg, { legId, legs, plays, ...open(legId, leg, { legs, played }) });
  }

  /** The legs that hear this one hear only the others from now on. */
  function leaveOut(isLeftOut: (leg: Leg) => boolean, { except }: { except: ReadonlySet<Leg> }): void {
    for (const [listener, ear] of ears) {
      const staying = ear.legs.filter((leg) => !isLeftOut(leg));
      if (except.has(listener) || staying.length === ear.legs.length) continue;
      ear.close();
      ears.set(listener, {
        ...ear,
        legs: staying,
        plays: [],
        ...open(ear.legId, listener, { legs: staying, played: [] }),
      });
    }
  }

  return {
    /** Applies the room immediately. Throws if one of its legs is closed; nothing has changed then. */
    apply({ participants, taps: asked = [] }: Room): void {
      const room = new Map(participants.map(({ legId }) => [legId, legOf(legId)]));
      for (const { hears } of participants) for (const source of hears) if (typeof source === "string") legOf(source);
      const inRoom = new Set(room.values());
      leaveOut((leg) => inRoom.has(leg), { except: inRoom });
      for (const { legId, hears } of participants) {
        const leg = room.get(legId);
        if (leg) setSources(legId, leg, hears);
      }
      taps.apply(asked, inRoom, legOf);
    },
    /** Removes a closed leg. */
    forget(leg: Leg | undefined): void {
      if (!leg) return;
      ears.get(leg)?.close();
      ears.delete(leg);
      leaveOut((each) => each === leg, { except: new Set() });
      taps.forget(leg);
    },
    /** Called every 20 ms. */
    tick(): void {
      mixer.tick();
      for (const ear of ears.values()) ear.tick();
    },
  };
}

const isSame = <T>(some: readonly T[], others: readonly T[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));

function sendTo(browser: BrowserLeg, samples: Int16Array): void {
  const { codec, stream } = browser;
  const payload = encodeSound(samples, codec);
  browser.send(stream.own(soundPayloadTypes[codec], { payload, clockRate: sampleRate }));
}

/** Passes a far end's packets on in a codec of the browser's; returns a function that stops it. */
function passToBrowser(browser: BrowserLeg, carrier: CarrierLeg): () => void {
  /** The clock rate of its latest audio, which also times its telephone events. */
  let clock = clockRates.PCMU;
  const { decoder, encoder } = carrier;
  browser.stream.rejoin();
  return carrier.onPacket((packet, format) => {
    if (format?.codec) clock = format.clockRate;
    const { types } = browser;
    const codec = format?.codec && browser.takes(format.codec) ? format.codec : browser.codec;
    const passed = format && translatePacket(packet, format, { codec, types }, { decoder, encoder });
    const clocks = { from: clock, to: clockRates[codec] };
    if (passed) browser.send(browser.stream.pass(packet, { ...passed, clocks }));
    else browser.stream.leaveOut(packet);
  });
}

function play(
  legId: string,
  source: Exclude<Source, string>,
  { music, onPromptEnd }: Pick<Options, "music" | "onPromptEnd">,
): { voice: Voice; close: () => void } {
  if (!("audio" in source)) return { voice: playInLoop(music), close: () => {} };
  let isOver = false;
  const end = (isWhole: boolean): void => {
    if (isOver) return;
    isOver = true;
    onPromptEnd({ legId, prompt: source.play, isWhole });
  };
  const { buffer, byteOffset, length } = source.audio;
  return { voice: playOnce(Buffer.from(buffer, byteOffset, length), () => end(true)), close: () => end(false) };
}
