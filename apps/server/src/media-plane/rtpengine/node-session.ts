import { createInOrder } from "@leadline/adapter-kit/in-order";
import { readNearSide } from "./descriptions.ts";
import { type Done, type SessionRoom, unknownDone } from "./desired-state.ts";
import { farEndSide } from "./far-end-side.ts";
import type { MediaNode } from "./media-pool.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import { readParties } from "./read-sides.ts";
import { createPairing, relayTag } from "./session-pairing.ts";
import { createReconciler } from "./session-reconciler.ts";
import { type SessionState, unlessItFails } from "./session-state.ts";
import type { Relays } from "./sessions.ts";

/**
 * One "call" in rtpengine's terms: a browser on the near side, and a carrier leg or no one on the far side. The browser
 * is answered before there is a far side, so that ICE and DTLS finish during ringing.
 */
export function nodeSession(node: MediaNode, state: SessionState) {
  const call = { "call-id": state.callId };
  const ask = (command: string, given: NgRequest = {}): Promise<NgAnswer> => node.ask(command, { ...call, ...given });
  const tags = () => ({ near: `near-${state.browsers}`, far: `far-${state.farEnds}` });
  const pairing = createPairing(node, state, { ask, tags, dismiss: (tag) => reconciler.dismiss(tag) });
  const reconciler = createReconciler(state, { ask, tags, hasRelays: pairing.hasRelays });

  /** For changes to the pairing of the two sides. */
  const inOrder = createInOrder();

  async function negotiate(offer: string): Promise<string> {
    const answered = await pairing.agree(offer);
    await reconciler.reconcile();
    return answered;
  }

  async function openBothRelays(relays: Relays): Promise<void> {
    await pairing.openBothRelays(relays);
    await reconciler.reconcile();
  }

  /** Returns the audio to the previous browser after a failed takeover. */
  async function giveBack(before: Done): Promise<void> {
    const refused = tags().near;
    state.browsers--;
    reconciler.note(before);
    await negotiate(state.offer);
    await reconciler.dismiss(refused);
  }

  return {
    node,
    state,
    tags,
    /**
     * Renegotiates the browser's side; resolves to the rtpengine's answer. Rejects with UnusableOffer if it opens no
     * port for it.
     */
    negotiate: (offer: string): Promise<string> => inOrder(() => negotiate(offer)),
    /** Moves the audio to another browser; resolves to the rtpengine's answer to it. */
    takeOver: (offer: string): Promise<string> =>
      inOrder(async () => {
        readNearSide(offer);
        await reconciler.idle();
        const before = reconciler.done();
        const left = tags().near;
        state.browsers++;
        reconciler.note({ blocksNear: false, silencesNear: false });
        const answered = await negotiate(offer).catch(async (error: unknown) => {
          await giveBack(before);
          throw error;
        });
        await reconciler.dismiss(left);
        return answered;
      }),
    fingerprintOf: (offer: string): string => readNearSide(offer).offer.fingerprints[0]?.value ?? "",
    /** A room that the rtpengine doesn't confirm stays wanted until the next one: finish() retries it. */
    setRoom(next: SessionRoom): Promise<void> {
      reconciler.setRoom(next);
      return reconciler.reconcile();
    },
    finish: reconciler.finish,
    setAway: (away: boolean): Promise<void> => unlessItFails(state, "away", away, reconciler.reconcile),
    hasRelays: pairing.hasRelays,
    /** From now on each side hears only its relay, which applies hold and mute. */
    openRelays: (relays: Relays): Promise<void> =>
      inOrder(async () => {
        await reconciler.idle();
        await openBothRelays(relays);
      }),
    dismissRelays: (): Promise<void> =>
      inOrder(async () => {
        pairing.setRelays(null);
        // Meanwhile they must not hear each other if the room says so; a far end that has left is not a party yet.
        if (state.farDescription !== null) await reconciler.reconcileWithoutRelays();
        await pairing.agree(state.offer);
        // The far side has no relay if it has left.
        await reconciler.dismiss(relayTag("far")).catch(() => {});
        await reconciler.dismiss(relayTag("near"));
      }),
    ...farEndSide(state, { pairing, reconciler, ask, tags, inOrder, negotiate }),
    /**
     * Resumes a session of another process: the rtpengine continues as it is until the first room. The given relay legs
     * replace those that died with that process, and the two sides don't hear each other meanwhile.
     */
    async takeUp(relays: Relays): Promise<void> {
      const parties = readParties(await ask("query"));
      const hasRelays = parties.includes(relayTag("near"));
      if (hasRelays) pairing.setRelays(relays);
      // It has left since the snapshot was taken.
      if (!parties.includes(tags().far)) state.farDescription = null;
      await ask("stop media", { "from-tag": tags().far }).catch(() => {});
      reconciler.setRoom(null);
      reconciler.note(unknownDone({ farIsThere: state.farDescription !== null }));
      if (hasRelays) await reconciler.reconcile();
      await (hasRelays ? openBothRelays(relays) : negotiate(state.offer));
    },
    query: (): Promise<NgAnswer> => ask("query"),
    end: (): Promise<unknown> => ask("delete", { "delete-delay": 0 }),
  };
}
export type NodeSession = ReturnType<typeof nodeSession>;
