import type { CarrierIdentity } from "@leadline/adapter-kit/carrier-identity";
import type { CarrierOwners } from "../../carrier-owners.ts";

let owners: CarrierOwners = new Map();

/** Per process: who uses which servers, as decided by the administrator. None is decided by default. */
export function assignServers(assigned: CarrierOwners): void {
  owners = assigned;
}

/** Whether other organisations' carriers at this server don't matter, because the administrator has decided. */
export const isAssigned = (server: string): boolean => owners.has(server);

/** Whether the administrator has given one of the servers to another organisation, or to all who have a password. */
export const isRefusedByAdministrator = (
  organisationId: string,
  { servers, knownByAddress }: CarrierIdentity,
): boolean =>
  servers.some((server) => {
    const owner = owners.get(server);
    return owner === "shared" ? knownByAddress : owner !== undefined && owner !== organisationId;
  });
