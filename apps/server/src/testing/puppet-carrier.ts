import type { CarrierLeg, CarrierLegEvent, CarrierModule, CarrierTransferEvent } from "@leadline/adapter-kit/carrier";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { z } from "zod";

/** Records what one trunk leg was asked to do, and lets a test act as its far end. */
interface Puppet {
  holds: boolean[];
  sentTo: (string | CarrierLeg)[];
  hangUps: number;
  /** Resolves when the far end answers a hold. */
  holding: Promise<void>;
  say: (event: CarrierTransferEvent) => void;
  emit: (event: CarrierLegEvent) => void;
}
/** By callSid. */
export const puppets = new Map<string, Puppet>();

/** The sandbox's callees behind a carrier that an organisation connects; the test determines how transfers go. */
export const stringed: CarrierModule = {
  ...sandbox,
  id: "stringed",
  settings: z.object({ line: z.string() }),
  async open() {
    const inner = await sandbox.open({});
    return {
      ...inner,
      async dial(request) {
        const leg: CarrierLeg = await inner.dial(request);
        const puppet: Puppet = {
          holds: [],
          sentTo: [],
          hangUps: 0,
          holding: Promise.resolve(),
          say: () => {},
          emit: request.onEvent,
        };
        puppets.set(request.callSid, puppet);
        return {
          ...leg,
          hangUp() {
            puppet.hangUps += 1;
            return leg.hangUp();
          },
          async setHold(held) {
            puppet.holds.push(held);
            await puppet.holding;
          },
          transfer({ to, onEvent }) {
            puppet.sentTo.push(to);
            puppet.say = onEvent;
          },
        };
      },
    };
  },
};
export const untransferring: CarrierModule = {
  ...stringed,
  id: "untransferring",
  capabilities: { ...sandbox.capabilities, transfer: false },
};
