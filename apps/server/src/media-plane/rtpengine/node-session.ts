import { readRtpDescription, writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { isKey } from "@leadline/adapter-kit/rtp/telephone-event";

import { z } from "zod";

import { writeBrowserAnswer } from "../worker/browser-description.ts";
import { mayBeBehindNat } from "./behind-nat.ts";
import {
  codecsToPut,
  describeFarEnd,
  nobody,
  type NearSide,
  readNearSide,
  readPlainSide,
  readSealedSide,
} from "./descriptions.ts";
import { holdTune, silence } from "./sound-files.ts";
import type { MediaNode } from "./media-pool.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";

const keyMs = 100;
const pauseMs = 100;
/** RFC 863. */
const discardPort = 9;
/** Longer than anybody holds. */
const repeats = 20_000;

/** What takes a session up again, in this process or after it. */
export const SessionState = z.object({
  node: z.string(),
  callId: z.string(),
  /** The browser's last offer. */
  offer: z.string(),
  version: z.int(),
  /** Each browser that comes, and each far end, is a party of its own to the node, with its own ports and keys. */
  browsers: z.int(),
  farEnds: z.int(),
  /** Where the node listens for the far end. */
  plain: z.object({ host: z.string(), port: z.int() }),
  farDescription: z.string().nullable(),
  held: z.boolean(),
  muted: z.boolean(),
  /** No browser speaks: the far end hears silence, as a line that falls mute is taken for dead. */
  away: z.boolean(),
  takesKeys: z.boolean(),
});
export type SessionState = z.infer<typeof SessionState>;

interface Wishes {
  blocksNear: boolean;
  blocksFar: boolean;
  silencesNear: boolean;
  /** To the far end. */
  playing: "tune" | "silence" | null;
}

/**
 * A node looks for 3 s where the far end's sound comes from, and prefers the address and port that it named; after that nobody
 * else is heard. Set here, as its own default gives the call to whoever sends first after 3 s.
 */
const takenFrom = (learning: string): string[] => ["trust-address", "strict-source", `endpoint-learning-${learning}`];

const sounds = { tune: holdTune, silence };

function wishesOf({ farDescription, held, muted, away }: SessionState): Wishes {
  const isThere = farDescription !== null;
  return {
    blocksNear: held || away,
    // Whoever was there before, and strangers, may still send.
    blocksFar: held || !isThere,
    silencesNear: muted,
    playing: isThere && held ? "tune" : isThere && away ? "silence" : null,
  };
}

/**
 * One "call" of the node's: a browser on its near side, and on its far side nobody or a carrier's leg. The browser is
 * answered before there is anybody at the far side, so that ICE and DTLS finish while it rings.
 */
export function nodeSession(node: MediaNode, state: SessionState) {
  let nearSide: NearSide = readNearSide(state.offer);
  let done: Wishes = { blocksNear: false, blocksFar: false, silencesNear: false, playing: null };
  let settling: Promise<unknown> = Promise.resolve();
  const call = { "call-id": state.callId };
  const ask = (command: string, given: NgRequest = {}): Promise<NgAnswer> => node.ask(command, { ...call, ...given });

  const nearTag = (): string => `near-${state.browsers}`;
  const farTag = (): string => `far-${state.farEnds}`;

  /** The browser's side anew; what the node answers it. Rejects with UnusableOffer where it opens no port for that. */
  async function negotiate(offer: string): Promise<string> {
    const next = readNearSide(offer);
    const plain = await ask("offer", {
      "from-tag": nearTag(),
      "to-tag": farTag(),
      sdp: next.sdp,
      "transport-protocol": "RTP/AVP",
      ICE: "remove",
      "rtcp-mux": ["demux"],
      // The browser names no address of its own yet (trickle ICE, RFC 8840).
      replace: ["zero-address"],
      codec: { transcode: codecsToPut(next) },
      flags: ["trust-address"],
    });
    const sealed = readSealedSide(await answer(next));
    nearSide = next;
    state.offer = offer;
    state.version++;
    state.plain = readPlainSide(String(plain["sdp"]));
    await settle();
    return writeBrowserAnswer({ ...next.offer, weStartDtls: true }, { ...sealed, version: state.version });
  }

  /** The far side as it is now. */
  async function answer(near = nearSide, { farDescription = state.farDescription, learning = "heuristic" } = {}) {
    const answered = await ask("answer", {
      "from-tag": nearTag(),
      "to-tag": farTag(),
      sdp: farDescription ?? nobody(near),
      "transport-protocol": "UDP/TLS/RTP/SAVPF",
      ICE: "force",
      // Passive, most handshakes with browsers fail (10.5).
      DTLS: "active",
      "rtcp-mux": ["accept"],
      // Costs the node a look into each packet: only once keys are pressed.
      flags: [...takenFrom(learning), ...(state.takesKeys ? ["inject-DTMF"] : [])],
    });
    return String(answered["sdp"]);
  }

  /** The browser that could not take over leaves the sound to whoever had it. */
  async function giveBack(before: Wishes): Promise<void> {
    const refused = nearTag();
    state.browsers--;
    done = before;
    await negotiate(state.offer);
    await dismiss(refused);
  }

  /** A party that has left: nothing of it is heard any more, and its ports are free. */
  const dismiss = (tag: string): Promise<unknown> => ask("delete", { "from-tag": tag, "delete-delay": 0 });

  /** Makes the node block and play as the state asks; changes are carried out one after the other. */
  function settle(): Promise<void> {
    const next = settling.then(carryOutWishes);
    settling = next.catch(() => {});
    return next;
  }

  async function carryOutWishes(): Promise<void> {
    const wanted = wishesOf(state);
    const [near, far] = [{ "from-tag": nearTag() }, { "from-tag": farTag() }];
    const { playing } = done;
    if (playing !== null && playing !== wanted.playing) await bring({ playing: null }, "stop media", far);
    const { blocksNear, blocksFar, silencesNear } = wanted;
    if (blocksNear !== done.blocksNear) await bring({ blocksNear }, blocksNear ? "block media" : "unblock media", near);
    if (blocksFar !== done.blocksFar) await bring({ blocksFar }, blocksFar ? "block media" : "unblock media", far);
    if (silencesNear !== done.silencesNear)
      await bring({ silencesNear }, silencesNear ? "silence media" : "unsilence media", near);
    if (wanted.playing !== null && playing !== wanted.playing) {
      const given = { ...far, blob: sounds[wanted.playing](), "repeat-times": repeats };
      await bring({ playing: wanted.playing }, "play media", given);
    }
  }

  /** What is done stays known where the next deed fails. */
  async function bring(deed: Partial<Wishes>, command: string, given: NgRequest): Promise<void> {
    await ask(command, given);
    done = { ...done, ...deed };
  }

  /** What the node leaves undone is wished for no longer. */
  async function wish(what: "held" | "muted" | "away" | "takesKeys", value: boolean, carryOut: () => Promise<unknown>) {
    const before = state[what];
    state[what] = value;
    try {
      await carryOut();
    } catch (error) {
      state[what] = before;
      void settle().catch(() => {});
      throw error;
    }
  }

  return {
    node,
    state,
    negotiate,
    /** Another browser has the sound from now on; what the node answers it. */
    async takeOver(offer: string): Promise<string> {
      readNearSide(offer);
      await settling;
      const before = done;
      const left = nearTag();
      state.browsers++;
      done = { ...done, blocksNear: false, silencesNear: false };
      const answered = await negotiate(offer).catch(async (error: unknown) => {
        await giveBack(before);
        throw error;
      });
      await dismiss(left);
      return answered;
    },
    fingerprintOf: (offer: string): string => readNearSide(offer).offer.fingerprints[0]?.value ?? "",
    /** The tune is what the far end hears, and the browser hears nothing. */
    setHeld: (held: boolean): Promise<void> => wish("held", held, settle),
    setMuted: (muted: boolean): Promise<void> => wish("muted", muted, settle),
    setAway: (away: boolean): Promise<void> => wish("away", away, settle),
    /** SDP (RTP/AVP) for whoever is called. */
    offerToFarEnd: (): string => describeFarEnd(nearSide, state.plain),
    async joinFarEnd(sdp: string): Promise<void> {
      const description = readRtpDescription(sdp);
      if (!description) throw new Error("The carrier's answer has no audio line with PCMU or PCMA.");
      state.farDescription = writeRtpDescription({ ...description, codecs: description.codecs.slice(0, 1) });
      await answer();
      await settle();
    },
    /**
     * Of a far end that names an address which can be its own, none other is it. A node takes whoever sends for a far end that is
     * silent as yet; from then on it takes only who sends from where the description says.
     */
    async shutOutStrangers(): Promise<void> {
      const { farDescription } = state;
      const named = farDescription === null ? null : readRtpDescription(farDescription);
      if (!named || mayBeBehindNat(named.host)) return;
      // It forgets whom it has heard once another port is named.
      await answer(nearSide, { farDescription: writeRtpDescription({ ...named, port: discardPort }) });
      if (state.farDescription === farDescription) await answer(nearSide, { farDescription, learning: "off" });
    },
    /** Back to nobody there. */
    async leaveFarEnd(): Promise<void> {
      Object.assign(state, { farDescription: null, held: false, muted: false, takesKeys: false });
      await settle();
      const left = farTag();
      state.farEnds++;
      done = { ...done, blocksFar: false };
      await negotiate(state.offer);
      await dismiss(left);
    },
    async sendDigits(digits: string): Promise<void> {
      const unknown = [...digits].find((key) => !isKey(key));
      if (unknown !== undefined) throw new Error(`"${unknown}" is not a telephone key.`);
      if (state.farDescription === null || readRtpDescription(state.farDescription)?.telephoneEventType === null)
        throw new Error("The far end takes no keys on this call.");
      if (!state.takesKeys) await wish("takesKeys", true, answer);
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
    },
    query: (): Promise<NgAnswer> => ask("query"),
    end: (): Promise<unknown> => ask("delete", { "delete-delay": 0 }),
  };
}
export type NodeSession = ReturnType<typeof nodeSession>;
