import { withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";

import { writeBrowserAnswer } from "../worker/browser-description.ts";
import { carryOutWishes } from "./carry-out-wishes.ts";
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
  toldWithNear,
} from "./descriptions.ts";
import { followFarEnd, learningOf } from "./follow-far-end.ts";
import { keyFor, toSdesKey } from "./kept-keys.ts";
import type { SideName, StandIns } from "./sessions.ts";
import { type SessionState, withoutFarEnd } from "./session-state.ts";
import type { MediaNode } from "./media-pool.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import { type Learning, pairsOf } from "./pairs.ts";
import { pressKeys, takerOfKeys, takesKeyEvents } from "./press-keys.ts";
import { readEndpoint, readParties } from "./read-sides.ts";
import { type Done, noWishes, undoneOf, type Wishes, wishesOf } from "./wishes.ts";

const keysTag = "keys";
const standInTag = (side: SideName): string => `${side}-stand-in`;

/**
 * One "call" of the node's: a browser on its near side, and on its far side nobody or a carrier's leg. The browser is
 * answered before there is anybody at the far side, so that ICE and DTLS finish while it rings.
 */
export function nodeSession(node: MediaNode, state: SessionState) {
  let nearSide: NearSide = readNearSide(state.offer);
  /** Null while the two sides hear each other by way of the node alone. */
  let standIns: StandIns | null = null;
  /** Of who sends as the far end. */
  let isUnsure = false;
  let settling: Promise<unknown> = Promise.resolve();
  let changing: Promise<unknown> = Promise.resolve();
  const call = { "call-id": state.callId };
  const ask = (command: string, given: NgRequest = {}): Promise<NgAnswer> => node.ask(command, { ...call, ...given });

  const pairs = pairsOf(ask);

  const nearTag = (): string => `near-${state.browsers}`;
  const farTag = (): string => `far-${state.farEnds}`;
  const tags = () => ({ near: nearTag(), far: farTag() });
  const wishes = carryOutWishes(ask, tags);

  /** The browser's side anew; what the node answers it. Rejects with UnusableOffer where it opens no port for that. */
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

  /** Whoever is across from the browser now; what the node answers the browser. */
  async function bringAcross(near: NearSide): Promise<string> {
    if (standIns) return bringStandIn("near", near.describe(), standIns);
    const given = {
      sdp: near.describe(keyNumberOf(state.farDescription, near)),
      codec: { transcode: codecsToPut(near) },
    };
    state.plain = readPlainSide(await pairs.offer({ from: nearTag(), to: farTag() }, given, ourKey()));
    return answerBrowser(farTag(), state.farDescription ?? nobody(near));
  }

  async function bringFarEnd(sdp: string, learning = learningOf(sdp)): Promise<void> {
    if (standIns) await bringStandIn("far", sdp, standIns, learning);
    else await answerBrowser(farTag(), sdp, learning);
  }

  /** One side's stand-in across from it; what the node answers that side. */
  async function bringStandIn(
    side: SideName,
    sdp: string,
    { [side]: open }: StandIns,
    learning: Learning = "heuristic",
  ): Promise<string> {
    const pair = { from: side === "near" ? nearTag() : farTag(), to: standInTag(side) };
    const { held, muted } = state;
    const { telephoneEventType } = nearSide;
    if (side === "far") await tellOurKey();
    const theirs = await (side === "near" ? pairs.offer(pair, { sdp }) : offerOfFarEnd(pair, sdp, learning));
    const ours = atAddress(await open(theirs, { held, muted, telephoneEventType }), node.ourAddress);
    return side === "near" ? answerBrowser(pair.to, ours) : pairs.answer(pair, ours);
  }

  async function offerOfFarEnd(pair: Parameters<typeof pairs.offer>[0], sdp: string, learning: Learning) {
    const theirs = await pairs.offerOfFarEnd(pair, sdp, learning);
    return state.farTakesSound ? theirs : theirs.replaceAll("a=sendrecv", "a=sendonly");
  }

  const told = (far: string | null) => toldWithNear(far, nearSide, keyFor(far, state.keys));
  const ourKey = () => keyFor(state.farDescription, state.keys);

  /** For a far end whose stand-in has none to tell: a node would draw one of its own. */
  async function tellOurKey(): Promise<void> {
    const key = ourKey();
    if (!key) return;
    await pairs.offer({ from: keysTag, to: farTag() }, { sdp: nobody(nearSide) }, key);
    await dismiss(keysTag);
  }

  async function bringBothStandIns(given: StandIns): Promise<void> {
    standIns = given;
    await bringStandIn("near", nearSide.describe(), given);
    if (state.farDescription !== null) await bringFarEnd(state.farDescription);
    await settle();
  }

  const answerBrowser = (to: string, sdp: string, learning = learningOf(sdp)): Promise<string> =>
    pairs.answerBrowser({ from: nearTag(), to }, sdp, { takesKeys: state.takesKeys, learning });

  /** The browser that could not take over leaves the sound to whoever had it. */
  async function giveBack(before: Done): Promise<void> {
    const refused = nearTag();
    state.browsers--;
    wishes.note(before);
    await negotiate(state.offer);
    await dismiss(refused);
  }

  /** A party that has left: nothing of it is heard any more, and its ports are free. With it ends what is played (10.5). */
  async function dismiss(tag: string): Promise<void> {
    await ask("delete", { "from-tag": tag, "delete-delay": 0 });
    wishes.note({ playing: null });
    await settle();
  }

  function wishesNow(): Wishes {
    if (standIns) return noWishes;
    const asked = wishesOf(state);
    return isUnsure ? { ...asked, blocksNear: true, blocksFar: true, playing: null } : asked;
  }

  /** Makes the node block and play as the state asks; changes are carried out one after the other. */
  function settle(wanted = wishesNow): Promise<void> {
    const next = settling.then(() => wishes.fulfil(wanted()));
    settling = next.catch(() => {});
    return next;
  }

  /** Who is across from whom changes one after the other. */
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

  /** Stays wanted if the node fails to answer, until the next one: finish() sees to it. */
  function want(what: "held" | "muted", value: boolean): Promise<void> {
    state[what] = value;
    return settle();
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
        const before = wishes.done();
        const left = nearTag();
        state.browsers++;
        wishes.note({ blocksNear: false, silencesNear: false });
        const answered = await negotiate(offer).catch(async (error: unknown) => {
          await giveBack(before);
          throw error;
        });
        await dismiss(left);
        return answered;
      }),
    fingerprintOf: (offer: string): string => readNearSide(offer).offer.fingerprints[0]?.value ?? "",
    /** The tune is what the far end hears, and the browser hears nothing. */
    setHeld: (held: boolean): Promise<void> => want("held", held),
    setMuted: (muted: boolean): Promise<void> => want("muted", muted),
    /** Carries out what a node has left unanswered. */
    finish: async (): Promise<void> => {
      if (!wishes.isDone(wishesNow())) await settle();
    },
    setAway: (away: boolean): Promise<void> => wish("away", away, settle),
    hasStandIns: (): boolean => standIns !== null,
    /** From now on each side hears its stand-in alone, which holds and mutes it. */
    bringStandIns: (given: StandIns): Promise<void> =>
      inOrder(async () => {
        await settling;
        await bringBothStandIns(given);
      }),
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
    offerToFarEnd: (): Promise<string> =>
      inOrder(async () => withSdesKeys(describeFarEnd(nearSide, state.plain), state.keys.map(toSdesKey))),
    joinFarEnd: (sdp: string): Promise<void> =>
      inOrder(async () => {
        const read = readFarEnd(sdp, state.farDescription);
        if (!read) return;
        const { described } = read;
        const isAnother = told(state.farDescription) !== told(described);
        state.farDescription = described;
        state.farTakesSound = read.takesSound;
        // From the first key on, which a node that learns only then would not sound.
        if (!takesKeyEvents(described)) state.takesKeys = true;
        // Before the node has it, so that nothing more of ours is heard there.
        if (!read.takesSound) await settle();
        if (isAnother && !standIns) await bringAcross(nearSide);
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
        await settle();
        const left = farTag();
        state.farEnds++;
        wishes.note({ blocksFar: false });
        if (standIns) await dismiss(standInTag("far")).catch(() => {});
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
     * After another process had it: whatever the node does, it does as the state asks from then on. Stand-ins that it had ended with
     * that process; these take their place, and the two sides do not hear each other meanwhile.
     */
    async takeUp(given: StandIns): Promise<void> {
      const parties = readParties(await ask("query"));
      if (parties.includes(standInTag("near"))) standIns = given;
      // It has left since that was written down.
      if (!parties.includes(farTag())) state.farDescription = null;
      await ask("stop media", { "from-tag": farTag() }).catch(() => {});
      wishes.note(undoneOf(wishesNow(), { farIsThere: state.farDescription !== null }));
      await settle();
      await (standIns ? bringBothStandIns(standIns) : negotiate(state.offer));
    },
    query: (): Promise<NgAnswer> => ask("query"),
    end: (): Promise<unknown> => ask("delete", { "delete-delay": 0 }),
  };
}
export type NodeSession = ReturnType<typeof nodeSession>;
