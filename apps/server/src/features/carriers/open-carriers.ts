import type { Carrier, CarrierCapabilities, CarrierModule } from "@leadline/adapter-kit/carrier";
import { teammateCarrier } from "@leadline/contract/transfers";
import type { DiallingCarrier } from "./channels/dialling-carrier.ts";
import type { CarrierInUse, OwnCarriers } from "./own-carriers.ts";

const noCapabilities: CarrierCapabilities = {
  hold: false,
  transfer: false,
  inbound: false,
  digits: null,
  numbers: false,
};

/** For calls to a teammate's browser (connect-teammates.ts). */
const betweenTeammates: CarrierCapabilities = { ...noCapabilities, hold: true, digits: "media" };

/** Opens every carrier that needs no settings from an organisation. `own` has the others. */
export async function openCarriers(
  modules: readonly CarrierModule[],
  own: Pick<OwnCarriers, "inUse" | "find" | "byId"> | null = null,
) {
  const known = new Map(modules.map((module) => [module.id, module]));
  const opened = new Map<string, { module: CarrierModule; carrier: Carrier }>();
  for (const module of modules) {
    const settings = module.settings.safeParse({});
    if (settings.success) opened.set(module.id, { module, carrier: await module.open(settings.data) });
  }

  function ofInstallation(): { id: string; carrier: Carrier } {
    const [first] = opened;
    if (!first) throw new Error("No carrier is open.");
    return { id: first[0], carrier: first[1].carrier };
  }

  return {
    /** The installation's carrier. */
    ofInstallation,
    /** The carrier for an organisation's calls: its own if it has connected one. Rejects if that can't be opened. */
    ofOrganisation: async (organisationId: string): Promise<CarrierInUse> =>
      (await own?.inUse(organisationId)) ?? { ...ofInstallation(), connection: null },
    /** The next carrier for a call that the tried ones couldn't place. Null if none is left. */
    nextOfOrganisation: async (organisationId: string, tried: readonly string[]): Promise<CarrierInUse | null> =>
      (await own?.inUse(organisationId, tried)) ?? null,
    /**
     * One of the organisation's own carriers, whether in use or not. Null if there is none. Rejects if it can't be
     * opened.
     */
    ownById: async (organisationId: string, carrierId: string): Promise<CarrierInUse | null> =>
      (await own?.byId(organisationId, carrierId)) ?? null,
    /** The carrier of an existing call. Null if it was removed. Rejects if it can't be opened. */
    async ofCall(call: {
      organisationId: string;
      carrier: string;
      connectionId: string | null;
    }): Promise<DiallingCarrier | null> {
      const { organisationId, carrier, connectionId } = call;
      if (connectionId === null) return opened.get(carrier)?.carrier ?? null;
      return (await own?.find(organisationId, connectionId)) ?? null;
    },
    /** Undefined for a carrier that this installation no longer has. */
    find: (carrierId: string): { name: string; carrier: Carrier } | undefined => {
      const found = opened.get(carrierId);
      return found && { name: found.module.name, carrier: found.carrier };
    },
    /** Empty for a carrier that this installation no longer has. */
    capabilities: (carrierId: string): CarrierCapabilities =>
      carrierId === teammateCarrier ? betweenTeammates : (known.get(carrierId)?.capabilities ?? noCapabilities),
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map(({ carrier }) => carrier.close()));
    },
  };
}
export type OpenCarriers = Awaited<ReturnType<typeof openCarriers>>;
