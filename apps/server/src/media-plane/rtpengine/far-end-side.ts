import { withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";

import { talking } from "./desired-state.ts";
import { readFarEnd } from "./descriptions.ts";
import { followFarEnd } from "./follow-far-end.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import { readEndpoint } from "./read-sides.ts";
import { pressKeys, takerOfKeys, takesKeyEvents } from "./send-digits.ts";
import { type Pairing, relayTag } from "./session-pairing.ts";
import type { Reconciler } from "./session-reconciler.ts";
import { type SessionState, unlessItFails, withoutFarEnd } from "./session-state.ts";
import { toSdesKey } from "./srtp-keys.ts";

/** The verbs of a session's far side. */
export const farEndSide = (
  state: SessionState,
  {
    pairing,
    reconciler,
    ...given
  }: {
    pairing: Pairing;
    reconciler: Reconciler;
    ask: (command: string, given?: NgRequest) => Promise<NgAnswer>;
    tags: () => { near: string; far: string };
    inOrder: <T>(change: () => Promise<T>) => Promise<T>;
    negotiate: (offer: string) => Promise<string>;
  },
) => ({
  offerToFarEnd: (): Promise<string> =>
    given.inOrder(async () => withSdesKeys(pairing.describeNear(), state.keys.map(toSdesKey))),
  joinFarEnd: (sdp: string): Promise<void> =>
    given.inOrder(async () => {
      const read = readFarEnd(sdp, state.farDescription);
      if (!read) return;
      const { described } = read;
      const isAnother = pairing.differs(described);
      state.farDescription = described;
      state.farTakesSound = read.takesSound;
      // From the first digit on; an rtpengine that learns this only then would not play tones.
      if (!takesKeyEvents(described)) state.takesKeys = true;
      // Before the rtpengine gets the description, so that nothing more is sent there.
      if (!read.takesSound) await reconciler.reconcile();
      if (isAnother && !pairing.hasRelays()) await pairing.connectSides();
      else await pairing.connectFarEnd(described);
      await reconciler.reconcile();
    }),
  ...followFarEnd(state, {
    inOrder: given.inOrder,
    connectFarEnd: pairing.connectFarEnd,
    endpoint: async () => readEndpoint(await given.ask("query"), given.tags().far),
    async block(blocked) {
      reconciler.setUnsure(blocked);
      await reconciler.reconcile();
    },
  }),
  leaveFarEnd: (): Promise<void> =>
    given.inOrder(async () => {
      Object.assign(state, withoutFarEnd());
      reconciler.setRoom(talking);
      await reconciler.reconcile();
      const left = given.tags().far;
      state.farEnds++;
      reconciler.note({ blocksFar: false });
      if (pairing.hasRelays()) await reconciler.dismiss(relayTag("far")).catch(() => {});
      else await given.negotiate(state.offer);
      await reconciler.dismiss(left);
    }),
  async sendDigits(digits: string): Promise<void> {
    const taker = takerOfKeys(state.farDescription, digits);
    if (!state.takesKeys) await unlessItFails(state, "takesKeys", true, () => pairing.takeKeysAs(taker));
    await pressKeys(given.ask, { tag: given.tags().near, digits });
  },
});
