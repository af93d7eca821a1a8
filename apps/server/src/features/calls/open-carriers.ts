import type { Carrier, CarrierCapabilities, CarrierModule } from "@leadline/adapter-kit/carrier";

const noCapabilities: CarrierCapabilities = { hold: false, inbound: false, digits: null, numbers: false };

/** Opens every carrier that needs no settings of an organisation's. */
export async function openCarriers(modules: readonly CarrierModule[]) {
  const opened = new Map<string, { module: CarrierModule; carrier: Carrier }>();
  for (const module of modules)
    opened.set(module.id, { module, carrier: await module.open(module.settings.parse({})) });

  return {
    /** The carrier an organisation's calls go to. */
    ofOrganisation(): { id: string; carrier: Carrier } {
      const [first] = opened;
      if (!first) throw new Error("No carrier is open.");
      return { id: first[0], carrier: first[1].carrier };
    },
    /** Undefined for a carrier that this installation no longer has. */
    find: (carrierId: string): { name: string; carrier: Carrier } | undefined => {
      const found = opened.get(carrierId);
      return found && { name: found.module.name, carrier: found.carrier };
    },
    /** None for a carrier that this installation no longer has. */
    capabilities: (carrierId: string): CarrierCapabilities =>
      opened.get(carrierId)?.module.capabilities ?? noCapabilities,
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map(({ carrier }) => carrier.close()));
    },
  };
}
export type OpenCarriers = Awaited<ReturnType<typeof openCarriers>>;
