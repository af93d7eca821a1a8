import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { isKey } from "@leadline/adapter-kit/rtp/telephone-event";

import { writeBrowserAnswer } from "../worker/browser-description.ts";
import {
  codecsToPut,
  describeFarEnd,
  atAddress,
  nobody,
  type NearSide,
  readNearSide,
  readPlainSide,
  readSealedSide,
} from "./descriptions.ts";
import type { SessionState } from "./session-state.ts";
import { holdTune, silence } from "./sound-files.ts";
import type { MediaNode } from "./media-pool.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import { noWishes, type Wishes, wishesOf } from "./wishes.ts";

const keyMs = 100;
const pauseMs = 100;
/** Longer than anybody holds. */
const repeats = 20_000;

const sounds = { tune: holdTune, silence };

type SideName = "near" | "far";

/**
 * Legs elsewhere to which the node hands each side's sound, as plain RTP: each is given the node's description of that side and
 * answers with its own.
 */
export type StandIns = Record<SideName, (theirs: string, given: FarSide) => Promise<string>>;

interface FarSide {
  held: boolean;
  muted: boolean;
  /** By which the far end sends keys. */
  telephoneEventType: number;
}

const standInTag = (side: SideName): string => `${side}-stand-in`;

/**
 * One "call" of the node's: a browser on its near side, and on its far side nobody or a carrier's leg. The browser is
 * answered before there is anybody at the far side, so that ICE and DTLS finish while it rings.
 */
