import { withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";

import { writeBrowserAnswer } from "../worker/browser-description.ts";
import { createStateApplier } from "./apply-desired-state.ts";
import {
  codecsToPut,
  describeFarEnd,
  keyNumberOf,
  atAddress,
  nobody,
  type NearSide,
  readNearSide,
  readPlainSide,
  readFarEnd,
  readSealedSide,
  describeWithNear,
} from "./descriptions.ts";
import { followFarEnd, learningOf } from "./follow-far-end.ts";
import { keyFor, toSdesKey } from "./srtp-keys.ts";
import type { Relays, SideName } from "./sessions.ts";
import { type SessionState, withoutFarEnd } from "./session-state.ts";
import type { MediaNode } from "./media-pool.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import { type Learning, pairsOf } from "./pairs.ts";
import { pressKeys, takerOfKeys, takesKeyEvents } from "./send-digits.ts";
import { readEndpoint, readParties } from "./read-sides.ts";
import { type DesiredState, desiredFor, type Done, initialState } from "./desired-state.ts";
import { type SessionRoom, talking, unknownDone } from "./desired-state.ts";

const keysTag = "keys";
const relayTag = (side: SideName): string => `${side}-relay`;

/**
 * One "call" in rtpengine's terms: a browser on the near side, and a carrier leg or no one on the far side. The browser
 * is answered before there is a far side, so that ICE and DTLS finish during ringing.
 */
export function nodeSession(node: MediaNode, state: SessionState) {
  let nearSide: NearSide = readNearSide(state.offer);
  /** A session of an earlier process stays unchanged until the first room. */
  let room: SessionRoom | null = talking;
  /** Null while the two sides hear each other through the rtpengine alone. */
  let relays: Relays | null = null;
  /** Whether the far end's sender is unknown. */
  let isUnsure = false;
  let settling: Promise<unknown> = Promise.resolve();
  let changing: Promise<unknown> = Promise.resolve();
  const call = { "call-id": state.callId };
  const ask = (command: string, given: NgRequest = {}): Promise<NgAnswer> => node.ask(command, { ...call, ...given });

  const pairs = pairsOf(ask);

  const nearTag = (): string => `near-${state.browsers}`;
  const farTag = (): string => `far-${state.farEnds}`;
  const tags = () => ({ near: nearTag(), far: farTag() });
  const apply = createStateApplier(ask, tags);

  /**
   * Renegotiates the browser's side; resolves to the rtpengine's answer. Rejects with UnusableOffer if it opens no port
   * for it.
   */
  async function negotiate(offer: string): Promise<string> {
    const answered = await agree(offer);
    await settle();
    return answered;
  }

  async function agree(offer: string): Promise<string> {
    const next = readNearSide(offer);
    const sealed = readSealedSide(await bringAcross(next));
    nearSide = next;
    state.offer = offer;
    state.version++;
    return writeBrowserAnswer({ ...next.offer, weStartDtls: true }, { ...sealed, version: state.version });
  }

  /** Connects the browser to its current far side; resolves to the rtpengine's answer to the browser. */
  async function bringAcross(near: NearSide): Promise<string> {
    if (relays) return bringRelay("near", near.describe(), relays);
    const given = {
      sdp: near.describe(keyNumberOf(state.farDescription, near)),
      codec: { transcode: codecsToPut(near) },
    };
    state.plain = readPlainSide(await pairs.offer({ from: nearTag(), to: farTag() }, given, ourKey()));
    return answerBrowser(farTag(), state.farDescription ?? nobody(near));
  }

  async function bringFarEnd(sdp: string, learning = learningOf(sdp)): Promise<void> {
    if (relays) await bringRelay("far", sdp, relays, learning);
    else await answerBrowser(farTag(), sdp, learning);
  }

  /** Connects one side to its relay; resolves to the rtpengine's answer to that side. */
  async function bringRelay(
    side: SideName,
    sdp: string,
    { [side]: open }: Relays,
    learning: Learning = "heuristic",
  ): Promise<string> {
    const pair = { from: side === "near" ? nearTag() : farTag(), to: relayTag(side) };
    const { telephoneEventType } = nearSide;
    if (side === "far") await sendOurKey();
    const theirs = await (side === "near" ? pairs.offer(pair, { sdp }) : offerOfFarEnd(pair, sdp, learning));
    const ours = atAddress(await open(theirs, { telephoneEventType }), node.ourAddress);
    return side === "near" ? answerBrowser(pair.to, ours) : pairs.answer(pair, ours);
  }

  async function offerOfFarEnd(pair: Parameters<typeof pairs.offer>[0], sdp: string, learning: Learning) {
    const theirs = await pairs.offerOfFarEnd(pair, sdp, learning);
    return state.farTakesSound ? theirs : theirs.replaceAll("a=sendrecv", "a=sendonly");
  }

  const sdpFor = (far: string | null) => describeWithNear(far, nearSide, keyFor(far, state.keys));
  const ourKey = () => keyFor(state.farDescription, state.keys);

  /** For a far end whose relay has no key of its own: an rtpengine would generate one. */
  async function sendOurKey(): Promise<void> {
    const key = ourKey();
    if (!key) return;
    await pairs.offer({ from: keysTag, to: farTag() }, { sdp: nobody(nearSide) }, key);
    await dismiss(keysTag);
  }

  async function bringBothRelays(given: Relays): Promise<void> {
    relays = given;
    await bringRelay("near", nearSide.describe(), given);
    if (state.farDescription !== null) await bringFarEnd(state.farDescription);
    await settle();
  }

  const answerBrowser = (to: string, sdp: string, learning = learningOf(sdp)): Promise<string> =>
    pairs.answerBrowser({ from: nearTag(), to }, sdp, { takesKeys: state.takesKeys, learning });

  /** Returns the audio to the previous browser after a failed takeover. */
  async function giveBack(before: Done): Promise<void> {
    const refused = nearTag();
    state.browsers--;
    apply.note(before);
    await negotiate(state.offer);
    await dismiss(refused);
  }

  /** Removes a party that has left: its audio stops and its ports are free. Playback to it ends too (10.5). */
  async function dismiss(tag: string): Promise<void> {
    await ask("delete", { "from-tag": tag, "delete-delay": 0 });
    apply.note({ playing: null });
    await settle();
  }

  /** Null: leave it as it is. */
  function desiredNow(): DesiredState | null {
    if (relays) return initialState;
    if (!room) return null;
    const asked = desiredFor(state, room);
    return isUnsure ? { ...asked, blocksNear: true, blocksFar: true, playing: null } : asked;
  }

  /** Makes the rtpengine block and play as the state says; changes are carried out one after the other. */
  function settle(wanted = desiredNow): Promise<void> {
    const next = settling.then(() => apply.fulfil(wanted()));
    settling = next.catch(() => {});
    return next;
  }

  /** Runs changes to the pairing of the two sides one after the other. */
  function inOrder<T>(change: () => Promise<T>): Promise<T> {
    const next = changing.then(change);
    changing = next.catch(() => {});
    return next;
  }

  async function wish(what: "away" | "takesKeys", value: boolean, carryOut: () => Promise<unknown>) {
    const before = state[what];
    state[what] = value;
    try {
      await carryOut();
    } catch (error) {
      state[what] = before;
      throw error;
    }
  }

  return {
    node,
    state,
    negotiate: (offer: string): Promise<string> => inOrder(() => negotiate(offer)),
    /** Moves the audio to another browser; resolves to the rtpengine's answer to it. */
    takeOver: (offer: string): Promise<string> =>
      inOrder(async () => {
        readNearSide(offer);
        await settling;
        const before = apply.done();
        const left = nearTag();
        state.browsers++;
        apply.note({ blocksNear: false, silencesNear: false });
        const answered = await negotiate(offer).catch(async (error: unknown) => {
          await giveBack(before);
          throw error;
        });
        await dismiss(left);
        return answered;
      }),
    fingerprintOf: (offer: string): string => readNearSide(offer).offer.fingerprints[0]?.value ?? "",
    /** A room that the rtpengine doesn't confirm stays wanted until the next one: finish() retries it. */
    setRoom(next: SessionRoom): Promise<void> {
      room = next;
      return settle();
    },
    /** Retries what the rtpengine left unanswered. */
    finish: async (): Promise<void> => {
      const wanted = desiredNow();
      if (wanted && !apply.isDone(wanted)) await settle();
    },
    setAway: (away: boolean): Promise<void> => wish("away", away, settle),
    hasRelays: (): boolean => relays !== null,
    /** From now on each side hears only its relay, which applies hold and mute. */
    bringRelays: (given: Relays): Promise<void> =>
      inOrder(async () => {
        await settling;
        await bringBothRelays(given);
      }),
    dismissRelays: (): Promise<void> =>
      inOrder(async () => {
        relays = null;
        // Meanwhile they must not hear each other if the room says so; a far end that has left is not a party yet.
        if (state.farDescription !== null)
          await settle(() => ({ ...desiredFor(state, room ?? talking), playing: null }));
        await agree(state.offer);
        // The far side has no relay if it has left.
        await dismiss(relayTag("far")).catch(() => {});
        await dismiss(relayTag("near"));
      }),
    offerToFarEnd: (): Promise<string> =>
      inOrder(async () => withSdesKeys(describeFarEnd(nearSide, state.plain), state.keys.map(toSdesKey))),
    joinFarEnd: (sdp: string): Promise<void> =>
      inOrder(async () => {
        const read = readFarEnd(sdp, state.farDescription);
        if (!read) return;
        const { described } = read;
        const isAnother = sdpFor(state.farDescription) !== sdpFor(described);
        state.farDescription = described;
        state.farTakesSound = read.takesSound;
        // From the first digit on; an rtpengine that learns this only then would not play tones.
        if (!takesKeyEvents(described)) state.takesKeys = true;
        // Before the rtpengine gets the description, so that nothing more is sent there.
        if (!read.takesSound) await settle();
        if (isAnother && !relays) await bringAcross(nearSide);
        else await bringFarEnd(described);
        await settle();
      }),
    ...followFarEnd(state, {
      inOrder,
      bringFarEnd,
      endpoint: async () => readEndpoint(await ask("query"), farTag()),
      async block(blocked) {
        isUnsure = blocked;
        await settle();
      },
    }),
    leaveFarEnd: (): Promise<void> =>
      inOrder(async () => {
        Object.assign(state, withoutFarEnd());
        room = talking;
        await settle();
        const left = farTag();
        state.farEnds++;
        apply.note({ blocksFar: false });
        if (relays) await dismiss(relayTag("far")).catch(() => {});
        else await negotiate(state.offer);
        await dismiss(left);
      }),
    async sendDigits(digits: string): Promise<void> {
      const taker = takerOfKeys(state.farDescription, digits);
      if (!state.takesKeys) await wish("takesKeys", true, () => answerBrowser(farTag(), taker));
      await pressKeys(ask, { tag: nearTag(), digits });
    },
    tags,
    /**
     * Resumes a session of another process: the rtpengine continues as it is until the first room. The given relay legs
     * replace those that died with that process, and the two sides don't hear each other meanwhile.
     */
    async takeUp(given: Relays): Promise<void> {
      const parties = readParties(await ask("query"));
      if (parties.includes(relayTag("near"))) relays = given;
      // It has left since the snapshot was taken.
      if (!parties.includes(farTag())) state.farDescription = null;
      await ask("stop media", { "from-tag": farTag() }).catch(() => {});
      room = null;
      apply.note(unknownDone({ farIsThere: state.farDescription !== null }));
      if (relays) await settle();
      await (relays ? bringBothRelays(relays) : negotiate(state.offer));
    },
    query: (): Promise<NgAnswer> => ask("query"),
    end: (): Promise<unknown> => ask("delete", { "delete-delay": 0 }),
  };
}
export type NodeSession = ReturnType<typeof nodeSession>;
