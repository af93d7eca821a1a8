import type { CarrierLeg, CarrierLegEvent, CarrierModule, CarrierTransferEvent } from "@leadline/adapter-kit/carrier";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { z } from "zod";

/** What the one leg of a trunk's was told, and a way to speak for its far end. */
export interface Puppet {
  holds: boolean[];
  sentTo: (string | CarrierLeg)[];
  hangUps: number;
  say: (event: CarrierTransferEvent) => void;
  tell: (event: CarrierLegEvent) => void;
}

/** By callSid. */
export const puppets = new Map<string, Puppet>();

/** The sandbox's callees behind a carrier that an organisation connects, whose transfers go as the test says. */
export const stringed: CarrierModule = {
  ...sandbox,
  id: "stringed",
  settings: z.object({ line: z.string() }),
  async open() {
    const inner = await sandbox.open({});
    return {
      ...inner,
      async dial(request) {
        const dialled: CarrierLeg = await inner.dial(request);
        const leg: CarrierLeg = {
          ...dialled,
          hangUp() {
            puppet.hangUps++;
            return dialled.hangUp();
          },
          setHold: async (held) => void puppet.holds.push(held),
          transfer({ to, onEvent }) {
            puppet.sentTo.push(to);
            puppet.say = onEvent;
          },
        };
        const puppet: Puppet = { holds: [], sentTo: [], hangUps: 0, say: () => {}, tell: request.onEvent };
        puppets.set(request.callSid, puppet);
        return leg;
      },
    };
  },
};