export function nodeSession(node: MediaNode, state: SessionState) {
  let nearSide: NearSide = readNearSide(state.offer);
  let done = noWishes;
  /** Null while the two sides hear each other by way of the node alone. */
  let standIns: StandIns | null = null;
  let settling: Promise<unknown> = Promise.resolve();
  let changing: Promise<unknown> = Promise.resolve();
  const call = { "call-id": state.callId };
  const ask = (command: string, given: NgRequest = {}): Promise<NgAnswer> => node.ask(command, { ...call, ...given });

  const nearTag = (): string => `near-${state.browsers}`;
  const farTag = (): string => `far-${state.farEnds}`;

  /** The browser's side anew; what the node answers it. */
  async function negotiate(offer: string): Promise<string> {
    const answered = await agree(offer);
    await settle();
    return answered;
  }

  async function agree(offer: string): Promise<string> {
    const next = readNearSide(offer);
    const sealed = standIns ? await bringStandIn("near", next.sdp, standIns) : await bringFarSide(next);
    nearSide = next;
    state.offer = offer;
    state.version++;
    return writeBrowserAnswer(
      { ...next.offer, weStartDtls: true },
      { ...readSealedSide(sealed), version: state.version },
    );
  }

  /** The far side as it is now; what the node answers the browser. */
  async function bringFarSide(near: NearSide): Promise<string> {
    const codec = { transcode: codecsToPut(near) };
    state.plain = readPlainSide(await offerPlain({ from: nearTag(), to: farTag() }, { sdp: near.sdp, codec }));
    return answerBrowser(farTag(), state.farDescription ?? nobody(near));
  }

  /** One side's stand-in across from it; what the node answers that side. */
  async function bringStandIn(side: SideName, sdp: string, { [side]: bring }: StandIns): Promise<string> {
    const pair = { from: side === "near" ? nearTag() : farTag(), to: standInTag(side) };
    const { held, muted } = state;
    const { telephoneEventType } = nearSide;
    const theirs = await offerPlain(pair, { sdp });
    const ours = atAddress(await bring(theirs, { held, muted, telephoneEventType }), node.ourAddress);
    return side === "near" ? answerBrowser(pair.to, ours) : answer(pair, { sdp: ours, flags: ["trust-address"] });
  }

  /** How the node describes one side to the other, as plain RTP. */
  async function offerPlain({ from, to }: { from: string; to: string }, given: NgRequest): Promise<string> {
    const offered = await ask("offer", {
      "from-tag": from,
      "to-tag": to,
      ...given,
      "transport-protocol": "RTP/AVP",
      ICE: "remove",
      "rtcp-mux": ["demux"],
      // The browser names no address of its own yet (trickle ICE, RFC 8840).
      replace: ["zero-address"],
      flags: ["trust-address"],
    });
    return String(offered["sdp"]);
  }

  const answerBrowser = (to: string, sdp: string): Promise<string> =>
    answer(
      { from: nearTag(), to },
      {
        sdp,
        "transport-protocol": "UDP/TLS/RTP/SAVPF",
        ICE: "force",
        // Passive, most handshakes with browsers fail (10.5).
        DTLS: "active",
        "rtcp-mux": ["accept"],
        // Costs the node a look into each packet: only once keys are pressed.
        flags: ["trust-address", ...(state.takesKeys ? ["inject-DTMF"] : [])],
      },
    );

  async function answer({ from, to }: { from: string; to: string }, given: NgRequest): Promise<string> {
    const answered = await ask("answer", { "from-tag": from, "to-tag": to, ...given });
    return String(answered["sdp"]);
  }

  /** A party that has left: nothing of it is heard any more, and its ports are free. With it ends what is played (10.5). */
  async function dismiss(tag: string): Promise<void> {
    await ask("delete", { "from-tag": tag, "delete-delay": 0 });
    done = { ...done, playing: null };
    await settle();
  }

  /** Makes the node block and play as the state asks; changes are carried out one after the other. */
  function settle(wishes = (): Wishes => (standIns ? noWishes : wishesOf(state))): Promise<void> {
    const next = settling.then(() => carryOut(wishes()));
    settling = next.catch(() => {});
    return next;
  }

  /** Who is across from whom changes one after the other. */
  function inOrder<T>(change: () => Promise<T>): Promise<T> {
    const next = changing.then(change);
    changing = next.catch(() => {});
    return next;
  }

  async function carryOut(wanted: Wishes): Promise<void> {
    const [near, far] = [{ "from-tag": nearTag() }, { "from-tag": farTag() }];
    const { playing } = done;
    if (playing !== null && playing !== wanted.playing) await ask("stop media", far);
    if (wanted.blocksNear !== done.blocksNear) await ask(wanted.blocksNear ? "block media" : "unblock media", near);
    if (wanted.blocksFar !== done.blocksFar) await ask(wanted.blocksFar ? "block media" : "unblock media", far);
    if (wanted.silencesNear !== done.silencesNear)
      await ask(wanted.silencesNear ? "silence media" : "unsilence media", near);
    if (wanted.playing !== null && playing !== wanted.playing)
      await ask("play media", { ...far, blob: sounds[wanted.playing](), "repeat-times": repeats });
    done = wanted;
  }

  return {
    node,
    state,
    negotiate: (offer: string): Promise<string> => inOrder(() => negotiate(offer)),
    /** Another browser has the sound from now on; what the node answers it. */
    takeOver: (offer: string): Promise<string> =>
      inOrder(async () => {
        readNearSide(offer);
        await settling;
        const left = nearTag();
        state.browsers++;
        done = { ...done, blocksNear: false, silencesNear: false };
        const answered = await negotiate(offer);
        await dismiss(left);
        return answered;
      }),
    fingerprintOf: (offer: string): string => readNearSide(offer).offer.fingerprints[0]?.value ?? "",
    /** The tune is what the far end hears, and the browser hears nothing. */
    setHeld(held: boolean): Promise<void> {
      state.held = held;
      return settle();
    },
    setMuted(muted: boolean): Promise<void> {
      state.muted = muted;
      return settle();
    },
    setAway(away: boolean): Promise<void> {
      state.away = away;
      return settle();
    },
    hasStandIns: (): boolean => standIns !== null,
    /** From now on each side hears its stand-in alone, which holds and mutes it. */
    bringStandIns: (given: StandIns): Promise<void> =>
      inOrder(async () => {
        await settling;
        standIns = given;
        await bringStandIn("near", nearSide.sdp, given);
        if (state.farDescription !== null) await bringStandIn("far", state.farDescription, given);
        await settle();
      }),
    /** The two sides hear each other again. */
    dismissStandIns: (): Promise<void> =>
      inOrder(async () => {
        standIns = null;
        // They do not hear each other meanwhile where they are not to; a far end that has left is no party yet.
        if (state.farDescription !== null) await settle(() => ({ ...wishesOf(state), playing: null }));
        await agree(state.offer);
        // The far side has none where it has left.
        await dismiss(standInTag("far")).catch(() => {});
        await dismiss(standInTag("near"));
      }),
    /** SDP (RTP/AVP) for whoever is called. */
    offerToFarEnd: (): Promise<string> => inOrder(async () => describeFarEnd(nearSide, state.plain)),
    joinFarEnd: (sdp: string): Promise<void> =>
      inOrder(async () => {
        const description = readRtpDescription(sdp);
        if (!description) throw new Error("The carrier's answer has no audio line with PCMU or PCMA.");
        state.farDescription = writeRtpDescription({ ...description, codecs: description.codecs.slice(0, 1) });
        if (standIns) await bringStandIn("far", state.farDescription, standIns);
        else await answerBrowser(farTag(), state.farDescription);
        await settle();
      }),
    /** Back to nobody there. */
    leaveFarEnd: (): Promise<void> =>
      inOrder(async () => {
        Object.assign(state, { farDescription: null, held: false, muted: false, takesKeys: false });
        await settle();
        const left = farTag();
        state.farEnds++;
        done = { ...done, blocksFar: false };
        if (standIns) await dismiss(standInTag("far")).catch(() => {});
        else await negotiate(state.offer);
        await dismiss(left);
      }),
    async sendDigits(digits: string): Promise<void> {
      const unknown = [...digits].find((key) => !isKey(key));
      if (unknown !== undefined) throw new Error(`"${unknown}" is not a telephone key.`);
      if (state.farDescription === null || readRtpDescription(state.farDescription)?.telephoneEventType === null)
        throw new Error("The far end takes no keys on this call.");
      if (!state.takesKeys) {
        state.takesKeys = true;
        await answerBrowser(farTag(), state.farDescription);
      }
      for (const code of digits)
        await ask("play DTMF", { "from-tag": nearTag(), code, duration: keyMs, pause: pauseMs });
    },
    tags: () => ({ near: nearTag(), far: farTag() }),
    /** After another process had it: whatever the node does, it does as the state asks from then on. */
    async takeUp(): Promise<void> {
      const wishes = wishesOf(state);
      await ask("stop media", { "from-tag": farTag() }).catch(() => {});
      done = {
        blocksNear: !wishes.blocksNear,
        blocksFar: !wishes.blocksFar,
        silencesNear: !wishes.silencesNear,
        playing: null,
      };
      await settle();
      // Stand-ins that it had have ended with it.
      await negotiate(state.offer);
    },
    query: (): Promise<NgAnswer> => ask("query"),
    end: (): Promise<unknown> => ask("delete", { "delete-delay": 0 }),
  };
}
export type NodeSession = ReturnType<typeof nodeSession>;
