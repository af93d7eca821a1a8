import { writeBrowserAnswer } from "../worker/browser-description.ts";
import {
  atAddress,
  codecsToPut,
  describeFarEnd,
  describeWithNear,
  keyNumberOf,
  type NearSide,
  nobody,
  readNearSide,
  readPlainSide,
  readSealedSide,
} from "./descriptions.ts";
import { learningOf } from "./follow-far-end.ts";
import type { MediaNode } from "./media-pool.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import { type Learning, type Pair, pairsOf } from "./pairs.ts";
import type { SessionState } from "./session-state.ts";
import type { Relays, SideName } from "./sessions.ts";
import { keyFor } from "./srtp-keys.ts";

const keysTag = "keys";
export const relayTag = (side: SideName): string => `${side}-relay`;

/** Whose audio an rtpengine passes to whom: the two sides to each other, or each to its relay. */
export function createPairing(
  node: MediaNode,
  state: SessionState,
  given: {
    ask: (command: string, given: NgRequest) => Promise<NgAnswer>;
    tags: () => { near: string; far: string };
    dismiss: (tag: string) => Promise<void>;
  },
) {
  const pairs = pairsOf(given.ask);
  let nearSide: NearSide = readNearSide(state.offer);
  /** Null while the two sides hear each other through the rtpengine alone. */
  let relays: Relays | null = null;

  const tagOf = (side: SideName): string => given.tags()[side];
  const ourKey = () => keyFor(state.farDescription, state.keys);
  const sdpFor = (far: string | null): string => describeWithNear(far, nearSide, keyFor(far, state.keys));

  const answerBrowser = (to: string, sdp: string, learning = learningOf(sdp)): Promise<string> =>
    pairs.answerBrowser({ from: tagOf("near"), to }, sdp, { takesKeys: state.takesKeys, learning });

  /** Connects the browser to its current far side; resolves to the rtpengine's answer to the browser. */
  async function connectSides(near = nearSide): Promise<string> {
    if (relays) return openRelay("near", near.describe(), relays);
    const described = {
      sdp: near.describe(keyNumberOf(state.farDescription, near)),
      codec: { transcode: codecsToPut(near) },
    };
    state.plain = readPlainSide(await pairs.offer({ from: tagOf("near"), to: tagOf("far") }, described, ourKey()));
    return answerBrowser(tagOf("far"), state.farDescription ?? nobody(near));
  }

  /** Connects one side to its relay; resolves to the rtpengine's answer to that side. */
  async function openRelay(
    side: SideName,
    sdp: string,
    { [side]: open }: Relays,
    learning: Learning = "heuristic",
  ): Promise<string> {
    const pair = { from: tagOf(side), to: relayTag(side) };
    const { telephoneEventType } = nearSide;
    if (side === "far") await sendOurKey();
    const theirs = await (side === "near" ? pairs.offer(pair, { sdp }) : offerOfFarEnd(pair, sdp, learning));
    const ours = atAddress(await open(theirs, { telephoneEventType }), node.ourAddress);
    return side === "near" ? answerBrowser(pair.to, ours) : pairs.answer(pair, ours);
  }

  async function offerOfFarEnd(pair: Pair, sdp: string, learning: Learning): Promise<string> {
    const theirs = await pairs.offerOfFarEnd(pair, sdp, learning);
    return state.farTakesSound ? theirs : theirs.replaceAll("a=sendrecv", "a=sendonly");
  }

  /** For a far end whose relay has no key of its own: an rtpengine would generate one. */
  async function sendOurKey(): Promise<void> {
    const key = ourKey();
    if (!key) return;
    await pairs.offer({ from: keysTag, to: tagOf("far") }, { sdp: nobody(nearSide) }, key);
    await given.dismiss(keysTag);
  }

  async function connectFarEnd(sdp: string, learning = learningOf(sdp)): Promise<void> {
    if (relays) await openRelay("far", sdp, relays, learning);
    else await answerBrowser(tagOf("far"), sdp, learning);
  }

  return {
    hasRelays: (): boolean => relays !== null,
    setRelays: (next: Relays | null): void => void (relays = next),
    /** Renegotiates the browser's side. Rejects with UnusableOffer if the rtpengine opens no port for it. */
    async agree(offer: string): Promise<string> {
      const next = readNearSide(offer);
      const sealed = readSealedSide(await connectSides(next));
      nearSide = next;
      state.offer = offer;
      state.version++;
      return writeBrowserAnswer({ ...next.offer, weStartDtls: true }, { ...sealed, version: state.version });
    },
    /** The near side as a far end is offered it, without our keys. */
    describeNear: (): string => describeFarEnd(nearSide, state.plain),
    connectSides: (): Promise<string> => connectSides(),
    connectFarEnd,
    /** Whether the far end must be described to the browser anew. */
    differs: (described: string): boolean => sdpFor(state.farDescription) !== sdpFor(described),
    async openBothRelays(next: Relays): Promise<void> {
      relays = next;
      await openRelay("near", nearSide.describe(), next);
      if (state.farDescription !== null) await connectFarEnd(state.farDescription);
    },
    /** Has the browser's telephone events taken by this description's far end. */
    takeKeysAs: (sdp: string): Promise<string> => answerBrowser(tagOf("far"), sdp),
  };
}
export type Pairing = ReturnType<typeof createPairing>;
