import { withSdesKeys } from "@leadline/adapter-kit/rtp/sdes";

import { talking } from "./desired-state.ts";
import { readFarEnd } from "./descriptions.ts";
import { followFarEnd } from "./follow-far-end.ts";
import type { NgAnswer, NgRequest } from "./ng-client.ts";
import { readEndpoint } from "./read-sides.ts";
import { pressKeys, takerOfKeys, takesKeyEvents } from "./send-digits.ts";
import { type Pairing, relayTag } from "./session-pairing.ts";
import type { Settling } from "./session-settling.ts";
import { type SessionState, unlessItFails, withoutFarEnd } from "./session-state.ts";
import { toSdesKey } from "./srtp-keys.ts";

/** The verbs of a session's far side. */
export const farEndSide = (
  state: SessionState,
  {
    pairing,
    settling,
    ...given
  }: {
    pairing: Pairing;
    settling: Settling;
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
      if (!read.takesSound) await settling.settle();
      if (isAnother && !pairing.hasRelays()) await pairing.bringAcross();
      else await pairing.bringFarEnd(described);
      await settling.settle();
    }),
  ...followFarEnd(state, {
    inOrder: given.inOrder,
    bringFarEnd: pairing.bringFarEnd,
    endpoint: async () => readEndpoint(await given.ask("query"), given.tags().far),
    async block(blocked) {
      settling.setUnsure(blocked);
      await settling.settle();
    },
  }),
  leaveFarEnd: (): Promise<void> =>
    given.inOrder(async () => {
      Object.assign(state, withoutFarEnd());
      settling.setRoom(talking);
      await settling.settle();
      const left = given.tags().far;
      state.farEnds++;
      settling.note({ blocksFar: false });
      if (pairing.hasRelays()) await settling.dismiss(relayTag("far")).catch(() => {});
      else await given.negotiate(state.offer);
      await settling.dismiss(left);
    }),
  async sendDigits(digits: string): Promise<void> {
    const taker = takerOfKeys(state.farDescription, digits);
    if (!state.takesKeys) await unlessItFails(state, "takesKeys", true, () => pairing.takeKeysAs(taker));
    await pressKeys(given.ask, { tag: given.tags().near, digits });
  },
});
